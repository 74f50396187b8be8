"""The shapes on a page, shared by every format that draws. Millimetres from the top left."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Literal

Direction = Literal["ltr", "rtl"]
Anchor = Literal["left", "middle", "right"]
Point = tuple[float, float]

INK = "#1a1714"
FAINT = "#5f5a53"
"""For text of less weight: lighter than ink, and dark enough to read."""
GREY = "#8a857d"


def first_direction(text: str) -> Direction | None:
    """Return the direction of the first letter that has one (rule P2 of Unicode's annex 9)."""
    for character in text:
        match unicodedata.bidirectional(character):
            case "L":
                return "ltr"
            case "R" | "AL":
                return "rtl"
    return None


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text on its baseline; *anchor* says which part of it is at *x*.

    *tag* is its role in the structure of a PDF, which screen readers read: a heading "H1" to "H6",
    an item of a list "L" (neighbouring items make one list), or a paragraph "P", which "" is too.
    "+" goes on with what the text before began: the second line of a title, a word after its
    number. A letter or number of the grid is "Grid"; those of a page are one figure.
    """

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "left"
    direction: Direction = "ltr"
    colour: str = INK
    tag: str = ""

    def left(self, width: float) -> float:
        """Return the left end of the line if it is *width* wide."""
        return self.x - width * {"left": 0.0, "middle": 0.5, "right": 1.0}[self.anchor]


@dataclass(frozen=True, slots=True)
class Line:
    """A line; *dash* is the length of its dashes and of the gaps between them, 0 if it has none."""

    x1: float
    y1: float
    x2: float
    y2: float
    stroke: float = 0.25
    colour: str = INK
    dash: float = 0.0


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    stroke: float = 0.25
    colour: str = INK


@dataclass(frozen=True, slots=True)
class Capsule:
    """A pill shape around the line between two points, *width* across."""

    start: Point
    end: Point
    width: float
    stroke: float
    colour: str

    def outline(self) -> list[Point]:
        """Return the outline as a polygon with round ends of twelve sides each."""
        (x1, y1), (x2, y2) = self.start, self.end
        turn = math.atan2(y2 - y1, x2 - x1)
        sides = 12
        points = []
        for centre_x, centre_y, first in (
            (x1, y1, turn + math.pi / 2),
            (x2, y2, turn - math.pi / 2),
        ):
            for step in range(sides + 1):
                angle = first + math.pi * step / sides
                points.append(
                    (
                        centre_x + self.width / 2 * math.cos(angle),
                        centre_y + self.width / 2 * math.sin(angle),
                    )
                )
        return points


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG or PNG picture, centred in its box and as large as fits.

    *alt* says in words what it shows; without it, it is decoration to screen readers.
    """

    x: float
    y: float
    width: float
    height: float
    data: bytes = field(repr=False)
    alt: str = ""

    @property
    def mime_type(self) -> str:
        return "image/png" if self.data.startswith(b"\x89PNG") else "image/jpeg"


@dataclass(frozen=True, slots=True)
class Modules:
    """The dark modules of a QR code in a square of *side* millimetres, without a quiet zone."""

    x: float
    y: float
    side: float
    rows: tuple[tuple[bool, ...], ...] = field(repr=False)

    def strips(self) -> Iterator[tuple[float, float, float, float]]:
        """Yield left, top, width and height of each run of dark modules.

        Fill all of them as one path: between shapes of their own, viewers show white seams.
        """
        step = self.side / len(self.rows)
        for row, modules in enumerate(self.rows):
            for start, end in spans(modules):
                yield self.x + start * step, self.y + row * step, (end - start) * step, step


def spans(flags: Iterable[bool]) -> Iterator[tuple[int, int]]:
    """Yield where each span of true flags starts and ends."""
    for flag, numbered in groupby(enumerate(flags), lambda one: one[1]):
        numbers = [number for number, _ in numbered]
        if flag:
            yield numbers[0], numbers[-1] + 1


Shape = Text | Line | Box | Capsule | Picture | Modules


def moved(shape: Shape, right: float, down: float) -> Shape:
    """Return *shape* at another place of its page."""
    match shape:
        case Line():
            return replace(
                shape,
                x1=shape.x1 + right,
                y1=shape.y1 + down,
                x2=shape.x2 + right,
                y2=shape.y2 + down,
            )
        case Capsule():
            (x1, y1), (x2, y2) = shape.start, shape.end
            return replace(shape, start=(x1 + right, y1 + down), end=(x2 + right, y2 + down))
        case _:
            return replace(shape, x=shape.x + right, y=shape.y + down)


@dataclass(frozen=True, slots=True)
class Page:
    width: float
    height: float
    shapes: tuple[Shape, ...]
