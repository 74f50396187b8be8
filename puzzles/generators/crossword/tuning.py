"""Input of one annealing search: the numbers that guide it, and its working space."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.generators.crossword.board import Board, Scratch, new_scratch
from puzzles.generators.crossword.lexicon import Ints


class Tuning(NamedTuple):
    """Parameters of one search. Weights are per item of the tally."""

    rank: NDArray[np.int64]
    """The objective: the best grid has the greatest sum of tally times rank."""
    weight: NDArray[np.float64]
    """The value that guides the search, in the same form."""
    letter_cost: float
    """The cost of a new letter when the next word is chosen."""
    noise: float
    smallest: int
    largest: int
    """Sides of the window that is cleared, in cells."""
    margin: int
    """How far from the window new words can start."""
    tries: int
    """How many words are tried to meet the duties of one; 0 forbids words to touch."""
    symmetric: bool
    """Whether the pattern must look the same after half a turn; words must not touch then."""


class Candidates(NamedTuple):
    """Words that can be laid next."""

    place: Ints
    """(candidate) → word, first cell, direction."""
    score: NDArray[np.float64]
    number: Ints


class Workspace(NamedTuple):
    """Data of one search other than the board; nothing in it outlives an iteration."""

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
