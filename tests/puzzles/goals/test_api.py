"""Goals and leaderboards through the API: what the pages show, to the same people, and no more."""

import pytest
from django.utils import timezone

from puzzles.goals import services as goals
from puzzles.models import Nickname
from tests.conftest import PASSWORD
from tests.puzzles.goals.test_goals import DAY, learn, study, today
from tests.puzzles.making.test_api import Api, held_to, read_schema
from vocab.memory.reviews import review

pytestmark = pytest.mark.django_db
OWN, GOAL = "/api/goal/", "/api/classes/{id}/goal/"
RANKING, NICKNAME = "/api/classes/{id}/ranking/", "/api/classes/{id}/nickname/"


@pytest.fixture
def api(teacher):
    return Api("ana")


@pytest.fixture
def luka(student, classroom):
    return Api("luka")


def error_of(reply):
    assert reply.status_code == 400
    return reply.json()


def test_a_student_sets_a_daily_goal_and_takes_it_away(luka, student, animals):
    schema = read_schema()
    assert luka("get", "goal/").json() == {"words": None, "words_today": 0}
    reply = luka("put", "goal/", {"words": 12})
    held_to(schema, OWN, "put", reply.json())
    assert goals.own_goal(student) == 12
    review(
        student=student, entry=animals.entries.first(), mode="typed", skill="meaning_to_form",
        outcome="right", at=timezone.now(), source="today",
    )  # fmt: skip
    told = luka("get", "goal/").json()
    held_to(schema, OWN, "get", told)
    assert told == {"words": 12, "words_today": 1}
    assert luka("put", "goal/", {"words": None}).json()["words"] is None
    assert goals.own_goal(student) is None


@pytest.mark.parametrize("body", [{}, {"words": 0}, {"words": 201}, {"words": "many"}])
def test_a_daily_goal_that_cannot_be_is_refused(body, luka, student):
    goals.set_own_goal(student=student, words=12)
    assert [one["pointer"] for one in error_of(luka("put", "goal/", body))["errors"]] == ["#/words"]
    assert goals.own_goal(student) == 12


def test_a_teacher_has_no_daily_goal(api):
    assert api("get", "goal/").status_code == 404
    assert api("put", "goal/", {"words": 5}).status_code == 404


def test_a_class_goal_is_set_reached_replaced_and_ended(
    api, luka, classroom, student, mia, animals
):
    schema, path = read_schema(), f"classes/{classroom.pk}/goal/"
    nothing = {"words": None, "starts_on": None, "ends_on": None, "learned": 0, "is_reached": False}
    for who in (api, luka):
        told = who("get", path).json()
        held_to(schema, GOAL, "get", told)
        assert told == nothing
    ends_on = (today() + 7 * DAY).isoformat()
    made = api("put", path, {"words": 7, "ends_on": ends_on})
    held_to(schema, GOAL, "put", made.json())
    assert (made.json()["words"], made.json()["learned"]) == (7, 0)
    words = list(animals.entries.all())
    learn(student, words[:4], since=today())
    learn(mia, words[:3], since=today())
    for who in (api, luka):
        assert who("get", path).json() == {
            "words": 7, "starts_on": today().isoformat(), "ends_on": ends_on, "learned": 7,
            "is_reached": True,
        }  # fmt: skip
    replaced = api("put", path, {"words": 9, "ends_on": ends_on}).json()
    assert (replaced["words"], replaced["is_reached"]) == (9, False)
    assert classroom.goals.count() == 1
    for _twice in range(2):
        assert api("delete", path).status_code == 204
    assert luka("get", path).json() == nothing


def test_a_class_goal_that_cannot_be_is_refused_by_name(api, classroom):
    path, later = f"classes/{classroom.pk}/goal/", (today() + DAY).isoformat()
    for body, names in (
        ({}, ["words", "ends_on"]),
        ({"words": 0, "ends_on": later}, ["words"]),
        ({"words": 100_001, "ends_on": later}, ["words"]),
        ({"words": 5, "ends_on": (today() - DAY).isoformat()}, ["ends_on"]),
        ({"words": 5, "ends_on": "soon"}, ["ends_on"]),
        ({"words": 5, "ends_on": later, "starts_on": later}, ["starts_on"]),
    ):
        told = error_of(api("put", path, body))
        assert [one["pointer"] for one in told["errors"]] == [f"#/{name}" for name in names], body
    assert not classroom.goals.exists()


