"""Statements keep to xAPI 1.0.3, and say what was done, how it went and where it belongs."""

import copy
import json
import re

import pytest

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from puzzles.models import Assignment, PlaySession
from puzzles.play import services as play
from puzzles.xapi import statements as xapi
from tests.puzzles.practice.test_practice import find_all
from tests.puzzles.xapi.rules import Broken, check
from vocab.models import Review

pytestmark = pytest.mark.django_db
SITE = "http://testserver/"


@pytest.fixture
def finished(make_puzzle, student):
    puzzle = make_puzzle(words=6)
    find_all(puzzle, student)
    return puzzle


def of_class(classroom):
    return list(xapi.statements_of_class(classroom, SITE))


def with_verb(statements, verb):
    return [one for one in statements if one["verb"]["id"] == xapi.VERBS[verb]]


def around(statement, name):
    activities = statement["context"]["contextActivities"].get(name, [])
    return [(one["id"].removeprefix(SITE), one["definition"]["name"]["und"]) for one in activities]


def test_every_statement_keeps_to_the_specification(finished, make_puzzle, student, classroom):
    for kind in ("crossword", "finder"):
        find_all(make_puzzle(kind), student)
    given_up = make_puzzle(words=5, seed=3)
    play.finish_session(session=play.open_session(puzzle=given_up, student=student))
    statements = of_class(classroom)
    assert len(statements) > 20
    for statement in statements:
        check(json.loads(json.dumps(statement)))
        assert statement["object"]["definition"]["type"].startswith("http")


BREAKS = {
    "no UUID": lambda s: s.update(id="1"),
    "no actor": lambda s: s.pop("actor"),
    "there is no object": lambda s: s.pop("object"),
    "homePage is no IRI": lambda s: s["actor"]["account"].update(homePage="testserver"),
    "account has no name": lambda s: s["actor"]["account"].update(name=""),
    "agent has ['mail']": lambda s: s["actor"].update(mail="x@example.com"),
    "verb is no IRI": lambda s: s["verb"].update(id="completed"),
    "display of the verb is no language map": lambda s: s["verb"].pop("display"),
    "has no language": lambda s: s["verb"].update(display={"english": "completed"}),
    "object is no IRI": lambda s: s["object"].update(id="/play/x/"),
    "type of the object is no IRI": lambda s: s["object"]["definition"].update(type="game"),
    "not ISO 8601": lambda s: s.update(timestamp="yesterday"),
    "no zone": lambda s: s.update(timestamp="2026-11-24T10:00:00"),
    "scaled is not from -1 to 1": lambda s: s["result"]["score"].update(scaled=1.5),
    "raw is not from min to max": lambda s: s["result"]["score"].update(raw=99),
    "raw is no number": lambda s: s["result"]["score"].update(raw="6"),
    "duration is not ISO 8601": lambda s: s["result"].update(duration="12 s"),
    "success is no boolean": lambda s: s["result"].update(success="yes"),
    "registration is no UUID": lambda s: s["context"].update(registration="7"),
    "parent is empty": lambda s: s["context"]["contextActivities"].update(parent=[]),
    "has a null": lambda s: s["result"].update(response=None),
    "version is not 1.0.x": lambda s: s.update(version="2.0.0"),
}


def test_a_broken_statement_is_found(finished, classroom):
    """The control of the rules."""
    [statement] = with_verb(of_class(classroom), "completed")
    check(statement)
    for reason, spoil in BREAKS.items():
        broken = copy.deepcopy(statement)
        spoil(broken)
        with pytest.raises(Broken, match=re.escape(reason)):
            check(broken)


def test_a_finished_puzzle_tells_how_it_went(finished, make_puzzle, student, classroom):
    session = PlaySession.objects.get()
    session.seconds = 95
    session.save()
    [all_found] = with_verb(of_class(classroom), "completed")
    assert all_found["result"] == {
        "success": True,
        "completion": True,
        "score": {"scaled": 1.0, "raw": 6, "min": 0, "max": 6},
        "duration": "PT95S",
    }
    given_up = make_puzzle(words=5, seed=3)
    play.finish_session(session=play.open_session(puzzle=given_up, student=student))
    last = with_verb(of_class(classroom), "completed")[-1]
    assert last["result"]["success"] is False
    assert last["result"]["score"] == {"scaled": 0.0, "raw": 0, "min": 0, "max": 5}
    assert "result" not in with_verb(of_class(classroom), "initialized")[0]


def test_a_statement_says_to_which_list_assignment_and_class_it_belongs(
    finished, classroom, animals
):
    given = finished.assignments.get()
    for statement in of_class(classroom):
        assert around(statement, "parent") == [
            (f"lists/{animals.pk}/", "Životinje"),
            (f"classes/{classroom.pk}/assignments/{given.pk}/", finished.title),
        ]
        assert around(statement, "grouping") == [(f"classes/{classroom.pk}/", "6b")]


