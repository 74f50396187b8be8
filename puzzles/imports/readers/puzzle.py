"""A puzzle as a file contains it: plain data with limits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html import unescape
from itertools import islice, pairwise
from typing import Any, TypeVar

from puzzles.exports.numbering import Way, runs_of
from puzzles.generators.grid import Cell, Grid
from vocab.message import Sentence, filled, message, sentence_of, tree_of
from vocab.text import normal_form, search_key

LONGEST_SIDE = 60
MOST_WORDS = 300
# A file may ask for a word more than once.
_MOST_CLUES = 2 * MOST_WORDS
LONGEST_TILE = 12
LONGEST_CLUE = 500
LONGEST_TITLE = 200
LONGEST_MESSAGE = 120
_Clue = TypeVar("_Clue")
Runs = Mapping[Cell, Mapping[Way, tuple[Cell, ...]]]
_WAYS: dict[str, Way] = {"a": "across", "d": "down"}
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_BREAK = re.compile(r"<(?:br|p|div)\b[^<>]*>", re.IGNORECASE)
_ENUMERATION = re.compile(r"[1-9][0-9]?(?:[ ,-]+[1-9][0-9]?)*")
_ENUMERATED = re.compile(r"\([0-9][0-9 ,-]*\)$")
_MARKS = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"\s*0*([1-9][0-9]{0,3})(?![0-9])")
# One of the words of “1,2”, “5/3/1A” or “9 & 12 down”.
_PART = re.compile(r"0*([1-9][0-9]{0,3})\s*-?\s*(a|d|ac|dn|across|down)?", re.IGNORECASE)
_BETWEEN_PARTS = re.compile(r"\s*(?:[,/;&+]|\band\b)\s*", re.IGNORECASE)
# What programs write that do not allow an empty clue.
_NO_CLUE = re.compile(r"[-‐-―−]+")


class ReadError(ValueError):
    """A file is no puzzle that can be imported; *sentence* says why and what to do."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWord:
    """A word: its cells, first letter first, and what the file says about it.

    *answer* is the word as it is written, if the file has more than its letters. Only words of a
    crossword have *number* and *direction*. One that *is_bonus* is hidden and not listed. The
    *clue* is a Sentence if it only refers to another word; it is translated when it is shown.
    """

    cells: tuple[Cell, ...]
    clue: str = ""
    answer: str = ""
    number: int | None = None
    direction: str = ""
    is_bonus: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPuzzle:
    """A puzzle: letters by row, counted from the left, and its words.

    *is_numbered* says whether the words are numbered and the letters are filled in, as in a
    crossword, or seen, as in a word search. The letters that no word uses spell *message*. *losses*
    says what the file has that is not kept.
    """

    is_numbered: bool
    grid: Grid
    words: tuple[ReadWord, ...]
    title: str = ""
    language: str = ""
    message: str = ""
    losses: tuple[Sentence, ...] = ()

    def spelt(self, word: ReadWord) -> str:
        """Return the word as the file writes it, else its letters."""
        return word.answer or "".join(self.grid[row][col] or "" for row, col in word.cells)

    @property
    def has_clues(self) -> bool:
        return any(word.clue for word in self.words)

    def in_reading_order(self, *, is_rtl: bool) -> ReadPuzzle:
        """Return the puzzle with columns counted from where the script begins.

        A file has its columns as they are seen. Some programs cannot do that for crosswords of a
        right-to-left script, and let words across run to the right: these stay as they are. Raises
        ReadError if words run against the script.
        """
        across = [word for word in self.words if word.direction == "across"]
        backwards = sum(word.cells[0][1] > word.cells[-1][1] for word in across)
        found = self
        if is_rtl and (not self.is_numbered or not across or 2 * backwards > len(across)):
            last = len(self.grid[0]) - 1
            found = replace(
                self,
                grid=tuple(row[::-1] for row in self.grid),
                words=tuple(
                    replace(word, cells=tuple((row, last - col) for row, col in word.cells))
                    for word in self.words
                ),
            )
        if self.is_numbered:
            for word in found.words:
                if word.cells != tuple(sorted(word.cells)):
                    raise ReadError(
                        message(
                            "Word {number} runs from right to left. Choose a language that is "
                            "written in this direction.",
                            number=word.number or 0,
                        )
                    )
        return found

    def as_json(self) -> dict[str, Any]:
        """Return plain data that `from_json` reads."""
        found = asdict(replace(self, losses=()))
        for word, written in zip(self.words, found["words"], strict=True):
            if isinstance(word.clue, Sentence):
                written["clue"] = tree_of(word.clue)
        return found | {"losses": [tree_of(loss) for loss in self.losses]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReadPuzzle:
        """Rebuild what `as_json` returned."""
        words = tuple(
            ReadWord(
                **word
                | {
                    "cells": tuple((row, col) for row, col in word["cells"]),
                    "clue": sentence_of(clue) if isinstance(clue := word["clue"], dict) else clue,
                }
            )
            for word in data["words"]
        )
        grid = tuple(map(tuple, data["grid"]))
        losses = tuple(map(sentence_of, data["losses"]))
        return cls(**{**data, "grid": grid, "words": words, "losses": losses})


def checked_size(cols: Any, rows: Any) -> tuple[int, int]:
    """Return (rows, columns) as numbers; raise ReadError for no numbers and for large grids."""
    try:
        if isinstance(rows, float) or isinstance(cols, float):
            raise ValueError
        size = int(rows), int(cols)
    except (TypeError, ValueError):
        raise damaged() from None
    if not all(1 <= side <= LONGEST_SIDE for side in size):
        raise ReadError(
            message(
                "The grid has {rows} rows and {cols} columns. At most {most} of each can be "
                "imported.",
                rows=max(-9999, min(size[0], 9999)),
                cols=max(-9999, min(size[1], 9999)),
                most=LONGEST_SIDE,
            )
        )
    return size


def not_too_many(clues: Iterable[_Clue]) -> Iterator[_Clue]:
    """Yield clues; raise ReadError once they are clearly more than a puzzle may have words.

    A reader takes time for each, which a small file of many clues would multiply.
    """
    for place, clue in enumerate(clues):
        if place == _MOST_CLUES:
            raise _too_many_words()
        yield clue


def finished(puzzle: ReadPuzzle, labels: Mapping[Cell, str] | None = None) -> ReadPuzzle:
    """Return the puzzle with tidy texts and without what cannot be played; raise ReadError.

    *labels* are what the squares of a crossword show: those with a number begin words.
    """
    if len(puzzle.words) > MOST_WORDS:
        raise _too_many_words()
    words = tuple(
        replace(
            word,
            clue=word.clue if isinstance(word.clue, Sentence) else normal_form(word.clue),
            answer=normal_form(word.answer),
        )
        for word in puzzle.words
        if len(word.cells) > 1
    )
    if not words:
        raise ReadError(message("The file contains no words."))
    skipped = message("Words of one letter are skipped.")
    for word in words:
        if len(word.clue) > LONGEST_CLUE:
            raise ReadError(
                message(
                    "The clue “{clue}…” has more than {most} characters. Shorten it, then import "
                    "the file again.",
                    clue=word.clue[:40],
                    most=LONGEST_CLUE,
                )
            )
    found = replace(
        puzzle,
        title=normal_form(puzzle.title)[:LONGEST_TITLE],
        words=words,
        losses=(*puzzle.losses, skipped) if len(words) < len(puzzle.words) else puzzle.losses,
        message=normal_form(puzzle.message)[:LONGEST_MESSAGE],
    )
    return _playable_crossword(found, labels or {}) if found.is_numbered else found


def _playable_crossword(puzzle: ReadPuzzle, labels: Mapping[Cell, str]) -> ReadPuzzle:
    """Return a crossword whose every cell belongs to a word."""
    words = list(puzzle.words)
    losses = list(puzzle.losses)
    known = {word.cells for word in words}
    known |= {cells[::-1] for cells in known}
    heads: dict[Cell, int | None] = {
        cell: number for cell, label in labels.items() if (number := number_of(label))
    }
    heads |= {word.cells[0]: word.number for word in words}
    begun = {(word.cells[0], word.direction) for word in words}
    # What runs between two blocks and starts at a number is a word even without a clue.
    words += [
        ReadWord(cells=run.cells, number=heads[run.cells[0]], direction=run.direction)
        for run in runs_of(puzzle.grid)
        if run.cells not in known
        and run.cells[0] in heads
        and (run.cells[0], run.direction) not in begun
    ]
    if len(words) > MOST_WORDS:
        raise _too_many_words()
    words = list(_numbered(words))
    used = {cell for word in words for cell in word.cells}
    grid = tuple(
        tuple(tile if (row, col) in used else None for col, tile in enumerate(tiles))
        for row, tiles in enumerate(puzzle.grid)
    )
    if grid != puzzle.grid:
        losses.append(message("Squares that belong to no word are left out."))
    if any(not word.clue for word in words):
        losses.append(message("For words without a clue, only the number of letters is shown."))
    words.sort(key=lambda word: (word.number or 0, word.direction))
    return replace(puzzle, grid=grid, words=tuple(words), losses=tuple(losses))


def _numbered(words: Sequence[ReadWord]) -> Sequence[ReadWord]:
    """Return the words with numbers; if any has none, they are counted in reading order."""
    if all(word.number is not None for word in words):
        return words
    heads = sorted({word.cells[0] for word in words})
    numbers = {head: number for number, head in enumerate(heads, 1)}
    renumbered = {word.number or 0: numbers[word.cells[0]] for word in words}
    return [
        replace(
            word,
            number=numbers[word.cells[0]],
            clue=filled(word.clue, number=renumbered.get(word.clue.values["number"], 0))
            if isinstance(word.clue, Sentence)
            else word.clue,
        )
        for word in words
    ]


def crossword_word(
    cells: Sequence[Cell], label: Any, *, clue: str = "", answer: str = ""
) -> ReadWord:
    """Return a word of a crossword with the direction in which its *cells* run.

    Its number is that of the *label*: of “4”, “4,12” or “4a” it is 4, of “•” None. Raises ReadError
    unless the cells are one row or column without gaps.
    """
    direction: Way = "across" if len({row for row, _ in cells}) == 1 else "down"
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(cells)}
    if len(steps) > 1 or not steps <= {(0, 1), (0, -1), (1, 0)}:
        raise not_straight(str(label))
    return ReadWord(
        cells=tuple(cells),
        clue="" if _NO_CLUE.fullmatch(clue.strip()) else clue,
        answer=answer,
        number=number_of(str(label)),
        direction=direction,
    )


