"""The word search board: cells as bits, and where a word can go. Compiled.

The cells of the grid, row after row, are the bits of a few 64-bit numbers, and so are the cells of
every tile. The starts at which a word fits are found 64 at a time, in the manner of Horner's rule:
the cells that suit its last tile, shifted by one step and intersected with those that suit the one
before, and so on. The cells that each start would share are added up in binary counters of one bit
per cell, which are shifted along. Each number is stored for all eight directions side by side, in
lanes: a processor with vectors works on all of them together.

Two words never share a cell along one line: no word lies in another or overlaps its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from puzzles.generators.kernels import disjoint_kernel, kernel

Bits = NDArray[np.uint64]
Ints = NDArray[np.int64]

# Direction d runs along axis d & 3; d and d + 4 are opposite.
ROW_STEP = np.array([0, 1, 1, 1, 0, -1, -1, -1])
COL_STEP = np.array([1, 0, 1, -1, -1, 0, -1, 1])

BLOCKS = 4
"""Evenness is measured on this number of blocks per side."""
SKIPS, MOST_LANES = 2048, 512
"""Random numbers of `Scratch.skips`; more lanes than those of a grid of 60 by 60."""
CHOOSING, PLACING = 180, 4
"""Steps of work of one choice, and in addition those of each of its tiles in each lane."""
ALL = np.uint64(2**64 - 1)


class Words(NamedTuple):
    """The words to place, one after another: word w is tiles[first[w] : first[w + 1]]."""

    tiles: Ints
    first: Ints


class Board(NamedTuple):
    """A grid under construction.

    The cell (row, col) has the number row * cols + col. In arrays of (…, lanes) of bits, cell p in
    direction d is bit p % 64 of lane p // 64 * 8 + d; what does not depend on the direction is the
    same in all eight. Opposite directions have the same lines, which are stored at the first of
    their cells: a word that runs up or backwards is where its last tile is.
    """

    letters: Bits
    """(tile, lane): the cell contains the tile."""
    covered: Bits
    """(2, lane): in at least one word; in at least two."""
    lines: Bits
    """Lane: in a word that runs in this direction or the opposite one."""
    within: Bits
    """(length, lane): a line of this many cells that begins here is on the board."""
    shift: Bits
    """Lane → the difference between the numbers of adjacent cells of a line."""
    step: Ints
    """Direction → the difference between the numbers of adjacent cells of a word."""
    filled: Ints
    """Block → the number of its cells that hold a tile."""
    block: Ints
    """Cell → its block."""
    memory: Bits
    """The array that holds `letters`, `covered`, `lines` and `filled`: all that words change."""


class Scratch(NamedTuple):
    """Working space to choose one place. Its lanes are those of the board, and eight more."""

    fits: Bits
    """Lane: the best lines found."""
    counts: Bits
    """(4, lane): binary digits of how much a word in each line would share."""
    allowed: Bits
    """Lane: all bits if words can run in this direction, none otherwise."""
    skips: Bits
    """Random bits, few of them 0: lines that are overlooked, for variety."""


def empty_board(
    rows: int, cols: int, tiles: int, inside: frozenset[tuple[int, int]] | None = None
) -> Board:
    """Return a board of *rows* by *cols* without words, for this number of distinct *tiles*.

    Words stay on the cells *inside*, by default all.
    """
    chunks = (rows * cols + 63) // 64
    step = ROW_STEP * cols + COL_STEP
    # In a single column there are no lines down and left, but a shift must be at least 1.
    shift = np.tile(np.maximum(abs(step), 1), chunks).astype(np.uint64)
    within = np.zeros((max(rows, cols) + 1, 8 * chunks), np.uint64)
    _find_room(rows, cols, within)
    block = np.add.outer(
        np.arange(rows) * BLOCKS // rows * BLOCKS, np.arange(cols) * BLOCKS // cols
    ).ravel()
    if inside is not None:
        # As if words of one letter were read in a grid of that letter.
        shape = np.zeros((1, chunks), np.uint64)
        for row, col in inside:
            chunk, bit = divmod(row * cols + col, 64)
            shape[0, chunk] |= np.uint64(1 << bit)
        lines = np.zeros(8 * chunks + 8, np.uint64)
        for length in range(1, len(within)):
            _read(lines, np.zeros(length, np.int64), shape, shift)
            within[length] &= lines[:-8]
        block = _equal_blocks(rows, cols, inside)
    # Rows: each tile, both of `covered`, eight of `lines`; at the end, `filled`.
    memory = np.zeros((tiles + 10) * chunks + BLOCKS * BLOCKS, np.uint64)
    layers = memory[: -BLOCKS * BLOCKS].reshape(tiles + 10, chunks)
    return Board(
        layers[:tiles],
        layers[tiles : tiles + 2],
        layers[tiles + 2 :].ravel(),
        within,
        shift,
        step,
        memory[-BLOCKS * BLOCKS :].view(np.int64),
        block,
        memory,
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


def new_scratch(board: Board, directions: Sequence[int]) -> Scratch:
    """Return the working space to choose places in these *directions* on *board*."""
    lanes = len(board.lines) + 8
    allowed = np.zeros(lanes, np.uint64)
    for direction in directions:
        allowed[direction:-8:8] = ALL
    return Scratch(
        np.zeros(lanes, np.uint64),
        np.zeros((4, lanes), np.uint64),
        allowed,
        np.zeros(SKIPS, np.uint64),
    )


@kernel
def _find_room(rows, cols, within):  # type: ignore[no-untyped-def]
    """Set *within* of a board; see its description."""
    for length in range(1, len(within)):
        for axis in range(4):
            bottom = rows - length + 1 if ROW_STEP[axis] > 0 else rows
            left = length - 1 if COL_STEP[axis] < 0 else 0
            end = cols - length + 1 if COL_STEP[axis] > 0 else cols
            for row in range(bottom):
                for cell in range(row * cols + left, row * cols + end):
                    lane, bit = (cell >> 6) * 8 + axis, uint64(1) << uint64(cell & 63)
                    within[length, lane] |= bit
                    within[length, lane + 4] |= bit


@disjoint_kernel
def _read(lines, tiles, letters, shift):  # type: ignore[no-untyped-def]
    """Set in *lines* where *tiles* are read in each direction."""
    lines[:] = ALL
    for i in range(len(tiles)):
        letter, back = letters[tiles[len(tiles) - 1 - i]], letters[tiles[i]]
        found = uint64(0)
        for k in range(len(shift)):
            # Unsigned indices avoid a test for negative ones, which matters here.
            lane = uint64(k)
            after, right = lane + uint64(8), shift[lane]
            left = uint64(64) - right
            ahead, behind = letter[lane >> uint64(3)], back[lane >> uint64(3)]
            cells = behind if lane & uint64(4) else ahead
            lines[lane] = cells & ((lines[lane] >> right) | (lines[after] << left))
            found |= lines[lane]
        if not found:
            break


@disjoint_kernel
def _fit(  # type: ignore[no-untyped-def]
    fits, ones, twos, fours, eights, tiles, letters, lines, covered, crowded, shift
):
    """Find in which lines *tiles* fit in each direction, and what they would share there.

    That is in binary digits: two for each cell in which the word would be the second, one for each
    in which it would be the third or fourth. Sums above 15 are not exact.
    """
    fits[:] = ALL
    ones[:] = 0
    twos[:] = 0
    fours[:] = 0
    eights[:] = 0
    for i in range(len(tiles)):
        letter, back = letters[tiles[len(tiles) - 1 - i]], letters[tiles[i]]
        for k in range(len(shift)):
            lane = uint64(k)
            chunk, after, right = lane >> uint64(3), lane + uint64(8), shift[lane]
            left = uint64(64) - right
            ahead, behind = letter[chunk], back[chunk]
            same = behind if lane & uint64(4) else ahead
            suits = (same & ~lines[lane]) | ~covered[chunk]
            fits[lane] = suits & ((fits[lane] >> right) | (fits[after] << left))
            one = same & crowded[chunk]
            two = same & ~crowded[chunk]
            by_one = (ones[lane] >> right) | (ones[after] << left)
            by_two = (twos[lane] >> right) | (twos[after] << left)
            by_four = (fours[lane] >> right) | (fours[after] << left)
            by_eight = (eights[lane] >> right) | (eights[after] << left)
            carry = by_one & one
            half = by_two ^ two
            more = (by_two & two) | (half & carry)
            ones[lane] = by_one ^ one
            twos[lane] = half ^ carry
            fours[lane] = by_four ^ more
            eights[lane] = by_eight | (by_four & more)


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
        chunk, lane, bit = (
            uint64(cell >> 6),
            uint64(cell >> 6) * uint64(8),
            uint64(1) << uint64(cell & 63),
        )
        if not board.covered[0, chunk] & bit:
            board.covered[0, chunk] |= bit
            board.letters[words.tiles[i], chunk] |= bit
            board.filled[board.block[cell]] += 1
        elif not board.covered[1, chunk] & bit:
            board.covered[1, chunk] |= bit
            gain += 2
        else:
            gain += 1
        board.lines[lane + uint64(axis)] |= bit
        board.lines[lane + uint64(axis + 4)] |= bit
        cell += step
    return gain


@kernel
def take(board, words, w, cell, direction):  # type: ignore[no-untyped-def]
    """Remove word *w*; return the decrease in the count of tiles on shared cells."""
    loss = 0
    axis, step = direction & 3, board.step[direction]
    for i in range(words.first[w], words.first[w + 1]):
        chunk, lane, bit = (
            uint64(cell >> 6),
            uint64(cell >> 6) * uint64(8),
            uint64(1) << uint64(cell & 63),
        )
        board.lines[lane + uint64(axis)] ^= bit
        board.lines[lane + uint64(axis + 4)] ^= bit
        others = 0
        for other in range(4):
            if board.lines[lane + uint64(other)] & bit:
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


@disjoint_kernel
def write_over(target, source):  # type: ignore[no-untyped-def]
    """Copy the memory of a board into another array."""
    for i in range(len(source)):
        target[i] = source[i]


@kernel
def sharing(board, words, w, cell, direction):  # type: ignore[no-untyped-def]
    """Return the share of the tiles of word *w*, which is there, on cells of other words, too."""
    shared = 0
    for _ in range(words.first[w], words.first[w + 1]):
        if board.covered[1, cell >> 6] & (uint64(1) << uint64(cell & 63)):
            shared += 1
        cell += board.step[direction]
    return shared / (words.first[w + 1] - words.first[w])


@kernel
def choose(board, words, w, scratch, apart, rng):  # type: ignore[no-untyped-def]
    """Choose a place that shares most, at random among equals: (cell, direction, work).

    If *apart*, choose one that shares nothing. The direction is -1 if the word fits nowhere. A few
    places are overlooked at random.
    """
    tiles = words.tiles[words.first[w] : words.first[w + 1]]
    if len(tiles) >= len(board.within):
        return 0, -1, 1
    lanes, fits, counts = len(board.lines), scratch.fits, scratch.counts
    work = CHOOSING + PLACING * len(tiles) * (lanes >> 3)
    _fit(
        fits,
        counts[0],
        counts[1],
        counts[2],
        counts[3],
        tiles,
        board.letters,
        board.lines,
        board.covered[0],
        board.covered[1],
        board.shift,
    )
    skip = random_below(rng, SKIPS - MOST_LANES)
    for lane in range(lanes):
        fits[lane] &= (
            board.within[len(tiles), lane] & scratch.allowed[lane] & scratch.skips[skip + lane]
        )
        if apart:
            fits[lane] &= ~(counts[0, lane] | counts[1, lane] | counts[2, lane] | counts[3, lane])
    for digit in range(3, -1, -1):
        found = uint64(0)
        for lane in range(lanes):
            found |= fits[lane] & counts[digit, lane]
        if found:
            for lane in range(lanes):
                fits[lane] &= counts[digit, lane]
    ties = 0
    for lane in range(lanes):
        ties += count_bits(fits[lane])
    if ties == 0:
        return 0, -1, work
    pick, lane = random_below(rng, ties), 0
    while pick >= count_bits(fits[lane]):
        pick -= count_bits(fits[lane])
        lane += 1
    bits = fits[lane]
    for _ in range(pick):
        bits &= bits - uint64(1)
    lowest = bits & (~bits + uint64(1))
    cell, direction = (lane >> 3) * 64 + count_bits(lowest - uint64(1)), lane & 7
    if direction >= 4:
        cell -= (len(tiles) - 1) * board.step[direction]
    return cell, direction, work


@kernel
def readings(board, scratch, tiles):  # type: ignore[no-untyped-def]
    """Count in how many places and directions *tiles* are read."""
    if len(tiles) >= len(board.within):
        return 0
    total, lines = 0, scratch.fits
    _read(lines, tiles, board.letters, board.shift)
    for lane in range(len(board.lines)):
        total += count_bits(lines[lane] & board.within[len(tiles), lane])
    return total
