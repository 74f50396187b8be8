"""The crosswords that a search has found, from which a teacher can choose. Pure.

The best crosswords of one search resemble each other: each differs from the previous one by a
moved word. A list of the last few would show the same crossword many times. Therefore, of those
that share most of their crossings, only the best is on the list.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from puzzles.generators.crossword import Crossword

MOST = 8
"""How many crosswords are offered."""
PASSED = 6
"""How many removed crosswords can still be used, because a click may come late."""
ALIKE = 0.75
"""Crosswords that share at least this part of their crossings count as the same."""
FEWEST = 0.75
"""Crosswords with less than this share of the best one's words are not offered."""


@dataclass(frozen=True)
class Candidate:
    """A crossword with its number, and the seconds after which it was found."""

    number: int
    crossword: Crossword
    seconds: float
    pinned: int = 0
    """How many of the pinned words are in it."""

    @cached_property
    def size(self) -> tuple[int, int]:
        """Return the number of rows and columns that have letters."""
        used = [cell for placement in self.crossword.placements for cell in placement.cells]
        rows, cols = zip(*used, strict=True)
        return max(rows) - min(rows) + 1, max(cols) - min(cols) + 1

    @cached_property
    def crossings(self) -> frozenset[tuple[str, int, str, int]]:
        """Return which letter of which word crosses which, regardless of the place on the board."""
        across = {
            cell: (placement.word, index)
            for placement in self.crossword.placements
            if placement.direction == "across"
            for index, cell in enumerate(placement.cells)
        }
        return frozenset(
            (*across[cell], placement.word, index)
            for placement in self.crossword.placements
            if placement.direction == "down"
            for index, cell in enumerate(placement.cells)
            if cell in across
        )

    @cached_property
    def rank(self) -> tuple[int, int, int, int]:
        """Return the sort key of its value: pinned words, words, crossings, compactness."""
        rows, cols = self.size
        words = len(self.crossword.placements)
        return self.pinned, words, len(self.crossings), -rows * cols

    def resembles(self, other: Candidate) -> bool:
        """Return whether both look like the same crossword."""
        together = len(self.crossings | other.crossings)
        return not together or len(self.crossings & other.crossings) >= ALIKE * together

    def as_json(self) -> dict[str, Any]:
        """Return the candidate in a form that JSON can store."""
        return {
            "number": self.number,
            "seconds": round(self.seconds, 2),
            "pinned": self.pinned,
            **self.crossword.as_json(),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Candidate:
        """Return the candidate that `as_json` stored."""
        crossword = Crossword.from_json(stored)
        return cls(stored["number"], crossword, stored["seconds"], stored["pinned"])


@dataclass
class Shortlist:
    """The best crosswords, the very best first, and those that they replaced last."""

    best: list[Candidate] = field(default_factory=list)
    passed: list[Candidate] = field(default_factory=list)
    last: int = 0

    def offer(
        self, crossword: Crossword, *, seconds: float, pinned: int, kept: Collection[int] = ()
    ) -> bool:
        """Add *crossword* if it is better than those that it resembles, or better than others.

        Candidates whose numbers are in *kept* are not removed. Return whether it was added.
        """
        new = Candidate(self.last + 1, crossword, seconds, pinned)
        alike = [old for old in self.best if old.resembles(new)]
        if any(old.rank >= new.rank for old in alike):
            return False
        beaten = [old for old in alike if old.number not in kept]
        stay = [old for old in self.best if old not in beaten]
        stay.append(new)
        stay.sort(key=lambda candidate: candidate.rank, reverse=True)
        fewest = FEWEST * len(stay[0].crossword.placements)
        for old in reversed(stay.copy()):
            is_poor = len(old.crossword.placements) < fewest
            if (is_poor or len(stay) > MOST) and old.number not in kept:
                stay.remove(old)
                beaten.append(old)
        if new in beaten:
            return False
        self.best, self.last = stay, new.number
        self.passed = [*beaten, *self.passed][:PASSED]
        return True

    def find(self, number: int) -> Candidate | None:
        """Return the candidate with this number, on the list or just removed from it."""
        return next((c for c in (*self.best, *self.passed) if c.number == number), None)

    def as_json(self) -> dict[str, Any]:
        """Return the list in a form that JSON can store."""
        return {
            "best": [candidate.as_json() for candidate in self.best],
            "passed": [candidate.as_json() for candidate in self.passed],
            "last": self.last,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Shortlist:
        """Return the list that `as_json` stored; an empty list if *stored* is empty."""
        return cls(
            [Candidate.from_json(one) for one in stored.get("best", ())],
            [Candidate.from_json(one) for one in stored.get("passed", ())],
            stored.get("last", 0),
        )
