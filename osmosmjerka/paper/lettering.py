"""Texts in print: the shapes of their letters, their width and height, and their visual order.

Widths and heights are in ems, heights above the baseline. Controls and emoji that no font has are
left out of every text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import regex

from osmosmjerka.paper.shapes import Direction
from osmosmjerka.paper.typefaces import Font, east_asian, east_asian_for, fonts

_CLUSTER = regex.compile(r"\X")
# Control characters and halves of characters; which form of an emoji, and its colour.
_UNSEEN = regex.compile(r"[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\uFE0E\uFE0F\p{Emoji_Modifier}]")
_PICTOGRAM = regex.compile(r"[\p{So}\p{Extended_Pictographic}\p{Regional_Indicator}]")
# Letters and controls that are not simply written from left to right.
_BIDIRECTIONAL = regex.compile(
    r"[\p{bc=R}\p{bc=AL}\p{bc=AN}\p{bc=RLE}\p{bc=RLO}\p{bc=RLI}\p{bc=LRO}\p{bc=FSI}]"
)
_SHARED = regex.compile(r"[\p{Common}\p{Inherited}]+")
_EAST_ASIAN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}]")


class MissingLetters(ValueError):
    """Letters that no font for print has; *shown* are the first of them, for a message.

    *lacks_east_asian* says that fonts for Chinese, Japanese and Korean are not installed.
    """

    def __init__(self, letters: Iterable[str]) -> None:
        self.letters = tuple(letters)
        self.shown = " ".join(self.letters[:20]) + (" …" if len(self.letters) > 20 else "")
        self.lacks_east_asian = not east_asian() and any(map(_EAST_ASIAN.search, self.letters))
        super().__init__(f"The print fonts do not contain these letters: {self.shown}.")


@dataclass(frozen=True, slots=True)
class Glyph:
    """A shape of a font; *number* is its index there.

    It stands for the letters *text*; if several shapes do, one of them has it and the others "".
    *advance* is the way to the next shape; *x* and *y* move this one alone.
    """

    number: int
    text: str
    advance: float
    x: float
    y: float


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Text of one font and direction, *x* ems to the right of the start of its line.

    Its *glyphs* are in order from left to right.
    """

    text: str
    font: Font | None
    direction: Direction
    x: float
    width: float
    glyphs: tuple[Glyph, ...]


def require(texts: Iterable[str], *, tiles: Iterable[str] = ()) -> None:
    """Raise MissingLetters unless the fonts for print have every letter of *texts* and *tiles*.

    Emoji may be left out of texts, but not of a grid's tiles.
    """
    missing = set(_missing(tiles))
    missing.update(cluster for cluster in _missing(texts) if not _PICTOGRAM.search(cluster))
    if missing:
        raise MissingLetters(sorted(missing))


