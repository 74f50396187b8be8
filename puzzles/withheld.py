"""What a student must not be told now: the words of puzzles that they still have to solve.

Pages, the API, the quick review and exports of data all ask this module. What is told while a
puzzle is played is decided by `puzzles.play.visibility`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from uuid import UUID

from django.db.models import BooleanField, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.db.prepared import Prepared
from puzzles.access import Moment
from puzzles.models import Move, Placement, PlaySession, Puzzle
from vocab.models import VocabularyList, WordProgress

SOLVED = (Move.Outcome.FOUND, Move.Outcome.REVEALED)
# How long a practice puzzle that was left unfinished keeps its words from the quick review.
# Without an end, a word in a puzzle that nobody goes back to would never be reviewed again.
PRACTICE_IS_OPEN_FOR = timedelta(days=1)


def withheld_words(student: User, at: datetime) -> set[int]:
    """Return `Waiting.withheld` of the student; nothing for teachers, who see all answers."""
    return Waiting(Moment(student, at)).withheld


def _sessions(student: int, puzzles: Collection[int]) -> QuerySet[PlaySession]:
    """Return the student's sessions that go on, and all of some puzzles."""
    sessions = PlaySession.objects.filter(student=student)
    return sessions.filter(Q(finished_at=None) | Q(puzzle__any_of=puzzles))


def _own_puzzles(
    student: int, assignments: Collection[int], lately: datetime, begun: Collection[int]
) -> QuerySet[Puzzle]:
    """Return puzzles made for the student alone: for assignments, or for practice that goes on.

    A class's puzzle of the day that the student has begun is practice as well. Each has whether the
    student finished it once, *is_finished*.
    """
    of_practice = Q(adapted_for=None) & (Q(created_at__gt=lately) | Q(pk__any_of=begun))
    own = Q(Q(adapted_for__any_of=assignments) | of_practice, created_by=student)
    finished = PlaySession.objects.filter(
        student=student, puzzle=OuterRef("pk"), finished_at__isnull=False
    )
    puzzles = Puzzle.objects.filter(own | Q(daily__isnull=False, pk__any_of=begun))
    return puzzles.order_by().annotate(is_finished=Exists(finished))


def _to_find(student: int, puzzles: Collection[int]) -> QuerySet[Placement]:
    """Return what the student has not solved in the sessions of puzzles that go on.

    Each has whether its word was ever asked, *was_asked*.
    """
    solved = Move.objects.filter(
        session__student=student,
        session__puzzle=OuterRef("puzzle"),
        session__finished_at=None,
        placement=OuterRef("pk"),
        outcome__in=SOLVED,
    )
    asked = WordProgress.objects.filter(student=student, entry=OuterRef("entry"))
    rows = Placement.objects.filter(puzzle__any_of=puzzles, entry__isnull=False)
    return rows.exclude(Exists(solved)).order_by().annotate(was_asked=Exists(asked))


_SESSIONS = Prepared(
    PlaySession,
    _sessions,
    ["puzzle_id", "id", "started_at", "finished_at"],
    student=int,
    puzzles=list,
)
_OWN_PUZZLES = Prepared(
    Puzzle,
    _own_puzzles,
    ["id", "adapted_for_id"],
    {"is_finished": BooleanField()},
    student=int,
    assignments=list,
    lately=datetime,
    begun=list,
)
_TO_FIND = Prepared(
    Placement,
    _to_find,
    ["puzzle_id", "entry_id"],
    {"was_asked": BooleanField()},
    student=int,
    puzzles=list,
)


@dataclass(frozen=True, slots=True)
class _ToFind:
    """An entry that is not solved in the student's current attempt at a puzzle."""

    puzzle: int
    entry: int
    was_asked: bool


