"""Results: who plays a puzzle, in which classes, and how far they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from osmosmjerka.accounts.selectors import students_of_classes
from puzzles.assignments.selectors import StudentProgress, progress_of_students
from puzzles.assignments.status import AssignmentLine, Status, lines_of_classes
from puzzles.models import Assignment, Puzzle


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
