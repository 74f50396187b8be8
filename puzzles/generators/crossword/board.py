"""The crossword board: what can be written where, and what that requires. Compiled.

Every run of two or more letters must be a word of the list. A word whose letters are placed
beside others forms such runs; each is a *duty* that must be met at once by a word that covers
exactly the run or extends it. Trying every such word to meet all duties finds shapes that
placing one word after another does not find: 2 by 2 clumps and denser meshes.
The idea is from jigsaw by Franz Korntner, which won the contest CROZZLE of the Programmer of the
Month in spring 1996. The author describes it at potm.tripod.com/CROZZLE/whoami.html and in
APPROACH.txt of github.com/xyzzy/jigsaw. This code is our own.

A board is one array of memory with several views, so that it is copied in one step.
It is surrounded by walls, and cells are numbered row by row, so no index needs a bounds check
in both dimensions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.generators.crossword.lexicon import Ints, Lexicon
from puzzles.generators.kernels import kernel, part

ACROSS, DOWN = 0, 1
WALL = -1
WORDS, CONNECTORS, LETTERS, POINTS, PINNED, AREA, EXCESS = range(7)
"""What a board's tally counts. AREA is that of the bounding box, EXCESS by how many cells its
longer side exceeds one and a half times the other; `measure` updates both."""
REFUSED, FREE, DUTY = range(3)
"""Verdicts of `fits`: impossible; possible; possible if the runs that it forms become words."""
DEEPEST = 12
"""How many words can be laid to meet one another's duties."""


class Board(NamedTuple):
    """A grid under construction. `memory` holds everything that changes; the others are views."""

    memory: Ints
    letters: Ints
    """Cell → letter; 0 for an empty cell, WALL for one that must not be used."""
    cover: Ints
    """(direction, cell) → the number of the word that runs there plus one, or 0."""
    start: Ints
    """Word → its first cell, or -1 if it is not placed."""
    direction: Ints
    tally: Ints
    step: Ints
    """Direction → the distance between neighbouring cells."""


class Scratch(NamedTuple):
    """The duties of one search, and the words that it lays to meet them."""

    trail: Ints
    duties: Ints
    frames: Ints
    depth: Ints
    """[number of frames, number of words on the trail, number of duties]"""


def empty_board(rows: int, cols: int, words: int, walls: Iterable[tuple[int, int]] = ()) -> Board:
    """Return a board of *rows* by *cols* cells without words, closed at *walls*."""
    cells = (rows + 2) * (cols + 2)
    memory = np.zeros(3 * cells + 2 * words + 7, np.int32)
    letters, cover, start, direction, tally = np.split(
        memory, np.cumsum([cells, 2 * cells, words, words])
    )
    start[:] = -1
    grid = letters.reshape(rows + 2, cols + 2)
    grid[[0, -1], :] = WALL
    grid[:, [0, -1]] = WALL
    for row, col in walls:
        grid[row + 1, col + 1] = WALL
    step = np.array([1, cols + 2], np.int32)
    return Board(memory, letters, cover.reshape(2, cells), start, direction, tally, step)


def new_scratch(cells: int) -> Scratch:
    """Return the working space of one search on a board with this number of *cells*."""
    return Scratch(
        trail=np.zeros(DEEPEST + 2, np.int32),
        duties=np.zeros((cells * 2, 2), np.int32),
        frames=np.zeros((DEEPEST + 2, 5), np.int32),
        depth=np.zeros(3, np.int32),
    )


# Random numbers: xorshift64*, with a separate state for every search (Vigna, 2016).


