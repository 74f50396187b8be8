"""The status of each student in each assignment of a class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Count, Max, Q
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.models import User
from osmosmjerka.paper.charts import Part, parts
from puzzles.models import Assignment, Move, Placement, PlaySession
from puzzles.play.helping import is_found, is_help, words_with_help
from puzzles.play.pauses import time_played

# A student took much help if more than this share of the words seen took hints or were shown.
HELPED_SHARE = 1 / 3


class Status(models.TextChoices):
    """The status of a student in an assignment."""

    # Translators: how a student is getting on with an assignment.
    EXCUSED = "excused", _("excused")
    DONE = "done", _("done")
    LATE = "late", _("done late")
    # "Needs help" is said of people, by Today and Progress, who look at more than one assignment.
    NEEDS_HELP = "needs help", _("with a lot of help")
    OVERDUE = "overdue", _("overdue")
    IN_PROGRESS = "in progress", _("in progress")
    NOT_STARTED = "not started", _("not started")


@dataclass(frozen=True, slots=True)
class Result:
    """How far a student is in the attempt that counts.

    *helped* of the words took hints or were shown, also at the finish; *last_at* is the last move;
    *session* is None if they have not started. *total* is None if their own puzzle does not exist
    yet.
    """

    found: int = 0
    total: int | None = None
    helped: int = 0
    last_at: datetime | None = None
    session: UUID | None = None


@dataclass(frozen=True, slots=True)
class AssignmentLine:
    """An assignment and the statuses of its students; `bar` is drawn in a box of 100 × 10.

    *owing* are the ids of students who have not finished it though it is past due; *finished* says
    when a student finished the attempt that counts. *is_for_some*: it is not for the whole class.
    """

    assignment: Assignment
    state: str
    statuses: dict[User, Status]
    attempts: dict[User, int] = field(default_factory=dict)
    owing: frozenset[int] = frozenset()
    finished: Mapping[int, datetime] = field(default_factory=dict)
    results: Mapping[User, Result] = field(default_factory=dict)
    is_for_some: bool = False
    stage: Assignment.State = Assignment.State.OPEN

    @property
    def student_lines(self) -> list[tuple[User, Status, int]]:
        """Each student with their status and the number of attempts that they started."""
        return [
            (student, how, self.attempts.get(student, 0)) for student, how in self.statuses.items()
        ]

    @property
    def statuses_by_id(self) -> dict[int, Status]:
        return {student.pk: how for student, how in self.statuses.items()}

    def count(self, *wanted: Status) -> int:
        return sum(status in wanted for status in self.statuses.values())

    @property
    def students(self) -> int:
        """The number of students who have to do the assignment."""
        return len(self.statuses) - self.count(Status.EXCUSED)

    @property
    def done(self) -> int:
        return self.count(Status.DONE, Status.LATE)

    @property
    def started(self) -> int:
        return self.count(Status.IN_PROGRESS)

    @property
    def needing_help(self) -> int:
        return self.count(Status.NEEDS_HELP)

    @property
    def overdue(self) -> int:
        return self.count(Status.OVERDUE)

    @property
    def _expected(self) -> list[Result]:
        return [
            result
            for student, result in self.results.items()
            if self.statuses[student] != Status.EXCUSED
        ]

    @property
    def found(self) -> int:
        """How many words all students who have to do it found."""
        return sum(result.found for result in self._expected)

    @property
    def total(self) -> int:
        """How many words they have to find, as far as their puzzles exist."""
        return sum(result.total or 0 for result in self._expected)

    @property
    def is_over(self) -> bool:
        """Whether nothing is expected of anybody any more: all have done it, or it was closed."""
        all_done = self.done + self.needing_help == self.students
        return all_done or self.assignment.state == Assignment.State.CLOSED

    @property
    def opened_at(self) -> datetime:
        return self.assignment.opens_at or self.assignment.created_at

    @property
    def has_begun(self) -> bool:
        """Whether anything may be expected of anybody: not of a draft, nor before its start."""
        return self.stage not in (Assignment.State.DRAFT, Assignment.State.SCHEDULED)

    @property
    def not_started(self) -> int:
        return self.count(Status.NOT_STARTED)

    @property
    def bar(self) -> list[Part]:
        counts = [
            ("done", self.done), ("started", self.started), ("help", self.needing_help),
            ("overdue", self.overdue),
        ]  # fmt: skip
        return [part for part in parts([*counts, ("", self.not_started)]) if part.name]


def status(
    assignment: Assignment,
    attempt: Attempt | None,
    *,
    is_excused: bool,
    at: datetime,
) -> Status:
    """Return the status of one student, by the *attempt* that counts.

    "Overdue" means past due and not done; "with a lot of help", that more than a third of the words
    seen so far took hints or were shown.
    """
    if is_excused:
        return Status.EXCUSED
    is_overdue = assignment.is_past_due(at)
    if attempt is None:
        return Status.OVERDUE if is_overdue else Status.NOT_STARTED
    needs_help = attempt.result.helped > HELPED_SHARE * max(attempt.words, 1)
    if attempt.finished_at is not None:
        if needs_help:
            return Status.NEEDS_HELP
        return Status.LATE if assignment.is_past_due(attempt.finished_at) else Status.DONE
    if is_overdue:
        return Status.OVERDUE
    return Status.NEEDS_HELP if needs_help else Status.IN_PROGRESS


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt of a student, who has seen *words* of its words."""

    finished_at: datetime | None
    words: int
    result: Result


