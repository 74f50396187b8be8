"""Clear a window of a crossword and keep the rest valid: one piece, no stray runs. Compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.generators.crossword.board import WORDS, Board, below, lift
from puzzles.generators.crossword.lexicon import Lexicon
from puzzles.generators.crossword.tuning import Tuning, Workspace
from puzzles.generators.kernels import kernel


@kernel
def settle(
    lexicon: Lexicon, board: Board, tuning: Tuning, work: Workspace, rng: NDArray[np.uint64]
) -> None:
    """Make the board valid after words were lifted: no stray runs, one piece, symmetry.

    The lifted words are in `work.queue`, as (word, first cell, direction); their number is
    `work.window[4]`.
    """
    done = 0
    while done < work.window[4]:
        word, p, way = work.queue[3 * done], work.queue[3 * done + 1], work.queue[3 * done + 2]
        done += 1
        if tuning.symmetric:
            partner = board.cover[way, opposite(lexicon, board, word, p, way)] - 1
            if partner >= 0:
                lift_noted(lexicon, board, work, partner)
        for _ in range(lexicon.first[word], lexicon.first[word + 1] - 1):
            q = p + board.step[way]
            if board.letters[p] > 0 and board.letters[q] > 0 and board.cover[way, p] == 0:
                stray = board.cover[1 - way, p if below(rng, 2) == 0 else q] - 1
                lift_noted(lexicon, board, work, stray)
            p = q
    keep_largest_piece(lexicon, board, tuning, work)


@kernel
def opposite(lexicon: Lexicon, board: Board, word: int, start: int, way: int) -> Any:
    """Return the first cell of the place of *word* after half a turn of the board."""
    length = lexicon.first[word + 1] - lexicon.first[word]
    return board.letters.size - 1 - (start + (length - 1) * board.step[way])


@kernel
def lift_noted(lexicon: Lexicon, board: Board, work: Workspace, word: int) -> None:
    """Lift *word* and record where it was."""
    n = work.window[4]
    work.queue[3 * n] = word
    work.queue[3 * n + 1] = board.start[word]
    work.queue[3 * n + 2] = board.direction[word]
    work.window[4] += 1
    lift(lexicon, board, word)


@kernel
def keep_largest_piece(lexicon: Lexicon, board: Board, tuning: Tuning, work: Workspace) -> None:
    """Lift all words except those of the largest connected piece.

    If symmetry is required, the piece must be its own image.
    """
    label, queue = work.label, work.queue
    for word in range(label.size):
        label[word] = 0
    pieces, largest, most = 0, -1, 0
    for seed in range(board.start.size):
        if board.start[seed] < 0 or label[seed] != 0:
            continue
        pieces += 1
        label[seed] = pieces
        queue[0] = seed
        head, tail = 0, 1
        while head < tail:
            word = queue[head]
            head += 1
            way = board.direction[word]
            p = board.start[word]
            for _ in range(lexicon.first[word], lexicon.first[word + 1]):
                other = board.cover[1 - way, p] - 1
                if other >= 0 and label[other] == 0:
                    label[other] = pieces
                    queue[tail] = other
                    tail += 1
                p += board.step[way]
        if tuning.symmetric:
            way = board.direction[seed]
            image = opposite(lexicon, board, seed, board.start[seed], way)
            if label[board.cover[way, image] - 1] != pieces:
                continue
        if tail > most:
            most, largest = tail, pieces
        elif not tuning.symmetric and most * 2 > board.tally[WORDS]:
            break
    for word in range(board.start.size):
        if board.start[word] >= 0 and label[word] != largest:
            lift(lexicon, board, word)


@kernel
def ruin(
    lexicon: Lexicon, board: Board, tuning: Tuning, work: Workspace, rng: NDArray[np.uint64]
) -> None:
    """Clear a window of the board; store its corners in `work.window`."""
    words = board.start.size
    middle = below(rng, words)
    while board.start[middle] < 0:
        middle = middle + 1 if middle + 1 < words else 0
    length = lexicon.first[middle + 1] - lexicon.first[middle]
    cell = board.start[middle] + below(rng, length) * board.step[board.direction[middle]]
    width = board.step[1]
    height = tuning.smallest + below(rng, tuning.largest - tuning.smallest + 1)
    breadth = tuning.smallest + below(rng, tuning.largest - tuning.smallest + 1)
    rows = board.letters.size // width
    top = max(1, cell // width - below(rng, height))
    left = max(1, cell % width - below(rng, breadth))
    bottom, right = min(rows - 2, top + height - 1), min(width - 2, left + breadth - 1)
    work.window[0], work.window[1] = top, left
    work.window[2], work.window[3] = bottom, right
    work.window[4] = 0
    for row in range(top, bottom + 1):
        for p in range(row * width + left, row * width + right + 1):
            for way in range(2):
                word = board.cover[way, p] - 1
                if word >= 0:
                    lift_noted(lexicon, board, work, word)
    settle(lexicon, board, tuning, work, rng)
