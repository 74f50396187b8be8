"""Find words in the eight directions of a grid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from puzzles.generators.grid import Cell, Grid

_MOST_PLACES = 50
_STEPS = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)


@dataclass(frozen=True, slots=True)
class _Line:
    """A straight line through the grid: its text, and the cell that begins at each offset."""

    text: str
    cells: tuple[Cell, ...]
    offsets: dict[int, int]


class Lines:
    """The lines of a grid in all directions, to look for words in."""

    def __init__(self, grid: Grid) -> None:
        self._lines = [_line(grid, cells) for step in _STEPS for cells in _lines(grid, *step)]

    def places_of(
        self, letters: str, *, at_most: int | None = _MOST_PLACES
    ) -> list[tuple[Cell, ...]]:
        """Return the places where *letters* can be read, at most 50 if not said, each once."""
        found: dict[tuple[Cell, ...], None] = {}
        wanted = letters.casefold()
        for line in self._lines:
            start = line.text.find(wanted) if wanted else -1
            while start >= 0 and (at_most is None or len(found) < at_most):
                end = start + len(wanted)
                if start in line.offsets and end in line.offsets:
                    found[line.cells[line.offsets[start] : line.offsets[end]]] = None
                start = line.text.find(wanted, start + 1)
        return list(found)


def _lines(grid: Grid, down: int, right: int) -> Iterator[list[Cell]]:
    rows, cols = len(grid), len(grid[0])
    for row in range(rows):
        for col in range(cols):
            if 0 <= row - down < rows and 0 <= col - right < cols:
                continue
            cells = []
            while 0 <= row < rows and 0 <= col < cols:
                cells.append((row, col))
                row, col = row + down, col + right
            yield cells
            row, col = cells[0]


def _line(grid: Grid, cells: list[Cell]) -> _Line:
    text, offsets = "", {}
    for place, (row, col) in enumerate(cells):
        offsets[len(text)] = place
        text += (grid[row][col] or "\0").casefold()
    offsets[len(text)] = len(cells)
    return _Line(text, tuple(cells), offsets)
