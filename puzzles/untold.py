"""What a student must not be told now: the words of puzzles that they still have to solve.

Pages, the API, the quick review and exports of data all ask this module. What is told while a
puzzle is played is decided by `puzzles.play.visibility`.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from osmosmjerka.accounts.models import User
from puzzles.access import given_to, is_open_at
from puzzles.models import Move, Placement, PlaySession, Puzzle
from vocab.models import WordProgress

SOLVED = (Move.Outcome.FOUND, Move.Outcome.REVEALED)
# How long a practice puzzle that was left unfinished keeps its words from the quick review.
# Without an end, a word in a puzzle that nobody goes back to would never be reviewed again.
PRACTICE_IS_OPEN_FOR = timedelta(days=1)


def words_in_play(student: User, at: datetime) -> set[int]:
    """Return the entries that the student still has to find in a puzzle.

    They are not offered as choices either: the odd one out would give them away.
    """
    return _entries_to_find(student, _class_puzzles(student, at) | _own_puzzles(student, at))


def untold_words(student: User, at: datetime) -> set[int]:
    """Return the entries that must not be told to the student now, on any page.

    These are all words of a puzzle that the student has begun, or that was made for them alone,
    and the words they were never asked of other open puzzles of their classes. A word that they
    were asked before stays due while such a puzzle waits, perhaps for weeks. Teachers, who see
    the answers anyway, are told everything.
    """
    if not student.is_student:
        return set()
    practised = _own_puzzles(student, at).filter(adapted_for=None)
    return words_of_assignments(student, at) | _entries_to_find(student, practised)


def words_of_assignments(student: User, at: datetime) -> set[int]:
    """Return the entries that must not be told because an assignment still asks for them.

    No practice puzzle contains them: it tells all its words to whoever finishes it at once. These
    are the `untold_words` without those of other practice puzzles, which may be asked again.
    """
    sessions = PlaySession.objects.filter(student=student)
    given = _class_puzzles(student, at)
    begun = given.filter(pk__in=sessions.values("puzzle"))
    adapted = _own_puzzles(student, at).exclude(adapted_for=None)
    met = WordProgress.objects.filter(student=student)
    never_asked = _entries_to_find(student, given) - set(met.values_list("entry", flat=True))
    return never_asked | _entries_to_find(student, begun | adapted)


def unsolved_puzzles(student: User) -> Q:
    """Return the condition for puzzles made for the student whose solution they may not read yet.

    That is until they have finished them.
    """
    mine = PlaySession.objects.filter(student=student)
    finished = mine.filter(finished_at__isnull=False)
    going_on = mine.filter(finished_at=None)
    return ~Q(pk__in=finished.values("puzzle")) | Q(pk__in=going_on.values("puzzle"))


def moves_at_untold_words(student: User) -> Q:
    """Return the condition for the student's moves at words that must not be told now.

    These are words not solved in the session of the move, and words to find in another puzzle.
    """
    solved = Move.objects.filter(
        session=OuterRef("session"), placement=OuterRef("placement"), outcome__in=SOLVED
    )
    not_solved = Q(session__finished_at=None) & ~Exists(solved)
    return not_solved | Q(placement__entry__in=untold_words(student, timezone.now()))


def rows_of_untold_words(student: User) -> Q:
    """Return the condition for rows with an `entry` that must not be told now."""
    return Q(entry__in=untold_words(student, timezone.now()))


def _class_puzzles(student: User, at: datetime) -> QuerySet[Puzzle]:
    """Return the puzzles that the student's classes can play, or that the student has begun."""
    given = given_to(student)
    begun = PlaySession.objects.filter(student=student, finished_at=None)
    # Nobody plays the common puzzle of an adaptive assignment.
    same_for_all = given.filter(is_open_at(at), is_adaptive=False)
    return Puzzle.objects.filter(
        Q(pk__in=same_for_all.values("puzzle"))
        | Q(pk__in=given.values("puzzle")) & Q(pk__in=begun.values("puzzle"))
    )


def _own_puzzles(student: User, at: datetime) -> QuerySet[Puzzle]:
    """Return the puzzles made for the student alone: for an open assignment, or for practice."""
    given = given_to(student)
    begun = PlaySession.objects.filter(student=student, finished_at=None)
    lately = at - PRACTICE_IS_OPEN_FOR
    practised = Q(created_at__gt=lately) | Q(
        pk__in=begun.filter(started_at__gt=lately).values("puzzle")
    )
    return Puzzle.objects.filter(
        Q(adapted_for__in=given.filter(is_open_at(at)).values("pk"))
        | Q(adapted_for__in=given.values("pk")) & Q(pk__in=begun.values("puzzle"))
        | Q(adapted_for=None) & practised,
        created_by=student,
    )


def _entries_to_find(student: User, puzzles: QuerySet[Puzzle]) -> set[int]:
    """Return the entries of *puzzles* that the student has not solved in the current attempt."""
    sessions = PlaySession.objects.filter(student=student)
    going_on = sessions.filter(finished_at=None)
    over = sessions.filter(finished_at__isnull=False).exclude(puzzle__in=going_on.values("puzzle"))
    solved = Move.objects.filter(session__in=going_on, outcome__in=SOLVED)
    to_find = (
        Placement.objects.filter(puzzle__in=puzzles.order_by().values("pk"), entry__isnull=False)
        .exclude(puzzle__in=over.values("puzzle"))
        .exclude(pk__in=solved.exclude(placement=None).values("placement"))
    )
    return {entry for entry in to_find.values_list("entry", flat=True) if entry is not None}
