"""The students of a class and their assignments, those to look at first on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from osmosmjerka.accounts.models import User
from puzzles.assignments.status import AssignmentLine, Result, Status, played

# Statuses that ask for something, the most urgent first; the others are equal.
_NEEDS = (Status.OVERDUE, Status.NEEDS_HELP, Status.NOT_STARTED)


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
