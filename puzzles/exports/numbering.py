"""How a crossword is numbered by convention, which some formats leave to whoever reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from puzzles.generators.grid import Cell, Grid

Way = Literal["across", "down"]


@dataclass(frozen=True, slots=True)
class Run:
    """The longest row or column of used cells, and the number that its first cell has."""

    number: int
    direction: Way
    cells: tuple[Cell, ...]


def runs_of(grid: Grid) -> list[Run]:
    """Return the runs of two or more cells, numbered row by row; across before down."""
    found: list[Run] = []
    number = 0
    for row, tiles in enumerate(grid):
        for col, tile in enumerate(tiles):
            if tile is None:
                continue
            begins: list[tuple[Way, tuple[Cell, ...]]] = []
            if col == 0 or tiles[col - 1] is None:
                begins.append(("across", tuple(_run(grid, row, col, 0, 1))))
            if row == 0 or grid[row - 1][col] is None:
                begins.append(("down", tuple(_run(grid, row, col, 1, 0))))
            begins = [(direction, cells) for direction, cells in begins if len(cells) > 1]
            number += bool(begins)
            found += [Run(number, direction, cells) for direction, cells in begins]
    return found


def run_from(grid: Grid, cell: Cell, direction: Way) -> tuple[Cell, ...]:
    """Return the used cells from *cell* on, to the right or down."""
    step = (0, 1) if direction == "across" else (1, 0)
    return tuple(_run(grid, *cell, *step))


def _run(grid: Grid, row: int, col: int, down: int, right: int) -> Iterator[Cell]:
    while row < len(grid) and col < len(grid[0]) and grid[row][col] is not None:
        yield row, col
        row, col = row + down, col + right
