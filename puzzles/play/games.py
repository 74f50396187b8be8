"""A game as calls need it: the puzzle, the student's session, its moves.

What is fixed once a puzzle is ready is kept in the process, because most calls of a lesson are
answers.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import BooleanField, Exists, OuterRef, QuerySet
from django.utils import timezone

from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.db.prepared import Prepared, columns_of, object_of
from puzzles import access
from puzzles.access import Moment
from puzzles.kinds import KINDS, Kind
from puzzles.kinds.base import HiddenMessage
from puzzles.models import Move, Placement, PlaySession, Puzzle
from puzzles.play.helping import HELPS
from puzzles.play.pauses import time_played
from puzzles.withheld import SOLVED, Waiting
from vocab.memory import reviews
from vocab.models import Entry, VocabularyList
from vocab.sounds import playback


@dataclass(frozen=True, slots=True)
class Board:
    """What is fixed once a puzzle is ready.

    All threads share it: it must not be changed, nor its relations be followed, because what they
    lead to is not fixed.
    """

    puzzle: Puzzle
    words: tuple[Placement, ...]
    bonus: tuple[Placement, ...]


@lru_cache(maxsize=256)
def board_of(code: str) -> Board:
    """Return the board of a puzzle that is ready. Codes are random and never used again."""
    puzzle = Puzzle.everything.get(code=code, state=Puzzle.State.READY)
    every = list(Placement.everything.filter(puzzle=puzzle))
    listed, bonus = ([one for one in every if one.is_bonus == is_it] for is_it in (False, True))
    return Board(puzzle, tuple(listed), tuple(bonus))


class NotStarted(Exception):
    """The game has not been started, and who asks may not start it."""


@dataclass(frozen=True, slots=True)
class Mine:
    """A person's own session of a puzzle that they may play: *session*, or their last attempt.

    Where there is none yet, one is started; unless it may not, then NotStarted is raised.
    """

    person: User
    code: str
    session: uuid.UUID | None = None
    may_start: bool = True

    @property
    def pk(self) -> uuid.UUID:
        """The id of that session, which is started if it is the first."""
        return open_mine(self).pk


Which = PlaySession | Mine


@dataclass(slots=True)
class Played:
    """What later moves have to know of a `Move`."""

    placement_id: int | None
    client_id: uuid.UUID
    outcome: str
    answer: dict[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class Address:
    """Where a game's sounds and pictures are: the first word of the views' names, and its code."""

    name: str
    code: str


@dataclass(slots=True)
class Game:
    """A session with its puzzle, the puzzle's words, and all moves so far in order.

    *bonus* are words that nobody has to find, and that nothing tells before.
    """

    session: PlaySession
    words: tuple[Placement, ...]
    moves: list[Played]
    bonus: tuple[Placement, ...] = ()
    address: Address | None = None  # by default, that of the puzzle
    _entries: dict[int, Entry] = field(default_factory=dict)
    _speakable: set[int | None] | None = None
    _kept_back: set[int] | None = None

    @property
    def puzzle(self) -> Puzzle:
        return self.session.puzzle

    @property
    def kind(self) -> Kind:
        return KINDS[self.session.puzzle.kind]

    @property
    def vocabulary_list(self) -> VocabularyList:
        return self.session.puzzle.vocabulary_list

    @property
    def is_over(self) -> bool:
        return self.session.finished_at is not None

    @property
    def kept_back(self) -> set[int]:
        """The words, as ids of entries, that not even the end of this game may tell.

        An assignment that opened after a practice puzzle or a puzzle of the day was begun may ask
        for its words. What the student found they know anyway.
        """
        if self.session.student_id is None:  # a trial, which is of nobody
            return set()
        if self._kept_back is None:
            puzzle, student = self.puzzle, self.session.student
            is_practice = puzzle.adapted_for_id is None and (
                puzzle.daily_id is not None or puzzle.created_by_id == self.session.student_id
            )
            left = len(self.words) + len(self.bonus) - len(self.solved) - len(self.bonus_found)
            may_ask = self.is_over and is_practice and left > 0
            self._kept_back = (
                Waiting(Moment(student, timezone.now())).of_assignments
                if may_ask and student.is_student
                else set()
            )
        return self._kept_back

    def is_told(self, word: Placement) -> bool:
        """Return whether a word is told because the game is over."""
        return self.is_over and (word.entry_id is None or word.entry_id not in self.kept_back)

    @property
    def hidden_message(self) -> HiddenMessage | None:
        """What the letters left over spell, as soon as every word is found or told."""
        is_open = self.is_over and all(
            word.pk in self.solved or self.is_told(word) for word in self.words
        )
        every = (*self.words, *self.bonus)
        return self.kind.hidden_message(self.puzzle, every) if is_open else None

    @property
    def bonus_found(self) -> list[Placement]:
        """The bonus words that the student found, in the order of the list."""
        found = {move.placement_id for move in self.moves if move.outcome == Move.Outcome.BONUS}
        return [word for word in self.bonus if word.pk in found]

    @property
    def bonus_missed(self) -> list[Placement]:
        """The bonus words that the student did not find, as soon as they are told."""
        found = self.bonus_found
        return [word for word in self.bonus if word not in found and self.is_told(word)]

    @property
    def found(self) -> int:
        """How many words the student found; the others that are solved were shown."""
        return sum(move.outcome == Move.Outcome.FOUND for move in self.moves)

    @property
    def solved(self) -> set[int | None]:
        """The ids of placements that were found or shown."""
        return {move.placement_id for move in self.moves if move.outcome in SOLVED}

    @property
    def is_unaided(self) -> bool:
        """Whether all words were found, and none with a hint."""
        return self.found == len(self.words) and not any(
            move.outcome in HELPS for move in self.moves
        )

    @property
    def seconds(self) -> int:
        """How long it was played so far, without pauses."""
        spent = time_played(self.session.started_at, (move.at for move in self.moves))
        return round(spent.total_seconds())

    @property
    def left_first(self) -> list[Placement]:
        """All words and bonus words, those not solved yet first: a move may fit several."""
        found = self.solved | {word.pk for word in self.bonus_found}
        return sorted((*self.words, *self.bonus), key=lambda word: word.pk in found)

    def word_in(self, slot: str | None) -> Placement | None:
        known = (*self.words, *self.bonus_found, *self.bonus_missed)
        return next((word for word in known if word.slot == slot), None)

    def word_of(self, move: Played) -> Placement | None:
        every = (*self.words, *self.bonus)
        return next((word for word in every if word.pk == move.placement_id), None)

    def moves_of(self, word: Placement) -> list[Played]:
        return [move for move in self.moves if move.placement_id == word.pk]

    def is_speakable(self, word: Placement) -> bool:
        """Return whether a word has a sound."""
        if self._speakable is None:
            entries = {word.entry_id for word in (*self.words, *self.bonus)}
            has_voice = playback.is_speakable(self.vocabulary_list.language)
            self._speakable = entries if has_voice else playback.recorded(entries)
        return word.entry_id in self._speakable

    def know(self, entry: Entry) -> None:
        """Take an entry that was read within this call, so that it need not be read again."""
        self._entries[entry.pk] = entry

    def picture_version(self, word: Placement) -> str:
        """Return the version of a word's picture, or "" if it has none."""
        if word.entry_id is None:
            return ""
        if word.entry_id not in self._entries:
            known = (*self.words, *self.bonus)
            every = {word.entry_id for word in known if word.entry_id is not None}
            with_picture = Entry.everything.filter(pk__in=every).order_by().only("image")
            self._entries = {entry.pk: entry for entry in with_picture}
        entry = self._entries.get(word.entry_id)
        return entry.picture_version if entry else ""


