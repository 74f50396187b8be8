"""Words on paper: lists, vocabulary tests, flashcards and picture cards as pages.

Sizes in millimetres. Each text has the direction of its own language; the page has that of the
words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import Literal

from osmosmjerka.paper import cards, lettering, lines
from osmosmjerka.paper.cards import PADDING, Card, Face
from osmosmjerka.paper.shapes import FAINT, INK, Anchor, Direction, Page, Text, first_direction
from osmosmjerka.paper.sheet import MARGIN, PAPERS, Sheet

Hidden = Literal["", "words", "translations"]

_TITLE, _TEXT, _SMALL = 7.0, 4.4, 3.6
_LEADING = 1.4
_PADDING = 1.4
_GAP = 6.0
_NUMBER = 9.0
# The share of a page's width in which the words stand; sentences of translations are longer.
_SHARE_OF_WORDS = 0.42
# The height of a row on which something is written by hand.
_WRITTEN = 9.5
_LARGEST_ON_CARD = 11.0
# What stands below the word on a card begins at this share of its height.
_BELOW = 0.68
_EDGE = 0.08


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word as it is printed; *picture* is a JPEG."""

    term: str
    translation: str = ""
    pronunciation: str = ""
    example: str = ""
    picture: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What all pages of a print share: paper, and the directions of words and translations."""

    paper: str = "a4"
    direction: Direction = "ltr"
    other_direction: Direction = "ltr"


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What a list says beside its words: its title, its columns, and where students write."""

    title: str
    words: str
    translations: str
    name: str
    date: str


def word_list(
    words: Sequence[Word], style: Style, labels: Labels, *, hidden: Hidden = ""
) -> list[Page]:
    """Return a list of words and translations; what is *hidden*, students write themselves."""
    table = _Table(style, labels, hidden)
    for word in words:
        table.add(word)
    return table.finish()


@dataclass(frozen=True, slots=True)
class _Piece:
    """What stands on one line of a column."""

    column: str
    text: str
    size: float = _TEXT
    colour: str = INK


class _Table:
    """Rows of words and translations on as many pages as they need."""

    def __init__(self, style: Style, labels: Labels, hidden: Hidden) -> None:
        self._style, self._labels, self._hidden = style, labels, hidden
        self._pages: list[Page] = []
        self._sheet = self._new_sheet()
        self._count = 0
        left, right = MARGIN + _NUMBER, self._sheet.width - MARGIN
        middle = left + _SHARE_OF_WORDS * (right - left)
        # Where each column begins and ends, and in which direction it is read.
        self._columns: dict[str, tuple[float, float, Direction]] = {
            "number": (MARGIN, left, style.direction),
            "words": (left, middle - _GAP / 2, style.direction),
            "translations": (middle + _GAP / 2, right, style.other_direction),
            "example": (left, right, style.direction),
        }
        self._y = MARGIN
        self._draw_title()
        self._draw_heads()

    def _new_sheet(self) -> Sheet:
        return Sheet(*PAPERS[self._style.paper], self._style.direction)

    def _draw_title(self) -> None:
        """Write the title, and above words to fill in the lines for name and date."""
        sheet, labels = self._sheet, self._labels
        whole = (MARGIN, sheet.width - MARGIN, first_direction(labels.title) or "ltr")
        for number, line in enumerate(lines.wrap(labels.title, sheet.inner_width / _TITLE)):
            self._y += 1.2 * _TITLE
            self._write(whole, line, self._y, _TITLE, tag="+" if number else "H1")
        if not self._hidden:
            return
        self._y += 9
        for label, start, end in ((labels.name, 0.0, 0.62), (labels.date, 0.66, 1.0)):
            begin = MARGIN + start * sheet.inner_width
            sheet.write(begin, self._y, label, _SMALL)
            after = begin + lettering.width(label) * _SMALL + 2
            sheet.rule(after, MARGIN + end * sheet.inner_width, self._y + 0.5)

    def _draw_heads(self) -> None:
        """Name the columns, on each page."""
        self._y += 8
        for column, name in (
            ("words", self._labels.words),
            ("translations", self._labels.translations),
        ):
            start, end, direction = self._columns[column]
            size = min(_SMALL, (end - start) / max(lettering.width(name), 1e-6))
            self._write((start, end, direction), name, self._y, size, FAINT)
        self._y += 2
        self._sheet.rule(MARGIN, self._sheet.width - MARGIN, self._y)

    def add(self, word: Word) -> None:
        """Draw a row; what is longer than a page continues on the next one."""
        self._count += 1
        rows, example = self._lines(word), self._wrapped("example", word.example, _SMALL)
        below = [[piece] for piece in example]
        # What is written by hand takes more room than what is printed beside it.
        content = sum(map(_height, rows))
        above = max(_PADDING, (_WRITTEN if self._hidden else 0) - content - _PADDING)
        height = above + content + sum(map(_height, below)) + 2 * _PADDING
        if self._y + height > self._sheet.bottom:
            self._turn_page()
        self._y += above
        self._draw(rows)
        if self._hidden:
            start, end, _direction = self._columns[self._hidden]
            self._sheet.rule(start, end, self._y + _PADDING)
        if below:
            self._y += _PADDING
            self._draw(below)
        self._y += _PADDING
        if not self._hidden:
            self._sheet.rule(MARGIN, self._sheet.width - MARGIN, self._y)

    def _lines(self, word: Word) -> list[list[_Piece]]:
        """Return the lines of a row from top to bottom: what is beside each other on each."""
        columns = [[_Piece("number", str(self._count), _SMALL, FAINT)]]
        if self._hidden != "words":
            columns.append(
                self._wrapped("words", word.term)
                + self._wrapped("words", word.pronunciation, _SMALL, FAINT)
            )
        if self._hidden != "translations":
            columns.append(self._wrapped("translations", word.translation))
        return [[piece for piece in line if piece is not None] for line in zip_longest(*columns)]

    def _draw(self, rows: Sequence[Sequence[_Piece]]) -> None:
        for line in rows:
            height = _height(line)
            if self._y + height > self._sheet.bottom:
                self._turn_page()
            for piece in line:
                column, baseline = self._columns[piece.column], self._y + 0.75 * height
                self._write(column, piece.text, baseline, piece.size, piece.colour)
            self._y += height

    def _wrapped(
        self, column: str, text: str, size: float = _TEXT, colour: str = INK
    ) -> list[_Piece]:
        start, end, _direction = self._columns[column]
        wrapped = lines.wrap(text, (end - start) / size) if text else ()
        return [_Piece(column, line, size, colour) for line in wrapped]

    def _write(
        self,
        column: tuple[float, float, Direction],
        text: str,
        y: float,
        size: float,
        colour: str = INK,
        tag: str = "",
    ) -> None:
        """Write a line at the side of a column where its own language begins to read."""
        start, end, direction = column
        x = self._sheet.x(start if direction == self._sheet.direction else end)
        anchor: Anchor = "right" if direction == "rtl" else "left"
        self._sheet.shapes.append(Text(x, y, text, size, anchor, direction, colour, tag))

    def _turn_page(self) -> None:
        self._pages.append(self._sheet.finish())
        self._sheet, self._y = self._new_sheet(), MARGIN
        self._draw_heads()

    def finish(self) -> list[Page]:
        return [*self._pages, self._sheet.finish()]


