"""Export a crossword, including answers, as XML of Crossword Compiler (.jpz).

After its schema (crossword.info/xml/rectangular-puzzle.xsd). Cells count from 1 at the left; a word
lists its own, in a right-to-left script towards lower columns. Ranges of cells are shorter, but not
every program reads them.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

from osmosmjerka.paper.xml import for_xml
from puzzles.exports.data import ExportError, PlacedWord, PuzzleData
from puzzles.exports.entries import by_direction
from vocab.message import message

_APPLET = "http://crossword.info/xml/crossword-compiler"
_PUZZLE = "http://crossword.info/xml/rectangular-puzzle"


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the crossword as .jpz, which contains the answers with or without *key*.

    Raises ExportError for other puzzles.
    """
    if not puzzle.hides_letters:
        raise ExportError(message("Only a crossword can be a .jpz file. Choose another format."))
    puzzle = puzzle.from_the_left()
    root = ET.Element("crossword-compiler", xmlns=_APPLET)
    document = ET.SubElement(
        root, "rectangular-puzzle", xmlns=_PUZZLE, alphabet="".join(sorted(puzzle.tiles))
    )
    _text(ET.SubElement(ET.SubElement(document, "metadata"), "title"), puzzle.title)
    crossword = ET.SubElement(document, "crossword")
    _write_grid(crossword, puzzle)
    ids = {placed.cells: str(place) for place, placed in enumerate(puzzle.placements, 1)}
    for placed in puzzle.placements:
        word = ET.SubElement(crossword, "word", id=ids[placed.cells])
        for row, col in placed.cells:
            ET.SubElement(word, "cells", x=str(col + 1), y=str(row + 1))
    for heading, placements in by_direction(puzzle):
        clues = ET.SubElement(crossword, "clues", ordering="normal")
        _text(ET.SubElement(ET.SubElement(clues, "title"), "b"), heading)
        for placed in placements:
            _write_clue(clues, placed, ids[placed.cells])
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _write_grid(crossword: ET.Element, puzzle: PuzzleData) -> None:
    grid = ET.SubElement(crossword, "grid", width=str(puzzle.cols), height=str(puzzle.rows))
    numbers = puzzle.numbers
    for row, tiles in enumerate(puzzle.grid):
        for col, tile in enumerate(tiles):
            cell = ET.SubElement(grid, "cell", x=str(col + 1), y=str(row + 1))
            if tile is None:
                cell.set("type", "block")
                continue
            cell.set("solution", tile)
            if (row, col) in numbers:
                cell.set("number", str(numbers[row, col]))


def _write_clue(clues: ET.Element, placed: PlacedWord, word: str) -> None:
    clue = ET.SubElement(
        clues, "clue", word=word, number=str(placed.number), format=placed.enumeration
    )
    _text(clue, placed.clue)


def _text(element: ET.Element, text: str) -> None:
    element.text = for_xml(text)
