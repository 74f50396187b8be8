"""Cards on pages: to cut out along dashed lines, with backs to print on both sides."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from osmosmjerka.paper import lettering, lines
from osmosmjerka.paper.shapes import (
    GREY,
    INK,
    Anchor,
    Direction,
    Line,
    Page,
    Picture,
    Text,
    first_direction,
)
from osmosmjerka.paper.sheet import PAPERS, Sheet, qr_code

PADDING = 5.0
"""The space at the edges of a card in which nothing is written: people cut beside the line."""
_MARGIN = 10.0
_DASH = 2.0
_LEADING = 1.3
# A text stays on one line as long as that makes it no smaller than this share of its size.
_LEAST_ON_ONE_LINE = 0.65
# Below this share, long words are split between letters before all is written even smaller.
_LEAST_FOR_WHOLE_WORDS = 0.3
_STEP = 0.93


@dataclass(frozen=True, slots=True)
class Card:
    """A rectangle of a sheet. Places in it are measured from its top, and along the line from
    where reading begins."""

    sheet: Sheet
    left: float
    top: float
    width: float
    height: float

    def write(
        self, inline: float, baseline: float, text: str, size: float, *, colour: str = INK
    ) -> None:
        """Write one line that begins at *inline*, smaller if the card is too narrow for it.

        The text itself is read as its first letter says, as names of any script may stand here.
        """
        room = self.width - inline - PADDING
        size = min(size, room / max(lettering.width(text), 1e-6))
        anchor: Anchor = "right" if self.sheet.is_rtl else "left"
        x, y = self._x(inline), self.top + baseline
        way = first_direction(text) or "ltr"
        self.sheet.shapes.append(Text(x, y, text, size, anchor, way, colour))

    def centre(
        self,
        text: str,
        start: float,
        end: float,
        largest: float,
        *,
        direction: Direction = "ltr",
        colour: str = INK,
    ) -> None:
        """Write *text* in the middle between two heights, as large as it fits there."""
        size, wrapped = fit(text, self.width - 2 * PADDING, end - start, largest)
        first = (start + end) / 2 + (0.35 - _LEADING * (len(wrapped) - 1) / 2) * size
        for number, line in enumerate(wrapped):
            x, y = self.left + self.width / 2, self.top + first + _LEADING * number * size
            self.sheet.shapes.append(Text(x, y, line, size, "middle", direction, colour))

    def picture(self, inline: float, top: float, width: float, height: float, data: bytes) -> None:
        """Show a picture in a box that begins at *inline*."""
        left = self._x(inline) - (width if self.sheet.is_rtl else 0)
        self.sheet.shapes.append(Picture(left, self.top + top, width, height, data))

    def code(self, inline: float, top: float, side: float, address: str) -> None:
        """Show a QR code, drawn in lines that are sharp on any printer."""
        left = self._x(inline) - (side if self.sheet.is_rtl else 0)
        self.sheet.shapes.append(qr_code(left, self.top + top, side, address))

    def halves(self) -> tuple[Card, Card]:
        """Return both sides of a card that is folded in its middle, and draw where."""
        middle = self.left + self.width / 2
        self.sheet.shapes.append(Line(middle, self.top, middle, self.top + self.height, 0.15, GREY))
        left = replace(self, width=self.width / 2)
        right = replace(left, left=middle)
        return (right, left) if self.sheet.is_rtl else (left, right)

    def _x(self, inline: float) -> float:
        return self.left + (self.width - inline if self.sheet.is_rtl else inline)


Face = Callable[[Card], None]
"""Draws one side of a card."""


def pages(
    fronts: Sequence[Face],
    backs: Sequence[Face] = (),
    *,
    across: int,
    down: int,
    paper: str = "a4",
    direction: Direction = "ltr",
) -> list[Page]:
    """Return pages of cards, *across* × *down* on each, in the order of reading.

    With *backs*, one for each front, the page after each one of fronts has their backs in mirrored
    columns: a printer that turns the paper on its long edge prints both sides of a card.
    """
    width, height = PAPERS[paper]
    made = []
    for start in range(0, len(fronts), across * down):
        here = slice(start, start + across * down)
        for faces, is_back in ((fronts[here], False), (backs[here], True)):
            if not faces:
                continue
            sheet = Sheet(width, height, direction)
            if not is_back:  # on the back, the lines would be beside those on the front
                _draw_cuts(sheet, across, down, rows=math.ceil(len(faces) / across))
            for number, face in enumerate(faces):
                row, column = divmod(number, across)
                if sheet.is_rtl != is_back:
                    column = across - 1 - column
                face(_card(sheet, across, down, row, column))
            made.append(sheet.finish())
    return made


def _card(sheet: Sheet, across: int, down: int, row: int, column: int) -> Card:
    """Return the card in a place that is counted from the left and from the top."""
    width, height = (sheet.width - 2 * _MARGIN) / across, (sheet.height - 2 * _MARGIN) / down
    return Card(sheet, _MARGIN + column * width, _MARGIN + row * height, width, height)


def _draw_cuts(sheet: Sheet, across: int, down: int, *, rows: int) -> None:
    card = _card(sheet, across, down, 0, 0)
    right, bottom = sheet.width - _MARGIN, _MARGIN + rows * card.height
    cuts = [
        (_MARGIN, _MARGIN + row * card.height, right, _MARGIN + row * card.height)
        for row in range(rows + 1)
    ] + [
        (_MARGIN + column * card.width, _MARGIN, _MARGIN + column * card.width, bottom)
        for column in range(across + 1)
    ]
    sheet.shapes.extend(Line(*cut, 0.2, GREY, dash=_DASH) for cut in cuts)


def fit(text: str, width: float, height: float, largest: float) -> tuple[float, tuple[str, ...]]:
    """Return the size and the lines with which *text* fits a box of millimetres.

    A text that is somewhat too long becomes smaller; a longer one is also put on several lines.
    """
    if not text:
        return largest, ()
    whole = max(lettering.width(text), 1e-6)
    size = min(largest, width / whole, height / _LEADING)
    if size >= _LEAST_ON_ONE_LINE * largest:
        return size, (text,)
    longest = max((lettering.width(word) for word in text.split()), default=0)
    # As if the lines were full, or more than that.
    size = min(largest, 1.2 * math.sqrt(width * height / (whole * _LEADING)), height / _LEADING)
    while True:
        is_split = longest * size > width
        if not is_split or size < _LEAST_FOR_WHOLE_WORDS * largest:
            wrapped = lines.wrap(text, width / size)
            if len(wrapped) * _LEADING * size <= height:
                return size, wrapped
        size *= _STEP