def _height(line: Sequence[_Piece]) -> float:
    return _LEADING * max(piece.size for piece in line)


FLASHCARDS_A_PAGE = 8


def flashcards(words: Sequence[Word], style: Style, *, is_folded: bool = False) -> list[Page]:
    """Return cards with the words in front and translations on the back.

    Each page of fronts is followed by that of their backs, to print on both sides; cards that
    are folded have both side by side.
    """
    fronts = [
        partial(_side, text=word.term, below=word.pronunciation, direction=style.direction)
        for word in words
    ]
    backs = [
        partial(_side, text=word.translation, below=word.example, direction=style.other_direction)
        for word in words
    ]
    if not is_folded:
        return cards.pages(
            fronts, backs, across=2, down=4, paper=style.paper, direction=style.direction
        )
    folded = [
        partial(_folded, front=front, back=back) for front, back in zip(fronts, backs, strict=True)
    ]
    return cards.pages(folded, across=1, down=8, paper=style.paper, direction=style.direction)


def _folded(card: Card, *, front: Face, back: Face) -> None:
    for half, face in zip(card.halves(), (front, back), strict=True):
        face(half)


def _side(card: Card, *, text: str, below: str, direction: Direction) -> None:
    """Draw one side of a flashcard: *text* in its middle, something smaller *below* it."""
    edge = _EDGE * card.height
    split = (_BELOW if below else 1) * card.height - (0 if below else edge)
    largest = min(_LARGEST_ON_CARD, 0.28 * card.height)
    card.centre(text, edge, split, largest, direction=direction)
    if below:
        card.centre(
            below, split, card.height - edge, min(4.2, largest / 2),
            direction=first_direction(below) or "ltr", colour=FAINT,
        )  # fmt: skip


# How many cards with pictures are beside each other and below each other, by their number.
_PICTURE_CARDS = {4: (2, 2), 8: (2, 4)}


def picture_cards(words: Sequence[Word], style: Style, *, per_page: int = 8) -> list[Page]:
    """Return cards with a picture above its word; words without a picture have none."""
    across, down = _PICTURE_CARDS[per_page]
    faces = [partial(_pictured, word=word, style=style) for word in words if word.picture]
    return cards.pages(
        faces, across=across, down=down, paper=style.paper, direction=style.direction
    )


def _pictured(card: Card, *, word: Word, style: Style) -> None:
    assert word.picture is not None  # noqa: S101  (for the type checker)
    bottom = 0.74 * card.height
    card.picture(PADDING, PADDING, card.width - 2 * PADDING, bottom - PADDING, word.picture)
    card.centre(
        word.term, bottom, card.height - _EDGE / 2 * card.height, _LARGEST_ON_CARD,
        direction=style.direction,
    )  # fmt: skip
