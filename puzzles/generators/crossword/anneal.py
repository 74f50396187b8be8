"""Improve a crossword by repeatedly clearing a part of it and filling it again. Compiled.

The method is ruin and recreate (Schrimpf et al., Record breaking optimization results using the
ruin and recreate principle, 2000) under simulated annealing: a window is cleared, words are laid
again one by one, each the best by a noisy score, and the result is kept if it is better, or with a
probability that decreases as the search cools.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from puzzles.generators.crossword.board import (
    AREA,
    CONNECTORS,
    DUTY,
    EXCESS,
    FREE,
    PINNED,
    POINTS,
    REFUSED,
    WORDS,
    Board,
    Scratch,
    below,
    fits,
    forget_last,
    lay,
    next_solution,
    open_duty,
    open_frame,
    reset,
    unit,
    write_over,
)
from puzzles.generators.crossword.lexicon import Ints, Lexicon
from puzzles.generators.crossword.ruin import opposite, ruin
from puzzles.generators.crossword.tuning import Candidates, Tuning, Workspace
from puzzles.generators.kernels import kernel, part


@kernel
def measure(lexicon: Lexicon, board: Board) -> None:
    """Update AREA and EXCESS in the tally."""
    width = board.step[1]
    top, left, bottom, right = 1 << 30, 1 << 30, -1, -1
    for word in range(board.start.size):
        first = board.start[word]
        if first < 0:
            continue
        length = lexicon.first[word + 1] - lexicon.first[word]
        last = first + (length - 1) * board.step[board.direction[word]]
        top, bottom = min(top, first // width), max(bottom, last // width)
        left, right = min(left, first % width), max(right, last % width)
    high, wide = max(0, bottom - top + 1), max(0, right - left + 1)
    board.tally[AREA] = high * wide
    board.tally[EXCESS] = max(0, max(high, wide) - 3 * min(high, wide) // 2)


@kernel
def rank_of(board: Board, rank: NDArray[np.int64]) -> np.int64:
    """Return the value of the board by the objective."""
    total = np.int64(0)
    for i in range(rank.size):
        total += rank[i] * board.tally[i]
    return total


@kernel
def value_of(board: Board, weight: NDArray[np.float64]) -> float:
    """Return the value of the board by the weights that guide the search."""
    total = 0.0
    for i in range(weight.size):
        total += weight[i] * board.tally[i]
    return total


@kernel
def gather(
    lexicon: Lexicon,
    board: Board,
    tuning: Tuning,
    candidates: Candidates,
    rng: NDArray[np.uint64],
    cell: int,
    once: bool,
) -> None:
    """Add the words that can be laid across the letter in *cell*.

    If *once*, a word that crosses several letters is added only at the first of them.
    """
    way = 0
    if board.cover[0, cell] != 0:
        if board.cover[1, cell] != 0:
            return
        way = 1
    step = board.step[way]
    node = lexicon.child[0, board.letters[cell]]
    for i in range(lexicon.occurrence_first[node], lexicon.occurrence_first[node + 1]):
        word = lexicon.occurrence_word[i]
        if board.start[word] >= 0:
            continue
        offset = lexicon.occurrence_offset[i]
        start = cell - offset * step
        verdict, crossings, points, first_crossing = fits(lexicon, board, word, start, way)
        if verdict == REFUSED or (verdict == DUTY and tuning.tries == 0):
            continue
        if once and first_crossing != offset:
            continue
        letters = lexicon.first[word + 1] - lexicon.first[word]
        score = (
            tuning.weight[CONNECTORS] * crossings
            + tuning.weight[POINTS] * points
            + tuning.weight[PINNED] * lexicon.pinned[word]
            - tuning.letter_cost * (letters - crossings)
            + tuning.noise * unit(rng)
        )
        push(candidates, score, word, start, way)


@part
def push(candidates: Candidates, score: float, word: int, start: int, way: int) -> None:
    """Add a candidate to the heap, unless it is full."""
    place, scores = candidates.place, candidates.score
    n = candidates.number[0]
    if n == scores.size:
        return
    candidates.number[0] = n + 1
    while n > 0 and scores[(n - 1) >> 1] < score:
        up = (n - 1) >> 1
        scores[n] = scores[up]
        for i in range(3):
            place[n, i] = place[up, i]
        n = up
    scores[n] = score
    place[n, 0], place[n, 1], place[n, 2] = word, start, way


@part
def pop(candidates: Candidates) -> tuple[int, int, int]:
    """Remove and return the candidate with the highest score: (word, first cell, direction)."""
    place, scores = candidates.place, candidates.score
    word, start, way = place[0, 0], place[0, 1], place[0, 2]
    last = candidates.number[0] - 1
    candidates.number[0] = last
    n = 0
    while True:
        down = 2 * n + 1
        if down >= last:
            break
        if down + 1 < last and scores[down + 1] > scores[down]:
            down += 1
        if scores[down] <= scores[last]:
            break
        scores[n] = scores[down]
        for i in range(3):
            place[n, i] = place[down, i]
        n = down
    scores[n] = scores[last]
    for i in range(3):
        place[n, i] = place[last, i]
    return word, start, way


@kernel
def lay_with_duties(
    lexicon: Lexicon,
    board: Board,
    tuning: Tuning,
    scratch: Scratch,
    rng: NDArray[np.uint64],
    word: int,
    start: int,
    way: int,
) -> bool:
    """Lay *word* and all words that it requires; restore the board and return False on failure.

    The words laid are on the trail.
    """
    reset(scratch)
    scratch.frames[0, 1] = 0
    scratch.depth[0] = 1
    lay(lexicon, board, scratch, word, start, way)
    scratch.trail[0] = word
    scratch.depth[1] = 1
    duty = open_duty(board, scratch)
    if duty < 0 and (not tuning.symmetric or lay_partner(lexicon, board, scratch, rng, word)):
        return True
    if tuning.tries == 0:
        forget_last(lexicon, board, scratch)
        return False
    turn = below(rng, 1 << 20)
    cell, side = scratch.duties[duty, 0], scratch.duties[duty, 1]
    open_frame(lexicon, board, scratch, cell, side, turn)
    is_solved: bool = next_solution(lexicon, board, scratch, turn, tuning.tries)
    return is_solved


@kernel
def lay_partner(
    lexicon: Lexicon, board: Board, scratch: Scratch, rng: NDArray[np.uint64], word: int
) -> bool:
    """Lay a word opposite to *word*, unless it is its own opposite; return whether one fits."""
    way, words = board.direction[word], board.start.size
    image = opposite(lexicon, board, word, board.start[word], way)
    if image == board.start[word]:
        return True
    length = lexicon.first[word + 1] - lexicon.first[word]
    offset = below(rng, words)
    for i in range(words):
        partner = (i + offset) % words
        if board.start[partner] >= 0:
            continue
        if lexicon.first[partner + 1] - lexicon.first[partner] != length:
            continue
        if fits(lexicon, board, partner, image, way)[0] == FREE:
            lay(lexicon, board, scratch, partner, image, way)
            scratch.trail[1] = partner
            scratch.depth[1] = 2
            return True
    return False


@kernel
def lay_first(
    lexicon: Lexicon, board: Board, tuning: Tuning, work: Workspace, rng: NDArray[np.uint64]
) -> bool:
    """Lay a random word on the empty board, in its middle if symmetry is required.

    Return whether one was found.
    """
    words = board.start.size
    for _ in range(50 * words):
        word, way = below(rng, words), below(rng, 2)
        start = below(rng, board.letters.size)
        if tuning.symmetric:
            # Half-way between the board's first cell and the word's start if it ended at the last
            # cell: this word is its own opposite, if there is such a cell.
            start = opposite(lexicon, board, word, 0, way) >> 1
            if opposite(lexicon, board, word, start, way) != start:
                continue
        if fits(lexicon, board, word, start, way)[0] != REFUSED:
            reset(work.scratch)
            lay(lexicon, board, work.scratch, word, start, way)
            return True
    return False


@kernel
def recreate(
    lexicon: Lexicon, board: Board, tuning: Tuning, work: Workspace, rng: NDArray[np.uint64]
) -> None:
    """Lay words around the window until no more are found to fit."""
    candidates, scratch = work.candidates, work.scratch
    if board.tally[WORDS] == 0 and not lay_first(lexicon, board, tuning, work, rng):
        return
    if board.tally[WORDS] == board.start.size:
        return
    width = board.step[1]
    rows = board.letters.size // width
    margin = tuning.margin
    top, left = max(1, work.window[0] - margin), max(1, work.window[1] - margin)
    bottom = min(rows - 2, work.window[2] + margin)
    right = min(width - 2, work.window[3] + margin)
    candidates.number[0] = 0
    for row in range(top, bottom + 1):
        for p in range(row * width + left, row * width + right + 1):
            if board.letters[p] > 0:
                gather(lexicon, board, tuning, candidates, rng, p, True)
    while candidates.number[0] > 0:
        word, start, way = pop(candidates)
        if board.start[word] >= 0 or fits(lexicon, board, word, start, way)[0] == REFUSED:
            continue
        if not lay_with_duties(lexicon, board, tuning, scratch, rng, word, start, way):
            continue
        for n in range(scratch.depth[1]):
            added = scratch.trail[n]
            p = board.start[added]
            for _ in range(lexicon.first[added], lexicon.first[added + 1]):
                gather(lexicon, board, tuning, candidates, rng, p, False)
                p += board.step[board.direction[added]]


@kernel
def anneal(
    lexicon: Lexicon,
    board: Board,
    best: Ints,
    tuning: Tuning,
    work: Workspace,
    rng: NDArray[np.uint64],
    heats: tuple[float, float, int, int],
    iterations: int,
) -> None:
    """Ruin and recreate *iterations* times; *best* keeps the memory of the best board.

    Heat is the loss that is accepted with probability 1/e. *heats* is (heat of the very first
    iteration, heat of the very last, index of this call's first iteration, total iterations).
    """
    hot, cold, begun, total = heats
    fall = math.log(cold / hot) / total
    measure(lexicon, board)
    # Any word is better than none, even if it makes the bounding box long.
    value = value_of(board, tuning.weight) if board.tally[WORDS] > 0 else -math.inf
    write_over(work.backup, board.memory)
    write_over(board.memory, best)
    top = rank_of(board, tuning.rank)
    write_over(board.memory, work.backup)
    for iteration in range(begun, begun + iterations):
        heat = hot * math.exp(fall * iteration)
        write_over(work.backup, board.memory)
        if board.tally[WORDS] > 0:
            ruin(lexicon, board, tuning, work, rng)
        recreate(lexicon, board, tuning, work, rng)
        measure(lexicon, board)
        attempt = value_of(board, tuning.weight)
        if attempt >= value or unit(rng) < math.exp((attempt - value) / heat):
            value = attempt
            rank = rank_of(board, tuning.rank)
            if rank > top:
                top = rank
                write_over(best, board.memory)
        else:
            write_over(board.memory, work.backup)