def test_a_student_sees_of_a_leaderboard_what_the_page_shows(
    api, luka, classroom, student, mia, make_person, school
):
    schema, path = read_schema(), f"classes/{classroom.pk}/ranking/"
    study(student, right=5)
    study(mia, right=7)
    off = luka("get", path).json()
    held_to(schema, RANKING, "get", off)
    assert off == {
        "is_on": False, "nicknames": None, "first": None, "own": None, "offered": [],
    }  # fmt: skip
    assert api("put", path, {"is_on": True}).json()["is_on"] is True
    goals.choose_nickname(classroom=classroom, student=mia, name="Orion")

    looks_on = luka("get", path).json()
    assert (looks_on["first"], looks_on["own"]) == (None, None)
    assert "Vega" in looks_on["offered"] and "Orion" not in looks_on["offered"]
    joined = luka("put", f"classes/{classroom.pk}/nickname/", {"name": "Vega"}).json()
    held_to(schema, NICKNAME, "put", joined)
    assert joined["first"] == [  # the control: now it is theirs, too
        {"name": "Orion", "right": 7, "is_own": False},
        {"name": "Vega", "right": 5, "is_own": True},
    ]
    assert joined["own"] == {"name": "Vega", "right": 5}
    assert joined["nicknames"] is None
    assert "Mia" not in str(joined)

    teachers = api("get", path).json()
    held_to(schema, RANKING, "get", teachers)
    assert teachers == {
        "is_on": True,
        "nicknames": [
            {"name": "Orion", "student": mia.pk, "display_name": "Mia"},
            {"name": "Vega", "student": student.pk, "display_name": "Luka"},
        ],
        "first": None, "own": None, "offered": None,
    }  # fmt: skip


def test_a_nickname_is_chosen_from_those_offered_and_given_back(api, luka, classroom, student, mia):
    path = f"classes/{classroom.pk}/nickname/"
    assert "no leaderboard" in error_of(luka("put", path, {"name": "Vega"}))["detail"]
    goals.switch_ranking(classroom=classroom, is_on=True)
    goals.choose_nickname(classroom=classroom, student=mia, name="Orion")
    for name in ("Orion", "Luka the Great", ""):
        error_of(luka("put", path, {"name": name}))
    assert not Nickname.objects.filter(student=student).exists()
    assert luka("put", path, {"name": "Vega"}).status_code == 200
    assert luka("delete", path).status_code == 204
    assert not Nickname.objects.filter(student=student).exists()
    assert api("put", path, {"name": "Vega"}).status_code == 404


def test_switching_off_keeps_nicknames(api, classroom, mia):
    path = f"classes/{classroom.pk}/ranking/"
    api("put", path, {"is_on": True})
    goals.choose_nickname(classroom=classroom, student=mia, name="Orion")
    assert api("put", path, {"is_on": False}).json()["nicknames"] == []
    assert [one["name"] for one in api("put", path, {"is_on": True}).json()["nicknames"]] == [
        "Orion"
    ]


def test_an_archived_class_has_no_goal_to_change_and_none_for_its_students(api, luka, classroom):
    base, later = f"classes/{classroom.pk}/", (today() + DAY).isoformat()
    goal = {"words": 5, "ends_on": later}
    assert api("put", f"{base}goal/", goal).status_code == 200  # the control
    assert luka("get", f"{base}goal/").status_code == 200
    classroom.archived_at = timezone.now()
    classroom.save()
    assert api("put", f"{base}goal/", goal).status_code == 404
    assert api("put", f"{base}ranking/", {"is_on": True}).status_code == 404
    assert api("get", f"{base}goal/").json()["words"] == 5
    for path in ("goal/", "ranking/"):
        assert luka("get", f"{base}{path}").status_code == 404
    assert luka("put", f"{base}nickname/", {"name": "Vega"}).status_code == 404


@pytest.mark.parametrize(("scope", "status"), [("read", 403), ("play", 200)])
def test_a_token_to_play_is_enough_for_ones_own_goal(scope, status, luka):
    body = {"username": "luka", "password": PASSWORD, "scope": scope}
    luka.headers = {"Authorization": f"Token {luka('post', 'token/', body).json()['token']}"}
    assert luka("put", "goal/", {"words": 5}).status_code == status
