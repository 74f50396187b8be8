"""Export a puzzle, including answers, in the ipuz format, version 2 (ipuz.org).

A finder is a word search in ipuz. Its cells are (column, row), counted from 0 at the left, and
texts are HTML. A right-to-left puzzle is as it is printed. In a crossword its words across run to
the left, which ipuz cannot say with numbers alone, so each clue has its cells, as in libipuz.
"""

from __future__ import annotations

import json
from html import escape
from typing import Any

from puzzles.exports.data import ExportError, PlacedWord, PuzzleData
from puzzles.exports.entries import by_direction, word_and_clue
from vocab.message import message

_CROSSWORD = "http://ipuz.org/crossword#1"
_WORD_SEARCH = "http://ipuz.org/wordsearch#1"
ORIGIN = "Osmosmjerka"
WORDS = "org.osmosmjerka:words"
"""An extension of ipuz: the words of a word search as they are written, with their clues."""
BONUS = "org.osmosmjerka:bonus"
"""An extension of ipuz: words hidden besides those to find; others take them for chance."""
MESSAGE = "org.osmosmjerka:message"
"""An extension of ipuz: what the letters that no word uses spell."""
_DIRECTIONS = {"across": "Across", "down": "Down"}


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the puzzle as ipuz, which contains the solution with or without *key*.

    Raises ExportError for two placed words with the same letters: ipuz can store only one.
    """
    puzzle = puzzle.from_the_left()
    document: dict[str, Any] = {
        "version": "http://ipuz.org/v2",
        "kind": [_CROSSWORD if puzzle.hides_letters else _WORD_SEARCH],
        "origin": ORIGIN,
        "title": _html(puzzle.title),
        **({"locale": puzzle.language} if puzzle.language else {}),
        "dimensions": {"width": puzzle.cols, "height": puzzle.rows},
    }
    empty: str | int = 0
    if "0" in puzzle.tiles:
        empty = document["empty"] = "_"
    document |= _crossword(puzzle, empty) if puzzle.hides_letters else _word_search(puzzle)
    return (json.dumps(document, ensure_ascii=False) + "\n").encode()


def _crossword(puzzle: PuzzleData, empty: str | int) -> dict[str, Any]:
    numbers = puzzle.numbers
    return {
        "puzzle": [
            [
                None if tile is None else numbers.get((row, col), empty)
                for col, tile in enumerate(tiles)
            ]
            for row, tiles in enumerate(puzzle.grid)
        ],
        "solution": puzzle.grid,
        "clues": {
            _DIRECTIONS[placements[0].direction]: [
                _clue(placed, has_cells=puzzle.is_mirrored and placed.direction == "across")
                for placed in placements
            ]
            for _, placements in by_direction(puzzle)
        },
        "showenumerations": True,
    }


def _clue(placed: PlacedWord, *, has_cells: bool) -> dict[str, Any]:
    clue: dict[str, Any] = {
        "number": placed.number,
        "clue": _html(placed.clue),
        "enumeration": placed.enumeration,
        "answer": placed.word,
    }
    if has_cells:
        clue["cells"] = _cells(placed)
    return clue


def _cells(placed: PlacedWord) -> list[list[int]]:
    return [[col, row] for row, col in placed.cells]


def _word_search(puzzle: PuzzleData) -> dict[str, Any]:
    solution: dict[str, Any] = {}
    listed = [placed for placed in puzzle.placements if not placed.is_bonus]
    for placed in listed:
        letters = "".join(puzzle.grid[row][col] or "" for row, col in placed.cells)
        if letters in solution:
            raise ExportError(
                message(
                    "“{word}” is in this puzzle twice, but the ipuz format allows it only once. "
                    "Choose another format.",
                    word=placed.word,
                )
            )
        solution[letters] = {"cells": _cells(placed)}
    document = {
        "puzzle": puzzle.grid,
        "solution": solution,
        "showanswers": "during" if puzzle.shows_words else "after",
        "zigzag": False,
        "retrace": False,
        "useall": False,
        WORDS: [_own_word(placed) for placed in listed],
    }
    if puzzle.bonus:
        document[BONUS] = [_own_word(placed) for placed in puzzle.placements if placed.is_bonus]
    if puzzle.message:
        document[MESSAGE] = " ".join(puzzle.message)
    clues = [placed for placed in listed if placed.clue]
    if clues:
        document["notes"] = "<br>".join(
            _html(word_and_clue(placed) if puzzle.shows_words else placed.clue) for placed in clues
        )
    return document


def _own_word(placed: PlacedWord) -> dict[str, Any]:
    return {"word": placed.word, "clue": placed.clue, "cells": _cells(placed)}


def _html(text: str) -> str:
    return escape(text, quote=False)
