"""Errors of puzzle generation. Each message names the word and the cause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from puzzles.generators.grid import Unplaced
from vocab.message import message


class PuzzleError(ValueError):
    """A puzzle cannot be created from the arguments; the message is a sentence for people."""

    @property
    def sentence(self) -> str:
        """The reason; it can be translated if it was created by `vocab.message.message`."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


def check_texts(words: Iterable[object], error: type[PuzzleError] = PuzzleError) -> None:
    """Raise *error*, naming the word, if one of *words* is not text."""
    for word in words:
        if not isinstance(word, str):
            raise error(message("A word must be text, not {given}.", given=repr(word)))


class FewerWords(PuzzleError):
    """The list or the grid allows fewer words than requested.

    The puzzle can be created with `possible` words instead of `wanted`, unless that is 0.
    `refused` contains the words that were left out, each with its reason.
    """

    def __init__(
        self, sentence: str, *, wanted: int, possible: int, refused: Sequence[Unplaced]
    ) -> None:
        super().__init__(sentence)
        self.wanted = wanted
        self.possible = possible
        self.refused = tuple(refused)


class WordSearchError(PuzzleError):
    """A word search cannot be created from the arguments."""


class CrosswordError(PuzzleError):
    """A crossword cannot be created from the arguments."""
