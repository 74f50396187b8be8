"""Export a puzzle as plain text, to read in a terminal or to paste into a message.

It has no lines for name, class and date, and no columns.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from puzzles.exports.data import PuzzleData
from puzzles.exports.entries import Entry, entries_for_key, entries_for_player

_BLANK = "________"
# Force rows of a right-to-left script to begin at the right in any viewer; keep numbers as is.
_FROM_RIGHT, _FROM_LEFT, _END = "\u202e", "\u202d", "\u202c"


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return title, instruction, grid and list; with *key*, followed by the answers.

    The key of a crossword is the filled grid; in other puzzles, dots replace letters of no word.
    """
    puzzle = puzzle.as_printed()
    printing, labels = puzzle.printing, puzzle.labels
    lines = [
        f"{puzzle.title} {printing.version}".rstrip(),
        "",
        *([printing.instruction, ""] if printing.instruction else ()),
    ]
    lines += [*_grid(puzzle, is_key=False), ""]
    if puzzle.message_tiles:
        blanks = "   ".join(" ".join("_" for _ in word) for word in puzzle.message_tiles)
        lines += [f"{labels.message}:", blanks, ""]
    if puzzle.unlisted:
        lines += [puzzle.unlisted, ""]
    lines += map(_line, entries_for_player(puzzle.without_pictures()))
    if printing.address:
        lines += ["", f"{labels.play}: {printing.address}"]
    if key:
        lines += ["", puzzle.labels.key, "", *_answers(puzzle)]
    return _joined(lines)


def write_solution(puzzle: PuzzleData) -> bytes:
    """Return title and answers alone."""
    puzzle = puzzle.as_printed()
    return _joined([f"{puzzle.title} – {puzzle.labels.key}", "", *_answers(puzzle)])


def _answers(puzzle: PuzzleData) -> Iterator[str]:
    yield from (*_grid(puzzle, is_key=True), "")
    if puzzle.message_tiles:
        message = " ".join("".join(word) for word in puzzle.message_tiles)
        yield from (f"{puzzle.labels.message}: {message}", "")
    yield from map(_line, entries_for_key(puzzle))


def _joined(lines: Iterable[str]) -> bytes:
    return ("\n".join(line.rstrip() for line in lines) + "\n").encode()


def _grid(puzzle: PuzzleData, *, is_key: bool) -> Iterator[str]:
    answers = {cell for placed in puzzle.placements for cell in placed.cells}
    rows = [
        [
            _cell(puzzle, (row, col), tile, is_key=is_key, is_answer=(row, col) in answers)
            for col, tile in enumerate(tiles)
        ]
        for row, tiles in enumerate(puzzle.grid)
    ]
    width = max(_width(text) for row in rows for text in row)
    for row in rows:
        line = " ".join(text + " " * (width - _width(text)) for text in row)
        yield _FROM_RIGHT + line + _END if puzzle.is_mirrored else line


def _cell(
    puzzle: PuzzleData, cell: tuple[int, int], tile: str | None, *, is_key: bool, is_answer: bool
) -> str:
    if tile is None:
        return ""
    if puzzle.hides_letters:
        if is_key or cell not in puzzle.numbers:
            return tile if is_key else "_"
        number = str(puzzle.numbers[cell])
        return _FROM_LEFT + number + _END if puzzle.is_mirrored else number
    return tile if is_answer or not is_key else "·"


def _line(entry: Entry) -> str:
    if entry.is_heading:
        return f"\n{entry.text}"
    parts = (entry.mark, entry.text, _BLANK if entry.is_written else "")
    return " ".join(part for part in parts if part)


def _width(text: str) -> int:
    """Return how many columns *text* takes in a terminal."""
    return sum(
        2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
        if unicodedata.category(character) not in ("Mn", "Me", "Cf")
    )
