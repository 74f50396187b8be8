"""A puzzle as JSON, answers included: what other programs read."""

from __future__ import annotations

import json
from typing import Any

from puzzles.exports.data import PlacedWord, PuzzleData


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the whole puzzle; it holds the places of the words with *key* and without."""
    document = {
        "kind": puzzle.kind,
        "rows": puzzle.rows,
        "cols": puzzle.cols,
        "grid": puzzle.grid,
        "placements": [_placement(placed) for placed in puzzle.placements],
        "unplaced": [{"word": left.word, "reason": left.reason} for left in puzzle.unplaced],
    }
    return (json.dumps(document, ensure_ascii=False) + "\n").encode()


def _placement(placed: PlacedWord) -> dict[str, Any]:
    document: dict[str, Any] = {"word": placed.word, "cells": placed.cells}
    if placed.clue:
        document["clue"] = placed.clue
    if placed.number is not None:
        document |= {"number": placed.number, "direction": placed.direction}
    return document
