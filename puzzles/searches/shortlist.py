"""The crosswords that a search has found and a teacher may choose from. Pure.

Bests of one search resemble each other: each is the last with a word moved. A list of the last
few would show one crossword many times. So of those that share most of their crossings only the
best is on the list, beside the best of the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from puzzles.generators.crossword import Crossword, PlacedWord

MOST = 8
"""How many crosswords are offered."""
PASSED = 6
"""How many that were pushed out can be taken nevertheless: a click may come late."""
ALIKE = 0.75
"""Crosswords with this share of their crossings in common are shown as one."""
FEWEST = 0.75
"""What has less than this share of the best one's words is only a beginning."""


@dataclass(frozen=True)
class Candidate:
    """A crossword with its number, and after how many seconds it was found."""

    number: int
    crossword: Crossword
    seconds: float
    pinned: int = 0
    """How many of the words that must be in it are."""

    @cached_property
    def size(self) -> tuple[int, int]:
        """Return the rows and columns that have letters."""
        used = [cell for placement in self.crossword.placements for cell in placement.cells]
        rows, cols = zip(*used, strict=True)
        return max(rows) - min(rows) + 1, max(cols) - min(cols) + 1

    @cached_property
    def crossings(self) -> frozenset[tuple[str, int, str, int]]:
        """Return which letter of which word crosses which, wherever on the board it is."""
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
        """Return what it is worth: words that must be in, words, crossings, compactness."""
        rows, cols = self.size
        words = len(self.crossword.placements)
        return self.pinned, words, len(self.crossings), -rows * cols

    def resembles(self, other: Candidate) -> bool:
        """Say whether both are one crossword to the eye."""
        together = len(self.crossings | other.crossings)
        return not together or len(self.crossings & other.crossings) >= ALIKE * together

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {
            "number": self.number,
            "seconds": round(self.seconds, 2),
            "pinned": self.pinned,
            "grid": self.crossword.grid,
            "placements": [
                {
                    "word": placement.word,
                    "cells": placement.cells,
                    "number": placement.number,
                    "direction": placement.direction,
                }
                for placement in self.crossword.placements
            ],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Candidate:
        """Return what `as_json` wrote."""
        placements = tuple(
            PlacedWord(
                placement["word"],
                tuple((row, col) for row, col in placement["cells"]),
                placement["number"],
                placement["direction"],
            )
            for placement in stored["placements"]
        )
        grid = tuple(tuple(row) for row in stored["grid"])
        crossword = Crossword(grid=grid, placements=placements, unplaced=())
        return cls(stored["number"], crossword, stored["seconds"], stored["pinned"])


@dataclass
class Shortlist:
    """The best crosswords, the very best first, and those that they pushed out last."""

    best: list[Candidate] = field(default_factory=list)
    passed: list[Candidate] = field(default_factory=list)
    last: int = 0

    def offer(
        self, crossword: Crossword, *, seconds: float, pinned: int, kept: Collection[int] = ()
    ) -> bool:
        """Take *crossword* in if it is better than those it resembles, or better than others.

        Candidates whose numbers are *kept* are not pushed out. Return whether it was taken in.
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
        """Return the candidate with this number, on the list or just pushed out."""
        return next((c for c in (*self.best, *self.passed) if c.number == number), None)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {
            "best": [candidate.as_json() for candidate in self.best],
            "passed": [candidate.as_json() for candidate in self.passed],
            "last": self.last,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Shortlist:
        """Return what `as_json` wrote; of nothing, an empty list."""
        return cls(
            [Candidate.from_json(one) for one in stored.get("best", ())],
            [Candidate.from_json(one) for one in stored.get("passed", ())],
            stored.get("last", 0),
        )
