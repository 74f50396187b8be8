"""Fonts for print: which font has a letter, the width and height of text, and its visual order.

Widths and heights are in ems, heights above the baseline.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

import regex
import uharfbuzz
from fpdf.bidi import BidiParagraph
from fpdf.enums import TextDirection

from puzzles.exports.data import Direction, ExportError
from vocab.message import message

_FOLDER = Path(__file__).parent / "fonts"
_WIDTH_OF_A_STRANGER = 1.0


class MissingLetters(ExportError):
    """Letters that no font for print has."""

    def __init__(self, letters: Iterable[str]) -> None:
        self.letters = tuple(letters)
        shown = " ".join(self.letters[:20]) + (" …" if len(self.letters) > 20 else "")
        super().__init__(
            message(
                "The print fonts have no shapes for these letters: {letters}. Choose SVG, which "
                "uses the fonts of the person who opens it, or a text format.",
                letters=shown,
            )
        )


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """A font file; *name* identifies it."""

    name: str
    path: Path
    shaper: uharfbuzz.Font
    letters: frozenset[int]

    def has(self, text: str) -> bool:
        return self.letters.issuperset(map(ord, text))


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Text of one font and direction, *x* ems to the right of the start of its line."""

    text: str
    font: Font | None
    direction: Direction
    x: float
    width: float


@cache
def fonts() -> tuple[Font, ...]:
    """Return the fonts for print, starting with the one for Latin letters."""
    loaded = []
    for path in sorted(_FOLDER.glob("*.ttf")):
        face = uharfbuzz.Face(uharfbuzz.Blob.from_file_path(str(path)))
        loaded.append(Font(path.stem, path, uharfbuzz.Font(face), frozenset(face.unicodes)))
    return tuple(loaded)


def require(texts: Iterable[str]) -> None:
    """Raise MissingLetters unless the fonts for print have every letter of *texts*."""
    missing = {
        cluster
        for text in texts
        for cluster in regex.findall(r"\X", text)
        if not cluster.isspace() and _font_of(cluster) is None
    }
    if missing:
        raise MissingLetters(sorted(missing))


@lru_cache(4096)
def _font_of(cluster: str, preferred: Font | None = None) -> Font | None:
    """Return a font for one letter: *preferred* if it has it."""
    if preferred is not None and preferred.has(cluster):
        return preferred
    return next((font for font in fonts() if font.has(cluster)), None)


@lru_cache(4096)
def runs(text: str, direction: Direction = "ltr") -> tuple[Run, ...]:
    """Split one line into runs in reading order, each with its place from left to right."""
    pieces = list(_pieces(text, direction))
    widths = [_shape(font, piece, way)[0] for piece, _, font, way in pieces]
    places = [0.0] * len(pieces)
    x = 0.0
    for index in _visual_order([level for _, level, _, _ in pieces]):
        places[index] = x
        x += widths[index]
    return tuple(
        Run(piece, font, way, place, width)
        for (piece, _, font, way), place, width in zip(pieces, places, widths, strict=True)
    )


def _pieces(text: str, direction: Direction) -> Iterator[tuple[str, int, Font | None, Direction]]:
    """Yield (text, bidirectional level, font, direction) in reading order."""
    base = TextDirection.RTL if direction == "rtl" else TextDirection.LTR
    characters = BidiParagraph(text, base).get_characters_with_embedding_level()
    for level, group in groupby(characters, lambda character: character.embedding_level):
        way: Direction = "rtl" if level % 2 else "ltr"
        font: Font | None = None
        piece = ""
        for cluster in regex.findall(r"\X", "".join(c.character for c in group)):
            fitting = _font_of(cluster, font)
            if piece and fitting is not font:
                yield piece, level, font, way
                piece = ""
            font = fitting
            piece += cluster
        if piece:
            yield piece, level, font, way


def _visual_order(levels: list[int]) -> list[int]:
    """Return the indexes of runs from left to right (rule L2 of Unicode's annex 9)."""
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = reversed(order[start:end])
            start = end + 1
    return order


def _shape(font: Font | None, text: str, direction: Direction) -> tuple[float, float, float]:
    """Return the width, and the lowest and highest points of the ink."""
    if font is None:
        return _WIDTH_OF_A_STRANGER * len(regex.findall(r"\X", text)), 0.0, 0.7
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = direction
    uharfbuzz.shape(font.shaper, buffer, {})
    em = font.shaper.face.upem
    low, high = [], []
    for glyph, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        extents = font.shaper.get_glyph_extents(glyph.codepoint)
        if extents is not None and extents.height:
            high.append(position.y_offset + extents.y_bearing)
            low.append(position.y_offset + extents.y_bearing + extents.height)
    width = sum(position.x_advance for position in buffer.glyph_positions)
    return width / em, min(low, default=0) / em, max(high, default=0) / em


def width(text: str) -> float:
    """Return the width of one line."""
    return sum(run.width for run in runs(text))


def ink(letter: str) -> tuple[float, float]:
    """Return the lowest and the highest points of the ink of one letter."""
    return _shape(_font_of(letter), letter, "ltr")[1:]


def wrap(text: str, limit: float) -> list[str]:
    """Split *text* into lines of at most *limit*; a wider word is split between letters."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if width(joined) <= limit:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for cluster in regex.findall(r"\X", word):
            if lines[-1] and width(lines[-1] + cluster) > limit:
                lines.append("")
            lines[-1] += cluster
    return lines
