"""Who has begun a puzzle may go on while they are in a class that has it, and no longer."""

from datetime import timedelta

import pytest
from django.utils import timezone

from osmosmjerka.accounts.models import Classroom, Membership, User
from puzzles import access
from puzzles.models import Assignment, DailyPuzzle, Puzzle
from puzzles.play import services as play
from tests.puzzles.play.test_play import answer_to, post

pytestmark = pytest.mark.django_db


def of_the_class(puzzle, assigned, student):
    return puzzle


def adapted(puzzle, assigned, student):
    """The student's own version of what the class was assigned."""
    return change(puzzle, created_by=student, adapted_for=assigned.assignments.get())


def own(puzzle, assigned, student):
    """Practice of the same list."""
    return change(puzzle, created_by=student)


def of_the_day(puzzle, assigned, student):
    now = timezone.now()
    classroom = Classroom.objects.get()
    day = DailyPuzzle.objects.create(
        classroom=classroom, day=now.date(), until=now + timedelta(days=1)
    )
    return change(puzzle, daily=day)


def change(puzzle, **values):
    puzzle.assignments.all().delete()
    Puzzle.objects.filter(pk=puzzle.pk).update(**values)
    puzzle.refresh_from_db()
    return puzzle


WAYS = [of_the_class, adapted, own, of_the_day]


def leave(puzzle):
    Membership.objects.filter(role=Membership.Role.STUDENT).delete()


def archive(puzzle):
    Classroom.objects.update(archived_at=timezone.now())


def bin_the_class(puzzle):
    Classroom.objects.update(deleted_at=timezone.now())


def bin_the_puzzle(puzzle):
    Puzzle.objects.filter(pk=puzzle.pk).update(deleted_at=timezone.now())


def make_drafts(puzzle):
    Assignment.objects.update(is_draft=True)


def bin_what_was_assigned(puzzle):
    Puzzle.objects.exclude(pk=puzzle.pk).update(deleted_at=timezone.now())
    puzzle.assignments.all().delete()


ENDS = [leave, archive, bin_the_class, bin_the_puzzle, make_drafts, bin_what_was_assigned]


@pytest.fixture
def begun(make_puzzle, student):
    """Return a puzzle that the student has begun, in the way that a test wants."""

    def begun(way):
        puzzle = way(make_puzzle(seed=2), make_puzzle(), student)
        play.open_session(puzzle=puzzle, student=student)
        return puzzle

    return begun


@pytest.mark.parametrize(
    ("way", "end"),
    [
        (way, end)
        for way in WAYS
        for end in ENDS
        # A puzzle of the day is no assignment.
        if way is not of_the_day or end not in (make_drafts, bin_what_was_assigned)
    ],
)
def test_who_has_begun_goes_on_until_no_class_of_theirs_has_it(way, end, begun, student, sign_in):
    puzzle, client = begun(way), sign_in(student)
    first, second = puzzle.placements.all()[:2]
    assert post(client, puzzle, "attempts", answer_to(first, "word-search")).status_code == 200
    end(puzzle)
    for _time in range(2):
        refused = post(client, puzzle, "attempts", answer_to(second, "word-search"))
        assert refused.status_code == 404
    assert client.get(f"/api/play/{puzzle.code}/").status_code == 404
    assert client.get(f"/play/{puzzle.code}/").status_code == 404
    assert puzzle.sessions.get().moves.count() == 1


def test_who_has_begun_goes_on_when_others_are_chosen_and_nobody_else_begins(
    begun, student, sign_in, make_person, school, classroom
):
    mia, iva = (make_person(User.Role.STUDENT, school, name) for name in ("mia", "iva"))
    for other in (mia, iva):
        classroom.memberships.create(user=other, role=Membership.Role.STUDENT)
    puzzle = begun(of_the_class)
    puzzle.assignments.get().chosen_students.set([mia])
    assert sign_in(student).get(f"/api/play/{puzzle.code}/").status_code == 200
    assert sign_in(mia).get(f"/api/play/{puzzle.code}/").status_code == 200
    assert sign_in(iva).get(f"/api/play/{puzzle.code}/").status_code == 404


@pytest.mark.parametrize("way", WAYS)
def test_the_narrow_question_allows_nothing_that_the_whole_rule_refuses(way, begun, student):
    """But for students who are no longer chosen, see above."""
    puzzle = begun(way)
    assert access.may_go_on(student, puzzle)
    assert access.puzzles(student, "play", code=puzzle.code).exists()
    leave(puzzle)
    assert not access.may_go_on(student, puzzle)
    assert not access.puzzles(student, "play", code=puzzle.code).exists()
