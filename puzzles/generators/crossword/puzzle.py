"""What a crossword is: its grid, its words in both directions, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from puzzles.generators.errors import CrosswordError
from puzzles.generators.grid import Cell, Grid, Placement, Unplaced
from vocab.message import message

Direction = Literal["across", "down"]
DIRECTIONS: tuple[Direction, Direction] = ("across", "down")


@dataclass(frozen=True, slots=True)
class PlacedWord(Placement):
    """A word in a crossword, with the number of its first cell."""

    number: int
    direction: Direction


@dataclass(frozen=True, slots=True)
class LaidWord:
    """A word that lies in a crossword whose words are not numbered yet."""

    word: str
    tiles: tuple[str, ...]
    cells: tuple[Cell, ...]
    direction: Direction


@dataclass(frozen=True)
class Scoring:
    """Points as in competitions: *word* for each word, *crossing* for shared letters."""

    word: int = 10
    crossing: Mapping[str, int] = field(default_factory=dict)
    """Capital letter → points for each cell in which two words share it."""


@dataclass(frozen=True, slots=True)
class Crossword:
    """A finished crossword. Placements are ordered by number, across first."""

    grid: Grid
    placements: tuple[PlacedWord, ...]
    unplaced: tuple[Unplaced, ...]

    @classmethod
    def of(
        cls,
        words: Sequence[LaidWord],
        unplaced: Iterable[Unplaced],
        *,
        rows: int | None,
        cols: int | None,
    ) -> Crossword:
        """Return the crossword of *words*, numbered row by row; a free side ends with the words."""
        height = rows or 1 + max(word.cells[-1][0] for word in words)
        width = cols or 1 + max(word.cells[-1][1] for word in words)
        grid: list[list[str | None]] = [[None] * width for _ in range(height)]
        for word in words:
            for (row, col), tile in zip(word.cells, word.tiles, strict=True):
                grid[row][col] = tile
        heads = sorted({word.cells[0] for word in words})
        numbers = {cell: number for number, cell in enumerate(heads, 1)}
        placements = [
            PlacedWord(word.word, word.cells, numbers[word.cells[0]], word.direction)
            for word in words
        ]
        return cls(
            grid=tuple(map(tuple, grid)),
            placements=tuple(sorted(placements, key=lambda p: (p.number, p.direction))),
            unplaced=tuple(unplaced),
        )

    @property
    def crossings(self) -> tuple[Cell, ...]:
        """Return the cells that belong to two words."""
        across = {c for p in self.placements if p.direction == "across" for c in p.cells}
        down = {c for p in self.placements if p.direction == "down" for c in p.cells}
        return tuple(sorted(across & down))

    def as_json(self) -> dict[str, Any]:
        """Return the grid and the placements in a form that JSON can store."""
        return {
            "grid": self.grid,
            "placements": [
                {
                    "word": placement.word,
                    "cells": placement.cells,
                    "number": placement.number,
                    "direction": placement.direction,
                }
                for placement in self.placements
            ],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Crossword:
        """Return the crossword that `as_json` stored, without the words that were left out."""
        return cls(
            grid=tuple(tuple(row) for row in stored["grid"]),
            placements=tuple(
                PlacedWord(
                    placement["word"],
                    tuple((row, col) for row, col in placement["cells"]),
                    placement["number"],
                    placement["direction"],
                )
                for placement in stored["placements"]
            ),
            unplaced=(),
        )

    def points(self, scoring: Scoring) -> int:
        """Return the points of this crossword in a competition."""
        shared = (self.grid[row][col] or "" for row, col in self.crossings)
        return scoring.word * len(self.placements) + sum(
            scoring.crossing.get(tile, 0) for tile in shared
        )


def without_place(words: Iterable[str]) -> list[Unplaced]:
    """Return words that the search has left out, with the reason."""
    reason = message("No place was found for it next to the other words.")
    return [Unplaced(word, reason) for word in words]


def does_not_continue(word: str) -> CrosswordError:
    """Return the error of a crossword to continue from with a *word* that has no place."""
    return CrosswordError(
        message(
            "The crossword to continue from contains “{word}”, which does not fit this list or "
            "grid. Start without it.",
            word=word,
        )
    )
