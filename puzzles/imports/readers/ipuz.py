"""Read crosswords and word searches in the ipuz format, versions 1 and 2 (ipuz.org).

Also what programs write beside the specification: a call around the file, no kind or no numbers in
the squares, cells of clues that count from 0 or from 1, HTML in texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from puzzles.exports.ipuz import BONUS, MESSAGE, ORIGIN, WORDS
from puzzles.exports.numbering import Way, run_from, runs_of
from puzzles.generators.grid import Cell, Grid
from puzzles.imports.readers.lines import Lines
from puzzles.imports.readers.puzzle import (
    LONGEST_SIDE,
    ReadError,
    ReadPuzzle,
    ReadWord,
    begun,
    checked_size,
    clue_and_answer,
    continuation,
    crossword_word,
    damaged,
    finished,
    left_out_marks,
    not_straight,
    not_too_many,
    number_of,
    other_format,
    parts_of,
    plain,
    runs_by_head,
    same_letters,
    tile_of,
    unknown,
    with_bars,
    with_enumeration,
    without_solution,
)
from vocab.message import message

_CALL = re.compile(r"\s*(?:[\w.$]{1,60}\s*\()?\s*(?=\{)")
_MARKS = {"shapebg", "highlight", "color", "colortext", "imagebg"}
# What crosswords of other programs have at their top, which are JSON as well.
_OTHER_JSON: tuple[tuple[str, set[str]], ...] = (
    ("New York Times JSON", {"body", "publicationDate"}),
    ("New York Times JSON", {"gamePageData"}),
    ("New York Times JSON", {"puzzle_data"}),
    ("New York Times JSON", {"results", "status"}),
    ("XWord Info JSON", {"grid", "clues", "size"}),
    ("Guardian JSON", {"entries", "dimensions"}),
    ("PuzzleMe JSON", {"box", "placedWords"}),
    ("Uclick JSON", {"AllAnswer"}),
)
_DIRECTIONS: dict[str, Way] = {"across": "across", "down": "down"}


def read(data: bytes) -> ReadPuzzle:
    """Return the puzzle of an ipuz file. Raises ReadError."""
    document = _document(data)
    for name, keys in _OTHER_JSON:
        if keys <= document.keys():
            raise other_format(name)
    if not document.keys() & {"kind", "version", "dimensions"}:
        raise unknown()
    kinds = document.get("kind")
    named = " ".join(str(kind) for kind in (kinds if isinstance(kinds, list) else [kinds]))
    file = _File.of(document)
    if "/crossword" in named or (kinds is None and "clues" in document):
        return _crossword(document, file)
    if "/wordsearch" in named:
        return finished(_word_search(document, file))
    raise ReadError(message("Only crosswords and word searches can be imported."))


def _document(data: bytes) -> dict[str, Any]:
    try:
        text = data.decode("utf-8-sig")
        start = _CALL.match(text)
        # Ignores what is after the object: the end of a call.
        document, _end = json.JSONDecoder().raw_decode(text, start.end() if start else 0)
        document = _whole(document)
    except (ValueError, RecursionError):
        raise damaged() from None
    if not isinstance(document, dict):
        raise damaged()
    return document


def _whole(document: Any) -> Any:
    """Return the document without halves of characters.

    JSON can name one half of what UTF-16 writes in two: text that no page can show.
    """
    written = json.dumps(document, ensure_ascii=False)
    return json.loads(written.encode("utf-8", "ignore"))


@dataclass(frozen=True, slots=True)
class _File:
    """What the whole file says: its size, title and language, and its signs for cells."""

    rows: int
    cols: int
    title: str
    language: str
    block: str
    empty: str
    is_own: bool
    styles: Mapping[str, Any]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> _File:
        size = document.get("dimensions")
        if not isinstance(size, dict):
            raise damaged()
        rows, cols = checked_size(size.get("width"), size.get("height"))
        styles = document.get("styles")
        return cls(
            rows,
            cols,
            title=plain(str(document.get("title") or "")[:2000]),
            language=str(document.get("locale") or "")[:35],
            block=str(document.get("block", "#")),
            empty=str(document.get("empty", "0")),
            is_own=document.get("origin") == ORIGIN,
            styles=styles if isinstance(styles, dict) else {},
        )

    def cells(self, rows: Any) -> list[list[Any]]:
        """Return a table of the file if it has the right size."""
        if not isinstance(rows, list) or len(rows) != self.rows:
            raise damaged()
        if not all(isinstance(row, list) and len(row) == self.cols for row in rows):
            raise damaged()
        return rows

    def label(self, cell: Any) -> str | None:
        """Return what the cell shows: its number, or "" for none; None for a block."""
        if isinstance(cell, dict):
            style = cell.get("style")
            if isinstance(style, str):
                style = self.styles.get(style)
            if isinstance(style, dict) and (style.get("barred") or style.get("dotted")):
                raise with_bars()
            cell = cell.get("cell", self.empty)
        if cell is None or str(cell) == self.block:
            return None
        return "" if str(cell) == self.empty or cell == 0 else str(cell)[:20]

    def has_marks(self, rows: Any) -> bool:
        """Return whether squares have circles or colours."""
        styles = [
            self.styles.get(style) if isinstance(style, str) else style
            for row in rows
            for cell in row
            if isinstance(cell, dict)
            for style in [cell.get("style")]
        ]
        return any(isinstance(style, dict) and _MARKS & style.keys() for style in styles)

    def given(self, cell: Any) -> str:
        """Return the letter that is filled in from the beginning, or ""."""
        return (self.letter(cell) or "") if isinstance(cell, dict) and cell.get("value") else ""

    def letter(self, cell: Any) -> str | None:
        """Return the answer in a cell of the solution; None for a block, "" if it is missing."""
        if isinstance(cell, dict):
            cell = cell.get("value", cell.get("cell"))
        if isinstance(cell, list):
            raise ReadError(
                message(
                    "This puzzle has squares with two correct letters. Such puzzles cannot be "
                    "imported."
                )
            )
        if cell is None or str(cell) == self.block:
            return None
        return "" if str(cell) in ("", "_", self.empty) else tile_of(str(cell))


def _crossword(document: Mapping[str, Any], file: _File) -> ReadPuzzle:
    if not isinstance(document.get("solution"), list):
        raise without_solution()
    labels = [[file.label(cell) for cell in row] for row in file.cells(document.get("puzzle"))]
    letters = [[file.letter(cell) for cell in row] for row in file.cells(document["solution"])]
    has_labels = any(label for row in labels for label in row)
    if has_labels:
        # A white square has the letter that is given, or its answer is missing: it is no block.
        letters = [
            [
                None if label is None else letter or file.given(cell)
                for label, letter, cell in zip(*lines, strict=True)
            ]
            for lines in zip(labels, letters, document["puzzle"], strict=True)
        ]
    grid: Grid = tuple(map(tuple, letters))
    if any(tile == "" for row in grid for tile in row):
        raise without_solution()
    heads: dict[str, Cell] = {}
    if has_labels:
        for row, labels_of_row in enumerate(labels):
            for col, label in enumerate(labels_of_row):
                if label:
                    heads.setdefault(label, (row, col))
    else:
        heads = {str(run.number): run.cells[0] for run in runs_of(grid)}
    clues = list(not_too_many(_clues(document.get("clues"))))
    first = _first_index([clue for _, clue in clues], grid, heads)
    words: dict[tuple[Cell, ...], ReadWord] = {}
    further: dict[tuple[Cell, ...], ReadWord] = {}
    runs = runs_by_head(grid)
    for direction, clue in clues:
        word = _crossword_word(clue, direction, grid, heads, first, is_own=file.is_own)
        if parts := _continued(clue):
            word = replace(word, clue=with_enumeration(word.clue, clue.get("enumeration")))
        for number, way in parts:
            cells = begun(runs, heads.get(str(number)), way, direction)
            if cells and cells not in further:
                further[cells] = continuation(cells, number, word.number, word.cells)
        for number, way in parts_of(str(clue.get("see") or ""))[:1]:
            cells = begun(runs, heads.get(str(number)), way, direction)
            if cells and not word.clue:
                word = continuation(word.cells, word.number, number, cells)
        words.setdefault(word.cells, word)
    for cells, word in further.items():
        if cells not in words or not words[cells].clue:
            words[cells] = word
    puzzle = ReadPuzzle(
        is_numbered=True,
        grid=grid,
        words=tuple(words.values()),
        title=file.title,
        language=file.language,
        losses=(left_out_marks(),) if file.has_marks(document["puzzle"]) else (),
    )
    return finished(puzzle, {cell: label for label, cell in heads.items()})


def _continued(clue: Mapping[str, Any]) -> list[tuple[int, Way | None]]:
    """Return the words of a clue's answer after the first, each by its number."""
    named, numbers = clue.get("continued"), clue.get("numbers")
    if not named:
        if not isinstance(numbers, list):
            return parts_of(_label_of(clue))[1:]
        named = numbers[1:]
    further: list[tuple[int, Way | None]] = []
    for part in named[:LONGEST_SIDE] if isinstance(named, list) else [named]:
        direction, number = None, part
        if isinstance(part, dict):
            direction, number = part.get("direction"), part.get("number")
        elif isinstance(part, list) and len(part) == 2:
            direction, number = part
        way = _DIRECTIONS.get(str(direction).partition(":")[0].strip().lower())
        further += [(found, own or way) for found, own in parts_of(str(number))]
    return further


