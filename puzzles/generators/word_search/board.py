"""The word search board: cells as bits, and where a word can go. Compiled.

The cells of the grid, row after row, are the bits of a few 64-bit numbers, and so are the cells of
every tile. The starts at which a word fits in one direction are then found 64 at a time: shift and
intersect the cells that suit its first tile, its second, … The same shifts, added up in binary
counters of one bit per cell, give the number of cells that each start would share.

Two words never share a cell along one line: no word lies in another or overlaps its end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from puzzles.generators.kernels import kernel

Bits = NDArray[np.uint64]
Ints = NDArray[np.int64]

# Direction d runs along axis d & 3; d and d + 4 are opposite.
ROW_STEP = np.array([0, 1, 1, 1, 0, -1, -1, -1])
COL_STEP = np.array([1, 0, 1, -1, -1, 0, -1, 1])

BLOCKS = 4
"""Evenness is measured on this number of blocks per side."""
MOST_CHUNKS = 64
"""More than the number of 64-bit numbers for a grid of 60 by 60."""
CHOOSING = 500
"""Steps of work of one choice in addition to those of its cells."""


class Words(NamedTuple):
    """The words to place, one after another: word w is tiles[first[w] : first[w + 1]]."""

    tiles: Ints
    first: Ints


class Board(NamedTuple):
    """A grid under construction.

    The cell (row, col) has the number row * cols + col. In arrays of (…, chunks) of bits, cell p
    is bit p % 64 of chunk p // 64 + 1; the chunk before and the two after the cells are empty.
    """

    letters: Bits
    """(tile, chunk): the cell contains the tile."""
    covered: Bits
    """(2, chunk): in at least one word; in at least two."""
    lines: Bits
    """(axis, chunk): in a word that runs along the axis."""
    within: Bits
    """(length, direction, chunk): this many cells from there are on the board."""
    reach: Ints
    """(length, direction, 2): the first chunk of `within` with a bit, and the end of those."""
    step: Ints
    """Direction → the difference between the numbers of adjacent cells."""
    filled: Ints
    """Block → the number of its cells that hold a tile."""
    block: Ints
    """Cell → its block."""


class Scratch(NamedTuple):
    """Working space to choose one place."""

    suits: Bits
    """(place in the word, chunk): the cells that can hold the word's tile at this place."""
    fits: Bits
    """(direction, chunk): the best starts found."""
    counts: Bits
    """(4, chunk): binary digits of how much each start would share."""
    level: Ints
    reach: Ints
    """(direction, 2): the first chunk with starts, and the end of those."""
    skips: Bits
    """Random bits, few of them 0: starts that are overlooked, for variety."""


def empty_board(
    rows: int, cols: int, tiles: int, inside: frozenset[tuple[int, int]] | None = None
) -> Board:
    """Return a board of *rows* by *cols* without words, for this number of distinct *tiles*.

    Words stay on the cells *inside*, by default all.
    """
    chunks = (rows * cols + 63) // 64 + 3
    longest = max(rows, cols)
    within = np.zeros((longest + 1, 8, chunks), np.uint64)
    reach = np.zeros((longest + 1, 8, 2), np.int64)
    _find_room(rows, cols, within, reach)
    block = np.add.outer(
        np.arange(rows) * BLOCKS // rows * BLOCKS, np.arange(cols) * BLOCKS // cols
    ).ravel()
    if inside is not None:
        layer = np.zeros((1, chunks), np.uint64)
        for row, col in inside:
            cell = row * cols + col
            layer[0, (cell >> 6) + 1] |= np.uint64(1 << (cell & 63))
        _keep_inside(within, reach, layer, ROW_STEP * cols + COL_STEP)
        block = _equal_blocks(rows, cols, inside)
    return Board(
        np.zeros((tiles, chunks), np.uint64),
        np.zeros((2, chunks), np.uint64),
        np.zeros((4, chunks), np.uint64),
        within,
        reach,
        ROW_STEP * cols + COL_STEP,
        np.zeros(BLOCKS * BLOCKS, np.int64),
        block,
    )


def _equal_blocks(rows: int, cols: int, inside: frozenset[tuple[int, int]]) -> Ints:
    """Return the block of each cell, so that blocks have equally many cells *inside*."""
    block = np.zeros((rows, cols), np.int64)
    bands = np.array_split(sorted(inside, key=lambda cell: (cell[1], cell[0])), BLOCKS)
    for i, band in enumerate(bands):
        for j, part in enumerate(np.array_split(sorted(band.tolist()), BLOCKS)):
            if len(part):
                block[part[:, 0], part[:, 1]] = i * BLOCKS + j
    return block.ravel()


def new_scratch(board: Board, directions: int) -> Scratch:
    """Return the working space that `choose` needs on *board*."""
    chunks = board.covered.shape[1]
    return Scratch(
        np.zeros((len(board.within), chunks), np.uint64),
        np.zeros((directions, chunks), np.uint64),
        np.zeros((4, chunks), np.uint64),
        np.zeros(directions, np.int64),
        np.zeros((directions, 2), np.int64),
        np.zeros(1024, np.uint64),
    )


