"""Write pages as a tagged PDF with embedded fonts.

The shapes of letters are those that `lettering` measured: nothing is laid out a second time. (PDF
libraries that shape text themselves take Arabic words apart at each mark.)
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from PIL import Image

from osmosmjerka.paper import lettering
from osmosmjerka.paper.embedding import EmbeddedFont
from osmosmjerka.paper.lettering import Run
from osmosmjerka.paper.objects import File, Name, Ref, Stream, number, written
from osmosmjerka.paper.shapes import INK, Box, Capsule, Line, Modules, Page, Picture, Shape, Text
from osmosmjerka.paper.structure import Structure
from osmosmjerka.paper.typefaces import Font, fonts

_POINTS_A_MILLIMETRE = 72 / 25.4
# A fixed date: the same pages always give the same file.
_DATE = b"D:20000101000000Z"


def draw(pages: Sequence[Page], *, title: str, language: str | None = None) -> bytes:
    """Return *pages* as a PDF file. *language* also decides how Chinese characters are written.

    Raises MissingLetters if the fonts for print lack a letter. Emoji that they lack are left out,
    except in a grid.
    """
    texts = [shape for page in pages for shape in page.shapes if isinstance(shape, Text)]
    lettering.require(
        (text.text for text in texts), tiles=(text.text for text in texts if text.tag == "Grid")
    )
    document = _Document(language)
    document.embed_fonts(pages)
    for page in pages:
        document.add_page(page)
    return document.write(title)


class _Document:
    """A PDF file under construction."""

    def __init__(self, language: str | None) -> None:
        self._language = language
        self._file = File()
        self._tree = self._file.reserve()
        self._structure = Structure()
        self._pages: list[Ref] = []
        self._fonts: dict[Font, EmbeddedFont] = {}
        self._pictures: dict[bytes, tuple[str, float]] = {}
        self._images: dict[str, Ref] = {}

    def embed_fonts(self, pages: Sequence[Page]) -> None:
        used: dict[Font, list[Run]] = {}
        for page in pages:
            for shape in page.shapes:
                if isinstance(shape, Text):
                    for run in self._runs(shape):
                        if run.font is not None:
                            used.setdefault(run.font, []).append(run)
        self._fonts = {font: EmbeddedFont(font, runs) for font, runs in used.items()}

    def _runs(self, text: Text) -> tuple[Run, ...]:
        return lettering.runs(text.text, text.direction, self._language)

    def add_page(self, page: Page) -> None:
        self._structure.begin_page()
        content = "\n".join(self._marked(page)).encode()
        size = [page.width * _POINTS_A_MILLIMETRE, page.height * _POINTS_A_MILLIMETRE]
        self._pages.append(
            self._file.add(
                {
                    "Type": Name("Page"),
                    "Parent": self._tree,
                    "MediaBox": [0, 0, *size],
                    "Contents": self._file.add(Stream(content)),
                    "StructParents": len(self._pages),
                    "Tabs": Name("S"),
                }
            )
        )

    def _marked(self, page: Page) -> Iterator[str]:
        """Yield operators in millimetres from the bottom left, each within marked content."""
        scale = f"{_POINTS_A_MILLIMETRE:.6f}"
        yield f"{scale} 0 0 {scale} 0 0 cm"
        for element, shapes in groupby(page.shapes, self._structure.element_of):
            if element is None:
                yield "/Artifact BMC"
            else:
                yield f"/{element.role} <</MCID {self._structure.mark(element)}>> BDC"
            for shape in shapes:
                yield from self._drawn(shape, page.height)
            yield "EMC"

    def _drawn(self, shape: Shape, height: float) -> Iterator[str]:
        match shape:
            case Text():
                yield from self._written(shape, height)
            case Line():
                yield _pen(shape)
                # Lines meet in corners, so they end in squares; dashes end where they end.
                yield f"[{number(shape.dash)}] 0 d 0 J" if shape.dash else "2 J"
                yield f"{_point(shape.x1, height - shape.y1)} m"
                yield f"{_point(shape.x2, height - shape.y2)} l S"
                if shape.dash:
                    yield "[] 0 d"
            case Box():
                yield _pen(shape)
                corner = _point(shape.x, height - shape.y - shape.height)
                yield f"{corner} {_point(shape.width, shape.height)} re S"
            case Capsule():
                yield _pen(shape)
                path = " l ".join(_point(x, height - y) for x, y in shape.outline())
                yield f"{path.replace(' l ', ' m ', 1)} l h S"
            case Picture():
                yield self._picture(shape, height)
            case Modules():
                yield f"{_colour(INK)} rg"
                for left, top, width, down in shape.strips():
                    yield f"{_point(left, height - top - down)} {_point(width, down)} re"
                yield "f"

    def _written(self, text: Text, height: float) -> Iterator[str]:
        """Write the runs in reading order."""
        runs = self._runs(text)
        left = text.left(sum(run.width for run in runs) * text.size)
        # The shapes of Hindi or Thai do not correspond to letters one by one, so give the text.
        is_shaped = all(run.direction == "ltr" for run in runs) and any(
            run.font not in (None, fonts()[0]) for run in runs
        )
        if is_shaped:
            yield f"/Span {written({'ActualText': text.text}).decode()} BDC"
        yield f"{_colour(text.colour)} rg"
        for run in runs:
            if run.font is None:
                continue  # white space that no font has
            place = _point(left + run.x * text.size, height - text.y)
            shown = self._fonts[run.font].show(run, text.size)
            yield f"BT /{self._name_of(run.font)} {number(text.size)} Tf {place} Td {shown} ET"
        if is_shaped:
            yield "EMC"

    def _name_of(self, font: Font) -> str:
        return f"F{list(self._fonts).index(font)}"

    def _picture(self, picture: Picture, height: float) -> str:
        if picture.data not in self._pictures:
            self._pictures[picture.data] = self._add_picture(picture.data)
        name, ratio = self._pictures[picture.data]
        wide = min(picture.width, picture.height * ratio)
        high = wide / ratio
        left = picture.x + (picture.width - wide) / 2
        bottom = height - picture.y - (picture.height + high) / 2
        box = f"{number(wide)} 0 0 {number(high)} {_point(left, bottom)}"
        return f"q {box} cm /{name} Do Q"

    def _add_picture(self, data: bytes) -> tuple[str, float]:
        """Add a picture; return its name and its width in relation to its height."""
        with Image.open(io.BytesIO(data), formats=["JPEG", "PNG"]) as image:
            is_kept = image.format == "JPEG" and image.mode in ("L", "RGB")
            about = {
                "Type": Name("XObject"),
                "Subtype": Name("Image"),
                "Width": image.width,
                "Height": image.height,
                "ColorSpace": Name("DeviceGray" if image.mode == "L" else "DeviceRGB"),
                "BitsPerComponent": 8,
            }
            if is_kept:
                stream = Stream(data, {**about, "Filter": Name("DCTDecode")})
            else:
                pixels = image if image.mode == "L" else image.convert("RGB")
                stream = Stream(pixels.tobytes(), about)
            name = f"I{len(self._pictures)}"
            self._images[name] = self._file.add(stream)
            return name, image.width / image.height

    def write(self, title: str) -> bytes:
        file = self._file
        fonts = {self._name_of(font): part.write(file) for font, part in self._fonts.items()}
        file.set(
            self._tree,
            {
                "Type": Name("Pages"),
                "Kids": self._pages,
                "Count": len(self._pages),
                "Resources": {"Font": fonts, "XObject": self._images},
            },
        )
        catalogue: dict[str, Any] = {
            "Type": Name("Catalog"),
            "Pages": self._tree,
            "MarkInfo": {"Marked": True},
            "StructTreeRoot": self._structure.write(file, self._pages),
            "ViewerPreferences": {"DisplayDocTitle": True},
        }
        if self._language:
            catalogue["Lang"] = self._language
        info = {
            "Title": title,
            "Creator": "Osmosmjerka",
            "Producer": "Osmosmjerka",
            "CreationDate": _DATE,
        }
        return file.write(root=file.add(catalogue), info=file.add(info))


def _pen(shape: Line | Box | Capsule) -> str:
    return f"{number(shape.stroke)} w {_colour(shape.colour)} RG"


def _colour(colour: str) -> str:
    """Return a colour such as #1a1714 as three numbers from 0 to 1."""
    return " ".join(number(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))


def _point(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"
