"""The results of assignments as tables for files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from osmosmjerka.accounts.models import User
from puzzles.assignments.status import AssignmentLine, played
from puzzles.exports.tables import Value
from puzzles.kinds import KINDS


def result_table(line: AssignmentLine) -> tuple[list[str], list[tuple[Value, ...]]]:
    """Return the head and a row for each student: status, words found, those with help, time…"""
    times = played(line.results.values())
    head = [
        _("Student"),
        _("Status"),
        _("Attempts"),
        _("Words found"),
        _("Words in all"),
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