def _missing(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for cluster in _CLUSTER.findall(_UNSEEN.sub("", text)):
            if not cluster.isspace() and _font_of(cluster) is None:
                yield cluster


@lru_cache(4096)
def _font_of(
    cluster: str, preferred: Font | None = None, east_asian_font: Font | None = None
) -> Font | None:
    """Return a font for one letter.

    *preferred*, the font of the letter before, has precedence for punctuation and digits.
    """
    if preferred is not None and _SHARED.fullmatch(cluster) and preferred.has(cluster):
        return preferred
    last = east_asian_font or east_asian_for(cluster, None)
    return next((font for font in (*fonts(), last) if font and font.has(cluster)), None)


@lru_cache(4096)
def runs(text: str, direction: Direction = "ltr", language: str | None = None) -> tuple[Run, ...]:
    """Split one line into runs in reading order, each with its place from left to right.

    *language* decides how Chinese characters are written.
    """
    pieces = list(_pieces(printable(text), direction, language))
    shaped = [tuple(_shape(font, piece, way)) for piece, _, font, way in pieces]
    widths = [
        # A letter that no font has counts as one em.
        sum(glyph.advance for glyph in glyphs) if font else float(len(_CLUSTER.findall(piece)))
        for (piece, _, font, _), glyphs in zip(pieces, shaped, strict=True)
    ]
    places = [0.0] * len(pieces)
    x = 0.0
    for index in _visual_order([level for _, level, _, _ in pieces]):
        places[index] = x
        x += widths[index]
    return tuple(
        Run(piece, font, way, place, width, glyphs)
        for (piece, _, font, way), place, width, glyphs in zip(
            pieces, places, widths, shaped, strict=True
        )
    )


def printable(text: str) -> str:
    """Return *text* with plain spaces, and without what is not seen or has no shape."""
    if text.isascii() and text.isprintable():
        return text
    text = _UNSEEN.sub("", regex.sub(r"\s", " ", text))
    if left_out(text):
        kept = (one for one in _CLUSTER.findall(text) if not _is_left_out(one))
        text = " ".join("".join(kept).split())
    return text


def left_out(text: str) -> list[str]:
    """Return the emoji of *text* that no font for print has, and that are not printed."""
    if not _PICTOGRAM.search(text):
        return []
    return [one for one in _CLUSTER.findall(_UNSEEN.sub("", text)) if _is_left_out(one)]


def _is_left_out(cluster: str) -> bool:
    return bool(_PICTOGRAM.search(cluster)) and _font_of(cluster) is None


def _pieces(
    text: str, direction: Direction, language: str | None
) -> Iterator[tuple[str, int, Font | None, Direction]]:
    """Yield (text, bidirectional level, font, direction) in reading order."""
    of_characters = east_asian_for(text, language) if _EAST_ASIAN.search(text) else None
    for level, part in _levels(text, direction):
        way: Direction = "rtl" if level % 2 else "ltr"
        font: Font | None = None
        piece = ""
        for cluster in _CLUSTER.findall(part):
            fitting = _font_of(cluster, font, of_characters)
            if piece and fitting is not font:
                yield piece, level, font, way
                piece = ""
            font = fitting
            piece += cluster
        if piece:
            yield piece, level, font, way


def _levels(text: str, direction: Direction) -> Iterator[tuple[int, str]]:
    """Yield (bidirectional level, text) in reading order."""
    if direction == "ltr" and not is_bidirectional(text):
        yield 0, text
        return
    try:
        import icu  # large, and needed for what is written from the right only
    except ModuleNotFoundError:  # as without uharfbuzz: the viewer of an SVG orders its letters
        yield int(direction == "rtl"), text
        return
    # ICU counts in UTF-16, in which some characters are two units.
    units = icu.UnicodeString(text)
    paragraph = icu.Bidi()
    paragraph.setPara(units, int(direction == "rtl"))
    start = 0
    while start < len(units):
        end, level = paragraph.getLogicalRun(start)
        yield level, str(units[start:end])
        start = end


def is_bidirectional(text: str) -> bool:
    """Whether some of *text* is not simply written from left to right."""
    return bool(_BIDIRECTIONAL.search(text))


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


def _shape(font: Font | None, text: str, direction: Direction) -> Iterator[Glyph]:
    """Yield the shapes of *text*, none without a font."""
    if font is None:
        return
    import uharfbuzz

    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = direction
    # A mark and its letter are two clusters, so that each shape tells what it stands for.
    buffer.cluster_level = uharfbuzz.BufferClusterLevel.MONOTONE_CHARACTERS
    buffer.flags = uharfbuzz.BufferFlags.REMOVE_DEFAULT_IGNORABLES
    uharfbuzz.shape(font.shaper, buffer, {})
    em = font.face.upem
    starts = sorted({info.cluster for info in buffer.glyph_infos})
    ends = dict(pairwise([*starts, len(text)]))
    for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
        end = ends.pop(info.cluster, info.cluster)
        yield Glyph(
            info.codepoint,
            text[info.cluster : end],
            position.x_advance / em,
            position.x_offset / em,
            position.y_offset / em,
        )


def width(text: str) -> float:
    """Return the width of one line."""
    return sum(run.width for run in runs(text))


def ink(letter: str) -> tuple[float, float]:
    """Return the lowest and the highest points of the ink of one letter."""
    low, high = [], []
    for run in runs(letter):
        if run.font is None:
            return 0.0, 0.7
        for glyph in run.glyphs:
            extents = run.font.shaper.get_glyph_extents(glyph.number)
            if extents is not None and extents.height:
                top = glyph.y + extents.y_bearing / run.font.face.upem
                high.append(top)
                low.append(top + extents.height / run.font.face.upem)
    return min(low, default=0), max(high, default=0)
