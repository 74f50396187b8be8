"""Puzzles on paper by the API: grids and solutions, files, sets of worksheets."""

import json

import pytest
from django.test import Client

from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from puzzles import access
from puzzles.exports import FORMATS
from puzzles.kinds import KINDS
from puzzles.models import Placement, Puzzle, WorksheetSet
from puzzles.worksheets import services
from tests.layers import daily
from tests.paper.reading import texts_of

pytestmark = pytest.mark.django_db


def program(person, scope="teach"):
    """Return a client with a token of somebody."""
    token = tokens.create(person=person, scope=scope, name="x")[1]
    return Client(headers={"Authorization": f"Token {token}"})


def grid(person, puzzle):
    return program(person, "read").get(f"/api/puzzles/{puzzle.code}/grid/")


# Grids ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_teacher_reads_the_grid_with_its_solution(kind, make_puzzle, teacher):
    puzzle = make_puzzle(kind, words=6)
    told = grid(teacher, puzzle).json()
    assert told["grid"] == puzzle.grid
    assert (told["rows"], told["cols"]) == (len(puzzle.grid), len(puzzle.grid[0]))
    assert (told["language"], told["direction"], told["kind"]) == ("hr", "ltr", kind)
    placed = {one.played: one.tiles for one in Placement.everything.filter(puzzle=puzzle)}
    assert {one["word"] for one in told["placements"]} == set(placed)
    for one in told["placements"]:
        assert [told["grid"][row][col] for row, col in one["cells"]] == placed[one["word"]]
        assert (one["number"] is None) == (one["direction"] is None) == (kind != "crossword")


def places_told(reply, puzzle):
    """Return what of the solution is in an answer."""
    told, found = reply.content.decode(), []
    for one in Placement.everything.filter(puzzle=puzzle):
        if json.dumps(one.cells).replace(" ", "") in told.replace(" ", ""):
            found.append(one.term)
    return found


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_student_reads_the_grid_without_any_answer(kind, make_puzzle, student):
    puzzle = make_puzzle(kind, words=6)
    reply = grid(student, puzzle)
    assert reply.status_code == 200
    told = reply.json()
    assert (told["placements"], told["message"]) == (None, None)
    assert places_told(reply, puzzle) == []
    if kind == "crossword":
        assert {tile for row in told["grid"] for tile in row} == {None, ""}
    else:
        assert told["grid"] == puzzle.grid


def test_the_hidden_message_is_not_told_to_players(make_puzzle, teacher, student):
    puzzle = make_puzzle()
    puzzle.settings |= {"message": "dobar dan"}
    puzzle.save()
    assert grid(teacher, puzzle).json()["message"] == "dobar dan"
    assert "dobar" not in grid(student, puzzle).content.decode()


def test_without_the_check_a_student_would_get_the_key(make_puzzle, student, monkeypatch):
    """The control of the tests above."""
    puzzle = make_puzzle("crossword", words=6)
    monkeypatch.setattr(access, "puzzles", lambda person, action: Puzzle.objects.all())
    reply = grid(student, puzzle)
    assert len(places_told(reply, puzzle)) == len(reply.json()["placements"]) > 0


def test_who_reads_which_grid(
    make_puzzle, teacher, student, stranger, school, make_person, classroom
):
    puzzle = make_puzzle()
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    other = make_person(User.Role.STUDENT, school)
    assert grid(admin, puzzle).json()["placements"]
    for person in (stranger, other):
        assert grid(person, puzzle).status_code == 404
    assert Client().get(f"/api/puzzles/{puzzle.code}/grid/").status_code == 401
    puzzle.assignments.update(is_draft=True)
    assert grid(student, puzzle).status_code == 404
    Puzzle.objects.update(state=Puzzle.State.QUEUED)
    assert grid(teacher, puzzle).status_code == 404


# Files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", daily("crossword", of=sorted(KINDS)))
def test_every_file_that_is_listed_is_the_file_of_the_page(kind, make_puzzle, teacher, sign_in):
    puzzle, client = make_puzzle(kind, words=6), program(teacher, "read")
    told = client.get(f"/api/puzzles/{puzzle.code}/files/").json()
    names = {one["format"] for one in told["formats"]}
    assert names == {
        name for name, one in FORMATS.items() if kind == "crossword" or not one.is_numbered
    }
    for one in told["formats"]:
        for query in ("", "?key=1", "?key=only"):
            file = client.get(one["url"] + query)
            assert file.status_code == 200, file.content
            assert file["Content-Type"].startswith(one["media_type"])
            page = sign_in(teacher).get(f"/puzzles/{puzzle.code}/download/{one['format']}/{query}")
            assert file["Content-Disposition"] == page["Content-Disposition"]
            if one["format"] != "docx":  # which holds the time
                assert file.content == page.content


def test_the_options_are_those_that_the_puzzle_has(make_puzzle, teacher):
    word_search, crossword = make_puzzle(), make_puzzle("crossword", seed=2)
    client, options = program(teacher), {}
    for puzzle in (word_search, crossword):
        told = client.get(f"/api/puzzles/{puzzle.code}/files/").json()["options"]
        options[puzzle.kind] = {one["name"]: one for one in told}
    assert options["word-search"]["paper"] == {
        "name": "paper", "values": ["a4", "letter"], "default": "a4",
    }  # fmt: skip
    assert options["word-search"]["has_name"]["default"] == "true"
    assert options["word-search"]["instruction"]["values"] is None
    assert "words" in options["word-search"]["shows"]["values"]
    assert "words" not in options["crossword"]["shows"]["values"]
    assert "is_lowercase" not in options["crossword"]
    assert "has_address" in options["crossword"]  # a class has it


