"""Export a crossword in the format of Across Lite (.puz), with its answers.

A cell holds one byte. Letters outside Latin-1, and digraphs, are a “rebus”: a plain letter, and the
right one in a table beside the grid. A file without such letters is version 1.4, in Latin-1;
others are version 2.0, in UTF-8. Checksums and tables: the library puzpy.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

import puz

from puzzles.exports.data import ExportError, PlacedWord, PuzzleData
from puzzles.exports.entries import clue_of
from puzzles.exports.numbering import runs_of
from vocab.message import message

_LATIN_1, _UTF_8 = "1.4", "2.0"
_LONGEST_SIDE = 255
_MOST_REBUSES = 99  # programs write the number of each in two digits
_USED_BY_TABLE = frozenset(";:")


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the crossword as .puz, which contains the answers with or without *key*.

    Raises ExportError for other puzzles, for scripts that are not Latin, for what is too large, and
    for a crossword whose words are numbered in another way than the format implies.
    """
    _check(puzzle)
    placements = sorted(puzzle.placements, key=lambda placed: (placed.number, placed.direction))
    clues = [_clue(placed) for placed in placements]
    texts = "".join([puzzle.title, *clues, *puzzle.tiles])
    file = puz.Puzzle(_LATIN_1 if _size(texts, puz.ENCODING) else _UTF_8)
    file.width, file.height = puzzle.cols, puzzle.rows
    file.title = _line(puzzle.title)
    file.clues = clues
    tiles = [tile for row in puzzle.grid for tile in row]
    file.solution = "".join(_square(tile, file.encoding) for tile in tiles)
    file.fill = "".join(puz.BLACKSQUARE if tile is None else puz.BLANKSQUARE for tile in tiles)
    rebuses = {
        place: tile
        for place, (tile, square) in enumerate(zip(tiles, file.solution, strict=True))
        if tile is not None and tile != square
    }
    _check_rebuses(set(rebuses.values()))
    for place, tile in rebuses.items():
        file.rebus().add_rebus_squares(place, tile)
    written: bytes = file.tobytes()
    return written


def _check(puzzle: PuzzleData) -> None:
    if not puzzle.hides_letters:
        raise ExportError(message("Only a crossword can be a .puz file. Choose another format."))
    if puzzle.is_mirrored or not all(map(_is_latin, puzzle.tiles)):
        raise ExportError(
            message("A .puz file can only contain crosswords in Latin letters. Choose ipuz or JPZ.")
        )
    if max(puzzle.rows, puzzle.cols) > _LONGEST_SIDE:
        raise ExportError(
            message(
                "A .puz file can have at most {most} rows and {most} columns. Choose ipuz or JPZ.",
                most=_LONGEST_SIDE,
            )
        )
    implied = {(run.number, run.direction, run.cells) for run in runs_of(puzzle.grid)}
    own = {(placed.number, placed.direction, placed.cells) for placed in puzzle.placements}
    if implied != own:
        raise ExportError(
            message(
                "A .puz file cannot contain this crossword: programs would number its words in "
                "another way. Choose ipuz or JPZ."
            )
        )


def _check_rebuses(rebuses: Collection[str]) -> None:
    if len(rebuses) > _MOST_REBUSES:
        raise ExportError(
            message(
                "A .puz file can have at most {most} different letters outside the basic alphabet, "
                "such as č or LJ, and this crossword has {count}. Choose ipuz or JPZ.",
                most=_MOST_REBUSES,
                count=len(rebuses),
            )
        )


def _is_latin(tile: str) -> bool:
    """Return whether *tile* is letters of the Latin alphabet, or digits."""
    base = unicodedata.normalize("NFD", tile)
    return not _USED_BY_TABLE & set(tile) and all(
        "LATIN" in unicodedata.name(sign, "")
        for sign in base
        if not unicodedata.combining(sign) and not (sign.isascii() and sign.isalnum())
    )


def _size(text: str, encoding: str) -> int:
    """Return how many bytes *text* takes; 0 if the encoding lacks a letter."""
    try:
        return len(text.encode(encoding))
    except UnicodeEncodeError:
        return 0


def _square(tile: str | None, encoding: str) -> str:
    """Return the one byte of a cell: the letter itself, or the plain letter nearest to it."""
    if tile is None:
        return str(puz.BLACKSQUARE)
    if tile.isalnum() and _size(tile, encoding) == 1:
        return tile
    plain = unicodedata.normalize("NFD", tile)[0]
    return plain if plain.isascii() and plain.isalnum() else "X"


def _clue(placed: PlacedWord) -> str:
    """Return the clue; with the numbers of letters if it needs them, as the format has no other."""
    needs_lengths = not placed.clue or len(placed.lengths) > 1
    return _line(clue_of(placed) if needs_lengths else placed.clue)


def _line(text: str) -> str:
    return " ".join(text.replace("\0", " ").split())