def number_of(label: str) -> int | None:
    """Return the number that a *label* begins with, or None."""
    number = _NUMBER.match(label[:20])
    return int(number[1]) if number else None


def parts_of(label: str) -> list[tuple[int, Way | None]]:
    """Return the words that the *label* of a clue names: of “1,4d” they are 1 and 4 down.

    There are none if it is another kind of text.
    """
    parts: list[tuple[int, Way | None]] = []
    for text in _BETWEEN_PARTS.split(label.strip()[:60]):
        part = _PART.fullmatch(text)
        if not part:
            return []
        parts.append((int(part[1]), _WAYS.get((part[2] or "")[:1].lower())))
    return parts


def runs_by_head(grid: Grid) -> Runs:
    """Return what runs between two blocks, by the first cell and the direction."""
    runs: dict[Cell, dict[Way, tuple[Cell, ...]]] = {}
    for run in runs_of(grid):
        runs.setdefault(run.cells[0], {})[run.direction] = run.cells
    return runs


def begun(runs: Runs, head: Cell | None, way: Way | None, preferred: str) -> tuple[Cell, ...]:
    """Return the cells of the word that begins at *head*; none if no word does.

    If its direction is not known, the *preferred* one comes first.
    """
    found = runs.get(head, {}) if head else {}
    ways = [way] if way else sorted(found, key=lambda one: one != preferred)
    return next((found[one] for one in ways if one in found), ())


