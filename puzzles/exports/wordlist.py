"""Typeset the list beside a grid in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from osmosmjerka.paper.lines import width as width_of
from osmosmjerka.paper.lines import wrap
from osmosmjerka.paper.sheet import Sheet
from puzzles.exports.entries import Entry

_LEADING = 1.45
_PICTURE = 5.0
_MOST_COLUMNS = 4
# Widths in ems: of a column of clues, of one with lines to write on, and the least of any.
_CLUES, _LINES, _LEAST = 13.0, 11.0, 6.0
# Another column must save this share of the height: fewer and wider ones are easier to read.
_WORTH_A_COLUMN = 0.94
_UNEVEN = 1.3


@dataclass(frozen=True, slots=True)
class Block:
    """An item split into the lines of a column; *height* in millimetres."""

    entry: Entry
    lines: tuple[str, ...]
    height: float


class WordList:
    """Items in columns, in letters of *size* millimetres, drawn page by page.

    *start* and *room* are where the columns begin and the width of all of them, *gap* what is
    between two. *columns* is their number; 0 is the one that takes the least height.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        size: float,
        *,
        start: float,
        room: float,
        gap: float,
        columns: int = 0,
    ) -> None:
        self.size, self._start, self._room, self._gap = size, start, room, gap
        self._indent = _indent(entries) * size
        self.blocks: list[Block] = []
        least = float("inf")
        for count in [columns] if columns else self._counts(entries):
            width = (room - (count - 1) * gap) / count
            blocks = [self._block(entry, width) for entry in entries]
            height = _height(blocks, count)
            if not self.blocks or height < _WORTH_A_COLUMN * least:
                self._count, self._width, self.blocks, least = count, width, blocks, height

    def _counts(self, entries: Sequence[Entry]) -> range:
        """Return the numbers of columns to choose from."""
        if any(entry.is_written for entry in entries):
            width = _LINES * self.size
        elif any(entry.is_heading for entry in entries):
            width = _CLUES * self.size
        else:
            longest = max((width_of(entry.text) for entry in entries), default=0.0) * self.size
            width = min(longest + self._indent, _CLUES * self.size)
        width = max(width, _LEAST * self.size)
        most = int((self._room + self._gap) // (width + self._gap))
        return range(1, max(1, min(_MOST_COLUMNS, most)) + 1)

    def _block(self, entry: Entry, width: float) -> Block:
        lines = wrap(entry.text, (width - self._indent) / self.size)
        height = len(lines) * _LEADING
        if entry.is_heading:
            height += 0.5
        if entry.picture:
            height = _PICTURE + 0.6 + (height if entry.text else 0.0)
        if entry.is_written:
            height += 1.9 if entry.text or entry.picture else 0.8
        return Block(entry, lines, height * self.size)

    def height(self) -> float:
        """Return the least height in which the columns contain all that is not drawn yet."""
        return _height(self.blocks, self._count)

    def draw(self, sheet: Sheet, top: float, bottom: float, *, may_wait: bool) -> float:
        """Draw and remove what fits between *top* and *bottom*; return where it ends.

        If not even the first item fits, it waits for the next page, if it may.
        """
        if not self.blocks or (may_wait and self.blocks[0].height > bottom - top):
            return top
        columns = _filled(self.blocks, self._count, min(self.height(), bottom - top))
        for number, column in enumerate(columns):
            y = top
            for block in column:
                self._draw_block(sheet, block, self._start + number * (self._width + self._gap), y)
                y += block.height
        self.blocks = self.blocks[sum(map(len, columns)) :]
        return top + max(sum(block.height for block in column) for column in columns)

    def _draw_block(self, sheet: Sheet, block: Block, start: float, y: float) -> None:
        entry, size = block.entry, self.size
        baseline = y + 1.1 * size
        if entry.is_heading:
            for number, line in enumerate(block.lines):
                tag = "+" if number else "H2"
                sheet.write(start, baseline + 0.4 * size, line, 1.15 * size, tag)
                baseline += _LEADING * size
            return
        if entry.is_ticked:
            sheet.tick_box(start, baseline, 0.72 * size)
        if entry.mark:
            sheet.write(start, baseline, entry.mark, size, "L")
        for number, line in enumerate(block.lines):
            if line:
                tag = "+" if number or entry.mark else "L"
                sheet.write(start + self._indent, baseline, line, size, tag, whole=entry.text)
            baseline += _LEADING * size
        if entry.picture:
            top = y + 0.3 * size + (len(block.lines) * _LEADING * size if entry.text else 0.0)
            sheet.picture(start + self._indent, top, _PICTURE * size, entry.picture)
        if entry.is_written:
            sheet.rule(start + self._indent, start + self._width, y + block.height - 0.3 * size)


def _height(blocks: Sequence[Block], count: int) -> float:
    """Return the least height in which *count* columns contain *blocks*."""
    if not blocks:
        return 0.0
    heights = [block.height for block in blocks]
    height = max(sum(heights) / count, *heights)
    while sum(map(len, _filled(blocks, count, height))) < len(blocks):
        height += 1.0
    return height


def _filled(blocks: Sequence[Block], count: int, height: float) -> list[list[Block]]:
    """Fill *count* columns of *height*; what does not fit is omitted from the end."""
    parting = _parting(blocks) if count == 2 else None
    columns: list[list[Block]] = [[]]
    free = height
    for index, block in enumerate(blocks):
        wanted = block.height
        if block.entry.is_heading:  # never the last of its column
            wanted += sum(follower.height for follower in blocks[index + 1 : index + 2])
        is_full = wanted > free + 1e-6
        if (is_full or index == parting) and columns[-1]:
            if len(columns) == count:
                break
            columns.append([])
            free = height
        columns[-1].append(block)
        free -= block.height
    return columns


def _parting(blocks: Sequence[Block]) -> int | None:
    """Return where the second of two lists begins, if they are long enough to go side by side."""
    headings = [index for index, block in enumerate(blocks) if block.entry.is_heading]
    if len(headings) != 2 or headings[0] != 0:
        return None
    total = sum(block.height for block in blocks)
    first = sum(block.height for block in blocks[: headings[1]])
    return headings[1] if max(first, total - first) <= _UNEVEN * total / 2 else None


def _indent(entries: Sequence[Entry]) -> float:
    """Return the indentation of the texts behind their marks, in ems."""
    if any(entry.is_ticked for entry in entries):
        return 1.2
    marks = [width_of(entry.mark) for entry in entries if entry.mark]
    return max(marks) + 0.6 if marks else 0.0
