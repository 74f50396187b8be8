"""What a student sees first of a puzzle: the upper part of its grid, and its first clues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from puzzles.kinds import Kind
from puzzles.models import Placement, Puzzle
from vocab.text import direction

STEP = 22
SHOWN_CLUES = 5


@dataclass(frozen=True, slots=True)
class Picture:
    """A grid to draw: a letter (or "") and the middle of each square, which is STEP wide."""

    width: int
    height: int
    squares: Sequence[tuple[str, int, int]]
    is_framed: bool


def picture_of(kind: Kind, puzzle: Puzzle, most_rows: int = 100) -> Picture | None:
    """Return at most *most_rows* of the grid as students see it; None before it is ready."""
    if puzzle.state != Puzzle.State.READY:
        return None
    grid = kind.public_grid(puzzle)[:most_rows]
    if direction(puzzle.vocabulary_list.language) == "rtl":
        # Column 0 is where the script begins.
        grid = [row[::-1] for row in grid]
    return picture_from_the_left(kind, grid)


def picture_from_the_left(kind: Kind, grid: list[list[str | None]]) -> Picture:
    """Return a grid whose columns are counted from the left, as in a file of another program."""
    squares = [
        (tile, col * STEP + STEP // 2, row * STEP + STEP // 2)
        for row, tiles in enumerate(grid)
        for col, tile in enumerate(tiles)
        if tile is not None
    ]
    return Picture(len(grid[0]) * STEP, len(grid) * STEP, squares, not kind.shows_letters)


def clues_of(kind: Kind, placements: Sequence[Placement], settings: dict[str, Any]) -> list[str]:
    """Return the first clues as text, without those that are heard."""
    clues = (kind.clue(placement, settings) for placement in placements)
    return [clue for clue in clues if clue][:SHOWN_CLUES]
