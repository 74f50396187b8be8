"""Export a puzzle as JSON, including answers, for other programs."""

from __future__ import annotations

import json
from typing import Any

from puzzles.exports.data import PlacedWord, PuzzleData


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the whole puzzle; it contains the places of the words with or without *key*."""
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
