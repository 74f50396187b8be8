"""Results: who plays a puzzle and how far they are; a class's students in all their assignments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.selectors import students_of_classes
from puzzles.assignments.selectors import StudentProgress, progress_of_students
from puzzles.assignments.status import AssignmentLine, Result, Status, lines_of_classes, played
from puzzles.models import Assignment, Puzzle

# Statuses that ask for something, the most urgent first; the others are equal.
_NEEDS = (Status.OVERDUE, Status.NEEDS_HELP, Status.NOT_STARTED)


@dataclass(frozen=True, slots=True)
class ClassResults:
    """An assignment of the puzzle, and what each of its students found.

    If each student gets their own words, there is nothing to compare: *students* is empty.
    """

    line: AssignmentLine
    students: Sequence[tuple[StudentProgress, Status]]

    @property
    def assignment(self) -> Assignment:
        return self.line.assignment

    @property
    def found(self) -> int:
        return sum(len(progress.found) for progress, _status in self.students)

    @property
    def total(self) -> int:
        """How many words all students together can find."""
        return sum(len(one.found) + len(one.missing) for one, _status in self.students)


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a puzzle in some classes.

    *is_own* says that nobody plays the puzzle itself: each student gets their own words.
    """

    classes: Sequence[ClassResults]
    is_own: bool

    @classmethod
    def of(cls, puzzle: Puzzle, given: list[Assignment]) -> Results:
        """Return the results of the assignments *given*, in a constant number of queries."""
        members = students_of_classes([one.classroom for one in given])
        lines = lines_of_classes(given, members, timezone.now())
        common = {
            student.pk: student
            for line in lines
            if not line.assignment.is_adaptive
            for student in line.statuses
        }
        found = {
            progress.student.pk: progress
            for progress in progress_of_students(puzzle, list(common.values()))
        }
        return cls(
            [
                ClassResults(
                    line,
                    []
                    if line.assignment.is_adaptive
                    else [(found[who.pk], status) for who, status in line.statuses.items()],
                )
                for line in lines
            ],
            is_own=bool(given) and all(one.is_adaptive for one in given),
        )


@dataclass(frozen=True, slots=True)
class Cell:
    """How far a student is with one assignment, and how long they played; see `Result`."""

    line: AssignmentLine
    status: Status
    result: Result
    played: timedelta | None
    attempts: int


@dataclass(frozen=True, slots=True)
class Row:
    """A student with a cell for each assignment, None for what is not theirs to do."""

    student: User
    cells: Sequence[Cell | None]

    @property
    def last_at(self) -> datetime | None:
        """When the student last did something in these assignments."""
        return max(
            (cell.result.last_at for cell in self.cells if cell and cell.result.last_at),
            default=None,
        )


def results(lines: Sequence[AssignmentLine], students: Sequence[User]) -> list[Row]:
    """Return the students, in the order of their need, with what they did in each assignment."""
    times = played(result for line in lines for result in line.results.values())
    rows = [Row(one, [_cell(line, one, times) for line in lines]) for one in students]
    return sorted(rows, key=_need)


def _cell(line: AssignmentLine, student: User, times: Mapping[UUID, timedelta]) -> Cell | None:
    if student not in line.statuses:
        return None
    result = line.results[student]
    time = times.get(result.session) if result.session else None
    return Cell(line, line.statuses[student], result, time, line.attempts[student])


def _need(row: Row) -> list[int]:
    statuses = [cell.status for cell in row.cells if cell]
    return [-statuses.count(need) for need in _NEEDS]