def _clues(clues: Any) -> Iterable[tuple[Way, dict[str, Any]]]:
    if not isinstance(clues, dict):
        raise damaged()
    for name, listed in clues.items():
        # “Across:Waagerecht” has the name to show behind the colon.
        direction = _DIRECTIONS.get(name.partition(":")[0].strip().lower())
        if not isinstance(listed, list):
            raise damaged()
        if direction is None:
            if not listed:
                continue
            raise ReadError(
                message(
                    "The clues “{name}” are not supported. Only crosswords with words across and "
                    "down can be imported.",
                    name=plain(name[:40]),
                )
            )
        for clue in listed:
            if isinstance(clue, list) and len(clue) == 2:
                yield direction, {"number": clue[0], "clue": clue[1]}
            elif isinstance(clue, dict):
                yield direction, clue
            else:
                raise _without_number(clue)


def _without_number(clue: Any) -> ReadError:
    return ReadError(message("A clue has no number: “{clue}”.", clue=plain(str(clue or "")[:40])))


def _label_of(clue: Mapping[str, Any]) -> str:
    """Return the number of a clue as it is written, or "" if it has none."""
    numbers = clue.get("numbers")
    label = clue.get("label") if clue.get("number") is None else clue["number"]
    if label is None and isinstance(numbers, list) and numbers:
        label = numbers[0]
    return "" if label is None else str(label)[:20]


