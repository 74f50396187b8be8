"""Export a puzzle as JSON, including answers, for other programs.

The grid is as it is printed: its first column is at the left, and cells are (row, column). In a
right-to-left script a word across therefore runs towards lower columns, and `direction` is "rtl".

`placements` are the words to find. `bonus`, if there are any, are words hidden besides them, and
`message`, if there is one, is what the letters that no word uses spell.
"""

from __future__ import annotations

import json
from typing import Any

from puzzles.exports.data import PlacedWord, PuzzleData

_SCHEMA = "osmosmjerka/puzzle"
# It grows when a program that reads the last version would misread this one.
_VERSION = 1


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the whole puzzle; it contains the places of the words with or without *key*."""
    puzzle = puzzle.from_the_left()
    document = {
        "schema": _SCHEMA,
        "version": _VERSION,
        "title": puzzle.title,
        "language": puzzle.language,
        "direction": puzzle.direction,
        "kind": puzzle.kind,
        "rows": puzzle.rows,
        "cols": puzzle.cols,
        "grid": puzzle.grid,
        "placements": [_placement(one) for one in puzzle.placements if not one.is_bonus],
        "unplaced": [{"word": left.word, "reason": left.reason} for left in puzzle.unplaced],
    }
    if puzzle.bonus:
        document["bonus"] = [_placement(one) for one in puzzle.placements if one.is_bonus]
    if puzzle.message:
        document["message"] = " ".join(puzzle.message)
    return (json.dumps(document, ensure_ascii=False) + "\n").encode()


def _placement(placed: PlacedWord) -> dict[str, Any]:
    document: dict[str, Any] = {"word": placed.word, "cells": placed.cells}
    if placed.clue:
        document["clue"] = placed.clue
    if placed.number is not None:
        document |= {"number": placed.number, "direction": placed.direction}
    return document