class Waiting:
    """The words of the puzzles that wait for a student at one moment, read once.

    *begun* are the student's sessions that go on, by puzzle. *same_for_all* are the puzzles that
    the student's classes can play, or that the student has begun; *adapted* and *practised* were
    made for the student alone, for an open assignment or for practice.
    """

    def __init__(self, moment: Moment) -> None:
        self.moment = moment

    @cached_property
    def in_play(self) -> set[int]:
        """The entries that the student still has to find in a puzzle.

        They are not offered as choices either: the odd one out would give them away.
        """
        return {one.entry for one in self._to_find}

    @cached_property
    def withheld(self) -> set[int]:
        """The entries that must not be told to the student now, on any page.

        These are all words of a puzzle that the student has begun, or that was made for them
        alone, and the words they were never asked of other open puzzles of their classes. A word
        that they were asked before stays due while such a puzzle waits, perhaps for weeks.
        Teachers, who see the answers anyway, are told everything.
        """
        if not self.moment.student.is_student:
            return set()
        practised = self._puzzles.practised
        return self.of_assignments | {one.entry for one in self._to_find if one.puzzle in practised}

    @cached_property
    def of_assignments(self) -> set[int]:
        """The entries that must not be told because an assignment still asks for them.

        No practice puzzle contains them: it tells all its words to whoever finishes it at once.
        These are the `withheld` ones without those of other practice puzzles, which may be asked
        again.
        """
        puzzles = self._puzzles
        held = puzzles.adapted | (puzzles.same_for_all & set(puzzles.begun))
        return {
            one.entry
            for one in self._to_find
            if one.puzzle in held or (one.puzzle in puzzles.same_for_all and not one.was_asked)
        }

    @property
    def begun_for_assignments(self) -> set[int]:
        """The entries asked before that wait in a puzzle of an assignment that was begun."""
        puzzles = self._puzzles
        begun = (puzzles.adapted | puzzles.same_for_all) & set(puzzles.begun)
        return {one.entry for one in self._to_find if one.was_asked and one.puzzle in begun}

    @property
    def practice(self) -> set[int]:
        """The practice puzzles that the student has not finished, by id."""
        return self._puzzles.practised & self._puzzles.never_finished

    def free_words(self, vocabulary_list: VocabularyList) -> list[int]:
        """Return the words of a list, by id, that no assignment still asks for."""
        wanted = vocabulary_list.entries.values_list("pk", flat=True)
        return [key for key in wanted if key not in self.of_assignments]

    def after_an_answer(self) -> Waiting:
        """Return the same puzzles once a word was answered outside them: it has been asked."""
        later = Waiting(self.moment)
        later._puzzles = self._puzzles
        return later

    @cached_property
    def _puzzles(self) -> _Puzzles:
        return _Puzzles.of(self.moment)

    @cached_property
    def _to_find(self) -> list[_ToFind]:
        puzzles = self._puzzles
        waiting = puzzles.waiting
        if not waiting:
            return []
        rows = _TO_FIND.rows(student=self.moment.student.pk, puzzles=waiting)
        return [_ToFind(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class _Puzzles:
    """The puzzles that wait for a student, by id; see `Waiting`.

    *over* are those that the student has finished and not begun again, *never_finished* those made
    for the student alone that they have not finished once.
    """

    begun: dict[int, UUID]
    over: set[int]
    same_for_all: set[int]
    adapted: set[int]
    practised: set[int]
    never_finished: set[int]

    @property
    def waiting(self) -> set[int]:
        return (self.same_for_all | self.adapted | self.practised) - self.over

    @classmethod
    def of(cls, moment: Moment) -> _Puzzles:
        student, given = moment.student.pk, moment.given
        lately = moment.at - PRACTICE_IS_OPEN_FOR
        of_class = [one.puzzle for one in given]
        rows = _SESSIONS.rows(student=student, puzzles=of_class)
        begun = {puzzle: pk for puzzle, pk, _started_at, finished_at in rows if not finished_at}
        begun_lately = [
            puzzle for puzzle, _pk, started_at, finished_at in rows
            if not finished_at and started_at > lately
        ]  # fmt: skip
        own = _OWN_PUZZLES.rows(
            student=student,
            assignments=[one.assignment for one in given],
            lately=lately,
            begun=begun_lately,
        )
        over = {puzzle for puzzle, *_rest, finished_at in rows if finished_at}
        over |= {pk for pk, _assignment, is_over in own if is_over}
        is_open = {one.assignment for one in given if one.is_open}
        return cls(
            begun,
            over - set(begun),
            # Nobody plays the common puzzle of an adaptive assignment.
            {
                one.puzzle
                for one in given
                if (one.is_open and not one.is_adaptive) or one.puzzle in begun
            },
            {pk for pk, its, _over in own if its is not None and (its in is_open or pk in begun)},
            {pk for pk, its, _over in own if its is None},
            {pk for pk, _its, is_over in own if not is_over},
        )


def unsolved_puzzles(student: User) -> Q:
    """Return the condition for puzzles made for the student whose solution they may not read yet.

    That is until they have finished them.
    """
    mine = PlaySession.objects.filter(student=student)
    finished = mine.filter(finished_at__isnull=False)
    going_on = mine.filter(finished_at=None)
    return ~Q(pk__in=finished.values("puzzle")) | Q(pk__in=going_on.values("puzzle"))


def moves_at_withheld_words(student: User) -> Q:
    """Return the condition for the student's moves at words that must not be told now.

    These are words not solved in the session of the move, and words to find in another puzzle.
    """
    solved = Move.objects.filter(
        session=OuterRef("session"), placement=OuterRef("placement"), outcome__in=SOLVED
    )
    not_solved = Q(session__finished_at=None) & ~Exists(solved)
    return not_solved | Q(placement__entry__in=withheld_words(student, timezone.now()))


def rows_of_withheld_words(student: User) -> Q:
    """Return the condition for rows with an `entry` that must not be told now."""
    return Q(entry__in=withheld_words(student, timezone.now()))
