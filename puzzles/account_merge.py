"""What becomes of a student's puzzles when accounts are merged or erased."""

from __future__ import annotations

from django.utils import timezone

from osmosmjerka.accounts.models import User
from puzzles.models import Assignment, Nickname, PlaySession, Puzzle, RefusedStatement


def merge(kept: User, gone: User) -> None:
    """Move sessions, nicknames and puzzles from *gone* to *kept*.

    Of two sessions of an attempt, keep the one in which more was found.
    """
    own = {
        (session.puzzle_id, session.number): session
        for session in PlaySession.objects.filter(student=kept)
    }
    for session in PlaySession.objects.filter(student=gone):
        other = own.get((session.puzzle_id, session.number))
        if other is not None and other.found_count >= session.found_count:
            session.delete()
            continue
        if other is not None:
            other.delete()
        session.student = kept
        session.save(update_fields=["student"])
    named = Nickname.objects.filter(student=kept).values("classroom")
    Nickname.objects.filter(student=gone).exclude(classroom__in=list(named)).update(student=kept)
    RefusedStatement.objects.filter(student=gone).update(student=kept)
    # An assignment for which nobody is chosen any more would be the whole class's.
    for assignment in Assignment.everything.filter(chosen_students=gone):
        assignment.chosen_students.add(kept)
    # Those in the bin too: they come back with their list.
    Puzzle.everything.filter(created_by=gone).update(created_by=kept)


def archive_for_nobody(gone: User) -> None:
    """Archive the assignments that only *gone* has: without them they would be the whole class's.

    “Nobody chosen” means the whole class.
    """
    for assignment in Assignment.everything.filter(chosen_students=gone, archived_at=None):
        if assignment.chosen_students.count() == 1:
            assignment.archived_at = timezone.now()
            assignment.save(update_fields=["archived_at"])
