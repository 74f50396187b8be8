"""Matching: words and their meanings in two columns, to be joined in pairs.

The page knows no pair: each tile has a token of its own, by which its column is sorted; only a tile
that is a sound names its word, in the sound's address. The server judges each pair. The first try
at a word counts: right, or wrong. Reviews have these; what was matched after a wrong try moves
nothing, so that the session keeps it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from django.utils.crypto import salted_hmac

from osmosmjerka.accounts.models import User
from puzzles.practice import quiz
from puzzles.practice.picked import Picked, entries_of, outcomes
from puzzles.withheld import Waiting
from vocab.models import Entry, Review
from vocab.text import match_key

MOST_ON_BOARD = 6
FEWEST_ON_BOARD = 2
_SALT = "puzzles.practice.matching"


@dataclass(frozen=True, slots=True)
class Tile:
    """One place of a column."""

    entry: Entry
    token: str
    is_matched: bool


@dataclass(frozen=True, slots=True)
class Board:
    """The words and the meanings to match at a time, each column in an order that tells nothing."""

    words: Sequence[Tile]
    meanings: Sequence[Tile]

    @property
    def is_over(self) -> bool:
        return all(one.is_matched for one in self.words)

    @property
    def lists(self) -> str:
        """The ids of the lists that its words are from, as a best time is kept for them."""
        return "-".join(map(str, sorted({one.entry.vocabulary_list_id for one in self.words})))


@dataclass(frozen=True, slots=True)
class Game:
    """A round of matching as it is now; counted as by `puzzles.practice.rounds.Round`."""

    boards: Sequence[Sequence[Entry]]
    found: dict[int, list[str]]
    matched: Collection[int]
    picked: Picked

    @property
    def entries(self) -> list[Entry]:
        return [one for board in self.boards for one in board]

    @property
    def of(self) -> int:
        return len(self.entries)

    @property
    def done(self) -> int:
        return sum(one.pk in self.matched for one in self.entries)

    @property
    def to_review(self) -> int:
        return self.of - self.done

    @property
    def board(self) -> Board | None:
        """The board that is played now; None when all are over."""
        for entries in self.boards:
            if any(one.pk not in self.matched for one in entries):
                return self._board(entries)
        return None

    def _board(self, entries: Sequence[Entry]) -> Board:
        words = [Tile(one, self.token("word", one), one.pk in self.matched) for one in entries]
        words.sort(key=lambda tile: tile.token)
        # Of tiles that say the same, it does not matter which is taken.
        taken = [label_of(one) for one in entries if one.pk in self.matched]
        meanings = []
        for one in sorted(entries, key=lambda entry: self.token("meaning", entry)):
            is_matched = label_of(one) in taken
            if is_matched:
                taken.remove(label_of(one))
            meanings.append(Tile(one, self.token("meaning", one), is_matched))
        return Board(words, meanings)

    def token(self, column: str, entry: Entry) -> str:
        """Return the name of a tile, which tells neither its word nor its pair."""
        named = f"{column}:{self.picked.round}:{entry.pk}"
        return salted_hmac(_SALT, named, algorithm="sha256").hexdigest()[:16]

    def tile(self, column: str, token: str) -> Entry | None:
        """Return the word of a tile of the round."""
        return next((one for one in self.entries if self.token(column, one) == token), None)


def game_of(student: User, picked: Picked, waiting: Waiting, late: Collection[int]) -> Game:
    """Return a round as it is now; *late* are the words that were matched after a wrong try."""
    found = outcomes(student, picked, Review.Mode.MATCHED)
    right = {key for key, came in found.items() if Review.Outcome.RIGHT in came}
    boards = boards_of(entries_of(picked, waiting))
    return Game(boards, found, right | (set(late) & found.keys()), picked)


def boards_of(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Return words in boards of one language each, as even as can be.

    A word that would be alone on a board, where there is nothing to choose, is on none.
    """
    by_language: dict[str, list[Entry]] = {}
    for one in entries:
        by_language.setdefault(one.vocabulary_list.language, []).append(one)
    boards = []
    for words in by_language.values():
        size = ceil(len(words) / ceil(len(words) / MOST_ON_BOARD))
        while words:
            board: list[Entry] = []
            for one in words:
                if len(board) < size and all(_can_be_told(one, other) for other in board):
                    board.append(one)
            words = [one for one in words if one not in board]
            boards.append(board)
    return [board for board in boards if len(board) >= FEWEST_ON_BOARD]


def _can_be_told(one: Entry, other: Entry) -> bool:
    """Return whether two words fit on a board: each pair of them is plainly right or wrong.

    Two words that mean exactly the same do: either may have either meaning. Two that share only
    some of their meanings do not, nor do two that are written alike.
    """
    if one.key == other.key:
        return False
    here, there = label_of(one), label_of(other)
    return here == there or not set(here) & set(there)


def label_of(entry: Entry) -> tuple[str, ...]:
    """Return what a tile with the meaning of a word says; of a sound, what nothing else does."""
    said = sorted({match_key(one.text) for one in entry.translations.all()})
    return tuple(said) or (f"\0{entry.pk}",)


def judge(*, student: User, game: Game, word: str, meaning: str) -> tuple[Entry, bool] | None:
    """Judge a pair of tiles and record the first try at the word; None if there are no such tiles.

    Return the word and whether the pair is right. What is sent again counts once.
    """
    entry, other = game.tile("word", word), game.tile("meaning", meaning)
    if entry is None or other is None:
        return None
    is_right = label_of(entry) == label_of(other)
    quiz.record(
        student=student,
        entry=entry,
        mode=Review.Mode.MATCHED,
        outcome=Review.Outcome.RIGHT if is_right else Review.Outcome.WRONG,
        source=f"match:{student.pk}:{game.picked.round}:{entry.pk}",
        is_heard=not entry.translations.all(),
        wrong_tries=int(not is_right),
        session=game.picked.round,
        is_free_practice=game.picked.is_free,
    )
    return entry, is_right
