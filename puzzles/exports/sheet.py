"""A page under construction. Positions along a line are measured from where reading begins: from
the left edge, or from the right one in a right-to-left script."""

from __future__ import annotations

from dataclasses import dataclass, field

from puzzles.exports.data import PAPERS, PuzzleData
from puzzles.exports.shapes import GREY, Anchor, Box, Line, Page, Picture, Shape, Text

MARGIN = 15.0
GAP = 6.0


@dataclass
class Sheet:
    """The shapes of one page so far."""

    puzzle: PuzzleData
    shapes: list[Shape] = field(default_factory=list)

    @property
    def width(self) -> float:
        return PAPERS[self.puzzle.printing.paper][0]

    @property
    def height(self) -> float:
        return PAPERS[self.puzzle.printing.paper][1]

    @property
    def inner_width(self) -> float:
        return self.width - 2 * MARGIN

    @property
    def bottom(self) -> float:
        return self.height - MARGIN

    @property
    def is_rtl(self) -> bool:
        return self.puzzle.direction == "rtl"

    def x(self, inline: float) -> float:
        """Return the x coordinate on the page of a position along the line."""
        return self.width - inline if self.is_rtl else inline

    def write(self, inline: float, y: float, text: str, size: float) -> None:
        """Write one line that begins at *inline*."""
        anchor: Anchor = "right" if self.is_rtl else "left"
        self.shapes.append(Text(self.x(inline), y, text, size, anchor, self.puzzle.direction))

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

    def finish(self, height: float | None = None) -> Page:
        return Page(self.width, height or self.height, tuple(self.shapes))
