"""Draw what is above a grid: school, title, whose sheet it is, what to do, and where to play."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from osmosmjerka.paper import lines
from osmosmjerka.paper.shapes import GREY, INK, Box, Text
from osmosmjerka.paper.sheet import Sheet
from puzzles.exports.data import PuzzleData
from puzzles.exports.measures import Measures

_ADDRESS = 2.3  # millimetres
# Fields of the head in one row need this many ems.
_THREE_FIELDS, _TWO_FIELDS = 33.0, 20.0


class Head:
    """What is above the grid: school, title, version, whose sheet it is, and what to do."""

    def __init__(self, sheet: Sheet, puzzle: PuzzleData, measures: Measures) -> None:
        self._sheet, self._puzzle, self._measures = sheet, puzzle, measures
        self._room = sheet.inner_width
        self._y = sheet.margin

    def draw(self, *, is_key: bool) -> float:
        """Draw it and return where it ends."""
        printing = self._puzzle.printing
        has_code = printing.address and not is_key
        code_width = 1.5 * self._measures.code
        if has_code:
            self._room -= code_width + self._measures.gap
        if printing.school and not is_key:
            self._write(printing.school, self._measures.head, 1.0, colour=GREY)
            self._y += 0.3 * self._measures.head
        self._draw_title(is_key=is_key)
        if not is_key:
            for row in self._rows_of_fields():
                self._draw_fields(row)
            if printing.instruction:
                self._y += 0.3 * self._measures.instruction
                self._write(printing.instruction, self._measures.instruction, 1.35)
        if has_code:
            return max(self._y, self._draw_code(printing.address, code_width))
        return self._y

    def _write(
        self, text: str, size: float, leading: float, tag: str = "", colour: str = INK
    ) -> None:
        for line in lines.wrap(text, self._room / size):
            self._y += leading * size
            self._sheet.write(self._sheet.margin, self._y, line, size, tag, colour, whole=text)
            tag = "+"

    def _draw_title(self, *, is_key: bool) -> None:
        """Write the title, and at its end the version's letter in a box."""
        puzzle, size = self._puzzle, self._measures.title
        title = f"{puzzle.title} – {puzzle.labels.key}" if is_key else puzzle.title
        room, top = self._room, self._y
        if puzzle.printing.version:
            self._room -= 1.8 * size
        if is_key and puzzle.printing.student:
            title = f"{title} – {puzzle.printing.student}"
        self._write(title, size, 1.2, "H1")
        self._room = room
        if puzzle.printing.version:
            start = self._sheet.margin + room - 1.4 * size
            left = self._sheet.x(start) - (1.4 * size if self._sheet.is_rtl else 0.0)
            self._sheet.shapes.append(Box(left, top, 1.4 * size, 1.4 * size, 0.4))
            self._sheet.write_centred(
                start + 0.7 * size, top + 1.05 * size, puzzle.printing.version, size, "H2"
            )
            self._y = max(self._y, top + 1.4 * size)

    def _rows_of_fields(self) -> Iterator[list[tuple[str, str, float]]]:
        """Yield the fields of each row: label, what is known, and share of the width."""
        fields = self._puzzle.fields
        ems = self._room / self._measures.head
        if ems >= {3: _THREE_FIELDS, 2: _TWO_FIELDS}.get(len(fields), 0.0):
            yield fields
        else:
            yield fields[:1]
            yield fields[1:]

    def _draw_fields(self, fields: Sequence[tuple[str, str, float]]) -> None:
        if not fields:
            return
        size, gap = self._measures.head, self._measures.gap
        room = self._room - (len(fields) - 1) * gap
        start, most = self._sheet.margin, 1
        self._y += self._measures.line
        whole = sum(share for _, _, share in fields)
        for label, known, share in fields:
            end = start + room * share / whole
            self._sheet.write(start, self._y, label, size, colour=GREY if known else INK)
            after = start + lines.width(label) * size + 2
            if known:
                large = 1.2 * size
                wrapped = lines.wrap(known, max(end - after, 2 * large) / large)
                for number, line in enumerate(wrapped):
                    self._sheet.write(after, self._y + number * 1.2 * large, line, large, "+")
                most = max(most, len(wrapped))
            else:
                self._sheet.rule(after, end, self._y + 0.5)
            start = end + gap
        self._y += (most - 1) * 1.44 * size

    def _draw_code(self, address: str, width: float) -> float:
        """Draw the QR code at the end of the head, with the address; return where they end."""
        side, size = self._measures.code, _ADDRESS
        y = self._sheet.margin
        middle = self._sheet.margin + self._sheet.inner_width - width / 2
        self._sheet.code(middle - side / 2, y, side, address)
        y += side + 0.3 * self._measures.head
        for line in lines.wrap(self._puzzle.labels.play, width / (0.9 * self._measures.head)):
            y += 0.95 * self._measures.head
            self._sheet.write_centred(middle, y, line, 0.9 * self._measures.head)
        for line in _lines_of_address(address, width / size):
            y += 1.2 * size
            # An address reads from left to right in every script.
            self._sheet.shapes.append(Text(self._sheet.x(middle), y, line, size, "middle"))
        return y


def _lines_of_address(address: str, limit: float) -> Iterator[str]:
    """Split an address after its slashes and dots."""
    line = ""
    for part in re.findall(r"[^/.]*[/.]?", address.partition("://")[2] or address):
        if line and lines.width(line + part) > limit:
            yield line
            line = ""
        line += part
    yield from lines.wrap(line, limit)
