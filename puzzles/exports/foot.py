"""Draw what is below a grid: blanks for the hidden message, and how many words are not listed."""

from __future__ import annotations

from collections.abc import Iterator

from osmosmjerka.paper import lines
from osmosmjerka.paper.sheet import Sheet
from puzzles.exports.data import PuzzleData
from puzzles.exports.measures import Measures


class Foot:
    """What is below the grid: blanks for the hidden message, and how many words are not listed."""

    def __init__(
        self, puzzle: PuzzleData, measures: Measures, room: float, *, is_key: bool
    ) -> None:
        self._puzzle, self._measures, self._is_key = puzzle, measures, is_key
        self._size = measures.instruction
        self._blank = 1.5 * self._size
        self._lines = list(self._wrapped(room))
        self._bonus_lines: tuple[str, ...] = ()
        if puzzle.unlisted and not is_key:
            self._bonus_lines = lines.wrap(puzzle.unlisted, room / self._size)
        self.height = 0.0
        if self._lines:
            self.height += 0.5 * measures.gap + (1.5 + 2 * len(self._lines)) * self._size
        if self._bonus_lines:
            self.height += 0.5 * measures.gap + 1.35 * len(self._bonus_lines) * self._size

    def _wrapped(self, room: float) -> Iterator[list[tuple[float, str]]]:
        """Yield the lines of blanks, each (start, letter)."""
        line: list[tuple[float, str]] = []
        x = 0.0
        for word in self._puzzle.message_tiles:
            if line and x + len(word) * self._blank > room:
                yield line
                line, x = [], 0.0
            for tile in word:
                if line and x + self._blank > room:
                    yield line
                    line, x = [], 0.0
                line.append((x, tile))
                x += self._blank
            x += 0.8 * self._size
        if line:
            yield line

    def draw(self, sheet: Sheet, y: float) -> float:
        """Draw it below *y* and return where it ends."""
        size = self._size
        if self._lines:
            y += 0.5 * self._measures.gap + 1.3 * size
            sheet.write(sheet.margin, y, self._puzzle.labels.message, size)
            for line in self._lines:
                y += 2 * size
                for start, tile in line:
                    start += sheet.margin
                    sheet.rule(start, start + 0.85 * self._blank, y)
                    if self._is_key:
                        middle = start + 0.425 * self._blank
                        sheet.write_centred(middle, y - 0.2 * size, tile, size, "+")
            y += 0.2 * size
        if self._bonus_lines:
            y += 0.5 * self._measures.gap
            for text in self._bonus_lines:
                y += 1.35 * size
                sheet.write(sheet.margin, y, text, size)
        return y
