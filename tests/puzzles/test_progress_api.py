"""What the pages of progress show can be had through the HTTP API, by the same people."""

import pytest

from puzzles.models import Puzzle
from tests.puzzles.test_practice import find_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(make_puzzle, student):
    puzzle = make_puzzle(words=6)
    find_all(puzzle, student)
    return puzzle


def test_a_student_practises_and_reads_what_they_know(played, animals, student, sign_in):
    client = sign_in(student)
    known = client.get("/api/progress/").json()
    assert len(known["words"]) == 6
    assert {word["right"] for word in known["words"]} == {1}
    wanted = {"kind": "crossword", "size": 4, "vocabulary_list": animals.pk}
    reply = client.post("/api/practice/", wanted)
    assert reply.status_code == 202
    assert len(Puzzle.objects.get(code=reply.json()["code"]).entries) == 4
    assert client.post("/api/practice/", {"kind": "chess"}).status_code == 400
    assert client.post("/api/practice/", wanted | {"vocabulary_list": 0}).status_code == 404


def test_a_teacher_reads_what_a_class_knows(played, classroom, student, teacher, sign_in):
    told = sign_in(teacher).get(f"/api/classes/{classroom.pk}/progress/").json()
    assert told["assignments"][0]["pupils"] == {str(student.pk): "done"}
    assert sum(word["right"] for word in told["words"]) == 6
    assert told["pupils"][0]["asked"] == 6


def test_others_read_nothing(played, classroom, student, stranger, make_person, school, sign_in):
    for person in (student, stranger):
        assert sign_in(person).get(f"/api/classes/{classroom.pk}/progress/").status_code == 404
    assert sign_in(stranger).get("/api/progress/").status_code == 404
    other = make_person("student", school)
    reply = sign_in(other).post("/api/practice/", {"kind": "crossword"})
    assert reply.status_code == 400
    assert "Nothing" in reply.json()["detail"][0]