def _first_index(clues: Sequence[Mapping[str, Any]], grid: Grid, heads: Mapping[str, Cell]) -> int:
    """Return 0 or 1: from which of them the file counts the cells of its clues."""

    def fits(clue: Mapping[str, Any], first: int) -> bool:
        cells = _cells(clue["cells"], grid, first)
        return bool(cells) and cells[0] == heads.get(_label_of(clue), cells[0])

    listed = [clue for clue in clues if clue.get("cells")]
    return max((0, 1), key=lambda first: sum(fits(clue, first) for clue in listed))


def _crossword_word(
    clue: Mapping[str, Any],
    direction: Way,
    grid: Grid,
    heads: Mapping[str, Cell],
    first: int,
    *,
    is_own: bool,
) -> ReadWord:
    """Return the word of a clue: where its cells are listed, else from its number on."""
    label = _label_of(clue)
    if label not in heads:
        label = str(number_of(label) or label)
    if clue.get("cells"):
        cells = _cells(clue["cells"], grid, first)
        if not cells or any(grid[row][col] is None for row, col in cells):
            raise not_straight(label)
    elif label in heads:
        cells = run_from(grid, heads[label], direction)
    else:
        if not label:
            raise _without_number(clue.get("clue"))
        raise ReadError(message("No square has the number {number}.", number=plain(label)))
    answer = str(clue.get("answer") or "")[:300]
    text = plain(str(clue.get("clue") or ""))
    if not is_own:
        letters = [grid[row][col] or "" for row, col in cells]
        text, gapped = clue_and_answer(text, letters, clue.get("enumeration"))
        if not same_letters(answer, "".join(letters)):
            answer = gapped
    if heads.get(label) != cells[0]:
        label = ""  # it is no number of a square
    return crossword_word(cells, label, clue=text, answer=answer)