def continuation(
    cells: Sequence[Cell], label: Any, number: int | None, first: Sequence[Cell]
) -> ReadWord:
    """Return a further word of an answer, which refers to the clue of the first.

    That has a *number* and its cells, *first*.
    """
    if first[0][0] == first[-1][0]:
        return crossword_word(cells, label, clue=message("See {number} across", number=number or 0))
    return crossword_word(cells, label, clue=message("See {number} down", number=number or 0))


def with_enumeration(clue: str, enumeration: Any) -> str:
    """Return the clue of an answer of several words, with how many letters these have."""
    shown = re.sub(r"[,\s]+", ",", str(enumeration or "").strip()[:60])
    return f"{clue} ({shown})" if shown and not _ENUMERATED.search(clue) else clue


def clue_and_answer(clue: str, tiles: Sequence[str], enumeration: Any = "") -> tuple[str, str]:
    """Return the clue, and the word with the gaps of its *enumeration*.

    Without one, numbers of letters in brackets at the end of the clue are it, and are taken out of
    the clue: pages show them by themselves. If their sum differs, they mean something else.
    """
    if not enumeration:
        text, bracket, end = clue.rstrip().rpartition("(")
        numbers = end[:-1].strip()
        if bracket and end.endswith(")") and _lengths(numbers, len(tiles)):
            clue, enumeration = text.rstrip(), numbers
    return clue, spaced(tiles, enumeration)


