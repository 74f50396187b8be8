"""A page under construction. Positions along a line are measured from where reading begins: from
the left edge, or from the right one in a right-to-left script."""

from __future__ import annotations

from dataclasses import dataclass, field

from osmosmjerka.paper.shapes import (
    GREY,
    INK,
    Anchor,
    Box,
    Direction,
    Line,
    Modules,
    Page,
    Picture,
    Shape,
    Text,
    first_direction,
)

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""The papers to print on: width and height in millimetres."""
MARGIN = 15.0


@dataclass
class Sheet:
    """The shapes of one page so far."""

    width: float = PAPERS["a4"][0]
    height: float = PAPERS["a4"][1]
    direction: Direction = "ltr"
    margin: float = MARGIN
    shapes: list[Shape] = field(default_factory=list)

    @property
    def inner_width(self) -> float:
        return self.width - 2 * self.margin

    @property
    def bottom(self) -> float:
        return self.height - self.margin

    @property
    def is_rtl(self) -> bool:
        return self.direction == "rtl"

    def x(self, inline: float) -> float:
        """Return the x coordinate on the page of a position along the line."""
        return self.width - inline if self.is_rtl else inline

    def write(
        self,
        inline: float,
        y: float,
        text: str,
        size: float,
        tag: str = "",
        colour: str = INK,
        *,
        whole: str = "",
    ) -> None:
        """Write one line that begins at *inline*; it is a part of the text *whole*, if not all.

        Its own letters decide on which side its full stop is, as in a sentence of the teacher's
        language on a sheet of another one.
        """
        anchor: Anchor = "right" if self.is_rtl else "left"
        way = first_direction(whole or text) or self.direction
        self.shapes.append(Text(self.x(inline), y, text, size, anchor, way, colour, tag))

    def write_centred(self, inline: float, y: float, text: str, size: float, tag: str = "") -> None:
        """Write one line with its middle at *inline*."""
        self.shapes.append(Text(self.x(inline), y, text, size, "middle", self.direction, tag=tag))

    def rule(self, start: float, end: float, y: float) -> None:
        """Draw a line to write on."""
        self.shapes.append(Line(self.x(start), y, self.x(end), y, 0.2, GREY))

    def tick_box(self, inline: float, baseline: float, side: float) -> None:
        left = self.x(inline) - (side if self.is_rtl else 0)
        self.shapes.append(Box(left, baseline - side, side, side, 0.2, GREY))

    def picture(self, inline: float, y: float, side: float, data: bytes) -> None:
        """Show a picture in a square that begins at *inline*."""
        left = self.x(inline) - (side if self.is_rtl else 0)
        self.shapes.append(Picture(left, y, side, side, data))

    def code(self, inline: float, y: float, side: float, text: str) -> None:
        """Draw a QR code of *text* in a square that begins at *inline*."""
        left = self.x(inline) - (side if self.is_rtl else 0)
        self.shapes.append(qr_code(left, y, side, text))

    def finish(self, height: float | None = None) -> Page:
        return Page(self.width, height or self.height, tuple(self.shapes))


def qr_code(left: float, top: float, side: float, text: str) -> Modules:
    """Return a QR code of *text*, without a quiet zone: leave four modules around it free."""
    import segno  # a library that most pages do not need

    symbol = segno.make_qr(text, error="m")
    return Modules(left, top, side, tuple(tuple(map(bool, row)) for row in symbol.matrix))