def _cells(listed: Any, grid: Grid, first: int) -> tuple[Cell, ...]:
    """Return cells that are named as [column, row] from *first* on; none if one is off the grid."""
    if not isinstance(listed, list) or len(listed) > len(grid) * len(grid[0]):
        return ()
    cells = []
    for pair in listed:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(n) is int for n in pair)):
            return ()
        row, col = pair[1] - first, pair[0] - first
        if not (0 <= row < len(grid) and 0 <= col < len(grid[0])):
            return ()
        cells.append((row, col))
    return tuple(cells)


def _word_search(document: Mapping[str, Any], file: _File) -> ReadPuzzle:
    grid: Grid = tuple(
        tuple(_letter_shown(cell, file) for cell in row)
        for row in file.cells(document.get("puzzle"))
    )
    if document.get("zigzag"):
        raise ReadError(message("Words that do not run straight cannot be imported."))
    lines = Lines(grid)
    solution = document.get("solution")
    own = document.get(WORDS)
    if isinstance(own, list):
        named = _own_words(own)
    elif isinstance(solution, dict):
        named = [
            (word, group.get("cells") if isinstance(group, dict) else group, "")
            for word, group in solution.items()
        ]
    elif isinstance(solution, list):
        named = [(word, None, "") for word in solution if isinstance(word, str)]
    else:
        raise without_solution()
    words = [*named, *_own_words(document.get(BONUS))]
    read = (
        replace(
            _hidden_word(plain(word[:1000]), cells, plain(clue), grid, lines, is_own=file.is_own),
            is_bonus=number >= len(named),
        )
        for number, (word, cells, clue) in enumerate(not_too_many(words))
    )
    return ReadPuzzle(
        is_numbered=False,
        grid=grid,
        words=_each_once(read, grid),
        title=file.title,
        language=file.language,
        message=str(document.get(MESSAGE) or "")[:1000],
    )


def _own_words(listed: Any) -> list[tuple[str, Any, str]]:
    """Return the word, its cells and its clue of each word under a key of our own."""
    return [
        (str(word.get("word")), word.get("cells"), str(word.get("clue") or ""))
        for word in (listed if isinstance(listed, list) else [])
        if isinstance(word, dict)
    ]


def _each_once(words: Iterable[ReadWord], grid: Grid) -> tuple[ReadWord, ...]:
    """Return the words without those that are the same letters of the same cells again.

    “dog” and “god” are two words of the same cells, “Cat” and “cat” one, and “Anna” from either
    end as well.
    """
    found: dict[tuple[frozenset[Cell], tuple[str | None, ...]], ReadWord] = {}
    for word in words:
        place = frozenset(word.cells), tuple(grid[row][col] for row, col in word.cells)
        earlier = found.get(place)
        if earlier is None or (word.clue and not earlier.clue):
            found[place] = word
    return tuple(found.values())


def _letter_shown(cell: Any, file: _File) -> str | None:
    """Return the letter in a square of a word search; None for what is outside its shape."""
    if cell is None or cell == file.block:
        return None
    if isinstance(cell, dict):
        cell = cell.get("value", cell.get("cell"))
    tile = "" if cell is None else tile_of(str(cell))
    if not tile:
        raise ReadError(message("The grid of a word search must have a letter in every square."))
    return tile


def _hidden_word(
    word: str, listed: Any, clue: str, grid: Grid, lines: Lines, *, is_own: bool
) -> ReadWord:
    """Return a word where the file says it is, or where it is found.

    A file of our own need not repeat the letters: ß and SS, or a Korean syllable and its letters.
    """
    letters = "".join(sign for sign in word if sign.isalnum() or not sign.isascii())
    for first in (0, 1):
        cells = _cells(listed, grid, first)
        if cells and _is_straight(cells) and all(grid[row][col] for row, col in cells):
            spelt = "".join(grid[row][col] or "" for row, col in cells)
            if is_own or same_letters(spelt, word):
                return ReadWord(cells=cells, clue=clue, answer=word)
    places = lines.places_of(letters) or lines.places_of("".join(word.split()))
    if not places:
        raise ReadError(message("“{word}” is not in the grid.", word=word[:40]))
    return ReadWord(cells=places[0], clue=clue, answer=word)


def _is_straight(cells: tuple[Cell, ...]) -> bool:
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(cells)}
    return len(steps) <= 1 and all(max(abs(down), abs(right)) == 1 for down, right in steps)
