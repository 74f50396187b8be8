"""Queries for assignments, for pages and the API; the number of queries is constant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from osmosmjerka.accounts.models import User
from puzzles.access import Moment
from puzzles.models import Assignment, Move, Placement, PlaySession, Puzzle


def with_puzzles(given: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Return assignments that are read with their puzzles, without what these are played with."""
    unread = ("puzzle__grid", "puzzle__unplaced", "puzzle__entries", "puzzle__settings")
    return given.select_related("puzzle").defer(*unread)


def in_state(state: str, at: datetime) -> Q:
    """Return the condition for assignments in a state, as `Assignment.state_at` decides it."""
    others = Q()
    for each, condition in (
        (Assignment.State.ARCHIVED, Q(archived_at__isnull=False)),
        (Assignment.State.DRAFT, Q(is_draft=True)),
        (Assignment.State.CLOSED, Q(closes_at__lte=at)),
        (Assignment.State.SCHEDULED, Q(opens_at__gt=at)),
    ):
        if each == state:
            return others & condition
        others &= ~condition
    return others


@dataclass(frozen=True, slots=True)
class StudentProgress:
    """The progress of one student of a class in one puzzle."""

    student: User
    session: PlaySession | None
    found: list[str]
    missing: list[str]


def progress_of_students(puzzle: Puzzle, students: Sequence[User]) -> list[StudentProgress]:
    """Return what each of *students* found, in their order and in a constant number of queries."""
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
    """An assignment as its student sees it, with the progress of the last attempt.

    *code* is that of the puzzle to play, None for an adaptive assignment that was not started.
    """

    assignment: Assignment
    code: str | None
    session: PlaySession | None
    total: int
    solved: int
    is_late: bool = False

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
    if not open_now:
        return []
    ready = Assignment.objects.filter(pk__in=open_now, puzzle__state=Puzzle.State.READY)
    given = list(with_puzzles(ready).exclude(excused=student).order_by("-created_at", "-pk"))
    classes = {one.pk: one for one in moment.classes}
    for one in given:
        one.classroom = classes[one.classroom_id]
    # Also of an adaptive one: who played it before it became adaptive has done it.
    played = {one.pk: (one.puzzle_id, one.puzzle.code) for one in given}
    adaptive = [one for one in given if one.is_adaptive]
    if adaptive:
        own = Puzzle.objects.filter(adapted_for__in=adaptive, created_by=student).order_by("pk")
        for assignment, puzzle, code in own.values_list("adapted_for", "pk", "code"):
            played[assignment] = (puzzle, code)  # the last one of each assignment
    puzzles = [puzzle for puzzle, _code in played.values()]
    sessions: dict[int, PlaySession] = {  # the last attempt of each puzzle
        session.puzzle_id: session
        for session in PlaySession.objects.filter(puzzle__in=puzzles, student=student)
        .defer("draft")
        .order_by("number")
    }
    words = Placement.objects.filter(puzzle__in=puzzles).order_by().values_list("puzzle")
    totals = dict(words.annotate(Count("pk")))
    finds = Move.objects.filter(session__in=sessions.values(), outcome=Move.Outcome.FOUND)
    by_session = finds.order_by().values_list("session")
    found = dict(by_session.annotate(Count("placement", distinct=True)))
    todo = []
    for one in given:
        puzzle, code = played.get(one.pk, (0, ""))
        session = sessions.get(puzzle)
        done = found.get(session.pk, 0) if session else 0
        is_begun = session is not None or not one.is_adaptive
        is_finished = session is not None and session.finished_at is not None
        is_late = one.is_past_due(moment.at) and not is_finished
        total = totals.get(puzzle, 0)
        todo.append(ToDo(one, code if is_begun else None, session, total, done, is_late))
    return todo
