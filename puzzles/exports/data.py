"""The plain data of a puzzle for export, built from a generator's result or the database."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from osmosmjerka.paper.shapes import Direction
from osmosmjerka.paper.sheet import PAPERS
from puzzles.generators.errors import PuzzleError
from puzzles.generators.grid import Cell, Generated, Grid, Unplaced
from vocab.message import Sentence
from vocab.text import direction as direction_of
from vocab.text import lengths_in_squares, lowercase, tiles


class ExportError(ValueError):
    """A puzzle cannot be written in a format; *sentence* says why and what to do."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


TEXT_SIZES = ("auto", "large", "small")
"""How large a worksheet's texts are; `layout` knows the millimetres."""
SHEETS_A_PAGE = (1, 2, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Printing:
    """How a puzzle is printed.

    *paper* is "a4" or "letter", *text* "auto", "small" or "large", which enlarges the whole sheet.
    *per_page* sheets (1, 2 or 4) share a page. Raises PuzzleError for another value.

    *shows* decides what the list beside the grid says: "usual" is the clues of the kind of puzzle,
    with translations for sounds, "none" leaves the list out, others are "words", "translations",
    "definitions", "examples" (with a gap) and "pictures"; whoever builds the PuzzleData chooses
    clues by it.
    *columns* of that list; 0 is as many as fit. Above the grid are a line for each of *has_name*,
    *has_class* and *has_date*, or *student* and *class_name* if known, and the *school*'s name.
    *version* is a letter that tells versions of a worksheet apart. *address* is printed as a QR
    code to play the same puzzle.
    """

    paper: str = "a4"
    text: str = "auto"
    per_page: int = 1
    is_lowercase: bool = False
    shows: str = "usual"
    columns: int = 0
    instruction: str = ""
    has_name: bool = True
    has_class: bool = False
    has_date: bool = True
    student: str = ""
    class_name: str = ""
    school: str = ""
    version: str = ""
    address: str = ""

    def __post_init__(self) -> None:
        chosen = {"paper": PAPERS, "text": TEXT_SIZES, "per_page": SHEETS_A_PAGE}
        for name, known in chosen.items():
            if (value := getattr(self, name)) not in known:
                told = ", ".join(map(str, known))
                raise PuzzleError(f"{name} cannot be “{value}”. Known are {told}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The few words on a printed page, in the language of the person who prints it."""

    name: str = "Name"
    class_: str = "Class"
    date: str = "Date"
    across: str = "Across"
    down: str = "Down"
    key: str = "Key"
    play: str = "Play it here"
    message: str = "The letters left over spell"
    bonus: str = "More words to find: {count}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedWord:
    """A word in the grid: *cells* of its tiles, first letter first; *clue* is its translation.

    *lengths* are the numbers of squares of its words, such as (3, 5) for “ice cream”. Only
    crosswords have *number* and *direction* ("across" or "down"). Formats that draw show
    *picture*, a JPEG, instead of the clue. A word that *is_bonus* is not on the student's list.
    """

    word: str
    cells: tuple[Cell, ...]
    clue: str = ""
    lengths: tuple[int, ...] = ()
    number: int | None = None
    direction: str = ""
    picture: bytes | None = field(default=None, repr=False)
    is_bonus: bool = False

    @property
    def enumeration(self) -> str:
        """Return the number of letters to fill in, as clues show it: "3,5"."""
        return ",".join(map(str, self.lengths or (len(self.cells),)))


@dataclass(frozen=True, kw_only=True)
class PuzzleData:
    """Everything that the page of a puzzle and its key show.

    *direction* is the script's. *shows_words* says whether the student sees the words, as in a
    word search, or only their clues. The letters that no word uses spell the words of *message*.
    *bonus* words are in the grid and not on the list.
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
    message: tuple[str, ...] = ()
    bonus: int = 0
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
                lengths=lengths_in_squares(
                    placed.word, len(placed.cells), language, digraphs=digraphs
                ),
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

    def as_printed(self) -> PuzzleData:
        """Return the puzzle with its grid and words in lowercase letters, if they are asked for."""
        if not self.printing.is_lowercase:
            return self
        small = partial(lowercase, language=self.language)
        return replace(
            self,
            grid=tuple(tuple(tile and small(tile) for tile in row) for row in self.grid),
            placements=tuple(
                # A word without a clue is its own.
                replace(p, word=small(p.word), clue=small(p.clue) if p.clue == p.word else p.clue)
                for p in self.placements
            ),
        )

    @property
    def fields(self) -> list[tuple[str, str, float]]:
        """Return what is above the grid: label, what is known, and share of the width."""
        labels, printing = self.labels, self.printing
        fields = []
        if printing.has_name or printing.student:
            fields.append((labels.name, printing.student, 0.5))
        if printing.has_class or printing.class_name:
            fields.append((labels.class_, printing.class_name, 0.22))
        if printing.has_date:
            fields.append((labels.date, "", 0.28))
        return fields

    @property
    def unlisted(self) -> str:
        """Return the line about words that are not on the list, if there is a list."""
        has_more = self.bonus and self.printing.shows != "none"
        return self.labels.bonus.format(count=self.bonus) if has_more else ""

    @property
    def message_tiles(self) -> list[tuple[str, ...]]:
        """Return the tiles of each word of the message, cut and written as the grid is."""
        cut = [tiles(word, self.language) for word in self.message]
        drawn = {tile.upper() for tile in self.tiles}
        if any(tile.upper() not in drawn for word in cut for tile in word):
            cut = [tiles(word, self.language, digraphs=False) for word in self.message]
        if self.printing.is_lowercase:
            cut = [tuple(lowercase(tile, self.language) for tile in word) for word in cut]
        return [word for word in cut if word]

    def from_the_left(self) -> PuzzleData:
        """Return the puzzle with its columns counted from the left, as other programs do.

        They draw it as it is printed; a word across of a right-to-left script runs towards lower
        columns.
        """
        if not self.is_mirrored:
            return self
        last = self.cols - 1
        placements = (
            replace(placed, cells=tuple((row, last - col) for row, col in placed.cells))
            for placed in self.placements
        )
        return replace(
            self,
            grid=tuple(row[::-1] for row in self.grid),
            placements=tuple(placements),
        )

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
