"""Read crosswords of Across Lite (.puz), with the library puzpy."""

from __future__ import annotations

import struct
from itertools import chain, repeat

import puz

from puzzles.exports.numbering import runs_of
from puzzles.generators.grid import Grid
from puzzles.imports.readers.puzzle import (
    ReadError,
    ReadPuzzle,
    checked_size,
    clue_and_answer,
    crossword_word,
    damaged,
    finished,
    left_out_marks,
    plain,
    tile_of,
    without_solution,
)
from vocab.message import Sentence, message

_BLOCKS = (puz.BLACKSQUARE, puz.BLACKSQUARE2)
# Windows has signs where the library reads some that cannot be seen: dashes and curly quotes among
# them.
_UNSEEN = {
    code: bytes([code]).decode("cp1252")
    for code in range(0x80, 0xA0)
    if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_MALFORMED = (puz.PuzzleFormatError, ValueError, LookupError, TypeError, struct.error)


class _File(puz.Puzzle):  # type: ignore[misc]  # the library has no types
    """A file whose texts have a character for each byte, whatever version it says it is of.

    Programs write UTF-8 in files of old versions and Windows' letters in new ones: `_seen` decides
    for each text.
    """

    def version_tuple(self) -> tuple[int, ...]:
        try:
            version = super().version_tuple()
        except ValueError:
            version = (1, 2)  # none
        return min(version, (1, 9))


def read(data: bytes) -> ReadPuzzle:
    """Return the crossword of a .puz file. Raises ReadError, also if its answers are scrambled."""
    try:
        file = _File()
        losses = _load(file, data)
        checked_size(file.width, file.height)
        header = len(file.preamble) + struct.calcsize(puz.HEADER_FORMAT)
        grids, texts = 2 * file.width * file.height, data[header:]
        if len(texts) < grids:
            raise damaged()
        _refuse_without_answers(file)
        puzzle = _crossword(file, losses)
        # Title, author and copyright come before the clues.
        if texts.count(b"\0", grids) + 1 < 3 + min(len(file.clues), len(puzzle.words)):
            raise damaged()
        return finished(puzzle)
    except ReadError:
        raise
    except _MALFORMED:
        # The library does not check everything before it uses it.
        raise damaged() from None


def _load(file: puz.Puzzle, data: bytes) -> list[Sentence]:
    """Read *data* into *file*; return what to tell the person who brought it."""
    try:
        # Some programs do not end the last text.
        file.load(data + b"\0")
    except puz.PuzzleFormatError as error:
        # The library compares the checksums when it has read everything.
        if "checksum" not in error.message:
            raise
    else:
        return []
    return [
        message("The checksums of the file are wrong. Check that its words and clues are complete.")
    ]


def _refuse_without_answers(file: puz.Puzzle) -> None:
    if file.is_solution_locked():
        raise ReadError(
            message(
                "The answers in this file are locked. Unlock them in the program that it comes "
                "from, and save it again."
            )
        )
    letters = {square for square in file.solution if square not in _BLOCKS}
    if file.solution_state == puz.SolutionState.NotProvided or letters <= set("-X"):
        raise without_solution()
    if puz.BLANKSQUARE in letters:
        raise without_solution()


def _crossword(file: puz.Puzzle, losses: list[Sentence]) -> ReadPuzzle:
    size = file.width * file.height
    squares = list(file.solution)
    if len(squares) != size:
        raise damaged()
    rebus = file.rebus() if file.has_rebus() else None
    tiles = [
        None
        if square in _BLOCKS
        else tile_of(_seen((rebus and rebus.get_rebus_solution(place)) or square))
        for place, square in enumerate(squares)
    ]
    if "" in tiles:  # a control character is no letter
        raise without_solution()
    grid: Grid = tuple(
        tuple(tiles[row * file.width : (row + 1) * file.width]) for row in range(file.height)
    )
    clues = len(file.clues)
    words = []
    for run, text in zip(runs_of(grid), chain(file.clues, repeat("")), strict=False):
        # Clues are the only place in the format for how many letters the parts of a word have.
        letters = [grid[row][col] or "" for row, col in run.cells]
        clue, answer = clue_and_answer(_seen(text), letters)
        words.append(crossword_word(run.cells, run.number, clue=clue, answer=answer))
    if file.has_markup():
        losses.append(left_out_marks())
    while clues > len(words) and not file.clues[clues - 1]:
        clues -= 1
    if clues != len(words):
        losses.append(
            message(
                "The file has {clues} clues for {words} words. Check that each clue belongs to "
                "its word.",
                clues=clues,
                words=len(words),
            )
        )
    return ReadPuzzle(
        is_numbered=True,
        grid=grid,
        words=tuple(words),
        title=_seen(file.title),
        losses=tuple(losses),
    )


def _seen(text: str | None) -> str:
    """Return a text in UTF-8 if its bytes are that, else in the letters of Windows."""
    text = str(text or "")
    try:
        return plain(text.encode("latin-1").decode("utf-8"))
    except UnicodeDecodeError:
        return plain(text.translate(_UNSEEN))
