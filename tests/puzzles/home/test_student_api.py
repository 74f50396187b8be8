"""A student's program finds what to do, plays its own adaptive puzzle and answers a review."""

import uuid

import pytest

from puzzles.assignments import services as assignments
from puzzles.models import Puzzle
from tests.puzzles.making.test_api import Api, held_to, read_schema
from tests.puzzles.practice.test_practice import find_all, made, remember
from vocab.models import Review

pytestmark = pytest.mark.django_db


@pytest.fixture
def api(student):
    return Api("luka")


def test_what_is_to_be_done_is_told_and_played(api, make_puzzle, student, classroom):
    puzzle = make_puzzle(words=6)
    assignments.change(assignment=make_puzzle(seed=2).assignments.get(), is_adaptive=True)
    own, plain = api("get", "todo/").json()
    held_to(read_schema(), "/api/todo/", "get", [own, plain])
    assert (plain["puzzle"], plain["total"], plain["classroom"]) == (puzzle.code, 6, "6b")
    assert own["puzzle"] is None
    asked = api("post", f"assignments/{own['id']}/play/")
    held_to(read_schema(), "/api/assignments/{id}/play/", "post", asked.json())
    mine = made(Puzzle.objects.get(code=asked.json()["code"]))
    assert mine.created_by == student
    find_all(mine, student)
    own, plain = api("get", "todo/").json()
    assert (own["puzzle"], own["is_finished"]) == (mine.code, True)
    assignments.close(assignment=puzzle.assignments.get())
    assert len(api("get", "todo/").json()) == 1


@pytest.mark.parametrize("mode", ["typed", "heard", "chosen"])
def test_a_review_is_asked_and_answered(mode, api, make_puzzle, animals, student):
    for entry in animals.entries.all():
        remember(student, entry, 20)
    assignments.close(assignment=make_puzzle("finder", words=4).assignments.get())
    schema = read_schema()
    asked = api("get", f"review/?mode={mode}").json()
    held_to(schema, "/api/review/", "get", asked)
    assert (asked["total"], asked["left"], asked["in_puzzles"], asked["gained"]) == (
        12,
        12,
        0,
        None,
    )
    question = asked["question"]
    assert question["letters"] == ["č", "ć", "đ", "š", "ž"]
    entry = animals.entries.get(pk=question["entry"])
    assert (question["mode"], len(question["choices"])) == (mode, 4 if mode == "chosen" else 0)
    if mode == "heard":
        assert question["meanings"] == []
        heard = api("get", question["sound"].removeprefix("/api/"))
        assert heard["Content-Type"] == "audio/mpeg"
    else:
        assert question["sound"] is None
        assert question["meanings"] == [entry.translations.get().text]
    sent = {name: question[name] for name in ("entry", "mode", "attempt")}
    for _time in range(2):  # sent twice, counted once
        told = api("post", "review/", sent | {"answer": entry.term + entry.term[-1]}).json()
    held_to(schema, "/api/review/", "post", told)
    assert (told["outcome"], told["is_near_miss"], told["term"]) == ("wrong", True, entry.term)
    assert told["is_slip"] is (mode != "chosen")
    assert told["letters"][-1]["verdict"] == "extra" or told["letters"][-2]["verdict"] == "extra"
    assert Review.objects.filter(source__startswith="review:").count() == 1
    after = api("get", "review/").json()
    assert after["left"] == 12  # the missed word comes back, at the end
    assert after["question"]["entry"] != entry.pk


def test_at_the_end_what_was_gained_is_told(api, make_puzzle, animals, student):
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    for entry in animals.entries.all():
        remember(student, entry, 20)
    missed = None
    for _answer in range(13):
        question = api("get", "review/?mode=typed").json()["question"]
        sent = {name: question[name] for name in ("entry", "mode", "attempt")}
        if missed is None:
            missed, sent["give_up"] = question["entry"], True
        else:
            sent["answer"] = animals.entries.get(pk=question["entry"]).term
        api("post", "review/", sent)
    assert question["entry"] == missed
    end = api("get", "review/").json()
    held_to(read_schema(), "/api/review/", "get", end)
    assert (end["question"], end["total"], end["left"]) == (None, 12, 0)
    gained = end["gained"]
    assert (gained["asked"], gained["right"], len(gained["risen"])) == (12, 11, 11)
    assert missed not in {word["entry"] for word in gained["risen"]}
    assert api("get", f"review/?list={animals.pk}").json() == end
    assert api("get", "review/?list=999999").status_code == 404


def test_what_is_still_to_be_found_is_not_told_by_api(api, make_puzzle, animals):
    make_puzzle()
    entry = animals.entries.first()
    sent = {"entry": entry.pk, "mode": "typed", "attempt": str(uuid.uuid4()), "answer": ""}
    reply = api("get", "review/").json()
    assert (reply["question"], reply["total"], reply["gained"]) == (None, 0, None)
    assert api("post", "review/", sent).status_code == 404
    assert api("get", f"review/sound/{entry.pk}/").status_code == 404


def test_a_teacher_has_nothing_to_do_here(make_puzzle, teacher):
    api, assignment = Api("ana"), make_puzzle().assignments.get()
    assert api("get", "todo/").status_code == 404
    assert api("get", "review/").status_code == 404
    assert api("post", f"assignments/{assignment.pk}/play/").status_code == 404


@pytest.mark.parametrize("body", [{}, {"entry": "x"}, {"mode": "telepathy"}, {"answer": "x" * 301}])
def test_a_broken_answer_is_refused(body, api, make_puzzle, animals):
    right = {"entry": animals.entries.first().pk, "mode": "typed",
             "attempt": str(uuid.uuid4()), "answer": "x"}  # fmt: skip
    assert api("post", "review/", right | body if body else {}).status_code == 400
