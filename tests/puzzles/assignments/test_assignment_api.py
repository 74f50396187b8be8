"""Assignments through the HTTP API: what the pages do, by the same people and services."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from puzzles.making import drafts
from puzzles.models import Assignment, Puzzle
from puzzles.play import services as play
from tests.conftest import rows
from tests.puzzles.making.test_api import Api, held_to, read_schema
from tests.puzzles.making.test_choice import remember
from tests.puzzles.practice.test_practice import find_all
from vocab.lists import services as vocabulary
from vocab.models import Review

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
ONE, OF_CLASS = "/api/assignments/{id}/", "/api/classes/{id}/assignments/"


@pytest.fixture
def api(teacher):
    return Api("ana")


@pytest.fixture
def given(make_puzzle):
    return make_puzzle().assignments.get()


def test_from_a_list_to_the_status_of_each_student(api, animals, classroom, student, mia):
    due = (timezone.now() + DAY).replace(microsecond=0)
    wanted = {
        "vocabulary_list": animals.pk, "kind": "finder", "title": "Zoo", "settings": {"words": 5},
        "due_at": due.isoformat(), "attempts": 3, "chosen_students": [mia.pk], "is_draft": True,
    }  # fmt: skip
    made = api("post", f"classes/{classroom.pk}/assignments/", wanted)
    assert made.status_code == 201, made.content
    told = made.json()
    held_to(read_schema(), OF_CLASS, "post", told, "201")
    assert (told["state"], told["title"], told["kind"], told["attempts"]) == (
        "draft", "Zoo", "finder", 3,
    )  # fmt: skip
    assert datetime.fromisoformat(told["due_at"]) == due
    assert told["students"] == [
        {"id": mia.pk, "name": "Mia", "status": "not started", "attempts": 0}
    ]
    assert Puzzle.objects.get(code=told["puzzle"]).settings["words"] == 5


def test_words_of_a_list_are_given_as_on_the_page(api, animals, classroom, student):
    swan = animals.entries.get(term="labud")
    wanted = {"vocabulary_list": animals.pk, "kind": "crossword", "entries": [swan.pk]}
    made = api("post", f"classes/{classroom.pk}/assignments/", wanted).json()
    assert Puzzle.objects.get(code=made["puzzle"]).entries[0] == swan.pk


def test_words_are_chosen_by_what_the_class_knows(api, animals, classroom, student):
    swan, stag = animals.entries.get(term="labud"), animals.entries.get(term="jelen")
    for entry in (swan, stag):
        remember(student, entry, Review.Outcome.WRONG, 2)
    path = f"classes/{classroom.pk}/assignments/"
    wanted = {"vocabulary_list": animals.pk, "kind": "crossword", "which": "hardest"}
    made = api("post", path, wanted)
    assert made.status_code == 201, made.content
    assert set(Puzzle.objects.get(code=made.json()["puzzle"]).entries[:2]) == {swan.pk, stag.pk}
    for body in (
        wanted | {"which": "nicest"},
        wanted | {"which": "tag:none"},
        wanted | {"entries": [swan.pk]},
    ):
        reply = api("post", path, body)
        assert reply.status_code == 400, body
        assert [error["pointer"] for error in reply.json()["errors"]] == ["#/which"], body


def test_words_for_some_students_that_are_sent_twice_are_given_once(
    api, animals, classroom, student, mia
):
    path, entries = f"classes/{classroom.pk}/assignments/", list(animals.entries.all())
    body = {
        "vocabulary_list": animals.pk, "kind": "crossword",
        "entries": [entry.pk for entry in entries], "chosen_students": [mia.pk],
    }  # fmt: skip
    ids = {api("post", path, body).json()["id"] for _time in range(2)}
    assert len(ids) == 1
    of_all = api("post", path, body | {"chosen_students": []}).json()
    assert of_all["id"] not in ids
    assert of_all["counts"]["students"] == 2


def test_a_puzzle_that_is_there_is_given_once(api, make_puzzle, classroom):
    code = make_puzzle().code
    for tries in (2, 4):
        body = {"puzzle": code, "attempts": tries}
        made = api("post", f"classes/{classroom.pk}/assignments/", body)
        assert made.json()["attempts"] == tries
    assert Assignment.objects.count() == 1


def test_an_assignment_goes_through_its_life(api, given, student, mia):
    schema, path = read_schema(), f"assignments/{given.pk}/"
    find_all(given.puzzle, student)
    play.finish_session(session=play.open_session(puzzle=given.puzzle, student=mia))
    told = api("get", path).json()
    held_to(schema, ONE, "get", told)
    assert {one["name"]: one["status"] for one in told["students"]} == {
        "Luka": "done", "Mia": "needs help",
    }  # fmt: skip
    assert told["counts"] == {
        "students": 2, "done": 1, "started": 0, "needing_help": 1, "overdue": 0, "not_started": 0,
    }  # fmt: skip

    def changed(**body):
        reply = api("patch", path, body)
        assert reply.status_code == 200, reply.content
        held_to(schema, ONE, "patch", reply.json())
        return reply.json()

    later = (timezone.now() + DAY).isoformat()
    assert changed(is_draft=True)["state"] == "draft"
    assert changed(is_draft=False, opens_at=later)["state"] == "scheduled"
    assert changed(opens_at=None)["state"] == "open"
    assert changed(excused=[mia.pk])["students"][1]["status"] == "excused"
    for action, state in (("close", "closed"), ("archive", "archived"), ("restore", "closed")):
        reply = api("post", f"{path}{action}/")
        held_to(schema, f"{ONE}{action}/", "post", reply.json())
        assert reply.json()["state"] == state
    assert changed(closes_at=None)["state"] == "open"


def test_a_class_tells_all_it_was_given(api, given, classroom, student):
    find_all(given.puzzle, student)
    told = api("get", f"classes/{classroom.pk}/assignments/").json()
    held_to(read_schema(), OF_CLASS, "get", told)
    [one] = told["results"]
    assert (one["id"], one["state"], one["counts"]["done"]) == (given.pk, "open", 1)


def test_a_teacher_finds_what_all_their_classes_were_given(
    api, given, animals, classroom, student, mia, teacher, stranger, make_person, school
):
    find_all(given.puzzle, student)
    choir = people.create_classroom(name="Choir", owner=teacher)
    singer = make_person(User.Role.STUDENT, school)
    people.join_classroom(classroom=choir, person=singer, role=Membership.Role.STUDENT)
    sung = Assignment.objects.create(
        puzzle=given.puzzle, classroom=choir, created_by=teacher, due_at=timezone.now() + DAY
    )
    foreign = people.create_classroom(name="Foreign", owner=stranger)
    Assignment.objects.create(puzzle=given.puzzle, classroom=foreign, created_by=stranger)

    def found(query="", who=api):
        told = who("get", f"assignments/{query}").json()
        held_to(read_schema(), "/api/assignments/", "get", told)
        return told["results"]

    newest, oldest = found()
    assert (newest["id"], newest["classroom"], newest["counts"]["students"]) == (
        sung.pk, choir.pk, 1,
    )  # fmt: skip
    assert (oldest["id"], oldest["counts"]["students"], oldest["counts"]["done"]) == (
        given.pk,
        2,
        1,
    )
    for query, wanted in {
        "?ordering=created_at": [given.pk, sung.pk],
        "?ordering=due_at": [sung.pk, given.pk],
        f"?classroom={choir.pk}": [sung.pk],
        f"?classroom={foreign.pk}": [],
        f"?puzzle={given.puzzle.code}": [sung.pk, given.pk],
        "?puzzle=no-such": [],
        "?state=archived": [],
        "?state=open&page_size=1": [sung.pk],
    }.items():
        assert [one["id"] for one in found(query)] == wanted, query
    api("post", f"assignments/{given.pk}/archive/")
    assert [one["id"] for one in found("?state=archived")] == [given.pk]
    assert found(who=Api(student.username)) == []
    for query, name in (("state=lost", "state"), ("classroom=x", "classroom")):
        reply = api("get", f"assignments/?{query}")
        assert reply.status_code == 400
        assert [error["parameter"] for error in reply.json()["errors"]] == [name]


def test_what_each_would_get_is_told_before(api, given, animals, student, mia):
    swan = animals.entries.get(term="labud")
    adaptive = {"is_adaptive": True, "pinned": [swan.pk], "chosen_students": [mia.pk]}
    api("patch", f"assignments/{given.pk}/", adaptive)
    told = api("get", f"assignments/{given.pk}/preview/").json()
    held_to(read_schema(), f"{ONE}preview/", "get", told)
    assert [one["name"] for one in told] == ["Mia"]
    assert told[0]["words"][0] == {"entry": swan.pk, "term": "labud"}


def test_a_wrong_wish_is_named_and_changes_nothing(
    api, given, animals, classroom, make_person, school, stranger
):
    other = make_person(User.Role.STUDENT, school, "vito")
    foreign = vocabulary.create_list(
        owner=stranger, title="x", language="hr", translation_languages=["en"],
        rows=rows({"riba": "fish"}),
    )  # fmt: skip
    fish, swan = foreign.entries.get().pk, animals.entries.get(term="labud").pk
    for body, named in [
        ({"attempts": 0}, "attempts"),
        ({"counting": "worst"}, "counting"),
        ({"chosen_students": [other.pk]}, "chosen_students"),
        ({"excused": [10**30]}, "excused"),
        ({"pinned": [fish]}, "pinned"),
        ({"is_draft": True, "opens_at": "2030-01-02T00:00Z", "due_at": "2030-01-01T00:00Z"}, "Due"),
    ]:
        reply = api("patch", f"assignments/{given.pk}/", body)
        assert reply.status_code == 400, body
        assert named in reply.content.decode()
        assert "Vito" not in reply.content.decode()
    given.refresh_from_db()
    assert (given.attempts, given.is_draft) == (1, False)
    make = {"vocabulary_list": animals.pk, "kind": "finder"}
    for body, named in [
        ({}, "puzzle"),
        ({"kind": "finder"}, "puzzle"),
        (make | {"puzzle": given.puzzle.code}, "puzzle"),
        (make | {"vocabulary_list": foreign.pk}, "vocabulary_list"),
        (make | {"entries": [fish]}, "entries"),
        (make | {"settings": {"wrods": 3}}, "wrods"),
        (make | {"chosen_students": [other.pk]}, "chosen_students"),
        (make | {"opens_at": "2030-01-02T00:00Z", "due_at": "2030-01-01T00:00Z"}, "Due"),
        (make | {"due_at": "2020-01-01T00:00Z"}, "#/due_at"),
        (make | {"entries": [swan], "due_at": "2020-01-01T00:00Z"}, "#/due_at"),
        ({"puzzle": given.puzzle.code, "due_at": "2020-01-01T00:00Z"}, "#/due_at"),
    ]:
        reply = api("post", f"classes/{classroom.pk}/assignments/", body)
        assert reply.status_code == 400, body
        assert named in reply.content.decode()
    assert Puzzle.objects.count() == Assignment.objects.count() == 1


@pytest.mark.parametrize("is_whole_list", [True, False])
def test_settings_that_are_known_to_be_impossible_are_refused_with_the_reason(
    is_whole_list, api, animals, classroom, student, monkeypatch
):
    monkeypatch.setattr(drafts, "SECONDS", 300)  # the generators may have to be compiled first
    words = [] if is_whole_list else [one.pk for one in animals.entries.all()[:4]]
    wanted = {
        "vocabulary_list": animals.pk, "kind": "word-search", "entries": words,
        "settings": {"words": 4, "message": "ab", "shape": "heart"},
    }  # fmt: skip
    path = f"classes/{classroom.pk}/assignments/"
    refused = api("post", path, wanted)
    assert refused.status_code == 400, refused.content
    assert "No grid was found" in refused.content.decode()
    assert not Puzzle.objects.exists()
    possible = wanted | {"settings": {"words": 4, "message": "", "shape": "heart"}}
    assert api("post", path, possible).status_code == 201  # the control


def test_more_assignments_and_students_ask_no_more_queries(
    api, given, make_puzzle, mia, classroom, django_assert_max_num_queries
):
    path = f"classes/{classroom.pk}/assignments/"
    find_all(given.puzzle, mia)
    with django_assert_max_num_queries(20) as first:
        api("get", path)
    find_all(make_puzzle(seed=2), mia)
    with django_assert_max_num_queries(len(first)):
        assert api("get", path).json()["count"] == 2
