"""A puzzle that shows, saves and repeats itself."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from os import PathLike
from pathlib import Path

from puzzles.exports import FORMATS, json, svg, text
from puzzles.exports.data import ExportError, PlacedWord, Printing, PuzzleData
from puzzles.generators.errors import PuzzleError
from puzzles.generators.grid import Grid, Unplaced

KINDS = ("word-search", "finder", "crossword")
MOST_VERSIONS = len(string.ascii_uppercase)
# What a format needs beside the library itself, and which extra installs it.
_DRAWN = ("pdf", ("uharfbuzz", "icu", "segno", "PIL", "pypdfium2"))
_NEEDS = {"pdf": _DRAWN, "png": _DRAWN, "docx": ("docx", ("docx",)), "puz": ("puz", ("puz",))}
_TRIES = 30  # for each version: of few words there may be only one good crossword
_GRID_ALONE = Printing(has_name=False, has_date=False)


class MissingExtra(PuzzleError):
    """What was asked for needs libraries that are not installed; the message names the extra."""


class NotAllWords(PuzzleError):
    """All words were required, and some are not in the grid: `puzzle.unplaced` has the reasons."""

    def __init__(self, puzzle: Puzzle, wanted: int) -> None:
        reasons = " ".join(
            one.reason if one.word in one.reason else f"“{one.word}”: {one.reason}"
            for one in puzzle.unplaced
        )
        super().__init__(
            f"{len(puzzle.words)} of {wanted} words are in the puzzle. {reasons}".strip()
        )
        self.puzzle, self.wanted = puzzle, wanted


def require_extra(name: str, modules: Sequence[str], purpose: str) -> None:
    """Raise MissingExtra, which names the extra, unless all *modules* can be imported."""
    if any(find_spec(module) is None for module in modules):
        raise MissingExtra(
            f"{purpose} needs libraries that are not installed. Install them with: "
            f'pip install "osmosmjerka-puzzles[{name}]"'
        )


@dataclass(frozen=True, repr=False)
class Puzzle:
    """A puzzle of words, made by `word_search`, `listen_and_find` or `crossword`.

    `str(puzzle)` is the grid and its words or clues for a terminal; a notebook draws it. *data* is
    everything that a page shows. The same *seed*, words and options make the same puzzle again.
    """

    data: PuzzleData
    seed: int | None = field(default=None, compare=False)
    is_solved: bool = False
    again: Callable[[int, list[tuple[str, str]]], Puzzle] | None = field(
        default=None, compare=False
    )
    """Makes another puzzle from a seed and words with clues."""

    @property
    def grid(self) -> Grid:
        """The rows, each a tuple of tiles: letters as the reader sees them, or None."""
        return self.data.grid

    @property
    def words(self) -> tuple[PlacedWord, ...]:
        """The words in the grid, each with its *cells* (row, column), counted from 0, and clue."""
        return self.data.placements

    @property
    def unplaced(self) -> tuple[Unplaced, ...]:
        """The words that found no place, each with the reason, a sentence for people."""
        return self.data.unplaced

    @property
    def solution(self) -> Puzzle:
        """The same puzzle with its answers: print it, draw it or save it alone."""
        return replace(self, is_solved=True)

    def __repr__(self) -> str:
        data, seed = self.data, "" if self.seed is None else f", seed {self.seed}"
        return f"<{data.kind} of {len(self.words)} words, {data.rows} × {data.cols}{seed}>"

    def __str__(self) -> str:
        written = text.write_solution(self.data) if self.is_solved else text.write(self.data)
        return written.decode().strip("\n")

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        data = replace(self.data, printing=_GRID_ALONE)
        written = svg.write_to_measure(data, key=self.is_solved).decode()
        return written.partition("?>\n")[2]  # a part of a page, not a file

    def to_bytes(
        self, file_format: str, *, key: bool = False, printing: Printing | None = None
    ) -> bytes:
        """Return the puzzle as a file.

        Args:
            file_format: text, json, svg, pdf, docx, png, ipuz, jpz or puz.
            key: Add the answers; svg and png then show the answers alone.
            printing: Paper, size of letters and lines above the grid, for formats on paper.

        Raises:
            MissingExtra: the format needs libraries that are not installed.
            ExportError: the format cannot hold this puzzle, or the fonts lack a letter.
            PuzzleError: there is no such format.
        """
        if file_format not in FORMATS:
            raise PuzzleError(
                f"“{file_format}” is not a known format. Known are {', '.join(FORMATS)}."
            )
        if file_format in _NEEDS:
            require_extra(*_NEEDS[file_format], f"A {file_format} file")
        data = self.data
        if printing is not None:
            data = replace(data, printing=replace(printing, version=data.printing.version))
        try:
            if self.is_solved:
                return FORMATS[file_format].write_solution(data)
            return FORMATS[file_format].write(data, key=key)
        except ExportError as error:
            if getattr(error.__cause__, "lacks_east_asian", False):
                letters = getattr(error.__cause__, "shown", "")
                raise MissingExtra(
                    f"There is no font to print these letters: {letters}. Install one with: "
                    'pip install "osmosmjerka-puzzles[cjk]"'
                ) from error
            raise

    def save(
        self, path: str | PathLike[str], *, key: bool = False, printing: Printing | None = None
    ) -> Path:
        """Write the puzzle to the file *path*, in the format that its ending names.

        Args:
            path: A name that ends in .txt, .json, .svg, .pdf, .docx, .png, .ipuz, .jpz or .puz.
            key: Add the answers, as in `to_bytes`.
            printing: As in `to_bytes`.

        Returns:
            The path.

        Raises:
            PuzzleError: the ending is unknown; and what `to_bytes` raises.
        """
        path = Path(path)
        path.write_bytes(self.to_bytes(format_of(path), key=key, printing=printing))
        return path

    def to_json(self) -> str:
        """Return the puzzle with its answers as JSON, which `from_json` reads."""
        return json.write(self.data).decode()

    @classmethod
    def from_json(cls, document: str) -> Puzzle:
        """Return the puzzle that `to_json` or a .json file holds. It has no other versions.

        Raises:
            PuzzleError: *document* is something else.
        """
        try:
            data = json.read(document)
        except ValueError as error:
            raise PuzzleError(str(error)) from error
        return cls(replace(data, shows_words=data.kind == KINDS[0]))

    def versions(self, count: int) -> list[Puzzle]:
        """Return *count* puzzles of the same words with different grids, lettered A, B, C ….

        The first is this one; the seeds of the others follow its own. Time grows with *count*.

        Raises:
            PuzzleError: *count* is below 1 or above 26, this puzzle was read from a file, or the
                words allow fewer different grids.
        """
        if not 1 <= count <= MOST_VERSIONS:
            raise PuzzleError(f"There can be 1 to {MOST_VERSIONS} versions, not {count}.")
        found = [self]
        if count > 1:
            if self.again is None or self.seed is None:
                raise PuzzleError("A puzzle from a file has no other versions. Make it from words.")
            items = [(word.word, word.clue) for word in self.words]
            for seed in range(self.seed + 1, self.seed + 1 + _TRIES * (count - 1)):
                try:
                    other = self.again(seed, items)
                except PuzzleError:  # this grid has no room for all of them
                    continue
                if other.grid not in [one.grid for one in found]:
                    found.append(replace(other, is_solved=self.is_solved))
                if len(found) == count:
                    break
            else:
                raise PuzzleError(
                    f"Only {len(found)} different grids of these words were found, not {count}."
                )
        return [
            replace(one, data=replace(one.data, printing=replace(one.data.printing, version=name)))
            for one, name in zip(found, string.ascii_uppercase, strict=False)
        ]


def format_of(path: str | PathLike[str]) -> str:
    """Return the name of the format that the ending of *path* names.

    Raises PuzzleError, which lists the known endings, for another one.
    """
    ending = Path(path).suffix.lower()
    for name, known in FORMATS.items():
        if known.extension == ending:
            return name
    endings = ", ".join(known.extension for known in FORMATS.values())
    what = f"ends in {ending}, which is not a known format" if ending else "has no ending"
    raise PuzzleError(f"“{path}” {what}. Known are {endings}.")
