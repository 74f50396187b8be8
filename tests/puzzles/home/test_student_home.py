"""The student's home page: what comes first, and what it says of assignments and practice."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzles.assignments import services as assignments
from puzzles.home.now import Step, next_step
from puzzles.play import services as play
from tests.conftest import rows
from tests.puzzles.practice.test_practice import find_all, remember
from vocab.lists import services as list_services

pytestmark = pytest.mark.django_db


def in_order(page):
    """Return what the page offers: its large button's heading, then the other assignments."""
    return re.findall(
        r"<(?:h2|a) class=\"(?:next-name|row-link)[^>]*>\s*(?:<bdi>)?\s*([^<]+?)\s*<", page
    )


def test_what_is_begun_comes_first_then_what_is_due_first(make_puzzle, student, sign_in):
    titles = {"No date": None, "Friday": 5, "Tomorrow": 1, "Begun": 9}
    for title, days in titles.items():
        puzzle = make_puzzle(words=4)
        puzzle.title = title
        puzzle.save(update_fields=["title"])
        due_at = timezone.now() + timedelta(days=days) if days else None
        puzzle.assignments.update(due_at=due_at)
        if title == "Begun":
            play.open_session(puzzle=puzzle, student=student)
    found = in_order(sign_in(student).get("/").content.decode())
    assert found == ["Begun", "Tomorrow", "Friday", "No date"]


@pytest.mark.parametrize("days", [7, None])
def test_of_what_is_due_together_words_are_seen_then_heard_then_typed(
    days, make_puzzle, student, sign_in
):
    due_at = timezone.now() + timedelta(days=days) if days else None
    kinds = {"Type": "crossword", "See": "word-search", "Hear": "finder", "Again": "word-search"}
    for title, kind in kinds.items():
        puzzle = make_puzzle(kind, words=4)
        puzzle.title = title
        puzzle.save(update_fields=["title"])
        puzzle.assignments.update(due_at=due_at)
    found = in_order(sign_in(student).get("/").content.decode())
    assert found == ["See", "Again", "Hear", "Type"]


def test_an_assignment_that_is_due_is_marked_late_until_it_is_done(make_puzzle, student, sign_in):
    puzzle = make_puzzle(words=4)
    client = sign_in(student)
    assert "Late" not in client.get("/").content.decode()
    puzzle.assignments.update(due_at=timezone.now() - timedelta(days=1))
    assert "Late" in client.get("/").content.decode()
    play.finish_session(session=play.open_session(puzzle=puzzle, student=student))
    assert "Late" not in client.get("/").content.decode()


@pytest.mark.parametrize(("words", "first"), [(3, "Zoo"), (4, "Today’s words")])
def test_with_few_words_to_practise_an_assignment_comes_first(
    words, first, animals, make_puzzle, student, teacher, sign_in
):
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    known, others = animals.entries.all()[:words], animals.entries.all()[words:]
    for entry in known:
        remember(student, entry, 20)
    for entry in others:
        remember(student, entry, 0)
    other = list_services.create_list(
        owner=teacher, title="Zoo", language="hr", translation_languages=["en"],
        rows=rows({"lav": "lion", "tigar": "tiger", "vuk": "wolf", "medvjed": "bear"}),
    )  # fmt: skip
    puzzle = make_puzzle(vocabulary_list=other, words=4)
    puzzle.title = "Zoo"
    puzzle.save(update_fields=["title"])
    found = in_order(sign_in(student).get("/").content.decode())
    assert found[0] == first


def test_if_all_words_wait_in_assignments_that_is_said(make_puzzle, student, sign_in):
    make_puzzle(words=12)
    page = sign_in(student).get("/").content.decode()
    assert "Today’s words are waiting in your puzzles" in page
    assert "No words to practise today" not in page
    # They could only be refused.
    assert "Play for fun" not in page
    assert "Other ways to practise" not in page


def test_other_words_can_be_played_with_while_those_of_today_wait(
    animals, make_puzzle, student, sign_in
):
    waiting = make_puzzle(words=4).placements.values("entry")
    for entry in animals.entries.exclude(pk__in=waiting):
        remember(student, entry, 6, 1)
    client = sign_in(student)
    page = client.get("/").content.decode()
    assert "Today’s words are waiting in your puzzles" in page
    assert "Other ways to practise" in page
    reply = client.post("/practise/", {"kind": "word-search", "free": ""})
    assert reply.url.startswith("/play/")


def test_the_day_a_week_and_the_words_are_shown(animals, make_puzzle, student, sign_in):
    for entry in animals.entries.all()[:5]:
        remember(student, entry, 20)
    make_puzzle(words=4).assignments.update(due_at=timezone.now() + timedelta(minutes=1))
    page = " ".join(sign_in(student).get("/").content.decode().split())
    assert "due today" in page
    assert "This week" in page and "0 days in a row" not in page
    assert "Your 5 words" in page
    assert "today, not played yet" in page
    assert page.count('class="day day--') == 7


@pytest.mark.parametrize(
    ("given", "step"),
    [
        ({}, Step.NOTHING),
        ({"can_practise": True}, Step.FUN),
        ({"can_practise": True, "has_practised": True}, Step.DONE),
        ({"left": 20, "is_offered": True, "may_review": True}, Step.PRACTISE),
        ({"left": 20, "may_review": True}, Step.REVIEW),
        (
            {"left": 20, "is_offered": True, "may_review": True, "has_played_enough": True},
            Step.REVIEW,
        ),
        ({"left": 20, "is_offered": True, "has_played_enough": True}, Step.PRACTISE),
        ({"left": 20, "is_offered": True, "has_open_practice": True}, Step.GO_ON_PRACTISING),
        ({"left": 20, "is_offered": True, "has_assignment": True}, Step.PRACTISE),
        ({"left": 3, "is_offered": True, "has_assignment": True}, Step.START),
        ({"left": 20, "is_offered": True, "has_begun": True, "has_assignment": True}, Step.GO_ON),
        ({"left": 20, "has_assignment": True, "has_met_words": False}, Step.START),
    ],
)  # fmt: skip
def test_one_thing_comes_next(given, step):
    usual = dict.fromkeys(
        ("has_begun", "has_assignment", "has_open_practice", "is_offered", "may_review",
         "has_practised", "can_practise", "has_played_enough"),
        False,
    )  # fmt: skip
    assert next_step(**(usual | {"left": 0, "has_met_words": True} | given)) == step


def test_due_words_that_wait_in_an_assignment_that_was_begun_are_told(
    make_puzzle, animals, student, sign_in
):
    """The plan has them not while they are asked there."""
    for entry in animals.entries.all():
        remember(student, entry, 20)
    puzzle = make_puzzle(words=5)
    client = sign_in(student)

    def told():
        page = client.get("/")
        return page.context["today"].total, " ".join(page.content.decode().split())

    total, said = told()
    assert total == 12
    assert "more words wait in" not in said
    play.open_session(puzzle=puzzle, student=student)
    total, said = told()
    assert total == 7
    assert "5 more words wait in puzzles that you have begun." in said
    find_all(puzzle, student)
    total, said = told()
    assert total == 12
    assert "more words wait in" not in said
