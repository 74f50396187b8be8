"""The puzzle of the day through the API: opened, played, told of, and turned on and off."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzles.models import DailyPuzzle, Puzzle
from tests.puzzles.daily.test_daily import made
from tests.puzzles.making.test_api import Api, held_to, read_schema
from tests.puzzles.practice.test_practice import find_all

pytestmark = pytest.mark.django_db
DAILY, SWITCH = "/api/classes/{id}/daily/", "/api/classes/{id}/daily/switch/"


@pytest.fixture
def api(teacher):
    return Api("ana")


@pytest.fixture
def luka(student, classroom):
    return Api("luka")


@pytest.fixture
def assigned(make_puzzle, student, mia):
    """An assignment of eight words that both students have solved, so that nothing is hidden."""
    puzzle = make_puzzle(words=8)
    for one in (student, mia):
        find_all(puzzle, one)
    return puzzle


@pytest.fixture
def path(api, classroom):
    path = f"classes/{classroom.pk}/daily/"
    assert api("put", f"{path}switch/", {"is_on": True}).json() == {"is_on": True}
    return path


def test_a_student_opens_plays_and_shares_the_puzzle_of_the_day(
    path, luka, api, assigned, student, mia
):
    schema = read_schema()
    before = luka("get", path).json()
    held_to(schema, DAILY, "get", before)
    assert (before["kind"], before["has_begun"], before["done"]) == (None, False, 0)

    opened = luka("post", path).json()
    held_to(schema, DAILY, "post", opened)
    puzzle = made(Puzzle.objects.get(code=opened["code"]))
    assert luka("post", path).json() == {"code": puzzle.code, "state": "ready"}
    begun = luka("get", path).json()
    assert (begun["kind"], begun["has_begun"], begun["is_finished"], begun["text"]) == (
        puzzle.kind, True, False, "",
    )  # fmt: skip
    assert luka("get", f"play/{puzzle.code}/").status_code == 200

    find_all(puzzle, student)
    ended = luka("get", path).json()
    held_to(schema, DAILY, "get", ended)
    assert (ended["is_finished"], ended["done"]) == (True, 1)
    assert "🟩" in ended["text"] and "Luka" not in ended["text"]
    others = Api("mia")("get", path).json()
    assert (others["done"], others["has_begun"], others["text"]) == (1, False, "")
    assert api("get", path).json()["done"] == 1


def test_what_was_begun_on_another_day_is_named_to_be_finished(path, luka, assigned, student):
    code = luka("post", path).json()["code"]
    assert luka("get", path).json()["unfinished"] == []
    day = DailyPuzzle.objects.get()
    DailyPuzzle.objects.update(day=day.day - timedelta(days=1), until=timezone.now())
    [earlier] = luka("get", path).json()["unfinished"]
    assert (earlier["code"], earlier["day"]) == (code, str(day.day - timedelta(days=1)))


def test_a_puzzle_of_the_day_that_cannot_be_is_refused_with_its_reason(
    path, luka, make_puzzle, student
):
    make_puzzle(words=24)  # assigned and not solved
    reply = luka("post", path)
    assert reply.status_code == 400
    assert "Too few words" in reply.json()["detail"]
    assert not DailyPuzzle.objects.exists()


def test_where_it_is_off_there_is_none(path, api, luka, assigned):
    assert luka("get", path).status_code == 200  # the control
    reply = api("put", f"{path}switch/", {"is_on": False})
    held_to(read_schema(), SWITCH, "put", reply.json())
    assert luka("get", path).status_code == luka("post", path).status_code == 404
    assert luka("put", f"{path}switch/", {"is_on": True}).status_code == 404
