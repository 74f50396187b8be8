"""Read crosswords of Across Lite (.puz), with the library puzpy."""

from __future__ import annotations

import struct

import puz

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
    tile_of,
    without_solution,
)
from vocab.message import message

_BLOCKS = (puz.BLACKSQUARE, puz.BLACKSQUARE2)
# Old files have no other letters than those of Windows, of which the library reads 32 as signs
# that cannot be seen: dashes and curly quotes among them.
_UNSEEN = {
    code: bytes([code]).decode("cp1252")
    for code in range(0x80, 0xA0)
    if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_MALFORMED = (puz.PuzzleFormatError, ValueError, LookupError, TypeError, struct.error)


def read(data: bytes) -> ReadPuzzle:
    """Return the crossword of a .puz file. Raises ReadError, also if its answers are scrambled."""
    try:
        file = puz.load(data)
        checked_size(file.width, file.height)
        _refuse_without_answers(file)
        return finished(_crossword(file))
    except ReadError:
        raise
    except _MALFORMED:
        # The library does not check everything before it uses it.
        raise damaged() from None


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


def _crossword(file: puz.Puzzle) -> ReadPuzzle:
    size = file.width * file.height
    squares = list(file.solution)
    if len(squares) != size:
        raise damaged()
    rebus = file.rebus() if file.has_rebus() else None
    tiles = [
        None
        if square in _BLOCKS
        else tile_of((rebus and rebus.get_rebus_solution(place)) or square)
        for place, square in enumerate(squares)
    ]
    if "" in tiles:  # a control character is no letter
        raise without_solution()
    grid: Grid = tuple(
        tuple(tiles[row * file.width : (row + 1) * file.width]) for row in range(file.height)
    )
    numbering = file.clue_numbering()
    words = []
    for entries, step in ((numbering.across, 1), (numbering.down, file.width)):
        for entry in entries:
            places = [entry.cell + step * place for place in range(entry.length)]
            # Clues are the only place in the format for how many letters the parts of a word have.
            clue, answer = clue_and_answer(_seen(entry.text), [tiles[at] or "" for at in places])
            cells = [divmod(at, file.width) for at in places]
            words.append(crossword_word(cells, entry.number, clue=clue, answer=answer))
    losses = []
    if file.has_markup():
        losses.append(left_out_marks())
    if len(file.clues) > len(words):
        losses.append(
            message(
                "The file has {clues} clues for {words} words. Check that each clue belongs to "
                "its word.",
                clues=len(file.clues),
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
    return str(text or "").translate(_UNSEEN)
