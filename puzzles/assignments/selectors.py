"""Queries for assignments, for pages and the API; the number of queries is constant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.utils import timezone

from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.selectors import students_of
from puzzles.access import Moment
from puzzles.models import Assignment, Move, Placement, PlaySession, Puzzle
from puzzles.untold import SOLVED


@dataclass(frozen=True, slots=True)
class StudentProgress:
    """The progress of one student of a class in one puzzle."""

    student: User
    session: PlaySession | None
    found: list[str]
    missing: list[str]

    @property
    def state(self) -> str:
        if self.session is None:
            return "not started"
        return "done" if self.session.finished_at else "in progress"


def progress_of_class(puzzle: Puzzle, classroom: Classroom) -> list[StudentProgress]:
    """Return what each student of the class found, ordered by the students' names."""
    students = students_of(classroom)
    sessions = {
        session.student_id: session
        for session in PlaySession.objects.filter(puzzle=puzzle, student__in=students).order_by(
            "number"
        )
    }
    terms = dict(puzzle.placements.values_list("pk", "term"))
    found: dict[Any, set[int]] = {}
    for session_id, placement_id in Move.objects.filter(
        session__in=sessions.values(), outcome=Move.Outcome.FOUND
    ).values_list("session", "placement"):
        if placement_id is not None:
            found.setdefault(session_id, set()).add(placement_id)
    progress = []
    for student in students:
        session = sessions.get(student.pk)
        got = found.get(session.pk, set()) if session else set()
        progress.append(
            StudentProgress(
                student,
                session,
                [term for key, term in terms.items() if key in got],
                [term for key, term in terms.items() if key not in got],
            )
        )
    return progress


@dataclass(frozen=True, slots=True)
class ToDo:
    """An assignment as its student sees it, with the progress of the last attempt."""

    assignment: Assignment
    session: PlaySession | None
    total: int
    solved: int

    @property
    def code(self) -> str | None:
        """The code of the puzzle to play; None for an adaptive assignment that was not started."""
        if self.assignment.is_adaptive:
            return self.session.puzzle.code if self.session else None
        return self.assignment.puzzle.code

    @property
    def is_finished(self) -> bool:
        return self.session is not None and self.session.finished_at is not None

    @property
    def attempts_left(self) -> int:
        return self.assignment.attempts - (self.session.number if self.session else 0)


def assignments_of_student(student: User, moment: Moment | None = None) -> list[ToDo]:
    """Return the student's open assignments, newest first, in a constant number of queries.

    *moment* is the student now, if their assignments were read already.
    """
    moment = moment or Moment(student, timezone.now())
    open_now = [one.assignment for one in moment.given if one.is_open]
    given = list(
        Assignment.objects.filter(pk__in=open_now, puzzle__state=Puzzle.State.READY)
        .exclude(excused=student)
        .select_related("puzzle", "classroom")
        .defer("puzzle__grid", "puzzle__unplaced")
        .order_by("-created_at", "-pk")
    )
    adaptive = [one for one in given if one.is_adaptive]
    own = dict(  # the last one of each assignment
        Puzzle.objects.filter(adapted_for__in=adaptive, created_by=student)
        .order_by("pk")
        .values_list("adapted_for", "pk")
    )
    played = {one.pk: own.get(one.pk) if one.is_adaptive else one.puzzle_id for one in given}
    puzzles = [puzzle for puzzle in played.values() if puzzle]
    sessions = {  # the last attempt of each puzzle
        session.puzzle_id: session
        for session in PlaySession.objects.filter(puzzle__in=puzzles, student=student)
        .select_related("puzzle")
        .defer("draft", "puzzle__grid", "puzzle__unplaced")
        .order_by("number")
    }
    totals = dict(
        Placement.objects.filter(puzzle__in=puzzles)
        .order_by()
        .values_list("puzzle")
        .annotate(Count("pk"))
    )
    solved = dict(
        Move.objects.filter(session__in=sessions.values(), outcome__in=SOLVED)
        .order_by()
        .values_list("session__puzzle")
        .annotate(Count("placement", distinct=True))
    )
    todo = []
    for assignment in given:
        puzzle = played[assignment.pk] or 0
        todo.append(
            ToDo(assignment, sessions.get(puzzle), totals.get(puzzle, 0), solved.get(puzzle, 0))
        )
    return todo
