"""Results: who plays a puzzle and how far they are; a class's students in all their assignments.

Also as tables for files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.selectors import students_of_classes
from puzzles.assignments.selectors import StudentProgress, progress_of_students
from puzzles.assignments.status import AssignmentLine, Result, Status, lines_of_classes, played
from puzzles.exports.tables import Value
from puzzles.kinds import KINDS
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

    @property
    def has_news(self) -> bool:
        """Whether there is anything to tell of a student; until then, their number says it all."""
        return any(status != Status.NOT_STARTED for _one, status in self.students)


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
    """How far a student is with one assignment, see `Result`, and how many seconds they played."""

    line: AssignmentLine
    status: Status
    result: Result
    seconds: int | None
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
    seconds = round(time.total_seconds()) if time is not None else None
    return Cell(line, line.statuses[student], result, seconds, line.attempts[student])


def _need(row: Row) -> list[int]:
    statuses = [cell.status for cell in row.cells if cell]
    return [-statuses.count(need) for need in _NEEDS]


def result_table(line: AssignmentLine) -> tuple[list[str], list[tuple[Value, ...]]]:
    """Return the head and a row for each student: status, words found, those with help, time…"""
    times = played(line.results.values())
    head = [
        _("Student"),
        _("Status"),
        _("Attempts"),
        _("Words found"),
        _("Total words"),
        _("Words with help"),
        _("Minutes played"),
        _("Last seen"),
    ]
    rows: list[tuple[Value, ...]] = []
    for student, how, attempts in line.student_lines:
        result = line.results[student]
        spent = times.get(result.session) if result.session else None
        seen = timezone.localtime(result.last_at) if result.last_at else None
        rows.append((
            str(student),
            str(how.label),
            attempts,
            result.found,
            result.total,
            result.helped,
            round(spent.total_seconds() / 60, 1) if spent is not None else None,
            formats.date_format(seen, "SHORT_DATETIME_FORMAT") if seen else None,
        ))  # fmt: skip
    return head, rows


def results_table(
    lines: Sequence[AssignmentLine], students: Sequence[User]
) -> tuple[list[str], list[tuple[Value, ...]]]:
    """Return the head and a row for each student: words found in each assignment, and how many are
    done.

    It is for a grade book, so the cells are numbers, empty for what was not started. Assignments
    that have not begun are left out.
    """
    begun = [line for line in lines if line.has_begun]
    rows: list[tuple[Value, ...]] = [
        (
            str(student),
            *(_found(line, student) for line in begun),
            sum(student.pk in line.finished for line in begun),
        )
        for student in students
    ]
    return [_("Student"), *_heads(begun), pgettext("assignment", "Done")], rows


def _found(line: AssignmentLine, student: User) -> int | None:
    result = line.results.get(student)
    return result.found if result and result.session else None


def _heads(lines: Sequence[AssignmentLine]) -> list[str]:
    """Return the heads of assignments, which differ: several may have one title, type and day."""
    heads = []
    times: Counter[str] = Counter()
    for line in lines:
        head = _head(line)
        times[head] += 1
        heads.append(head if times[head] == 1 else f"{head} – {times[head]}")
    return heads


def _head(line: AssignmentLine) -> str:
    puzzle, due_at = line.assignment.puzzle, line.assignment.due_at
    day = formats.date_format(timezone.localtime(due_at or line.opened_at), "SHORT_DATE_FORMAT")
    when = (_("due %(day)s") if due_at else _("since %(day)s")) % {"day": day}
    head = " · ".join([puzzle.title, str(KINDS[puzzle.kind].name), when])
    total = total_of(line)
    if not total:
        return head
    # Translators: the head of a column of words found: a puzzle, and how many words it has.
    return _("%(puzzle)s (of %(total)s)") % {"puzzle": head, "total": total}


def total_of(line: AssignmentLine) -> str:
    """Return of how many words the puzzle is: "12"; "9–12", if each student has their own puzzle;
    "" if it does not exist yet."""
    totals = {result.total for result in line.results.values() if result.total is not None}
    return "–".join(map(str, sorted({min(totals), max(totals)}))) if totals else ""