def game_of(session: PlaySession) -> Game:
    """Return the whole game of a session, as it is now."""
    moves = [Played(*row) for row in _MOVES.rows(session=session.pk)]
    board = board_of(session.puzzle.code)
    return Game(session, board.words, moves, board.bonus)


def current(which: Which) -> Game:
    """Return a game as it is now. See `locked` for the errors."""
    return game_of(_session(which))


def locked(which: Which) -> PlaySession:
    """Return a session as it is once its student's row is locked, until the transaction ends.

    Starts the first session of a person who may play the puzzle. Raises Puzzle.DoesNotExist if they
    may not, and PlaySession.DoesNotExist if there is no such session of theirs.
    """
    reviews.lock(which.person if isinstance(which, Mine) else which.student)
    return _session(which)


_SESSION = ("id", "puzzle_id", "student_id", "number", "started_at", "finished_at")
_PUZZLE = (
    "id",
    "code",
    "title",
    "created_by_id",
    "adapted_for_id",
    "daily_id",
    "vocabulary_list_id",
)
_LIST = (
    "id", "language", "translation_languages", "uses_digraphs", "accents", "voice_engine",
    "accent", "is_spoken_slowly", "sounds_version",
)  # fmt: skip
_COLUMNS = [
    *columns_of(PlaySession, only=_SESSION),
    *columns_of(Puzzle, "puzzle__", only=_PUZZLE),
    *columns_of(VocabularyList, "puzzle__vocabulary_list__", only=_LIST),
]