@kernel
def _find_room(rows, cols, within, reach):  # type: ignore[no-untyped-def]
    """Set *within* and *reach* of a board; see their descriptions."""
    for length in range(1, len(within)):
        for direction in range(8):
            down, right = ROW_STEP[direction], COL_STEP[direction]
            top = length - 1 if down < 0 else 0
            bottom = rows - length + 1 if down > 0 else rows
            left = length - 1 if right < 0 else 0
            end = cols - length + 1 if right > 0 else cols
            if top >= bottom or left >= end:
                continue
            for row in range(top, bottom):
                for cell in range(row * cols + left, row * cols + end):
                    within[length, direction, (cell >> 6) + 1] |= uint64(1) << uint64(cell & 63)
            reach[length, direction, 0] = ((top * cols + left) >> 6) + 1
            reach[length, direction, 1] = (((bottom - 1) * cols + end - 1) >> 6) + 2


@kernel
def _keep_inside(within, reach, layer, steps):  # type: ignore[no-untyped-def]
    """Leave in *within* only the starts from which all cells are in the first row of *layer*."""
    for length in range(1, len(within)):
        for direction in range(8):
            for chunk in range(reach[length, direction, 0], reach[length, direction, 1]):
                bits = within[length, direction, chunk]
                at = chunk << 6
                for _ in range(length):
                    bits &= _shifted(layer, 0, at)
                    at += steps[direction]
                within[length, direction, chunk] = bits


@kernel
def _shifted(bits, layer, at):  # type: ignore[no-untyped-def]
    """Return 64 of the bits of a layer, beginning with bit number *at*."""
    # Unsigned indices avoid a test for negative ones, which matters here.
    chunk, by = uint64(at) >> uint64(6), uint64(at) & uint64(63)
    low, high = bits[uint64(layer), chunk], bits[uint64(layer), chunk + uint64(1)]
    return (low >> by) | ((high << uint64(1)) << (uint64(63) - by))


@kernel
def random_bits(rng):  # type: ignore[no-untyped-def]
    """Return 64 random bits (Marsaglia, Xorshift RNGs, 2003)."""
    x = rng[0]
    x ^= x << uint64(13)
    x ^= x >> uint64(7)
    x ^= x << uint64(17)
    rng[0] = x
    return x


@kernel
def random_below(rng, n):  # type: ignore[no-untyped-def]
    """Return a random integer from 0 to *n* - 1, for n below 2**32."""
    return np.int64(((random_bits(rng) >> uint64(32)) * uint64(n)) >> uint64(32))


@kernel
def count_bits(x):  # type: ignore[no-untyped-def]
    """Return how many bits of *x* are set (Warren, Hacker's Delight, 5-1)."""
    x = x - ((x >> uint64(1)) & uint64(0x5555555555555555))
    x = (x & uint64(0x3333333333333333)) + ((x >> uint64(2)) & uint64(0x3333333333333333))
    x = (x + (x >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * uint64(0x0101010101010101)) >> uint64(56))


@kernel
def strew(skips, bits, rng):  # type: ignore[no-untyped-def]
    """Set all of *skips* except one bit in 2**bits, chosen at random."""
    for _ in range(8):
        random_bits(rng)
    for i in range(len(skips)):
        zeros = random_bits(rng)
        for _ in range(bits - 1):
            zeros &= random_bits(rng)
        skips[i] = ~zeros


@kernel
def put(board, words, w, cell, direction):  # type: ignore[no-untyped-def]
    """Write word *w*; return the increase in the count of tiles on shared cells."""
    gain = 0
    axis, step = direction & 3, board.step[direction]
    for i in range(words.first[w], words.first[w + 1]):
        chunk, bit = (cell >> 6) + 1, uint64(1) << uint64(cell & 63)
        if not board.covered[0, chunk] & bit:
            board.covered[0, chunk] |= bit
            board.letters[words.tiles[i], chunk] |= bit
            board.filled[board.block[cell]] += 1
        elif not board.covered[1, chunk] & bit:
            board.covered[1, chunk] |= bit
            gain += 2
        else:
            gain += 1
        board.lines[axis, chunk] |= bit
        cell += step
    return gain


@kernel
def take(board, words, w, cell, direction):  # type: ignore[no-untyped-def]
    """Remove word *w*; return the decrease in the count of tiles on shared cells."""
    loss = 0
    axis, step = direction & 3, board.step[direction]
    for i in range(words.first[w], words.first[w + 1]):
        chunk, bit = (cell >> 6) + 1, uint64(1) << uint64(cell & 63)
        board.lines[axis, chunk] ^= bit
        others = 0
        for other in range(4):
            if board.lines[other, chunk] & bit:
                others += 1
        if others == 0:
            board.covered[0, chunk] ^= bit
            board.letters[words.tiles[i], chunk] ^= bit
            board.filled[board.block[cell]] -= 1
        elif others == 1:
            board.covered[1, chunk] ^= bit
            loss += 2
        else:
            loss += 1
        cell += step
    return loss


