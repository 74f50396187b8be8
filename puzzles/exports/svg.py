"""Export a puzzle as one SVG page. It uses the fonts of the viewer and loads no resources."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from puzzles.exports.board import Board
from puzzles.exports.data import PuzzleData
from puzzles.exports.layout import pages
from puzzles.exports.shapes import Box, Capsule, Line, Picture, Shape, Text
from puzzles.exports.sheet import Sheet

_FAMILIES = (
    "Noto Sans, Noto Sans Arabic, Noto Sans Hebrew, Noto Sans Devanagari, Noto Sans Thai, "
    "Noto Sans JP, DejaVu Sans, Arial, sans-serif"
)
# Characters that XML cannot contain.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the puzzle, or with *key* its answers, as an SVG page of at least A4."""
    page = pages(puzzle, is_key=key, is_endless=True)[0]
    return _drawn(puzzle, page.shapes, (0, 0, page.width, page.height))


def write_solved_grid(puzzle: PuzzleData) -> bytes:
    """Return the grid alone with its answers, as a picture of what such a puzzle looks like."""
    board, sheet, cell, edge = Board.of(puzzle), Sheet(puzzle), 10.0, 1.0
    board.draw(sheet, edge, cell, is_key=True)
    width, height = board.cols * cell + 2 * edge, board.rows * cell + 2 * edge
    return _drawn(puzzle, sheet.shapes, ((sheet.width - width) / 2, 0, width, height))


def _drawn(
    puzzle: PuzzleData, shapes: Iterable[Shape], frame: tuple[float, float, float, float]
) -> bytes:
    """Return the shapes within a frame: left, top, width and height in millimetres."""
    left, top, width, height = map(_number, frame)
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{width}mm",
            "height": f"{height}mm",
            "viewBox": f"{left} {top} {width} {height}",
            "font-family": _FAMILIES,
            "role": "img",
            **({"xml:lang": puzzle.language} if puzzle.language else {}),
        },
    )
    ET.SubElement(root, "title").text = _clean(puzzle.title)
    paper = {"x": left, "y": top, "width": "100%", "height": "100%", "fill": "#fff"}
    ET.SubElement(root, "rect", {name: value for name, value in paper.items() if value != "0"})
    root.extend(_element(shape) for shape in shapes)
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def _element(shape: Shape) -> ET.Element:
    match shape:
        case Text():
            element = ET.Element(
                "text",
                {
                    "x": _number(shape.x),
                    "y": _number(shape.y),
                    "font-size": _number(shape.size),
                    "fill": shape.colour,
                    "text-anchor": _anchor(shape),
                    **({"direction": "rtl"} if shape.direction == "rtl" else {}),
                },
            )
            element.text = _clean(shape.text)
            return element
        case Picture():
            box = {name: _number(getattr(shape, name)) for name in ("x", "y", "width", "height")}
            data = base64.b64encode(shape.data).decode()
            return ET.Element("image", box | {"href": f"data:image/jpeg;base64,{data}"})
        case Line():
            places = {name: _number(getattr(shape, name)) for name in ("x1", "y1", "x2", "y2")}
            return ET.Element("line", places | _stroke(shape))
        case Box():
            box = {name: _number(getattr(shape, name)) for name in ("x", "y", "width", "height")}
            return ET.Element("rect", box | _stroke(shape))
        case Capsule():
            (x1, y1), (x2, y2) = shape.start, shape.end
            half = shape.width / 2
            turn = math.degrees(math.atan2(y2 - y1, x2 - x1))
            return ET.Element(
                "rect",
                {
                    "x": _number(x1 - half),
                    "y": _number(y1 - half),
                    "width": _number(math.hypot(x2 - x1, y2 - y1) + shape.width),
                    "height": _number(shape.width),
                    "rx": _number(half),
                    "transform": f"rotate({_number(turn)} {_number(x1)} {_number(y1)})",
                }
                | _stroke(shape),
            )


def _stroke(shape: Line | Box | Capsule) -> dict[str, str]:
    return {"fill": "none", "stroke": shape.colour, "stroke-width": _number(shape.stroke)}


def _anchor(text: Text) -> str:
    """Return SVG's name for the anchor, which is relative to where reading begins."""
    if text.anchor == "middle":
        return "middle"
    return "start" if (text.anchor == "left") == (text.direction == "ltr") else "end"


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _clean(text: str) -> str:
    return _CONTROLS.sub("", text)
