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
from puzzles.generators.grid import Unplaced
from vocab.text import lengths_in_squares

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


def read(text: str) -> PuzzleData:
    """Return the puzzle that `write` wrote: all of it but how it is printed.

    Raises ValueError for other text.
    """
    try:
        document = json.loads(text)
        if (document["schema"], document["version"]) != (_SCHEMA, _VERSION):
            raise KeyError("schema")
        grid = tuple(tuple(row) for row in document["grid"])
        bonus = document.get("bonus", [])
        puzzle = PuzzleData(
            kind=document["kind"],
            title=document["title"],
            language=document["language"],
            direction=document["direction"],
            rows=document["rows"],
            cols=document["cols"],
            grid=grid,
            placements=tuple(
                _placed(one, document["language"], is_bonus=is_bonus)
                for listed, is_bonus in ((document["placements"], False), (bonus, True))
                for one in listed
            ),
            unplaced=tuple(Unplaced(one["word"], one["reason"]) for one in document["unplaced"]),
            message=tuple(document.get("message", "").split()),
            bonus=len(bonus),
        )
        spelt = [grid[row][col] for placed in puzzle.placements for row, col in placed.cells]
        if None in spelt or {len(row) for row in grid} != {puzzle.cols} or len(grid) != puzzle.rows:
            raise ValueError
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(
            f"This is not a puzzle in JSON as this program writes it ({_SCHEMA}, version "
            f"{_VERSION})."
        ) from error
    return puzzle.from_the_left()  # there and back are the same


def _placed(document: dict[str, Any], language: str | None, *, is_bonus: bool) -> PlacedWord:
    cells = tuple((row, col) for row, col in document["cells"])
    return PlacedWord(
        word=document["word"],
        cells=cells,
        clue=document.get("clue", ""),
        lengths=lengths_in_squares(document["word"], len(cells), language),
        number=document.get("number"),
        direction=document.get("direction", ""),
        is_bonus=is_bonus,
    )