def _lengths(enumeration: str, squares: int) -> list[int]:
    """Return the numbers of an enumeration; none if it is not one of so many *squares*."""
    if len(enumeration) > 60 or not _ENUMERATION.fullmatch(enumeration):
        return []
    lengths = [int(length) for length in re.findall(r"[0-9]+", enumeration)]
    return lengths if sum(lengths) == squares else []


def spaced(tiles: Sequence[str], enumeration: Any) -> str:
    """Return the word with the gaps of an *enumeration*: “2,3” of ATSEA is AT SEA; else ""."""
    text = str(enumeration or "")[:60]
    lengths = _lengths(text, len(tiles))
    if len(lengths) < 2:
        return ""
    signs = ["-" if "-" in sign else " " for sign in re.findall(r"[ ,-]+", text)]
    parts = iter(tiles)
    words = ["".join(islice(parts, length)) for length in lengths]
    return "".join(word + sign for word, sign in zip(words, [*signs, ""], strict=True))


def tile_of(text: str) -> str:
    """Return the text of a cell in its normal form; raise ReadError if it is too long."""
    tile = normal_form(text[: 10 * LONGEST_TILE])
    if len(tile) > LONGEST_TILE:
        raise ReadError(
            message(
                "The square with “{letters}” has more than {most} letters.",
                letters=tile[:20],
                most=LONGEST_TILE,
            )
        )
    return tile


def plain(text: str) -> str:
    """Return a text without its HTML: tags and entities."""
    return normal_form(unescape(_TAG.sub("", _BREAK.sub(" ", text))))


def same_letters(one: str, other: str) -> bool:
    """Return whether two texts have the same letters, whatever their case, accents and signs."""
    return _MARKS.sub("", search_key(one)) == _MARKS.sub("", search_key(other))


def _too_many_words() -> ReadError:
    return ReadError(
        message("The puzzle has more than {most} words, which is too many.", most=MOST_WORDS)
    )


def damaged() -> ReadError:
    """Return the error for a file that is incomplete or contradicts its format."""
    return ReadError(message("The file is damaged or incomplete. Export it again."))


def unknown() -> ReadError:
    """Return the error for a file that is no puzzle, or in a format that nobody knows."""
    return ReadError(
        message("This is not a puzzle file that can be read. Choose a file in ipuz, PUZ or JPZ.")
    )


def other_format(name: str) -> ReadError:
    """Return the error for a puzzle in a format that is known, but not read."""
    return ReadError(
        message(
            "This puzzle is in the format {name}, which cannot be imported. Save it as ipuz, PUZ "
            "or JPZ in the program that it comes from.",
            name=name,
        )
    )


def without_solution() -> ReadError:
    """Return the error for a file without answers."""
    return ReadError(
        message("The file does not contain the answers, so the puzzle cannot be played here.")
    )


def not_straight(label: str) -> ReadError:
    """Return the error for a word that bends, has gaps or leaves the grid."""
    return ReadError(
        message(
            "Word {number} is not in one row or column. Only crosswords with words across and "
            "down can be imported.",
            number=normal_form(label[:20]) or "?",
        )
    )


def left_out_marks() -> Sentence:
    """Return the loss of what squares have beside their letters."""
    return message("Circles and colours of squares are left out.")


def with_bars() -> ReadError:
    """Return the error for a crossword whose words end at bars."""
    return ReadError(
        message("This crossword has bars between its squares. Only black squares can be imported.")
    )
