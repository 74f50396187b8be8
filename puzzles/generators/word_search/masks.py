"""The shape of a word search: which squares of a rectangle are in it.

A shape is a drawing: a heart, a letter, a picture. The drawing is stretched over a rectangle, and a
square is in the shape if at least half of it is dark. Only the largest connected part counts.

>>> sorted(silhouette("diamond").cells(3, 3))
[(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)]
"""

from __future__ import annotations

import base64
import binascii
import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from puzzles.generators.errors import WordSearchError
from puzzles.generators.grid import Cell
from vocab.message import message

if TYPE_CHECKING:
    from PIL.Image import Image

Points = Sequence[tuple[float, float]]

DRAWN = 480
"""The side of a drawing in dots."""
HALF = 127
"""Of 255 shades: a square at least half of which is dark is in the shape."""
STROKE = 0.05
"""How much thicker than in its font a letter is drawn, in parts of its size."""
MOST_DOTS = 60
"""The longest side of a picture that is kept: a grid has no more squares."""
NARROWEST = 1 / 3
"""The least width of a shape for its height, and of its height for its width."""


@dataclass(frozen=True, eq=False)
class Silhouette:
    """A drawing in shades of grey without margins; what is white is in the shape."""

    image: Image

    @property
    def aspect(self) -> float:
        """The width for each unit of height."""
        wide = self.image.width / self.image.height
        return min(max(wide, NARROWEST), 1 / NARROWEST)

    def mirrored(self) -> Silhouette:
        """Return the drawing as in a mirror, for a grid whose column 0 is drawn at the right."""
        from PIL import ImageOps

        return Silhouette(ImageOps.mirror(self.image))

    def cells(self, rows: int, cols: int) -> frozenset[Cell]:
        """Return the cells of *rows* by *cols* in the shape, connected by their sides.

        Columns are counted from the left of the drawing.
        """
        from PIL.Image import Resampling

        small = self.image.resize((cols, rows), Resampling.BOX)
        shades = small.tobytes()
        return _largest_part({divmod(i, cols) for i, shade in enumerate(shades) if shade > HALF})


def _largest_part(cells: set[Cell]) -> frozenset[Cell]:
    best: set[Cell] = set()
    left = set(cells)
    while left:
        part, edge = set[Cell](), [min(left)]
        left.discard(edge[0])
        while edge:
            row, col = cell = edge.pop()
            part.add(cell)
            beside = {(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)} & left
            left -= beside
            edge += beside
        best = max(best, part, key=len)
    return frozenset(best)


def _heart() -> Iterator[tuple[float, float]]:
    for i in range(200):
        t = math.pi * i / 100
        down = -13 * math.cos(t) + 5 * math.cos(2 * t) + 2 * math.cos(3 * t) + math.cos(4 * t)
        yield 16 * math.sin(t) ** 3, down


def _circle() -> Iterator[tuple[float, float]]:
    for i in range(200):
        yield math.sin(math.pi * i / 100), math.cos(math.pi * i / 100)


def _star() -> Iterator[tuple[float, float]]:
    # A little plumper than the pentagram, so that a word fits into a point.
    for i in range(10):
        far = 0.5 if i % 2 else 1.0
        yield far * math.sin(math.pi * i / 5), -far * math.cos(math.pi * i / 5)


def _diamond() -> Iterator[tuple[float, float]]:
    yield from ((0, -1), (1, 0), (0, 1), (-1, 0))


_OUTLINES: dict[str, Callable[[], Iterator[tuple[float, float]]]] = {
    "heart": _heart,
    "circle": _circle,
    "star": _star,
    "diamond": _diamond,
}
SHAPES = tuple(_OUTLINES)


@lru_cache
def silhouette(shape: str) -> Silhouette:
    """Return one of SHAPES, the same from left and right."""
    from PIL import Image, ImageChops, ImageDraw, ImageOps

    points = list(_OUTLINES[shape]())
    xs, ys = zip(*points, strict=True)
    scale = (DRAWN - 1) / max(max(xs) - min(xs), max(ys) - min(ys))
    wide, high = round((max(xs) - min(xs)) * scale) + 1, round((max(ys) - min(ys)) * scale) + 1
    image = Image.new("L", (wide, high))
    placed = [((x - min(xs)) * scale, (y - min(ys)) * scale) for x, y in points]
    ImageDraw.Draw(image).polygon(placed, fill=255)
    return Silhouette(ImageChops.lighter(image, ImageOps.mirror(image)))


@lru_cache
def silhouette_of_letter(letter: str, language: str | None = None) -> Silhouette:
    """Return a letter in bold, as *language* writes it.

    A digraph is two letters here, because its parts would not be connected. Raises
    WordSearchError if it is not one letter, or if the fonts do not have it.
    """
    from PIL import Image, ImageDraw, ImageFont

    from osmosmjerka.paper.typefaces import east_asian_for, fonts

    # Vowel signs are no letters, but part of one: कि.
    if not (regex.fullmatch(r"\X", letter) and letter[0].isalpha()):
        raise WordSearchError(
            message("“{letter}” cannot be the shape of a grid. Write one letter.", letter=letter)
        )
    font = next((font for font in fonts() if font.has(letter)), None)
    if font is None:
        font = east_asian_for(letter, language)
    if font is None or not font.has(letter):
        raise WordSearchError(
            message("The print fonts do not have “{letter}”. Write another letter.", letter=letter)
        )
    image = Image.new("L", (3 * DRAWN, 3 * DRAWN))
    ImageDraw.Draw(image).text(
        (DRAWN, DRAWN),
        letter,
        fill=255,
        font=ImageFont.truetype(io.BytesIO(font.face.blob.data), DRAWN, font.face.index),
        stroke_width=round(STROKE * DRAWN),
    )
    return Silhouette(image.crop(image.getbbox()))


def packed_picture(data: bytes) -> str:
    """Return the dark part of a picture, which must be safe to decode, as text to store.

    Raises WordSearchError if nothing in it is dark, or all of it.
    """
    from PIL import Image, ImageOps

    with Image.open(io.BytesIO(data)) as source:
        source.thumbnail((4 * DRAWN, 4 * DRAWN))
        opaque = Image.new("RGBA", source.size, "white")
        opaque.alpha_composite(source.convert("RGBA"))
    dark = ImageOps.invert(opaque.convert("L")).point(lambda shade: 255 * (shade > HALF))
    box = dark.getbbox()
    if box is None or dark.getextrema() == (255, 255):
        raise WordSearchError(
            message(
                "The picture has no shape: its dark part becomes the grid, so it needs a dark "
                "figure on a light background."
            )
        )
    dark = dark.crop(box)
    dark.thumbnail((MOST_DOTS, MOST_DOTS), Image.Resampling.BOX)
    bits = dark.point(lambda shade: 255 * (shade > HALF), "1")
    return f"{bits.width}x{bits.height}:{base64.b64encode(bits.tobytes()).decode()}"


@lru_cache
def silhouette_of_picture(packed: str) -> Silhouette:
    """Return the shape that `packed_picture` stored. Raises WordSearchError if it did not."""
    from PIL import Image

    try:
        size, _, bits = packed.partition(":")
        wide, high = map(int, size.split("x"))
        if not (1 <= wide <= MOST_DOTS and 1 <= high <= MOST_DOTS):
            raise ValueError
        image = Image.frombytes("1", (wide, high), base64.b64decode(bits, validate=True))
    except (ValueError, binascii.Error):
        raise WordSearchError(
            message("The shape of the grid cannot be read. Choose the picture again.")
        ) from None
    return Silhouette(image.convert("L"))
