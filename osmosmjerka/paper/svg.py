"""Draw a page as SVG. It uses the fonts of the viewer and loads no resources."""

from __future__ import annotations

import base64
import math
from xml.etree import ElementTree as ET

from osmosmjerka.paper.shapes import INK, Box, Capsule, Line, Modules, Page, Picture, Shape, Text
from osmosmjerka.paper.typefaces import region_of
from osmosmjerka.paper.xml import for_xml

# As far as the viewer has them. Chinese characters are written as the page's language does.
_SCRIPTS = (
    "Arabic, Armenian, Bengali, Devanagari, Ethiopic, Georgian, Gujarati, Gurmukhi, Hebrew, "
    "Kannada, Khmer, Lao, Malayalam, Myanmar, Oriya, Sinhala, Tamil, Telugu, Thaana, Thai"
)
_FAMILIES = (
    "Noto Sans",
    *(f"Noto Sans {script}" for script in _SCRIPTS.split(", ")),
    "Noto Serif Tibetan",
)
_LAST_FAMILIES = ("DejaVu Sans", "Arial", "sans-serif")
Frame = tuple[float, float, float, float]
"""Left, top, width and height in millimetres."""


def draw(
    page: Page, frame: Frame | None = None, *, title: str, language: str | None = None
) -> bytes:
    """Return a page, or what is within a frame of it, as an SVG file."""
    drawn = _drawn(page, frame, title, language)
    return bytes(ET.tostring(drawn, encoding="utf-8", xml_declaration=True))


def inline(page: Page, *, title: str, language: str | None = None) -> str:
    """Return a page as an element of a web page, which the content security policy allows."""
    return ET.tostring(_drawn(page, None, title, language), encoding="unicode")


def _drawn(page: Page, frame: Frame | None, title: str, language: str | None) -> ET.Element:
    left, top, width, height = map(_number, frame or (0, 0, page.width, page.height))
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{width}mm",
            "height": f"{height}mm",
            "viewBox": f"{left} {top} {width} {height}",
            "font-family": ", ".join(_families(language)),
            "role": "img",
            **({"xml:lang": language} if language else {}),
        },
    )
    ET.SubElement(root, "title").text = for_xml(title)
    paper = {"x": left, "y": top, "width": "100%", "height": "100%", "fill": "#fff"}
    ET.SubElement(root, "rect", {name: value for name, value in paper.items() if value != "0"})
    root.extend(_element(shape) for shape in page.shapes)
    ET.indent(root)
    return root


def _families(language: str | None) -> tuple[str, ...]:
    region = region_of(language)
    east_asian = (f"Noto Sans CJK {region}", f"Noto Sans {region}") if region else ()
    return (*_FAMILIES, *east_asian, *_LAST_FAMILIES)


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
            element.text = for_xml(shape.text)
            return element
        case Picture():
            box = {name: _number(getattr(shape, name)) for name in ("x", "y", "width", "height")}
            data = base64.b64encode(shape.data).decode()
            return ET.Element("image", box | {"href": f"data:{shape.mime_type};base64,{data}"})
        case Line():
            places = {name: _number(getattr(shape, name)) for name in ("x1", "y1", "x2", "y2")}
            ends = (
                {"stroke-dasharray": _number(shape.dash)}
                if shape.dash
                else {"stroke-linecap": "square"}
            )
            return ET.Element("line", places | _stroke(shape) | ends)
        case Box():
            box = {name: _number(getattr(shape, name)) for name in ("x", "y", "width", "height")}
            return ET.Element("rect", box | _stroke(shape))
        case Modules():
            strips = (map(_number, strip) for strip in shape.strips())
            path = "".join(
                f"M{left} {top}h{width}v{height}h-{width}z" for left, top, width, height in strips
            )
            return ET.Element("path", {"d": path, "fill": INK})
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
