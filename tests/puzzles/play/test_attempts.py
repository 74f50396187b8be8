"""An assignment may be played again, as often as its teacher says; the best or last one counts."""

import json
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from osmosmjerka.accounts import people
from puzzles.assignments import selectors as assignments_selectors
from puzzles.assignments import services as assignments
from puzzles.assignments.status import assignment_lines
from puzzles.models import Move, PlaySession, Puzzle
from puzzles.play import attempts
from puzzles.play import services as play
from tests.puzzles.making.test_api import Api, held_to, read_schema
from tests.puzzles.play.test_play import answer_to, post
from tests.puzzles.practice.test_practice import find_all, made
from vocab.models import Review

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def assignment(make_puzzle):
    return assignments.change(assignment=make_puzzle(words=6).assignments.get(), attempts=3)


def play_again(client, assignment):
    return client.post(f"/play/{assignment.puzzle.code}/again/", follow=True)


def give_up(assignment, student):
    mine = play.open_session(puzzle=assignment.puzzle, student=student)
    return play.finish_session(session=mine).session


def stands(assignment, student):
    assignment.refresh_from_db()
    [line] = assignment_lines([assignment], [student], timezone.now())
    return line.statuses[student].value, line.attempts[student]


def test_after_the_end_it_is_played_again_until_no_attempt_is_left(assignment, student, sign_in):
    client = sign_in(student)
    state = f"/api/play/{assignment.puzzle.code}/"
    for left in (2, 1, 0):
        find_all(assignment.puzzle, student)
        again = client.get(state).json()["summary"]["again"]
        assert (again and again["left"]) == (left or None)
        assert ("Play again" in client.get("/").content.decode()) is bool(left)
        if left:
            assert client.post(again["url"]).status_code == 302
            assert client.get(state).json()["found"] == 0
    assert "used all your attempts" in play_again(client, assignment).content.decode()
    assert PlaySession.objects.filter(student=student).count() == 3


def test_an_attempt_that_goes_on_is_not_begun_again(assignment, student, sign_in):
    session = play.open_session(puzzle=assignment.puzzle, student=student)
    play_again(sign_in(student), assignment)
    assert play.open_session(puzzle=assignment.puzzle, student=student) == session


def test_a_program_plays_again_until_no_attempt_is_left(assignment, student):
    api, path = Api("luka"), f"play/{assignment.puzzle.code}/again/"
    for _attempt in range(3):
        find_all(assignment.puzzle, student)
        again = api("post", path)
        if again.status_code == 200:
            held_to(read_schema(), "/api/play/{code}/again/", "post", again.json())
            assert (again.json()["found"], again.json()["summary"]) == (0, None)
    assert again.status_code == 400
    assert "used all your attempts" in again.json()["detail"]
    assert PlaySession.objects.filter(student=student).count() == 3


def test_a_program_asks_for_another_puzzle_of_the_same_words(make_puzzle, student):
    finder, search = make_puzzle("finder", words=6), make_puzzle(words=24, seed=2)
    api = Api("luka")
    refused = api("post", f"play/{finder.code}/new/", {})  # its words are still asked for
    assert refused.status_code == 400
    assert "solve the puzzles" in refused.json()["detail"]
    for puzzle in (finder, search):
        find_all(puzzle, student)
    reply = api("post", f"play/{finder.code}/new/", {"difficulty": "hard", "forwards_only": False})
    held_to(read_schema(), "/api/play/{code}/new/", "post", reply.json(), "202")
    another = Puzzle.objects.get(code=reply.json()["code"])
    assert (another.kind, another.created_by) == ("finder", student)
    assert (another.settings["difficulty"], another.settings["forwards_only"]) == ("hard", False)
    for code, body in ((search.code, {}), (finder.code, {"difficulty": "nightmare"})):
        assert api("post", f"play/{code}/new/", body).status_code == 400
    assert Puzzle.objects.filter(created_by=student).count() == 1


@pytest.mark.parametrize(("counting", "expected"), [("best", "done"), ("last", "needs help")])
def test_the_best_or_the_last_attempt_counts_as_stated(
    counting, expected, assignment, student, sign_in, teacher, classroom
):
    assignments.change(assignment=assignment, counting=counting)
    find_all(assignment.puzzle, student)
    play_again(sign_in(student), assignment)
    give_up(assignment, student)
    assert stands(assignment, student) == (expected, 2)
    play_again(sign_in(student), assignment)
    assert stands(assignment, student) == (expected, 3)  # the third goes on
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/assignments/{assignment.pk}/")
    assert "3 of 3" in page.content.decode()
    assert f"3 attempts, the {counting} one counts" in page.content.decode()


def test_every_attempt_trains_the_memory_once(assignment, student, sign_in):
    find_all(assignment.puzzle, student)
    play_again(sign_in(student), assignment)
    find_all(assignment.puzzle, student)
    per_session = Review.objects.filter(student=student).values_list("session").distinct()
    assert Review.objects.filter(student=student).count() == 12
    assert per_session.count() == 2