def test_an_option_that_is_none_is_refused_and_not_ignored(make_puzzle, teacher):
    crossword, client = make_puzzle("crossword"), program(teacher)
    path = f"/api/puzzles/{crossword.code}/files/pdf/"
    for query in (
        "shows=words",
        "is_lowercase=true",
        "paper=a5",
        "per_page=3",
        "key=2",
        "peper=a4",
    ):
        reply = client.get(f"{path}?{query}")
        assert reply.status_code == 400, query
        assert reply.json()["errors"][0]["parameter"] == query.split("=")[0]
    assert client.get(f"{path}?is_lowercase=false").status_code == 200
    assert client.get(path.replace("pdf", "tiff")).status_code == 404


def test_a_worksheet_is_printed_as_asked_for(make_puzzle, teacher):
    puzzle, client = make_puzzle(), program(teacher)
    path = f"/api/puzzles/{puzzle.code}/files/pdf/"
    usual = texts_of(client.get(path).content)[0]
    other = texts_of(client.get(f"{path}?has_name=false&instruction=Find+all").content)[0]
    assert ("Name" in usual, "Name" in other) == (True, False)
    assert ("Find all" in usual, "Find all" in other) == (False, True)


def test_only_those_who_see_the_page_get_files(make_puzzle, teacher, student, stranger):
    puzzle = make_puzzle("crossword")
    path = f"/api/puzzles/{puzzle.code}/files/"
    files = [f"{name}/{query}" for name in FORMATS for query in ("", "?key=1", "?key=only")]
    for person, status in ((teacher, 200), (student, 404), (stranger, 404)):
        client = program(person, "read")
        for file in ("", *files):
            assert client.get(f"{path}{file}").status_code == status, file


# Sets of worksheets --------------------------------------------------------------------------


def new_set(person, puzzle, **body):
    path = f"/api/puzzles/{puzzle.code}/worksheets/"
    return program(person).post(path, json.dumps(body), content_type="application/json")


def test_a_set_is_requested_followed_downloaded_and_deleted(
    make_puzzle, teacher, student, classroom
):
    puzzle, client = make_puzzle(), program(teacher)
    body = {"content": "each", "classroom": classroom.pk, "printing": {"has_date": False}}
    queued = new_set(teacher, puzzle, **body)
    assert queued.status_code == 202, queued.content
    told = queued.json()
    assert (told["state"], told["files"], told["puzzle"]) == ("queued", {}, puzzle.code)
    path = f"/api/worksheets/{told['id']}/"
    assert client.get(f"{path}files/worksheets/").status_code == 404
    ledger.run_job(str(services.job_of(WorksheetSet.objects.get()).pk))
    ready = client.get(path).json()
    assert ready["state"] == "ready"
    sheet, solution = (
        texts_of(client.get(ready["files"][which]).content)[0]
        for which in ("worksheets", "solutions")
    )
    assert str(student) in sheet
    assert "Date" not in sheet
    assert "Solution" in solution
    listed = client.get(f"/api/puzzles/{puzzle.code}/worksheets/").json()["results"]
    assert listed == [ready]
    assert client.delete(path).status_code == 204
    assert client.get(path).status_code == 404


def test_what_cannot_be_a_set_is_refused_by_name(make_puzzle, teacher):
    puzzle = make_puzzle("crossword")
    for body, pointer in (
        ({"content": "own"}, "#/classroom"),
        ({"content": "some"}, "#/content"),
        ({"content": "versions", "versions": 7}, "#/versions"),
        ({"content": "versions", "printing": {"shows": "words"}}, "#/printing/shows"),
        ({"content": "versions", "printing": {"peper": "a4"}}, "#/printing/peper"),
        ({"content": "same", "classroom": 999999}, "#/classroom"),
    ):
        reply = new_set(teacher, puzzle, **body)
        assert reply.status_code == 400, body
        assert reply.json()["errors"][0]["pointer"] == pointer
    assert not WorksheetSet.objects.exists()


def test_nobody_else_requests_or_reads_a_set(
    make_puzzle, teacher, student, stranger, school, make_person
):
    puzzle = make_puzzle()
    made = new_set(teacher, puzzle, content="versions").json()
    ledger.run_job(str(services.job_of(WorksheetSet.objects.get()).pk))
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    for person in (student, stranger):
        assert new_set(person, puzzle, content="versions").status_code == 404
    for person in (student, stranger, admin):
        client, path = program(person), f"/api/worksheets/{made['id']}/"
        replies = [client.get(path), client.get(f"{path}files/solutions/"), client.delete(path)]
        assert [reply.status_code for reply in replies] == [404, 404, 404]
    assert program(admin).get(f"/api/puzzles/{puzzle.code}/worksheets/").json()["results"] == []


def test_sets_cost_as_many_queries_however_many_they_are(
    make_puzzle, teacher, classroom, django_assert_max_num_queries
):
    puzzle, client = make_puzzle(), program(teacher)
    path = f"/api/puzzles/{puzzle.code}/worksheets/"
    assert new_set(teacher, puzzle, content="versions").status_code == 202
    client.get(path)
    with django_assert_max_num_queries(30) as first:
        client.get(path)
    count = len(first)
    new_set(teacher, puzzle, content="same")
    new_set(teacher, puzzle, content="each", classroom=classroom.pk)
    with django_assert_max_num_queries(count):
        assert client.get(path).json()["count"] == 3