def that_counts(assignment: Assignment, attempts: Sequence[Attempt]) -> Attempt | None:
    """Return the one of a student's *attempts*, in order, that determines their status.

    Finished attempts count before unfinished ones. Among several, either the last counts, or the
    best: the one with the least help, and of equal ones the last.
    """
    finished = [one for one in attempts if one.finished_at is not None]
    if not finished:
        return attempts[-1] if attempts else None
    if assignment.counting == Assignment.Counting.LAST:
        return finished[-1]
    return min(reversed(finished), key=lambda one: one.result.helped / max(one.words, 1))


def assignment_lines(
    assignments: Iterable[Assignment], students: Sequence[User], at: datetime
) -> list[AssignmentLine]:
    """Return the status of *students* in *assignments* of their class, in a few queries."""
    given = list(assignments)
    return lines_of_classes(given, {one.classroom_id: students for one in given}, at)


def lines_of_classes(
    given: list[Assignment], members: Mapping[int, Sequence[User]], at: datetime
) -> list[AssignmentLine]:
    """Return the status of the students in assignments of several classes, in a few queries.

    *members* are the students of each class.
    """
    chosen = _people(Assignment.chosen_students.through, given)
    excused = _people(Assignment.excused.through, given)
    everybody = {student.pk: student for students in members.values() for student in students}
    attempts, totals = _attempts(given, list(everybody.values()))
    lines = []
    for assignment in given:
        students = members.get(assignment.classroom_id, ())
        its = chosen.get(assignment.pk)
        statuses, used, owing, finished, results = {}, {}, set(), {}, {}
        is_past_due = assignment.is_past_due(at)
        for student in students:
            if its and student.pk not in its:
                continue
            mine = attempts.get((assignment.pk, student.pk), [])
            counted = that_counts(assignment, mine)
            used[student] = len(mine)
            total = None if assignment.is_adaptive else totals.get(assignment.puzzle_id)
            results[student] = counted.result if counted else Result(total=total)
            statuses[student] = status(
                assignment,
                counted,
                is_excused=student.pk in excused.get(assignment.pk, ()),
                at=at,
            )
            if counted is not None and counted.finished_at is not None:
                finished[student.pk] = counted.finished_at
            elif is_past_due and statuses[student] != Status.EXCUSED:
                owing.add(student.pk)
        stage = assignment.state_at(at)
        lines.append(
            AssignmentLine(
                assignment, str(stage.label), statuses, used, frozenset(owing), finished, results,
                is_for_some=bool(its), stage=stage,
            )
        )  # fmt: skip
    return lines


def _attempts(
    given: Sequence[Assignment], students: Sequence[User]
) -> tuple[dict[tuple[int, int], list[Attempt]], dict[int, int]]:
    """Return the attempts of each student at each assignment in order, and the puzzles' words."""
    puzzles = {assignment.puzzle_id: assignment.pk for assignment in given}
    sessions = PlaySession.objects.filter(
        Q(puzzle__in=puzzles) | Q(puzzle__adapted_for__in=given), student__in=students
    )
    # A join, because a class has thousands of sessions a year: too many to name each.
    moves = Move.objects.filter(session__in=sessions.order_by()).order_by()
    is_of_found = is_help() & Q(is_found("session", "placement"))
    counts: dict[Any, Any] = {
        session: figures
        for session, *figures in moves.values_list("session").annotate(
            words=Count("placement", distinct=True),
            found=Count("placement", filter=Q(outcome=Move.Outcome.FOUND)),
            helped=Count("placement", filter=is_help(), distinct=True),
            found_with_help=Count("placement", filter=is_of_found, distinct=True),
            last=Max("at"),
        )
    }
    columns = ("pk", "puzzle", "puzzle__adapted_for", "student", "started_at", "finished_at")
    rows = list(sessions.order_by("number").values_list(*columns))
    totals = _totals([*puzzles, *(puzzle for _pk, puzzle, *_rest in rows)])
    attempts: dict[tuple[int, int], list[Attempt]] = {}
    for session, puzzle, adapted_for, student, started_at, finished_at in rows:
        words, found, helped, found_with_help, last_at = counts.get(session, (0, 0, 0, 0, None))
        helped = words_with_help(
            is_finished=finished_at is not None,
            total=totals.get(puzzle, 0),
            found=found,
            helped=helped,
            found_with_help=found_with_help,
        )
        if finished_at is not None:
            words = totals.get(puzzle, 0)  # those that were not found were shown
        key = adapted_for or puzzles[puzzle]
        seen = max(filter(None, (last_at, finished_at)), default=started_at)
        result = Result(found, totals.get(puzzle), helped, seen, session)
        attempts.setdefault((key, student), []).append(Attempt(finished_at, words, result))
    return attempts, totals


def played(results: Iterable[Result]) -> dict[UUID, timedelta]:
    """Return how long each of these attempts was played, without the pauses between its moves."""
    sessions = [result.session for result in results if result.session is not None]
    rows = PlaySession.objects.filter(pk__in=sessions).values_list("pk", "started_at", "moves__at")
    began: dict[UUID, datetime] = {}
    moves: dict[UUID, list[datetime]] = {}
    for session, started_at, at in rows:
        began[session] = started_at
        moves.setdefault(session, []).extend([at] if at is not None else [])
    return {session: time_played(began[session], moves[session]) for session in began}


def _people(through: Any, assignments: list[Assignment]) -> dict[int, set[int]]:
    people: dict[int, set[int]] = {}
    for assignment, user in through.objects.filter(assignment__in=assignments).values_list(
        "assignment", "user"
    ):
        people.setdefault(assignment, set()).add(user)
    return people


def _totals(puzzles: Iterable[int]) -> dict[int, int]:
    rows = Placement.objects.filter(puzzle__in=set(puzzles)).order_by().values_list("puzzle")
    return dict(rows.annotate(Count("pk")))