def test_a_find_of_an_earlier_attempt_that_comes_late_is_not_counted_in_the_next(
    assignment, student, sign_in
):
    client = sign_in(student)
    first = give_up(assignment, student)
    placement = assignment.puzzle.placements.first()
    late = answer_to(placement, "word-search", session=str(first.pk))
    play_again(client, assignment)
    assert post(client, assignment.puzzle, "attempts", late).status_code == 409
    second = play.open_session(puzzle=assignment.puzzle, student=student)
    assert not Move.objects.filter(session=second).exists()
    fresh = answer_to(placement, "word-search", session=str(second.pk))
    assert post(client, assignment.puzzle, "attempts", fresh).json()["found"] == 1
    stolen = answer_to(placement, "word-search", session=str(uuid.uuid4()))
    assert post(client, assignment.puzzle, "attempts", stolen).status_code == 404


def test_another_students_session_cannot_be_named(
    assignment, student, make_person, school, sign_in
):
    session = play.open_session(puzzle=assignment.puzzle, student=student)
    body = answer_to(assignment.puzzle.placements.first(), "word-search", session=str(session.pk))
    teacher = sign_in(assignment.created_by)
    reply = teacher.post(
        f"/api/play/{assignment.puzzle.code}/attempts/", json.dumps(body), "application/json"
    )
    assert reply.status_code == 404


@pytest.mark.parametrize(
    "changes",
    [
        {"attempts": 1},
        {"closes_at": timezone.now() - timedelta(hours=1)},
        {"archived_at": timezone.now()},
    ],
)
def test_a_closed_assignment_and_one_of_a_single_attempt_are_not_played_again(
    changes, assignment, student
):
    session = find_all(assignment.puzzle, student)
    assert attempts.attempts_left(session) == 2
    assignments.change(assignment=assignment, **changes)
    assert attempts.attempts_left(session) == 0


def test_each_student_has_their_own_attempts(
    assignment, student, classroom, make_person, school, sign_in
):
    """What a classmate played changes nothing; who never began begins; who is excused does not."""
    classmate = make_person("student", school)
    people.join_classroom(classroom=classroom, person=classmate, role="student")
    for _time in range(2):
        find_all(assignment.puzzle, classmate)
        play_again(sign_in(classmate), assignment)
    assert attempts.play_again(puzzle=assignment.puzzle, student=student).number == 1
    session = find_all(assignment.puzzle, student)
    assert attempts.attempts_left(session) == 2
    assert attempts.play_again(puzzle=assignment.puzzle, student=student).number == 2
    assignments.excuse(assignment=assignment, student=student, is_excused=True)
    assert attempts.attempts_left(session) == 0
    theirs = play.open_session(puzzle=assignment.puzzle, student=classmate)
    assert (theirs.number, attempts.attempts_left(theirs)) == (3, 0)


def test_practice_of_ones_own_has_one_attempt(student, assignment, sign_in):
    from puzzles.practice import services as practice

    puzzle = made(practice.request_practice(student=student, kind="word-search"))
    assert attempts.attempts_left(find_all(puzzle, student)) == 0


def test_ones_own_words_are_tried_again_too_and_the_page_knows(assignment, student, sign_in):
    assignments.change(assignment=assignment, is_adaptive=True)
    mine = made(assignments.own_puzzle(assignment=assignment, student=student))
    find_all(mine, student)
    [todo] = assignments_selectors.assignments_of_student(student)
    assert (todo.is_finished, todo.solved, todo.attempts_left) == (True, todo.total, 2)
    sign_in(student).post(f"/play/{mine.code}/again/")
    assert mine.sessions.count() == 1, "the next attempt has other words"
    next_one = sign_in(student).post(f"/assignments/{assignment.pk}/play/").url
    another = made(Puzzle.objects.get(code=next_one.split("/")[2]))
    assert another != mine
    sign_in(student).get(f"/api/play/{another.code}/")
    [todo] = assignments_selectors.assignments_of_student(student)
    assert (todo.is_finished, todo.solved, todo.attempts_left) == (False, 0, 1)
    assert stands(assignment, student) == ("done", 2)


def test_the_class_page_counts_an_adaptive_assignment(
    assignment, student, teacher, classroom, sign_in
):
    assignments.change(assignment=assignment, is_adaptive=True)
    find_all(made(assignments.own_puzzle(assignment=assignment, student=student)), student)
    [line] = sign_in(teacher).get(f"/classes/{classroom.pk}/").context["lines"]
    assert (line.students, line.done) == (1, 1)


def test_the_students_page_asks_as_many_queries_for_many_assignments(
    make_puzzle, student, sign_in, django_assert_max_num_queries
):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client = sign_in(student)
    counts = []
    for seed in (1, 2, 3):
        find_all(make_puzzle(words=12, seed=seed), student)  # so that no word is left today
        with CaptureQueriesContext(connection) as queries:
            client.get("/")
        counts.append(len(queries))
    assert counts[2] <= counts[0]
