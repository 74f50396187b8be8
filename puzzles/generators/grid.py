"""Types shared by all generators: cells, grids, placements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

Cell = tuple[int, int]
"""(row, column), both counted from 0 at the top, where the script begins: a grid of Arabic is drawn
with column 0 at the right."""

LONGEST_WORD = 60
"""The most tiles of a word in a grid, and the most cells that an answer can have."""

Grid = tuple[tuple[str | None, ...], ...]
"""Rows of tiles; None is a cell that a crossword does not use."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A word in a grid: its cells in reading order, first letter first."""

    word: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A word that is not in the grid, and the reason in a sentence for people."""

    word: str
    reason: str


class Generated(Protocol):
    """The interface of every generator's result."""

    @property
    def grid(self) -> Grid: ...
    @property
    def placements(self) -> Sequence[Placement]: ...
    @property
    def unplaced(self) -> Sequence[Unplaced]: ...