@kernel
def draw(rng: NDArray[np.uint64]) -> Any:
    """Return 64 random bits."""
    x = rng[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    rng[0] = x
    return x * np.uint64(2685821657736338717)


@kernel
def below(rng: NDArray[np.uint64], limit: int) -> Any:
    """Return a random number from 0 to *limit* - 1."""
    return (np.int64(draw(rng) >> np.uint64(33)) * limit) >> 31


@kernel
def unit(rng: NDArray[np.uint64]) -> float:
    """Return a random number from 0 up to 1."""
    return np.float64(draw(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def write_over(target: Ints, source: Ints) -> None:
    """Copy *source* to *target*, which has the same size."""
    for i in range(target.size):
        target[i] = source[i]


@kernel
def reset(scratch: Scratch) -> None:
    """Clear all frames, words and duties."""
    scratch.depth[0], scratch.depth[1], scratch.depth[2] = 0, 0, 0


@part
def is_open(board: Board, cell: int, step: int, way: int, cells: int) -> bool:
    """Return whether a word that runs *way* could use so many *cells* beyond *cell*.

    It cannot use a wall, a letter of a word that runs the same way, nor an empty cell in which any
    letter would lengthen a word that ends beside it. *step* is from one cell to the next.
    """
    letters, cover = board.letters, board.cover
    side = board.step[1 - way]
    p = cell
    for _ in range(cells):
        p += step
        if letters[p] == WALL or cover[way, p] != 0:
            return False
        if letters[p] == 0 and (cover[1 - way, p - side] != 0 or cover[1 - way, p + side] != 0):
            return False
    return True


@part
def can_be_run(lexicon: Lexicon, board: Board, cell: int, letter: int, way: int) -> bool:
    """Return whether a word is left, with room for it, for the run of *letter* in an empty *cell*.

    The run is that of the letters on both sides of the cell, none of which has a word that way.
    """
    letters, step = board.letters, board.step[way]
    head, tail = cell, cell
    while letters[head - step] > 0:
        head -= step
    while letters[tail + step] > 0:
        tail += step
    node = 0
    for p in range(head, tail + 1, step):
        node = lexicon.child[node, letter if p == cell else letters[p]]
        if node == 0:
            return False
    run = (tail - head) // step + 1
    for i in range(lexicon.occurrence_first[node], lexicon.occurrence_first[node + 1]):
        word, offset = lexicon.occurrence_word[i], lexicon.occurrence_offset[i]
        rest = lexicon.first[word + 1] - lexicon.first[word] - run - offset
        if board.start[word] >= 0 or not is_open(board, head, -step, way, offset):
            continue
        if is_open(board, tail, step, way, rest):
            return True
    return False


@part
def fits(
    lexicon: Lexicon, board: Board, word: int, start: int, way: int
) -> tuple[int, int, int, int]:
    """Return whether *word* can be laid: (verdict, crossings, their points, first crossing).

    The first crossing is an index into the word.
    """
    letters, cover = board.letters, board.cover
    first = lexicon.first[word]
    length = lexicon.first[word + 1] - first
    step, side = board.step[way], board.step[1 - way]
    last = start + (length - 1) * step
    if start - step < 0 or last + step >= letters.size:
        return REFUSED, 0, 0, -1
    if letters[start - step] > 0 or letters[last + step] > 0:
        return REFUSED, 0, 0, -1
    verdict, crossings, points, first_crossing = FREE, 0, 0, -1
    p = start
    for i in range(length):
        here, letter = letters[p], lexicon.letters[first + i]
        if here == 0:
            before, after = letters[p - side] > 0, letters[p + side] > 0
            if before or after:
                if before and cover[1 - way, p - side] != 0:
                    return REFUSED, 0, 0, -1
                if after and cover[1 - way, p + side] != 0:
                    return REFUSED, 0, 0, -1
                if not can_be_run(lexicon, board, p, letter, 1 - way):
                    return REFUSED, 0, 0, -1
                verdict = DUTY
        elif here == letter and cover[way, p] == 0:
            if crossings == 0:
                first_crossing = i
            crossings += 1
            points += lexicon.points[letter]
        else:
            return REFUSED, 0, 0, -1
        p += step
    return verdict, crossings, points, first_crossing


@kernel
def lay(lexicon: Lexicon, board: Board, scratch: Scratch, word: int, start: int, way: int) -> None:
    """Write *word* to the board and record the duties that its new letters create."""
    letters, cover, tally = board.letters, board.cover, board.tally
    side = board.step[1 - way]
    p = start
    for i in range(lexicon.first[word], lexicon.first[word + 1]):
        if letters[p] == 0:
            letters[p] = lexicon.letters[i]
            tally[LETTERS] += 1
            if letters[p - side] > 0 or letters[p + side] > 0:
                duty = scratch.depth[2]
                scratch.duties[duty, 0] = p
                scratch.duties[duty, 1] = 1 - way
                scratch.depth[2] += 1
        else:
            tally[CONNECTORS] += 1
            tally[POINTS] += lexicon.points[letters[p]]
        cover[way, p] = word + 1
        p += board.step[way]
    board.start[word] = start
    board.direction[word] = way
    tally[WORDS] += 1
    tally[PINNED] += lexicon.pinned[word]


@kernel
def lift(lexicon: Lexicon, board: Board, word: int) -> None:
    """Remove *word* from the board, except letters that another word needs."""
    letters, cover, tally = board.letters, board.cover, board.tally
    way = board.direction[word]
    p = board.start[word]
    for _ in range(lexicon.first[word], lexicon.first[word + 1]):
        cover[way, p] = 0
        if cover[1 - way, p] == 0:
            letters[p] = 0
            tally[LETTERS] -= 1
        else:
            tally[CONNECTORS] -= 1
            tally[POINTS] -= lexicon.points[letters[p]]
        p += board.step[way]
    board.start[word] = -1
    tally[WORDS] -= 1
    tally[PINNED] -= lexicon.pinned[word]


# Meeting duties: a depth-first search that can be resumed for the next solution.
# A frame is [next occurrence, occurrences left, end of the node's occurrences, first cell of the
# run, direction]; the word laid for frame k is on the trail above those of earlier frames.


@kernel
def open_frame(
    lexicon: Lexicon, board: Board, scratch: Scratch, cell: int, way: int, turn: int
) -> None:
    """Prepare to try all words that cover the run through *cell*, beginning with the *turn*-th."""
    letters, step = board.letters, board.step[way]
    p = cell
    while letters[p - step] > 0:
        p -= step
    head = p
    node = 0
    while letters[p] > 0:
        node = lexicon.child[node, letters[p]]
        if node == 0:
            break
        p += step
    frame = scratch.frames[scratch.depth[0]]
    count = 0
    if node != 0:
        count = lexicon.occurrence_first[node + 1] - lexicon.occurrence_first[node]
        frame[2] = lexicon.occurrence_first[node + 1]
        frame[0] = lexicon.occurrence_first[node] + (turn % count)
    frame[1] = count
    frame[3] = head
    frame[4] = way + 2 * node
    scratch.depth[0] += 1


@kernel
def begin(lexicon: Lexicon, board: Board, scratch: Scratch, cell: int, way: int, turn: int) -> None:
    """Prepare to try all words through *cell* and the words that they require."""
    reset(scratch)
    open_frame(lexicon, board, scratch, cell, way, turn)


@kernel
def open_duty(board: Board, scratch: Scratch) -> int:
    """Return the index of the first duty that no word meets, or -1."""
    for duty in range(scratch.depth[2]):
        if board.cover[scratch.duties[duty, 1], scratch.duties[duty, 0]] == 0:
            return duty
    return -1


@kernel
def forget_last(lexicon: Lexicon, board: Board, scratch: Scratch) -> None:
    """Remove the last word of the trail and the duties that it created."""
    scratch.depth[1] -= 1
    lift(lexicon, board, scratch.trail[scratch.depth[1]])
    kept = 0
    while kept < scratch.depth[2] and board.letters[scratch.duties[kept, 0]] > 0:
        kept += 1
    scratch.depth[2] = kept


@kernel
def next_solution(lexicon: Lexicon, board: Board, scratch: Scratch, turn: int, tries: int) -> bool:
    """Lay the next set of words that leaves no duty open; lay nothing if there are no more.

    Each call removes the words of the previous one. *tries* limits how many words are tried;
    *turn* is the offset among the fitting words at which to begin. The words laid are on the
    trail.
    """
    depth, frames = scratch.depth, scratch.frames
    if depth[1] == depth[0] and depth[1] > 0:
        forget_last(lexicon, board, scratch)
    while depth[0] > 0:
        frame = frames[depth[0] - 1]
        if frame[1] == 0 or tries <= 0:
            depth[0] -= 1
            if depth[1] > 0 and depth[1] >= depth[0]:
                forget_last(lexicon, board, scratch)
            continue
        occurrence = frame[0]
        way, node = frame[4] & 1, frame[4] >> 1
        frame[1] -= 1
        frame[0] += 1
        if frame[0] == frame[2]:
            frame[0] = lexicon.occurrence_first[node]
        word = lexicon.occurrence_word[occurrence]
        if board.start[word] >= 0:
            continue
        tries -= 1
        start = frame[3] - lexicon.occurrence_offset[occurrence] * board.step[way]
        verdict = fits(lexicon, board, word, start, way)[0]
        if verdict == REFUSED:
            continue
        lay(lexicon, board, scratch, word, start, way)
        scratch.trail[depth[1]] = word
        depth[1] += 1
        duty = open_duty(board, scratch)
        if duty < 0:
            return True
        if depth[0] == DEEPEST:
            forget_last(lexicon, board, scratch)
            continue
        open_frame(lexicon, board, scratch, scratch.duties[duty, 0], scratch.duties[duty, 1], turn)
    return False


def copy_of(board: Board, memory: Ints | None = None) -> Board:
    """Return a board of the same shape with a copy of *memory*, by default that of *board*."""
    cells, words = board.letters.size, board.start.size
    held = (board.memory if memory is None else memory).copy()
    letters, cover, start, direction, tally = np.split(
        held, np.cumsum([cells, 2 * cells, words, words])
    )
    return board._replace(
        memory=held,
        letters=letters,
        cover=cover.reshape(2, cells),
        start=start,
        direction=direction,
        tally=tally,
    )