@kernel
def _suit(board, words, w, axis, suits):  # type: ignore[no-untyped-def]
    """Set in *suits* (place in the word, chunk) the cells that can hold the word's tile there."""
    for i in range(words.first[w], words.first[w + 1]):
        place, tile = i - words.first[w], words.tiles[i]
        for chunk in range(suits.shape[1]):
            here = board.letters[tile, chunk] & ~board.lines[axis, chunk]
            suits[place, chunk] = here | ~board.covered[0, chunk]


@kernel
def _starts(board, words, w, direction, scratch, k):  # type: ignore[no-untyped-def]
    """Find where word *w* fits in a direction and what it would share: (first, end) chunk, work.

    Sets, in those chunks, the bits of `fits[k]` and the binary digits `counts`: two for each
    cell in which it would be the second word, one for each in which it would be the third or
    fourth.
    """
    begin = words.first[w]
    length = words.first[w + 1] - begin
    first, stop = board.reach[length, direction, 0], board.reach[length, direction, 1]
    step = board.step[direction]
    tiles, letters, covered = words.tiles, board.letters, board.covered
    suits, fits, counts = scratch.suits, scratch.fits, scratch.counts
    work = 0
    for chunk in range(first, stop):
        fit = board.within[length, direction, chunk]
        at = chunk << 6
        for place in range(length):
            fit &= _shifted(suits, place, at)
            if not fit:
                break
            at += step
        work += length
        fits[k, chunk] = fit
        if not fit:
            continue
        work += 2 * length
        at = chunk << 6
        ones = twos = fours = eights = uint64(0)
        for i in range(begin, begin + length):
            shared = _shifted(letters, tiles[uint64(i)], at) & fit
            crowded = _shifted(covered, 1, at)
            one = shared & crowded
            two = shared & ~crowded
            carry = ones & one
            ones ^= one
            half = twos ^ two
            more = (twos & two) | (half & carry)
            twos = half ^ carry
            eights |= fours & more
            fours ^= more
            at += step
        counts[0, chunk] = ones
        counts[1, chunk] = twos
        counts[2, chunk] = fours
        counts[3, chunk] = eights
    return first, stop, work + stop - first


@kernel
def choose(board, words, w, directions, scratch, apart, rng):  # type: ignore[no-untyped-def]
    """Choose a start that shares most, at random among equals: (cell, direction, work).

    If *apart*, choose one that shares nothing. The direction is -1 if the word fits nowhere. A few
    starts are overlooked at random.
    """
    best, ties, work = -1, 0, CHOOSING
    fits = scratch.fits
    if words.first[w + 1] - words.first[w] >= len(board.within):
        return 0, -1, 1
    axis = -1
    for k in range(len(directions)):
        if directions[k] & 3 != axis:
            axis = directions[k] & 3
            _suit(board, words, w, axis, scratch.suits)
        first, end, cost = _starts(board, words, w, directions[k], scratch, k)
        work += cost
        scratch.reach[k, 0] = first
        scratch.reach[k, 1] = end
        scratch.level[k] = -1
        skip = random_below(rng, len(scratch.skips) - MOST_CHUNKS)
        found = uint64(0)
        for chunk in range(first, end):
            fits[k, chunk] &= scratch.skips[skip + chunk]
            if apart:
                for digit in range(4):
                    fits[k, chunk] &= ~scratch.counts[digit, chunk]
            found |= fits[k, chunk]
        if not found:
            continue
        level = 0
        for digit in range(3, -1, -1):
            found = uint64(0)
            for chunk in range(first, end):
                found |= fits[k, chunk] & scratch.counts[digit, chunk]
            if found:
                level |= 1 << digit
                for chunk in range(first, end):
                    fits[k, chunk] &= scratch.counts[digit, chunk]
        scratch.level[k] = level
        if level < best:
            continue
        if level > best:
            best, ties = level, 0
        for chunk in range(first, end):
            ties += count_bits(fits[k, chunk])
    if best < 0:
        return 0, -1, work
    pick = random_below(rng, ties)
    for k in range(len(directions)):
        if scratch.level[k] != best:
            continue
        for chunk in range(scratch.reach[k, 0], scratch.reach[k, 1]):
            bits = fits[k, chunk]
            here = count_bits(bits)
            if pick >= here:
                pick -= here
                continue
            for _ in range(pick):
                bits &= bits - uint64(1)
            lowest = bits & (~bits + uint64(1))
            return ((chunk - 1) << 6) + count_bits(lowest - uint64(1)), directions[k], work
    return 0, -1, work


@kernel
def readings(board, tiles, begin, end, directions):  # type: ignore[no-untyped-def]
    """Count the starts and directions, out of the first *directions*, that read as *tiles*."""
    length = end - begin
    if length >= len(board.within):
        return 0
    total = 0
    for direction in range(directions):
        step = board.step[direction]
        for chunk in range(board.reach[length, direction, 0], board.reach[length, direction, 1]):
            bits = board.within[length, direction, chunk]
            at = chunk << 6
            for i in range(begin, end):
                bits &= _shifted(board.letters, tiles[uint64(i)], at)
                if not bits:
                    break
                at += step
            if bits:
                total += count_bits(bits)
    return total
