"""The path of a list on the page of a student's words, and as what comes next for a beginner."""

import re

import pytest

from puzzles.assignments import services as assignments
from puzzles.models import Puzzle
from tests.puzzles.practice.test_practice import find_all, remember

pytestmark = pytest.mark.django_db


@pytest.fixture
def given(make_puzzle):
    """The list is the student's, and nothing of it waits."""
    assignments.close(assignment=make_puzzle(words=3).assignments.get())


def steps(page):
    """Return what a reader of the screen hears of each step of the path."""
    path = page[page.index('<ol class="path">') :].split("</ol>")[0]
    found = re.split(r"<li>\s*<form", path)[1:]
    return [" ".join(re.sub(r"<[^>]*>|[★☆]", " ", one).split(">", 1)[1].split()) for one in found]


def test_each_step_says_which_stars_are_earned_and_which_are_not(
    given, make_puzzle, animals, student, sign_in
):
    find_all(make_puzzle(words=animals.entries.count()), student)
    page = sign_in(student).get("/words/").content.decode()
    see, hear, typing = steps(page)
    assert see == ("See Word search Without help earned All words earned After a week not yet")
    assert hear == (
        "Hear Listen and find Without help not yet All words not yet After a week not yet"
    )
    assert typing.startswith("Type Crossword")
    assert [
        one.split('"')[1] for one in re.findall(r'value="[a-z-]+"[^/]*?aria-current', page)
    ] == ["finder"]


def test_any_step_may_be_taken_also_when_todays_words_are_done(given, animals, student, sign_in):
    client = sign_in(student)
    for entry in animals.entries.all():
        remember(student, entry, 0)
    for kind in ("crossword", "word-search"):
        reply = client.post("/practise/", {"kind": kind, "list": animals.pk, "path": ""})
        puzzle = Puzzle.objects.latest("pk")
        assert reply.url == f"/play/{puzzle.code}/"
        assert (puzzle.kind, puzzle.vocabulary_list) == (kind, animals)
        assert puzzle.is_free_practice


def test_a_step_with_words_left_today_counts(given, animals, student, sign_in):
    sign_in(student).post("/practise/", {"kind": "finder", "list": animals.pk, "path": ""})
    assert not Puzzle.objects.latest("pk").is_free_practice


def test_the_album_of_a_class_that_ended_has_no_path(given, animals, student, classroom, sign_in):
    remember(student, animals.entries.first(), 1)
    classroom.memberships.all().delete()
    page = sign_in(student).get("/words/").content.decode()
    assert "See, hear, type" not in page
    assert animals.title in page


def test_a_beginner_without_assignments_is_led_along_the_path(
    make_puzzle, animals, student, sign_in
):
    puzzle = make_puzzle(words=4)
    find_all(puzzle, student)
    client = sign_in(student)
    assignments.close(assignment=puzzle.assignments.get())
    page = client.get("/")
    assert (page.context["step"], page.context["offer"].kind) == ("practise", "finder")
    reply = client.post("/practise/", {"kind": "finder", "list": animals.pk})
    assert reply.url.startswith("/play/")
