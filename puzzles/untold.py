"""What a student must not be told now: the words of puzzles that they still have to solve.

Pages, the API, the quick review and exports of data all ask this module. What is told while a
puzzle is played is decided by `puzzles.play.visibility`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from osmosmjerka.accounts.models import User
from puzzles.access import Given, assignments_at
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
    waiting = _Waiting.of(student, at)
    return waiting.entries_to_find(waiting.same_for_all | waiting.adapted | waiting.practised)


def untold_words(student: User, at: datetime) -> set[int]:
    """Return the entries that must not be told to the student now, on any page.

    These are all words of a puzzle that the student has begun, or that was made for them alone,
    and the words they were never asked of other open puzzles of their classes. A word that they
    were asked before stays due while such a puzzle waits, perhaps for weeks. Teachers, who see
    the answers anyway, are told everything.
    """
    if not student.is_student:
        return set()
    waiting = _Waiting.of(student, at)
    return _of_assignments(waiting) | waiting.entries_to_find(waiting.practised)


def words_of_assignments(
    student: User, at: datetime, given: Sequence[Given] | None = None
) -> set[int]:
    """Return the entries that must not be told because an assignment still asks for them.

    No practice puzzle contains them: it tells all its words to whoever finishes it at once. These
    are the `untold_words` without those of other practice puzzles, which may be asked again.
    *given* are the student's assignments, if they were read already.
    """
    return _of_assignments(_Waiting.of(student, at, given))


def _of_assignments(waiting: _Waiting) -> set[int]:
    never_asked = waiting.entries_to_find(waiting.same_for_all - set(waiting.begun))
    if never_asked:
        met = WordProgress.objects.filter(student=waiting.student, entry__in=never_asked)
        never_asked -= set(met.values_list("entry", flat=True))
    begun = waiting.same_for_all & set(waiting.begun)
    return never_asked | waiting.entries_to_find(begun | waiting.adapted)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """The puzzles that wait for a student, by id.

    *begun* are those of the student's sessions that go on, with the session. *same_for_all* are the
    puzzles that the student's classes can play, or that the student has begun; *adapted* and
    *practised* were made for the student alone, for an open assignment or for practice.
    """

    student: User
    begun: dict[int, UUID]
    same_for_all: set[int]
    adapted: set[int]
    practised: set[int]

    @classmethod
    def of(cls, student: User, at: datetime, given: Sequence[Given] | None = None) -> _Waiting:
        given = assignments_at(student, at) if given is None else given
        sessions = PlaySession.objects.filter(student=student, finished_at=None)
        rows = list(sessions.values_list("puzzle", "pk", "started_at"))
        begun = {puzzle: session for puzzle, session, _started_at in rows}
        lately = at - PRACTICE_IS_OPEN_FOR
        begun_lately = [puzzle for puzzle, _session, started_at in rows if started_at > lately]
        mine = Puzzle.objects.filter(created_by=student).filter(
            Q(adapted_for__in=[one.assignment for one in given])
            | Q(adapted_for=None) & (Q(created_at__gt=lately) | Q(pk__in=begun_lately))
        )
        is_open = {one.assignment for one in given if one.is_open}
        own = list(mine.order_by().values_list("pk", "adapted_for"))
        return cls(
            student,
            begun,
            # Nobody plays the common puzzle of an adaptive assignment.
            {
                one.puzzle
                for one in given
                if (one.is_open and not one.is_adaptive) or one.puzzle in begun
            },
            {pk for pk, its in own if its is not None and (its in is_open or pk in begun)},
            {pk for pk, its in own if its is None},
        )

    def entries_to_find(self, puzzles: set[int]) -> set[int]:
        """Return the entries of *puzzles* that are not solved in the student's current attempt."""
        if not puzzles:
            return set()
        finished = PlaySession.objects.filter(
            student=self.student, puzzle__in=puzzles, finished_at__isnull=False
        )
        over = set(finished.values_list("puzzle", flat=True)) - set(self.begun)
        solved = Move.objects.filter(
            session__in=[self.begun[puzzle] for puzzle in puzzles if puzzle in self.begun],
            outcome__in=SOLVED,
        )
        to_find = Placement.objects.filter(puzzle__in=puzzles - over, entry__isnull=False).exclude(
            pk__in=solved.exclude(placement=None).values("placement")
        )
        return {key for key in to_find.values_list("entry", flat=True) if key is not None}


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
