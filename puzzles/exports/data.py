"""The plain data of a puzzle for export, built from a generator's result or the database."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Protocol

from puzzles.generators.grid import Cell, Grid, Placement, Unplaced
from vocab.message import Sentence
from vocab.text import direction as direction_of
from vocab.text import word_lengths

Direction = Literal["ltr", "rtl"]


class ExportError(ValueError):
    """A puzzle cannot be written in a format; *sentence* says why and what to do."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""The papers to print on: width and height in millimetres."""
TEXT_SIZES = {
    "auto": (5.0, 4.6, 4.2, 3.8, 3.4, 3.0),
    "large": (6.5, 6.0, 5.5),
    "small": (3.4, 3.0),
}
"""The sizes of the list beside the grid in millimetres, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """How a puzzle is printed: names of paper and text size, and what the student is to do."""

    paper: str = "a4"
    text: str = "auto"
    instruction: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The few words on a printed page, in the language of the person who prints it."""

    name: str = "Name"
    date: str = "Date"
    words: str = "Words"
    across: str = "Across"
    down: str = "Down"
    key: str = "Key"


class Generated(Protocol):
    """The interface of every generator's result."""

    @property
    def grid(self) -> Grid: ...
    @property
    def placements(self) -> Sequence[Placement]: ...
    @property
    def unplaced(self) -> Sequence[Unplaced]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedWord:
    """A word in the grid: *cells* of its tiles, first letter first; *clue* is its translation.

    *lengths* are the numbers of letters of its words, such as (3, 5) for “ice cream”. Only
    crosswords have *number* and *direction* ("across" or "down"). Formats that draw show
    *picture*, a JPEG, instead of the clue.
    """

    word: str
    cells: tuple[Cell, ...]
    clue: str = ""
    lengths: tuple[int, ...] = ()
    number: int | None = None
    direction: str = ""
    picture: bytes | None = field(default=None, repr=False)

    @property
    def enumeration(self) -> str:
        """Return the number of letters to fill in, as clues show it: "3,5"."""
        return ",".join(map(str, self.lengths or (len(self.cells),)))


@dataclass(frozen=True, kw_only=True)
class PuzzleData:
    """Everything that the page of a puzzle and its key show.

    *direction* is the script's. *shows_words* says whether the student sees the words, as in a
    word search, or only their clues.
    """

    kind: str
    title: str
    language: str | None
    direction: Direction
    rows: int
    cols: int
    grid: Grid
    placements: tuple[PlacedWord, ...]
    unplaced: tuple[Unplaced, ...] = ()
    shows_words: bool = True
    labels: Labels = Labels()
    printing: Printing = Printing()

    @classmethod
    def from_generated(
        cls,
        kind: str,
        result: Generated,
        items: Iterable[tuple[str, str]],
        *,
        title: str,
        language: str | None = None,
        digraphs: bool = True,
        shows_words: bool = False,
        labels: Labels = Labels(),
    ) -> PuzzleData:
        """Return the data of a generator's *result* for *items*: (word, translation or "").

        *shows_words* says whether the student sees the words themselves.
        """
        clues: defaultdict[str, deque[str]] = defaultdict(deque)
        for word, clue in items:
            clues[word].append(clue)
        placements = tuple(
            PlacedWord(
                word=placed.word,
                cells=placed.cells,
                clue=clues[placed.word].popleft() if clues[placed.word] else "",
                lengths=_lengths(placed, language, digraphs=digraphs),
                number=getattr(placed, "number", None),
                direction=getattr(placed, "direction", ""),
            )
            for placed in result.placements
        )
        return cls(
            kind=kind,
            title=title,
            language=language,
            direction="rtl" if language and direction_of(language) == "rtl" else "ltr",
            rows=len(result.grid),
            cols=len(result.grid[0]),
            grid=result.grid,
            placements=placements,
            unplaced=tuple(result.unplaced),
            shows_words=shows_words,
            labels=labels,
        )

    def without_pictures(self) -> PuzzleData:
        """Return the puzzle for a format without pictures: clues are text."""
        return replace(self, placements=tuple(replace(p, picture=None) for p in self.placements))

    @property
    def hides_letters(self) -> bool:
        """Whether the student writes letters into the grid; if so, its words are numbered."""
        return bool(self.numbers)

    @property
    def is_mirrored(self) -> bool:
        """Whether column 0 is drawn at the right, where a right-to-left script begins.

        Generators count columns in reading order: a word across, or forwards, runs towards higher
        columns in every script.
        """
        return self.direction == "rtl"

    @cached_property
    def numbers(self) -> dict[Cell, int]:
        """Return the numbers of a crossword's cells."""
        return {p.cells[0]: p.number for p in self.placements if p.number is not None}

    @cached_property
    def tiles(self) -> frozenset[str]:
        """Return the distinct tiles of the grid."""
        return frozenset(tile for row in self.grid for tile in row if tile is not None)


def _lengths(placed: Placement, language: str | None, *, digraphs: bool) -> tuple[int, ...]:
    lengths = word_lengths(placed.word, language, digraphs=digraphs)
    return lengths if sum(lengths) == len(placed.cells) else (len(placed.cells),)
