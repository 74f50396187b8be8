"""Classes side by side without a child's detail; statements without a child's name."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import User
from puzzles.play import services as play
from tests.puzzles.practice.test_practice import find_all
from vocab.models import Review

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(make_puzzle, student):
    puzzle = make_puzzle("crossword")
    find_all(puzzle, student)
    return puzzle


def test_classes_stand_side_by_side(finished, classroom, teacher, school, make_person, sign_in):
    other = make_person(User.Role.TEACHER, school)
    people.create_classroom(name="7a", owner=other)
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    lines = sign_in(admin).get("/school/").context["lines"]
    assert [(str(line.classroom), line.students, line.active) for line in lines] == [
        ("6b", 1, 1), ("7a", 0, 0),
    ]  # fmt: skip
    text = sign_in(admin).get("/school/").content.decode()
    assert "Luka" not in text
    assert [str(line.classroom) for line in sign_in(teacher).get("/school/").context["lines"]] == [
        "6b"
    ]
    csv = sign_in(admin).get("/school/?format=csv").content.decode("utf-8-sig")
    assert csv.splitlines()[1] == "6b,1,1,0"


def test_a_student_and_a_stranger_see_no_school(finished, classroom, student, stranger, sign_in):
    assert sign_in(student).get("/school/").status_code == 404
    assert sign_in(stranger).get("/school/").context["lines"] == []
    for person in (student, stranger):
        path = f"/classes/{classroom.pk}/statements/"
        assert sign_in(person).get(path).status_code == 404


def statements(client, classroom):
    reply = client.get(f"/classes/{classroom.pk}/statements/")
    return [json.loads(line) for line in b"".join(reply.streaming_content).splitlines()]


def test_each_answer_is_a_statement_by_a_pseudonym(finished, classroom, student, teacher, sign_in):
    told = statements(sign_in(teacher), classroom)
    verbs = [statement["verb"]["display"]["en"] for statement in told]
    assert verbs.count("initialized") == verbs.count("completed") == 1
    assert verbs.count("answered") == Review.objects.count() > 8
    assert {statement["actor"]["account"]["name"] for statement in told} == {str(student.pk)}
    assert "luka" not in json.dumps(told, ensure_ascii=False).casefold()
    assert all(statement["object"]["id"].startswith("http://testserver/") for statement in told)
    assert told == statements(sign_in(teacher), classroom)  # with the same ids
    assert len({statement["id"] for statement in told}) == len(told)


def test_a_puzzle_that_was_given_up_is_answered_without_success(
    make_puzzle, classroom, student, teacher, sign_in
):
    puzzle = make_puzzle()
    play.finish_session(session=play.open_session(puzzle=puzzle, student=student))
    answers = [s for s in statements(sign_in(teacher), classroom) if "result" in s]
    assert {statement["result"]["success"] for statement in answers} == {False}


def test_a_teacher_schedules_an_assignment_and_sees_what_each_would_get(
    finished, classroom, student, teacher, animals, sign_in
):
    assignment = finished.assignments.get()
    path = f"/classes/{classroom.pk}/assignments/{assignment.pk}/edit/"
    client = sign_in(teacher)
    later = (timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    swan = animals.entries.get(term="labud")
    wanted = {"opens_at": "2026-01-01T08:00", "due_at": later, "is_adaptive": "on",
              "attempts": 1, "counting": "best",
              "chosen_students": [student.pk], "pinned": [swan.pk]}  # fmt: skip
    assert client.post(path, wanted).status_code == 302
    assignment.refresh_from_db()
    assert (assignment.state, assignment.is_adaptive, assignment.pinned) == (
        "open",
        True,
        [swan.pk],
    )
    [(pupil, words)] = client.get(path).context["preview"]
    assert (pupil, words[0]) == (student, swan)
    wrong = client.post(path, wanted | {"closes_at": "2026-01-02T08:00"})
    assert "Put the dates in this order" in wrong.content.decode()
    assert sign_in(student).get(path).status_code == 404
