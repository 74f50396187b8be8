"""Fill a board from its top-left corner, keeping the best grids of each number of words. Compiled.

This is the beam search of jigsaw (Franz Korntner, 1996; see `board`), in which grids with the same
number of words compete by connectors per letter. The random term in the score was proposed, but not
tried, by its author against grids that become too tight too early. Each grid is continued at the
unfinished letter nearest to the corner, by all words through that letter together with all words
that their new neighbours require. A grid is stored as the list of its words; grids that are equal,
or equal when mirrored at the diagonal, count as one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.generators.crossword.anneal import measure, rank_of
from puzzles.generators.crossword.board import (
    CONNECTORS,
    LETTERS,
    POINTS,
    REFUSED,
    Board,
    Scratch,
    begin,
    fits,
    lay,
    lift,
    new_scratch,
    next_solution,
    reset,
    unit,
    write_over,
)
from puzzles.generators.crossword.lexicon import Ints, Lexicon
from puzzles.generators.kernels import kernel

LEVELS = 8
"""How many numbers of words are open at once: a clump can add up to seven words in one step."""
TRIES = 400
"""How many words are tried between two solutions."""
MEMORY = 400_000_000
"""Bytes that one beam may use; a wider beam is narrowed to fit."""


class Beam(NamedTuple):
    """The grids waiting to be continued, by their number of words modulo `LEVELS`."""

    score: NDArray[np.float64]
    """(level, slot)"""
    heap: Ints
    """(level, position) → slot; the worst grid of the level comes first."""
    places: Ints
    """(level, slot, word number) → word, first cell and direction in one number."""
    done: NDArray[np.uint8]
    """(level, slot, cell) as bits: letters at which the grid is not continued."""
    seen: NDArray[np.uint64]
    """(level, hash) of all grids that were ever kept."""
    size: Ints
    zobrist: NDArray[np.uint64]
    """(letter, cell) → random bits."""
    order: Ints
    """The cells, nearest to the corner first."""
    mirror: Ints
    """Cell → its mirror image at the diagonal; empty unless the board is square."""
    scratch: Scratch
    passed: NDArray[np.uint8]


def new_beam(lexicon: Lexicon, board: Board, width: int, seed: int) -> Beam:
    """Return an empty beam for *width* grids of each number of words, if memory allows."""
    cells, step = board.letters.size, int(board.step[1])
    rows, cols = cells // step - 2, step - 2
    rows_of, cols_of = np.divmod(np.arange(cells), step)
    distance = (rows_of + cols_of) * cells + np.abs(rows_of - cols_of)
    letters = lexicon.child.shape[1]
    random = np.random.default_rng(seed)
    mirrored = (cols_of * step + rows_of).astype(np.int32)
    longest = min(board.start.size, rows * cols)
    width = max(1, min(width, MEMORY // (LEVELS * (4 * longest + cells // 8 + 270))))
    return Beam(
        score=np.zeros((LEVELS, width)),
        heap=np.zeros((LEVELS, width), np.int32),
        places=np.zeros((LEVELS, width, longest), np.int32),
        done=np.zeros((LEVELS, width, (cells + 7) // 8), np.uint8),
        seen=np.zeros((LEVELS, 1 << (16 * width - 1).bit_length()), np.uint64),
        size=np.zeros(LEVELS, np.int32),
        zobrist=random.integers(1, 1 << 63, (letters, cells), np.uint64),
        order=np.argsort(distance, kind="stable").astype(np.int32),
        mirror=mirrored if rows == cols else np.zeros(0, np.int32),
        scratch=new_scratch(cells),
        passed=np.zeros((cells + 7) // 8, np.uint8),
    )


@kernel
def hash_of(board: Board, beam: Beam) -> np.uint64:
    """Return a hash that is the same for a grid and its mirror image."""
    one, other = np.uint64(0), np.uint64(0)
    for p in range(board.letters.size):
        if board.letters[p] > 0:
            one ^= beam.zobrist[board.letters[p], p]
            if beam.mirror.size > 0:
                other ^= beam.zobrist[board.letters[p], beam.mirror[p]]
    return max(one, other)


@kernel
def is_new(beam: Beam, level: int, key: np.uint64) -> bool:
    """Record the grid with this hash; return whether it was new."""
    table = beam.seen[level]
    mask = table.size - 1
    at = np.int64(key & np.uint64(mask))
    for _ in range(64):
        if table[at] == key:
            return False
        if table[at] == np.uint64(0):
            table[at] = key
            return True
        at = (at + 1) & mask
    return True


@kernel
def keep(
    lexicon: Lexicon, board: Board, beam: Beam, parent: int, slot: int, words: int, score: float
) -> None:
    """Put the board into the beam if it is good enough and new.

    Its words are the *words* words of the grid at (level of *parent*, *slot*), and the trail's.
    """
    trail = beam.scratch.depth[1]
    if trail >= LEVELS or words + trail > beam.places.shape[2]:
        return
    level = (parent + trail) % LEVELS
    width = beam.heap.shape[1]
    heap, scores = beam.heap[level], beam.score[level]
    size = beam.size[level]
    if size == width and score <= scores[heap[0]]:
        return
    if not is_new(beam, level, hash_of(board, beam)):
        return
    # A heap with the worst score at the top: sift up if it is growing, down if it is full.
    if size < width:
        target, n = size, size
        beam.size[level] += 1
        while n > 0 and scores[heap[(n - 1) >> 1]] > score:
            heap[n] = heap[(n - 1) >> 1]
            n = (n - 1) >> 1
    else:
        target, n = heap[0], 0
        while 2 * n + 1 < size:
            down = 2 * n + 1
            if down + 1 < size and scores[heap[down + 1]] < scores[heap[down]]:
                down += 1
            if scores[heap[down]] >= score:
                break
            heap[n] = heap[down]
            n = down
    heap[n] = target
    scores[target] = score
    for i in range(words):
        beam.places[level, target, i] = beam.places[parent, slot, i]
    for i in range(trail):
        word = beam.scratch.trail[i]
        place = word * board.letters.size + board.start[word]
        beam.places[level, target, words + i] = 2 * place + board.direction[word]
    for i in range(beam.passed.size):
        beam.done[level, target, i] = beam.passed[i]


@kernel
def start_beam(lexicon: Lexicon, board: Board, beam: Beam, rng: NDArray[np.uint64]) -> None:
    """Put every word that fits into the top-left corner into the beam."""
    ways = 1 if beam.mirror.size > 0 else 2
    for i in range(beam.passed.size):
        beam.passed[i] = 0
    for word in range(board.start.size):
        for way in range(ways):
            corner = board.step[1] + 1
            if fits(lexicon, board, word, corner, way)[0] == REFUSED:
                continue
            reset(beam.scratch)
            lay(lexicon, board, beam.scratch, word, corner, way)
            beam.scratch.trail[0], beam.scratch.depth[1] = word, 1
            keep(lexicon, board, beam, 0, 0, 0, unit(rng))
            lift(lexicon, board, word)


@kernel
def extend_beam(
    lexicon: Lexicon,
    board: Board,
    empty: Ints,
    best: Ints,
    beam: Beam,
    rng: NDArray[np.uint64],
    rank: NDArray[np.int64],
    options: tuple[float, float, float, int],
    words: int,
    first: int,
    last: int,
) -> None:
    """Continue the grids *first* to *last* - 1 of those with *words* words; record the best.

    *options* is (value of a connector, of a point, noise, letters at which a grid is continued).
    """
    worth, point_worth, noise, letters_tried = options
    level = words % LEVELS
    scratch, tally = beam.scratch, board.tally
    write_over(board.memory, best)
    top = rank_of(board, rank)
    for slot in range(first, last):
        write_over(board.memory, empty)
        reset(scratch)
        for i in range(words):
            place = beam.places[level, slot, i]
            lay_at = (place >> 1) % board.letters.size
            lay(lexicon, board, scratch, (place >> 1) // board.letters.size, lay_at, place & 1)
        for i in range(beam.passed.size):
            beam.passed[i] = beam.done[level, slot, i]
        continued = 0
        for cell in beam.order:
            if board.letters[cell] <= 0 or beam.passed[cell >> 3] >> (cell & 7) & 1:
                continue
            if board.cover[0, cell] != 0 and board.cover[1, cell] != 0:
                continue
            beam.passed[cell >> 3] |= 1 << (cell & 7)
            begin(lexicon, board, scratch, cell, 1 if board.cover[0, cell] != 0 else 0, 0)
            found = False
            while next_solution(lexicon, board, scratch, 0, TRIES):
                found = True
                gain = worth * tally[CONNECTORS] + point_worth * tally[POINTS]
                score = gain / tally[LETTERS] + noise * unit(rng)
                keep(lexicon, board, beam, level, slot, words, score)
                if rank_of(board, rank) > top:
                    measure(lexicon, board)
                    top = rank_of(board, rank)
                    write_over(best, board.memory)
            if found:
                continued += 1
                if continued == letters_tried:
                    break


@kernel
def clear_level(beam: Beam, words: int) -> None:
    """Remove the grids with *words* words."""
    level = words % LEVELS
    beam.size[level] = 0
    for i in range(beam.seen.shape[1]):
        beam.seen[level, i] = np.uint64(0)
