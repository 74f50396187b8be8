"""Attempts at a puzzle: how many are left, and starting another."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from puzzles import access
from puzzles.access import Moment
from puzzles.making import services as making
from puzzles.models import Assignment, PlaySession, Puzzle
from puzzles.play import services as play
from puzzles.withheld import Waiting


def attempts_left(session: PlaySession) -> int:
    """Return how many more times the student may play the puzzle after *session*."""
    if session.student_id is None:  # a trial, which is of nobody
        return 0
    given = _attempts(session.student, session.puzzle_id, timezone.now())
    return max(0, max((most for (most,) in given), default=0) - session.number)


def _attempts(student: User, puzzle: int, at: datetime) -> QuerySet[Assignment, Any]:
    """Return how many attempts the student has by each of the assignments of a puzzle."""
    given = access.given_to(student).filter(access.is_open_at(at))
    of_puzzle = given.filter(Q(puzzle=puzzle) | Q(own_puzzles=puzzle))
    return of_puzzle.exclude(excused=student.pk).order_by().values_list("attempts")


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
    last.student = student  # so that it is not read
    if not attempts_left(last):
        raise ValidationError(_("You have used all your attempts for this puzzle."))
    again, _created = PlaySession.objects.get_or_create(
        puzzle=puzzle, student=student, number=last.number + 1
    )
    return again


def request_another(*, puzzle: Puzzle, person: User, changes: dict[str, Any]) -> Puzzle:
    """Request another puzzle of the same list for *person*; see `making.request_another`.

    A student's own tells its words, so it has none that an assignment still asks for.
    """
    words = None
    if person.is_student:
        waiting = Waiting(Moment(person, timezone.now()))
        words = waiting.free_words(puzzle.vocabulary_list)
    return making.request_another(puzzle=puzzle, person=person, changes=changes, entries=words)
