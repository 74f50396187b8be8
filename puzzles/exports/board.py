"""Draw a grid: letters in a frame, or a crossword's squares; in the key with the answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from statistics import median

from osmosmjerka.paper import lettering
from osmosmjerka.paper.shapes import GREY, INK, Anchor, Box, Capsule, Line, Point, Text, spans
from osmosmjerka.paper.sheet import Sheet
from puzzles.exports.data import PuzzleData

_LETTER_IN_CELL = 0.62
# Small letters need more to look as large; and to read from afar, letters fill their squares.
_LARGE_LETTER_IN_CELL = 0.76
_NUMBER_IN_CELL = 0.26
_MOST_FOR_A_NUMBER = 0.36
_SMALLEST_NUMBER = 2.1  # millimetres: six points
_MOST_OF_A_CELL = 0.84
# Dark enough for any printer, and distinguishable with colour blindness.
_COLOURS = (
    "#0b5ea8",
    "#b3261e",
    "#1b7a43",
    "#8a4b00",
    "#6a1b9a",
    "#00696f",
    "#a3195b",
    "#4a4a4a",
)


@dataclass(frozen=True)
class Board:
    """The part of a grid that has letters, from row *top* and column *left*."""

    puzzle: PuzzleData
    top: int
    left: int
    rows: int
    cols: int

    @classmethod
    def of(cls, puzzle: PuzzleData) -> Board:
        """Return the part of the grid of *puzzle* without empty rows and columns around it."""
        used = [(row, col) for row, col, _ in _cells(puzzle)]
        top, left = min(row for row, _ in used), min(col for _, col in used)
        bottom, right = max(row for row, _ in used), max(col for _, col in used)
        return cls(puzzle, top, left, bottom - top + 1, right - left + 1)

    def draw(
        self, sheet: Sheet, y: float, cell: float, *, is_key: bool, inline: float | None = None
    ) -> None:
        """Draw it below *y* with cells of *cell* millimetres: from *inline*, or in the middle."""
        left = (sheet.width - self.cols * cell) / 2
        if inline is not None:
            left = sheet.x(inline) - (self.cols * cell if sheet.is_rtl else 0.0)

        def corner(row: int, col: int) -> Point:
            column = col - self.left
            if self.puzzle.is_mirrored:
                column = self.cols - 1 - column
            return left + column * cell, y + (row - self.top) * cell

        def middle(row: int, col: int) -> Point:
            x, y = corner(row, col)
            return x + cell / 2, y + cell / 2

        letters = _Letters.for_(self.puzzle, cell)
        if self.puzzle.hides_letters:
            for row, col, _ in _cells(self.puzzle):
                sheet.shapes.append(Box(*corner(row, col), cell, cell, 0.25))
            size = max(_NUMBER_IN_CELL * cell, min(_SMALLEST_NUMBER, _MOST_FOR_A_NUMBER * cell))
            for (row, col), number in self.puzzle.numbers.items():
                x, top = corner(row, col)
                at = x + (cell - 0.06 * cell if sheet.is_rtl else 0.06 * cell)
                anchor: Anchor = "right" if sheet.is_rtl else "left"
                sheet.shapes.append(
                    Text(at, top + 1.05 * size, str(number), size, anchor, tag="Grid")
                )
        else:
            if self._is_full:
                sheet.shapes.append(Box(left, y, self.cols * cell, self.rows * cell, 0.4))
            else:
                for start, end in self._outline():
                    x1, y1 = left + start[0] * cell, y + start[1] * cell
                    x2, y2 = left + end[0] * cell, y + end[1] * cell
                    sheet.shapes.append(Line(x1, y1, x2, y2, 0.4))
            if is_key:
                for placed, colour in zip(self.puzzle.placements, cycle(_COLOURS), strict=False):
                    start, end = middle(*placed.cells[0]), middle(*placed.cells[-1])
                    sheet.shapes.append(Capsule(start, end, 0.82 * cell, 0.045 * cell, colour))
        if is_key or not self.puzzle.hides_letters:
            answers = {cell for placed in self.puzzle.placements for cell in placed.cells}
            low = 0.06 * cell if self.puzzle.hides_letters else 0.0
            for row, col, tile in _cells(self.puzzle):
                x, centre = middle(row, col)
                colour = INK if not is_key or (row, col) in answers else GREY
                baseline = centre + letters.drop + low
                sheet.shapes.append(
                    Text(x, baseline, tile, letters.size, "middle", colour=colour, tag="Grid")
                )

    @property
    def _is_full(self) -> bool:
        return self.rows * self.cols == sum(1 for _ in _cells(self.puzzle))

    def _outline(self) -> Iterator[tuple[Point, Point]]:
        """Yield the lines around a grid in the form of a picture, in cells from its top left."""
        used = {
            (row - self.top, self.cols - 1 - col + self.left if mirrored else col - self.left)
            for mirrored in [self.puzzle.is_mirrored]
            for row, col, _ in _cells(self.puzzle)
        }
        for row in range(self.rows + 1):
            for start, end in spans(
                ((row, col) in used) != ((row - 1, col) in used) for col in range(self.cols)
            ):
                yield (start, row), (end, row)
        for col in range(self.cols + 1):
            for start, end in spans(
                ((row, col) in used) != ((row, col - 1) in used) for row in range(self.rows)
            ):
                yield (col, start), (col, end)


def _cells(puzzle: PuzzleData) -> Iterator[tuple[int, int, str]]:
    for row, tiles in enumerate(puzzle.grid):
        for col, tile in enumerate(tiles):
            if tile is not None:
                yield row, col, tile


@dataclass(frozen=True, slots=True)
class _Letters:
    """The size of a grid's letters, and how far their baseline is below the middle of a cell."""

    size: float
    drop: float

    @classmethod
    def for_(cls, puzzle: PuzzleData, cell: float) -> _Letters:
        """Return the largest size at which the widest and the highest tile fit; same for all."""
        inks = [lettering.ink(tile) for tile in puzzle.tiles]
        centre = median((low + high) / 2 for low, high in inks)
        reach = max(max(high - centre, centre - low) for low, high in inks)
        widest = max(map(lettering.width, puzzle.tiles))
        most = _MOST_OF_A_CELL * cell
        is_large = puzzle.printing.text == "large" or puzzle.printing.is_lowercase
        share = _LARGE_LETTER_IN_CELL if is_large else _LETTER_IN_CELL
        size = min(share * cell, most / widest, most / 2 / max(reach, 0.01))
        return cls(size, centre * size)
