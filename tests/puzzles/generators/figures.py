"""Figures about a word search for tests and benchmarks: crossings, directions, difficulty."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from puzzles.generators.grid import Cell, Grid, Placement


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one word search."""

    shared: float
    """The share of the words' tiles on cells where words of two lines meet."""
    directions: int
    """The number of directions, out of eight, in which words run."""
    false_starts: float
    """How often, per word, its first two tiles are adjacent elsewhere in the grid."""


def measure(grid: Grid, placements: Sequence[Placement]) -> Figures:
    """Return the figures of a finished grid with at least one word."""
    lines: dict[Cell, set[tuple[int, int]]] = defaultdict(set)
    for placement in placements:
        down, right = step_of(placement)
        for cell in placement.cells:
            lines[cell].add(max((down, right), (-down, -right)))
    letters = sum(map(len, lines.values()))
    return Figures(
        shared=sum(len(axes) for axes in lines.values() if len(axes) > 1) / letters,
        directions=len(set(map(step_of, placements))),
        false_starts=_false_starts(grid, placements),
    )


def step_of(placement: Placement) -> tuple[int, int]:
    """Return the step from one tile of a placed word to the next: (down, right)."""
    (row, col), (next_row, next_col) = placement.cells[:2]
    return next_row - row, next_col - col


def _false_starts(grid: Grid, placements: Sequence[Placement]) -> float:
    """Count over the directions in which words of this grid run; others do not mislead."""
    pairs: Counter[tuple[str | None, str | None]] = Counter()
    steps = {step_of(placement) for placement in placements}
    for r, row in enumerate(grid):
        for c, tile in enumerate(row):
            for down, right in steps:
                if 0 <= r + down < len(grid) and 0 <= c + right < len(row):
                    pairs[tile, grid[r + down][c + right]] += 1
    return fmean(
        pairs[tuple(grid[r][c] for r, c in placement.cells[:2])] - 1  # type: ignore[index]
        for placement in placements
    )
