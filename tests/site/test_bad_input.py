"""Bad input gets a clear error, never a server error, and costs nobody else anything."""

import json

import pytest
from django.core.exceptions import ValidationError

from puzzles.making import services as making
from puzzles.models import Puzzle
from puzzles.play import services as play
from vocab.lists.services import delete_list
from vocab.models import VocabularyList

pytestmark = pytest.mark.django_db

LIST = {"title": "T", "language": "hr", "translation_languages": ["en"]}


def send(client, path, body, method="post"):
    text = body if isinstance(body, str) else json.dumps(body)
    return getattr(client, method)(path, text, content_type="application/json")


@pytest.mark.parametrize(
    "body",
    [
        LIST | {"title": "\u200b\u200b"},
        LIST | {"translation_languages": []},
        LIST | {"entries": [{"term": "\u200f"}]},
        LIST | {"entries": [{"term": "\U0001d160" * 300}]},
        LIST | {"entries": [{"term": "a", "translations": {"not a language": ["x"]}}]},
        LIST | {"entries": [{"term": "a", "translations": {"en": ["x"] * 101}}]},
        LIST | {"entries": [{"term": "a", "translations": {"e\0n": ["x"]}}]},
        json.dumps(LIST).replace('"T"', '"\\ud800"'),
        "[" * 100_000,
        "{",
    ],
)
def test_a_list_that_cannot_be_is_refused_with_the_reason(body, sign_in, teacher):
    reply = send(sign_in(teacher), "/api/lists/", body)
    assert reply.status_code == 400
    assert reply.json()
    assert not VocabularyList.objects.exists()


def test_a_title_that_cannot_be_seen_is_refused_when_it_is_changed(sign_in, teacher, animals):
    client = sign_in(teacher)
    reply = send(client, f"/api/lists/{animals.pk}/", {"title": "\u200b"}, "patch")
    assert reply.status_code == 400
    page = client.post("/lists/new/", {"title": "\u200b", "language": "hr"})
    assert page.status_code == 200
    assert "visible characters" in page.content.decode()


@pytest.mark.parametrize("place", ["1" * 50_000, "5", "²,³", "9999,0", "a,b", "0,0,0"])
def test_a_draft_names_squares_of_a_grid(place, make_puzzle, student, sign_in):
    puzzle = make_puzzle("crossword")
    reply = send(
        sign_in(student), f"/api/play/{puzzle.code}/draft/", {"cells": {place: "A"}}, "put"
    )
    assert reply.status_code == 400


@pytest.mark.parametrize("kind", ["crossword", "word-search"])
def test_a_draft_keeps_nothing_but_squares_to_fill(kind, make_puzzle, student, sign_in):
    puzzle = make_puzzle(kind)
    client = sign_in(student)
    cells = {"999,999": "A"} | ({} if kind == "crossword" else {"0,0": "A"})
    assert (
        send(client, f"/api/play/{puzzle.code}/draft/", {"cells": cells}, "put").status_code == 204
    )
    assert client.get(f"/api/play/{puzzle.code}/").json()["draft"] == {}


def test_a_range_with_many_digits_is_only_a_range(make_puzzle, student, sign_in):
    puzzle = make_puzzle("finder")
    slot = puzzle.placements.first().slot
    reply = sign_in(student).get(
        f"/api/play/{puzzle.code}/sound/{slot}/", headers={"Range": f"bytes={'9' * 5000}-"}
    )
    assert reply.status_code == 200


def test_a_student_waits_for_one_puzzle_before_asking_for_the_next(make_puzzle, student):
    puzzle = make_puzzle("finder")
    first = making.request_another(puzzle=puzzle, person=student, changes={})
    assert making.request_another(puzzle=puzzle, person=student, changes={}) == first
    assert Puzzle.objects.filter(created_by=student).count() == 1


def test_a_student_asks_for_so_many_puzzles_a_day(make_puzzle, student, monkeypatch):
    monkeypatch.setattr(making, "STUDENTS_PUZZLES_A_DAY", 1)
    puzzle = make_puzzle("finder")
    making.request_another(puzzle=puzzle, person=student, changes={})
    Puzzle.objects.filter(created_by=student).update(state="ready")
    with pytest.raises(ValidationError, match="tomorrow"):
        making.request_another(puzzle=puzzle, person=student, changes={})


def test_a_students_own_puzzle_goes_with_the_class(make_puzzle, student, classroom, sign_in):
    puzzle = make_puzzle("finder")
    own = making.request_another(puzzle=puzzle, person=student, changes={})
    client = sign_in(student)
    assert client.get(f"/play/{own.code}/").status_code == 200
    student.memberships.all().delete()
    assert client.get(f"/play/{own.code}/").status_code == 404
    assert client.post(f"/play/{own.code}/new/").status_code == 404


def test_a_list_of_which_colleagues_made_puzzles_stays(make_puzzle, animals, make_person, school):
    puzzle = make_puzzle()
    play.open_session(puzzle=puzzle, student=puzzle.created_by)
    colleague = make_person("teacher", school)
    Puzzle.objects.filter(pk=puzzle.pk).update(created_by=colleague)
    with pytest.raises(ValidationError, match="Other teachers"):
        delete_list(vocabulary_list=animals, actor=animals.owner)
    Puzzle.objects.filter(pk=puzzle.pk).update(created_by=animals.owner)
    delete_list(vocabulary_list=animals, actor=animals.owner)
    assert not Puzzle.objects.exists()


@pytest.mark.parametrize("body", ['{"password": "\\ud800"}', '{"password": 1}', "[]", "[" * 10_000])
@pytest.mark.parametrize("path", ["/me/passkeys/options/", "/me/passkeys/new/", "/login/passkey/"])
def test_what_is_no_answer_of_a_passkey_is_refused(path, body, sign_in, teacher):
    assert send(sign_in(teacher), path, body).status_code == 400
