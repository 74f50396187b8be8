"""The shapes on a page, shared by every format that draws. Millimetres from the top left."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from puzzles.exports.data import Direction

Anchor = Literal["left", "middle", "right"]
Point = tuple[float, float]

INK = "#1a1714"
GREY = "#8a857d"


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text on its baseline; *anchor* says which part of it is at *x*."""

    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "left"
    direction: Direction = "ltr"
    colour: str = INK

    def left(self, width: float) -> float:
        """Return the left end of the line if it is *width* wide."""
        return self.x - width * {"left": 0.0, "middle": 0.5, "right": 1.0}[self.anchor]


@dataclass(frozen=True, slots=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    stroke: float = 0.25
    colour: str = INK


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

    def outline(self, corners: int = 24) -> list[Point]:
        """Return the outline as a polygon of about *corners* points."""
        (x1, y1), (x2, y2) = self.start, self.end
        turn = math.atan2(y2 - y1, x2 - x1)
        half = corners // 2
        points = []
        for centre_x, centre_y, first in (
            (x1, y1, turn + math.pi / 2),
            (x2, y2, turn - math.pi / 2),
        ):
            for step in range(half + 1):
                angle = first + math.pi * step / half
                points.append(
                    (
                        centre_x + self.width / 2 * math.cos(angle),
                        centre_y + self.width / 2 * math.sin(angle),
                    )
                )
        return points


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG picture, centred in its box and as large as fits."""

    x: float
    y: float
    width: float
    height: float
    data: bytes = field(repr=False)


Shape = Text | Line | Box | Capsule | Picture


@dataclass(frozen=True, slots=True)
class Page:
    width: float
    height: float
    shapes: tuple[Shape, ...]
