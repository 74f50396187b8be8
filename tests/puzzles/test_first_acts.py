"""One button of a page stands out, and few stand before what the page is looked at for."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzles.models import Assignment, Puzzle
from puzzles.play import services as play

pytestmark = pytest.mark.django_db

MOST_BEFORE = 5
# What a page is looked at for, by its first mark.
CONTENT = re.compile(r'class="(?:card|share|table-wrap|monday|lesson-board|columns)\b')
AROUND = re.compile(r'<div class="menu-items">.*?</details>|<nav .*?</nav>', re.DOTALL)
CONTROL = re.compile(r'<(?:a|button|summary|input(?! type="hidden))\b')
PAGES = {
    "/": "Assign",
    "/puzzles/{code}/": "Open assignment",
    "/classes/{classroom}/assignments/{assignment}/": "Assign again",
    "/classes/{classroom}/": "New assignment",
    "/help/": "",
}


def primary(page):
    """Return the texts of the buttons that stand out."""
    found = re.findall(r"button--primary[^>]*>(.*?)</(?:a|button)>", page, re.S)
    return [" ".join(one.split()) for one in found]


@pytest.fixture
def visit(make_puzzle, classroom, student, teacher, sign_in):
    puzzle = make_puzzle()
    play.open_session(puzzle=puzzle, student=student)
    known = {
        "code": puzzle.code, "classroom": classroom.pk, "assignment": puzzle.assignments.get().pk,
    }  # fmt: skip
    client = sign_in(teacher)
    client.post("/first-steps/hide/")
    return lambda path: client.get(path.format(**known)).text


@pytest.mark.parametrize("path", PAGES)
def test_one_button_stands_out_and_few_stand_before_the_content(path, visit):
    page = visit(path)
    assert primary(page) == [PAGES[path]] * bool(PAGES[path])
    main = AROUND.sub("", page[page.index("<main") :])
    before = main[: CONTENT.search(main).start()]
    assert len(CONTROL.findall(before)) <= MOST_BEFORE


def test_what_stands_out_is_what_is_next(visit, client):
    assignment, puzzle = "/classes/{classroom}/assignments/{assignment}/", "/puzzles/{code}/"
    Assignment.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    assert primary(visit(assignment)) == ["Assign again to 1 student"]
    Assignment.objects.update(is_draft=True, due_at=None)
    assert primary(visit(assignment)) == ["Change"]
    Assignment.objects.all().delete()
    assert primary(visit(puzzle)) == ["Assign to class"]
    Puzzle.objects.update(state="failed")
    assert len(primary(visit(puzzle))) <= 1
    assert primary(client.get("/").text)[:1] == ["Log in"]
