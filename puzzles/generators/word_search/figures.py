"""Figures about a word search: crossings, directions, evenness, difficulty."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from puzzles.generators.grid import Cell, Grid, Placement

BLOCKS = 4


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one word search."""

    shared: float
    """The share of the words' tiles on cells where words of two lines meet."""
    covered: float
    """The share of cells that a word uses."""
    directions: int
    """The number of directions, out of eight, in which words run."""
    busiest_direction: float
    """The share of words in the most frequent direction."""
    unevenness: float
    """The spread of the covered share over 4 by 4 blocks, relative to its mean; 0 is even."""
    false_starts: float
    """How often, per word, its first two tiles are adjacent elsewhere in the grid."""


def measure(grid: Grid, placements: Sequence[Placement]) -> Figures:
    """Return the figures of a finished grid with at least one word."""
    lines: dict[Cell, set[tuple[int, int]]] = defaultdict(set)
    steps: Counter[tuple[int, int]] = Counter()
    for placement in placements:
        down, right = step_of(placement)
        steps[down, right] += 1
        for cell in placement.cells:
            lines[cell].add(max((down, right), (-down, -right)))
    letters = sum(map(len, lines.values()))
    rows, cols = len(grid), len(grid[0])
    blocks = [
        fmean((r, c) in lines for r in rs for c in cs) for rs in _parts(rows) for cs in _parts(cols)
    ]
    return Figures(
        shared=sum(len(axes) for axes in lines.values() if len(axes) > 1) / letters,
        covered=len(lines) / (rows * cols),
        directions=len(steps),
        busiest_direction=max(steps.values()) / len(placements),
        unevenness=pstdev(blocks) / fmean(blocks),
        false_starts=_false_starts(grid, placements),
    )


def step_of(placement: Placement) -> tuple[int, int]:
    """Return the step from one tile of a placed word to the next: (down, right)."""
    (row, col), (next_row, next_col) = placement.cells[:2]
    return next_row - row, next_col - col


def _parts(side: int) -> list[range]:
    blocks = min(BLOCKS, side)
    return [range(side * k // blocks, side * (k + 1) // blocks) for k in range(blocks)]


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
