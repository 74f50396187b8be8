"""What one annealing search is given: the numbers that guide it, and its working space."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.generators.crossword.board import Board, Scratch, new_scratch
from puzzles.generators.crossword.lexicon import Ints


class Tuning(NamedTuple):
    """How one search behaves. Weights are by what the tally counts."""

    rank: NDArray[np.int64]
    """The objective: the best grid is that with the greatest sum of tally by rank."""
    weight: NDArray[np.float64]
    """What guides the search, in the same way."""
    letter_cost: float
    """What a new letter costs when the next word is chosen."""
    noise: float
    smallest: int
    largest: int
    """Sides of the window that is torn out, in cells."""
    margin: int
    """How far from the window words may begin to be laid again."""
    thinning: float
    """The share of the window's words that stays."""
    tries: int
    """How many words are tried to meet the duties of one; 0 forbids words to touch."""
    symmetric: bool
    """Whether the pattern must look the same after half a turn; words may not touch then."""


class Candidates(NamedTuple):
    """Words that may be laid next."""

    place: Ints
    """(candidate) → word, first cell, direction."""
    score: NDArray[np.float64]
    number: Ints


class Workspace(NamedTuple):
    """What one search needs beside the board; nothing in it outlives an iteration."""

    scratch: Scratch
    candidates: Candidates
    backup: Ints
    queue: Ints
    label: Ints
    window: Ints


def new_workspace(board: Board) -> Workspace:
    """Return the working space of one search on *board*."""
    words = board.start.size
    capacity = 4096
    return Workspace(
        scratch=new_scratch(board.letters.size),
        candidates=Candidates(
            np.zeros((capacity, 3), np.int32), np.zeros(capacity), np.zeros(1, np.int32)
        ),
        backup=np.zeros_like(board.memory),
        queue=np.zeros(3 * words + 3, np.int32),
        label=np.zeros(words, np.int32),
        window=np.zeros(5, np.int32),
    )
