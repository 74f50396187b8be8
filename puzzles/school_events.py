"""What is told to a school's own program of puzzles: see `accounts.webhooks`."""

from __future__ import annotations

from django.db.models import Model, Q
from django.dispatch import receiver
from django.utils import timezone

from osmosmjerka.accounts.webhooks import services as webhooks
from puzzles import access
from puzzles.models import PlaySession
from puzzles.play import services as play


@receiver(play.finished, dispatch_uid="puzzles.school_events")
def tell_finished(sender: type[Model], session: PlaySession, **_kwargs: object) -> None:
    """Tell that a student finished an attempt at each open assignment of the puzzle."""
    if not webhooks.is_offered() or session.student is None:
        return
    student = session.student
    given = access.given_to(student).filter(access.is_open_at(timezone.now()))
    of_puzzle = given.filter(Q(puzzle=session.puzzle_id) | Q(own_puzzles=session.puzzle_id))
    for assignment in of_puzzle.exclude(excused=student.pk).select_related("classroom", "puzzle"):
        webhooks.tell_finished(
            assignment.classroom,
            student,
            assignment=assignment.pk,
            title=assignment.puzzle.title,
            number=session.number,
        )
