"""What the pages of progress show can be had through the HTTP API, by the same people."""

import jsonschema
import pytest
from django.utils import timezone

from puzzles.models import Puzzle
from tests.puzzles.making.test_api import Api, held_to, read_schema
from tests.puzzles.practice.test_practice import find_all
from vocab.memory import reviews

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(make_puzzle, student):
    puzzle = make_puzzle(words=6)
    find_all(puzzle, student)
    return puzzle


def test_what_is_told_is_as_the_schema_describes_it(played, animals, classroom, student, teacher):
    schema, pupil = read_schema(), Api("luka")
    reviews.review(
        student=student, entry=animals.entries.get(term="labud"), mode="typed",
        skill="meaning_to_form", outcome="right", at=timezone.now(), source="x",
    )  # fmt: skip
    told = pupil("get", "progress/").json()
    held_to(schema, "/api/progress/", "get", told)
    assert told["streak"] == {"days": 1, "freezes": 1, "is_today_done": True}
    asked = pupil("post", "practice/", {"kind": "finder", "is_free": True})
    held_to(schema, "/api/practice/", "post", asked.json(), "202")
    told = Api("ana")("get", f"classes/{classroom.pk}/progress/").json()
    held_to(schema, "/api/classes/{id}/progress/", "get", told)
    with pytest.raises(jsonschema.ValidationError):  # the control
        told["students"][0]["email"] = "x"
        held_to(schema, "/api/classes/{id}/progress/", "get", told)


def test_a_student_practises_and_reads_what_they_know(played, animals, student, sign_in):
    client = sign_in(student)
    known = client.get("/api/progress/").json()
    assert len(known["words"]) == 6
    assert {word["right"] for word in known["words"]} == {1}
    assert {word["level"] for word in known["words"]} == {1}  # found, never recalled
    assert known["today"] == {"words": 12, "left": 6}
    wanted = {"kind": "crossword", "size": 4, "vocabulary_list": animals.pk}
    reply = client.post("/api/practice/", wanted, "application/json")
    assert reply.status_code == 202
    entries = Puzzle.objects.get(code=reply.json()["code"]).entries
    found = {word["entry"] for word in known["words"]}
    assert len(entries) == 4
    assert not found.intersection(entries)
    assert client.post("/api/practice/", {"kind": "chess"}, "application/json").status_code == 400
    assert (
        client.post(
            "/api/practice/", wanted | {"vocabulary_list": 0}, "application/json"
        ).status_code
        == 404
    )


def test_a_teacher_reads_what_a_class_knows(played, classroom, student, teacher, sign_in):
    told = sign_in(teacher).get(f"/api/classes/{classroom.pk}/progress/").json()
    assert told["assignments"][0]["students"] == {str(student.pk): "done"}
    assert sum(word["right"] for word in told["words"]) == 6
    assert told["students"][0]["asked"] == 6


def test_others_read_nothing(played, classroom, student, stranger, make_person, school, sign_in):
    for person in (student, stranger):
        assert sign_in(person).get(f"/api/classes/{classroom.pk}/progress/").status_code == 404
    assert sign_in(stranger).get("/api/progress/").status_code == 404
    other = make_person("student", school)
    reply = sign_in(other).post("/api/practice/", {"kind": "crossword"}, "application/json")
    assert reply.status_code == 400
    assert "No words to practise today" in reply.json()["detail"]