def test_a_quick_review_belongs_to_the_classes_that_have_the_list_and_to_no_assignment(
    finished, classroom, student, animals
):
    played = Review.objects.first()
    review = Review.objects.create(
        student=student, entry=played.entry, word=played.word, mode=Review.Mode.TYPED,
        skill=played.skill, outcome=Review.Outcome.WRONG, source="quiz-1", given="labut",
        latency_ms=1500, at=played.at, day=played.day,
    )  # fmt: skip
    [statement] = xapi.answered([review], SITE)
    check(statement)
    assert statement["result"] == {"success": False, "response": "labut", "duration": "PT1.50S"}
    assert around(statement, "parent") == [(f"lists/{animals.pk}/", "Životinje")]
    assert around(statement, "grouping") == [(f"classes/{classroom.pk}/", "6b")]
    classroom.memberships.filter(user=student).delete()  # the student left the class
    [statement] = xapi.answered([review], SITE)
    check(statement)
    assert around(statement, "grouping") == []


def without_definitions(value):
    """Return what of a statement is compared: of activities only their ids (2.3.1 of part two)."""
    if isinstance(value, dict):
        return {key: without_definitions(of) for key, of in value.items() if key != "definition"}
    return [without_definitions(of) for of in value] if isinstance(value, list) else value


def test_a_student_of_two_classes_is_told_of_in_the_same_way_in_both_files_and_in_a_store(
    finished, classroom, student, mia, teacher
):
    find_all(finished, mia)  # who is in one of the classes only
    other = people.create_classroom(name="Choir", owner=teacher)
    people.join_classroom(classroom=other, person=student, role=Membership.Role.STUDENT)
    Assignment.objects.create(puzzle=finished, classroom=other, created_by=teacher)
    own, others = of_class(classroom), of_class(other)
    sessions = PlaySession.objects.select_related("puzzle__vocabulary_list").order_by("started_at")
    reviews = Review.objects.select_related("entry__vocabulary_list")
    store = [*xapi.played(list(sessions), SITE), *xapi.answered(list(reviews), SITE)]

    told = {}
    for statement in (*own, *others, *store):
        check(statement)
        told.setdefault(statement["id"], []).append(without_definitions(statement))
    for statements in told.values():
        assert all(one == statements[0] for one in statements)
    assert {len(statements) for statements in told.values()} == {2, 3}  # Mia’s are in two places

    grouped = [of["id"] for of in store[0]["context"]["contextActivities"]["grouping"]]
    assert grouped == [f"{SITE}classes/{one.pk}/" for one in (classroom, other)]
    assert "Choir" not in json.dumps(own)
    assert '"6b"' not in json.dumps(others)
    assert {name for _path, name in around(store[0], "grouping")} == {"6b", "Choir"}


def test_no_name_of_a_student_is_in_a_statement(finished, classroom, student):
    student.display_name = "Sentinel"
    student.save()
    text = json.dumps(of_class(classroom), ensure_ascii=False).casefold()
    assert "sentinel" not in text
    assert "luka" not in text
    assert f'"{student.pk}"' in text


def test_statements_cost_as_many_queries_however_many_they_are(
    make_puzzle, student, mia, classroom, django_assert_max_num_queries
):
    puzzle = make_puzzle(words=4)
    find_all(puzzle, student)
    with django_assert_max_num_queries(30) as first:
        few = of_class(classroom)
    find_all(puzzle, mia)
    for seed in (2, 3):
        find_all(make_puzzle(words=6, seed=seed), student)
    with django_assert_max_num_queries(len(first)):
        assert len(of_class(classroom)) > 3 * len(few)


def test_the_file_is_an_array_or_has_a_statement_a_line(finished, classroom, teacher, sign_in):
    client = sign_in(teacher)
    expected = of_class(classroom)

    def read(path, **extra):
        reply = client.get(path, **extra)
        assert reply.status_code == 200
        text = b"".join(reply.streaming_content).decode()
        return reply["Content-Type"], reply["Content-Disposition"], text

    page, api = f"/classes/{classroom.pk}/statements/", f"/api/classes/{classroom.pk}/statements/"
    for path in (f"{page}?format=json", api, f"{api}?format=json"):
        media_type, named, text = read(path)
        assert (media_type, json.loads(text)) == ("application/json", expected)
        assert named.endswith('.json"')
    lines = {"headers": {"Accept": "application/x-ndjson"}}
    for path, extra in ((page, {}), (f"{api}?format=ndjson", {}), (api, lines)):
        media_type, named, text = read(path, **extra)
        assert media_type == "application/x-ndjson"
        assert [json.loads(line) for line in text.splitlines()] == expected
        assert named.endswith('.ndjson"')
    assert client.get(f"{page}?format=xml").status_code == 404
    refused = client.get(f"{api}?format=xml")
    assert (refused.status_code, refused.json()["errors"]) == (
        400,
        [
            {
                "parameter": "format",
                "detail": "“xml” is not a valid choice. Choose one of: json, ndjson.",
                "code": "invalid_choice",
            }
        ],
    )


def test_a_class_that_did_nothing_yet_has_an_empty_array(classroom, teacher, sign_in):
    reply = sign_in(teacher).get(f"/api/classes/{classroom.pk}/statements/")
    assert json.loads(b"".join(reply.streaming_content)) == []


def test_only_those_who_follow_the_class_read_its_statements(
    finished, classroom, teacher, student, stranger, school, make_person, sign_in
):
    path = f"/api/classes/{classroom.pk}/statements/"
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    for person, status in ((teacher, 200), (admin, 200), (student, 404), (stranger, 404)):
        assert sign_in(person).get(path).status_code == status, person