def _sessions(student: int, code: str) -> QuerySet[PlaySession]:
    """Return a student's sessions of a puzzle, the last one first, and whether a class has it."""
    classes = Membership.objects.filter(
        user=student,
        role=Membership.Role.STUDENT,
        classroom__archived_at=None,
        classroom__assignments__is_draft=False,
        classroom__assignments__puzzle=OuterRef("puzzle"),
    )
    return (
        PlaySession.objects.filter(
            student=student,
            puzzle__code=code,
            puzzle__state=Puzzle.State.READY,
            puzzle__deleted_at=None,
        )
        .annotate(is_given=Exists(classes))
        .order_by("-number")
    )


_BEGUN = Prepared(
    PlaySession, _sessions, _COLUMNS, {"is_given": BooleanField()}, student=int, code=str
)
_ANY = Prepared(
    PlaySession,
    lambda session: PlaySession.objects.filter(pk=session),
    _COLUMNS,
    session=uuid.UUID,
)
_MOVES = Prepared(
    Move,
    lambda session: Move.objects.filter(session=session),
    ["placement_id", "client_id", "outcome", "answer", "at"],
    session=uuid.UUID,
)


def _session(which: Which) -> PlaySession:
    """Return a session with its student, its puzzle, and the puzzle's list."""
    student = which.person if isinstance(which, Mine) else which.student
    session = _begun(which) if isinstance(which, Mine) else None
    if session is None:  # a teacher, or the first look at a puzzle
        row = _ANY.row(session=which.pk)
        if row is None:
            raise PlaySession.DoesNotExist
        session = _session_of(row)
    session.student = student
    return session


def _begun(mine: Mine) -> PlaySession | None:
    """Return the session that is meant if the student may go on with it."""
    if not mine.person.is_student or not mine.person.is_active:
        return None
    for *row, is_given in _BEGUN.rows(student=mine.person.pk, code=mine.code):
        session = _session_of(row)
        if mine.session in (None, session.pk):
            may = is_given or access.may_go_on(mine.person, session.puzzle)
            return session if may else None
    return None


def _session_of(row: Sequence[Any]) -> PlaySession:
    session = object_of(PlaySession, row[: len(_SESSION)], only=_SESSION)
    row = row[len(_SESSION) :]
    read = object_of(Puzzle, row[: len(_PUZZLE)], only=_PUZZLE)
    session.puzzle = copy.copy(board_of(read.code).puzzle)
    session.puzzle.title = read.title
    session.puzzle.vocabulary_list = object_of(VocabularyList, row[len(_PUZZLE) :], only=_LIST)
    return session


def open_mine(mine: Mine) -> PlaySession:
    """Return the session that is meant; start the person's first session of the puzzle."""
    puzzle = access.puzzle_to_play(mine.person, mine.code)
    if puzzle is None or puzzle.state != Puzzle.State.READY:
        raise Puzzle.DoesNotExist
    if mine.session is not None:
        return puzzle.sessions.get(pk=mine.session, student=mine.person)
    if not mine.may_start and not puzzle.sessions.filter(student=mine.person).exists():
        raise NotStarted
    return open_session(puzzle=puzzle, student=mine.person)


def open_session(*, puzzle: Puzzle, student: User) -> PlaySession:
    """Return the student's last session of this puzzle, or start the first."""
    last = puzzle.sessions.filter(student=student).order_by("-number").first()
    if last is None:
        number = 1
        if puzzle.adapted_for_id is not None:  # each attempt at such an assignment has its puzzle
            earlier = PlaySession.objects.filter(
                student=student, puzzle__adapted_for=puzzle.adapted_for_id
            )
            number += earlier.count()
        last, _created = PlaySession.objects.get_or_create(
            puzzle=puzzle, student=student, number=number
        )
    return last
