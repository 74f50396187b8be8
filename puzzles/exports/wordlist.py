"""Typeset the list beside a grid in columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from puzzles.exports import lettering
from puzzles.exports.entries import Entry
from puzzles.exports.sheet import GAP, MARGIN, Sheet

_LEADING = 1.45
_PICTURE = 5.0
_MOST_COLUMNS = 4
_FEWEST_IN_TWO_COLUMNS = 4
_MOST_IN_TWO_COLUMNS = 36


@dataclass(frozen=True, slots=True)
class Block:
    """An item split into the lines of a column; *height* in millimetres."""

    entry: Entry
    lines: tuple[str, ...]
    height: float


class WordList:
    """Items in columns, in letters of *size* millimetres, drawn page by page.

    *room* is the width of all columns.
    """

    def __init__(self, entries: Sequence[Entry], size: float, room: float) -> None:
        self.size = size
        self._room = room
        self._indent = _indent(entries) * size
        longest = max((lettering.width(entry.text) for entry in entries), default=0) * size
        fitting = int(room // (longest + self._indent + GAP))
        self._count = _columns(entries, fitting)
        # Two short lists of clues go side by side.
        self._parts_at_headings = self._count == 2
        self._width = room / self._count - GAP
        self.blocks = [self._block(entry) for entry in entries]

    def _block(self, entry: Entry) -> Block:
        lines = tuple(lettering.wrap(entry.text, (self._width - self._indent) / self.size))
        height = len(lines) * _LEADING
        if entry.is_heading:
            height += 0.5
        elif entry.is_written:
            height += 1.9 if entry.text else 0.8
        elif entry.picture:
            height += _PICTURE + 0.6
        return Block(entry, lines, height * self.size)

    def height(self) -> float:
        """Return the least height in which the columns contain all that is not drawn yet."""
        if not self.blocks:
            return 0.0
        heights = [block.height for block in self.blocks]
        height = max(sum(heights) / self._count, *heights)
        while sum(map(len, self._filled(height))) < len(self.blocks):
            height += 1.0
        return height

    def _filled(self, height: float) -> list[list[Block]]:
        """Fill columns of *height*; what does not fit is omitted from the end."""
        columns: list[list[Block]] = [[]]
        free = height
        for index, block in enumerate(self.blocks):
            wanted = block.height
            if block.entry.is_heading:  # never the last of its column
                wanted += sum(follower.height for follower in self.blocks[index + 1 : index + 2])
            is_full = wanted > free + 1e-6
            is_parted = self._parts_at_headings and block.entry.is_heading
            if (is_full or is_parted) and columns[-1]:
                if len(columns) == self._count:
                    break
                columns.append([])
                free = height
            columns[-1].append(block)
            free -= block.height
        return columns

    def draw(self, sheet: Sheet, top: float, bottom: float) -> float:
        """Draw and remove what fits between *top* and *bottom*; return where it ends."""
        if not self.blocks:
            return top
        if self.blocks[0].height > bottom - top and top > MARGIN:
            return top  # it begins on the next page
        columns = self._filled(min(self.height(), bottom - top))
        for number, column in enumerate(columns):
            y = top
            for block in column:
                self._draw_block(sheet, block, MARGIN + number * self._room / self._count, y)
                y += block.height
        self.blocks = self.blocks[sum(map(len, columns)) :]
        return top + max(sum(block.height for block in column) for column in columns)

    def _draw_block(self, sheet: Sheet, block: Block, start: float, y: float) -> None:
        entry, size = block.entry, self.size
        baseline = y + 1.1 * size
        if entry.is_heading:
            sheet.write(start, baseline + 0.4 * size, entry.text, 1.15 * size)
            return
        if entry.is_ticked:
            sheet.tick_box(start, baseline, 0.72 * size)
        if entry.mark:
            sheet.write(start, baseline, entry.mark, size)
        for line in filter(None, block.lines):
            sheet.write(start + self._indent, baseline, line, size)
            baseline += _LEADING * size
        if entry.picture:
            top = baseline - _LEADING * size + 0.4 * size
            sheet.picture(start + self._indent, top, _PICTURE * size, entry.picture)
        if entry.is_written:
            sheet.rule(start + self._indent, start + self._width, y + block.height - 0.3 * size)


def _columns(entries: Sequence[Entry], fitting: int) -> int:
    """Return how many columns *entries* fill evenly if there is room for *fitting* columns."""
    if any(entry.is_written for entry in entries):
        return 2
    if any(entry.is_heading for entry in entries) and len(entries) <= _MOST_IN_TWO_COLUMNS:
        return 2
    if len(entries) < _FEWEST_IN_TWO_COLUMNS:
        return 1
    count = max(2, min(_MOST_COLUMNS, fitting))
    # Nine items fill three columns of three, not four columns.
    return math.ceil(len(entries) / math.ceil(len(entries) / count))


def _indent(entries: Sequence[Entry]) -> float:
    """Return the indentation of the texts behind their marks, in ems."""
    if any(entry.is_ticked for entry in entries):
        return 1.2
    marks = [lettering.width(entry.mark) for entry in entries if entry.mark]
    return max(marks) + 0.6 if marks else 0.0
