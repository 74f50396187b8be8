"""Attempts at a puzzle: how many are left, and starting another."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from puzzles import access
from puzzles.models import PlaySession, Puzzle
from puzzles.play import services as play


def attempts_left(session: PlaySession) -> int:
    """Return how many more times the student may play the puzzle after *session*."""
    if session.student_id is None:  # a trial, which is of nobody
        return 0
    given = access.given_to(session.student).filter(access.is_open_at(timezone.now()))
    of_puzzle = Q(puzzle=session.puzzle_id) | Q(own_puzzles=session.puzzle_id)
    most = given.filter(of_puzzle).exclude(excused=session.student).aggregate(Max("attempts"))
    return max(0, (most["attempts__max"] or 0) - session.number)


@transaction.atomic
def play_again(*, puzzle: Puzzle, student: User) -> PlaySession:
    """Start another attempt if the last is finished; a second call does not start one more.

    Raises ValidationError if no attempt is left, or if the puzzle is the student's own of an
    adaptive assignment: its next attempt is another puzzle.
    """
    if puzzle.adapted_for_id is not None:
        raise ValidationError(_("The next attempt has new words. Start it on your home page."))
    last = puzzle.sessions.select_for_update().filter(student=student).order_by("-number").first()
    if last is None or last.finished_at is None:
        return play.open_session(puzzle=puzzle, student=student)
    if not attempts_left(last):
        raise ValidationError(_("You have used all your attempts for this puzzle."))
    again, _created = PlaySession.objects.get_or_create(
        puzzle=puzzle, student=student, number=last.number + 1
    )
    return again
