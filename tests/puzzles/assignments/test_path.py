"""A teacher assigns the path of a list, see, hear and type, at once."""

import re

import pytest

from osmosmjerka.jobs import ledger
from puzzles.making import services as making
from puzzles.models import Assignment, Puzzle
from tests.puzzles.assignments.filling import opened, sent, shown

pytestmark = pytest.mark.django_db
KINDS = ["word-search", "finder", "crossword"]


def given():
    return list(Assignment.objects.order_by("pk").select_related("puzzle"))


def test_three_puzzles_of_the_same_words_are_assigned_at_once(sign_in, teacher, animals, classroom):
    page = sign_in(teacher)
    fields = shown(
        page, opened(page, vocabulary_list=animals.pk), kind="path", number="6", is_all=""
    )
    reply = sent(page, fields)
    assert [one.puzzle.kind for one in given()] == KINDS
    assert {tuple(one.puzzle.entries) for one in given()} == {tuple(map(int, fields["entries"]))}
    assert {one.puzzle.settings["words"] for one in given()} == {6}
    assert len({one.due_at for one in given()}) == 1
    assert given()[0].due_at is not None
    told = page.get(reply.url).content.decode()
    assert told.count("Assigned to") == 1
    for one in given():
        assert f"/classes/{classroom.pk}/assignments/{one.pk}/" in told


def test_the_student_sees_the_words_first_then_hears_and_types_them(
    sign_in, teacher, animals, classroom, student
):
    page = sign_in(teacher)
    sent(page, opened(page, vocabulary_list=animals.pk, kind="path"))
    for one in given():
        ledger.run_job(str(making.job_of(one.puzzle).pk))
    home = sign_in(student).get("/").context
    lines = [home["first"], *home["todo"]]
    assert [one.assignment.puzzle.kind for one in lines] == KINDS


def test_a_second_click_assigns_nothing_more(sign_in, teacher, animals, classroom):
    page = sign_in(teacher)
    fields = opened(page, vocabulary_list=animals.pk, kind="path")
    for _click in range(2):
        sent(page, fields)
    assert len(given()) == 3


def test_a_refused_due_date_assigns_none(sign_in, teacher, animals, classroom):
    page = sign_in(teacher)
    fields = opened(page, vocabulary_list=animals.pk, kind="path")
    reply = sent(page, fields, due_at="2020-01-01T10:00")
    assert "in the past" in reply.text
    assert not Puzzle.objects.exists()


def test_on_paper_there_is_no_path(sign_in, teacher, animals, classroom):
    page = sign_in(teacher)
    fields = opened(page, vocabulary_list=animals.pk, kind="path")
    sent(page, fields, use="paper")
    assert Puzzle.objects.get().kind == "word-search"


def test_the_api_assigns_a_path(sign_in, teacher, animals, classroom):
    words = [one.pk for one in animals.entries.all()[:6]]
    reply = sign_in(teacher).post(
        f"/api/classes/{classroom.pk}/path/",
        {"vocabulary_list": animals.pk, "entries": words, "due_at": "2099-01-01T12:00Z"},
        content_type="application/json",
    )
    assert reply.status_code == 201, reply.text
    assert [one["kind"] for one in reply.json()] == KINDS
    assert {re.sub("T.*", "", one["due_at"]) for one in reply.json()} == {"2099-01-01"}
    assert {tuple(one.puzzle.entries) for one in given()} == {tuple(words)}


def test_a_type_that_can_ask_too_few_words_is_left_out(sign_in, teacher, animals, classroom):
    [one] = animals.entries.all()[:1]
    reply = sign_in(teacher).post(
        f"/api/classes/{classroom.pk}/path/",
        {"vocabulary_list": animals.pk, "entries": [one.pk]},
        content_type="application/json",
    )
    assert [one["kind"] for one in reply.json()] == ["word-search", "finder"]
