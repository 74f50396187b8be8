"""Fill a word search: letters that resemble the words but spell none of them. Compiled.

The letters are drawn from a bag that contains each letter in proportion to its weight, so the
filling is as even as possible and chance does not reveal a word. A letter that would complete a
word is returned to the bag in exchange for another.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Literal

import numpy as np

from puzzles.generators.errors import WordSearchError
from puzzles.generators.kernels import kernel
from puzzles.generators.word_search.board import COL_STEP, ROW_STEP, Ints
from vocab.message import message
from vocab.text import letter_weights

Fill = Literal["even", "frequency", "own"]
FILLS: tuple[Fill, ...] = ("even", "frequency", "own")
OWN_PART = 0.75
"""The share of the list, rather than the language, in a filling by frequency."""


def fill_weights(
    words: Sequence[Sequence[str]], alphabet: Sequence[str], language: str | None, fill: Fill
) -> dict[str, float]:
    """Return the share of each tile in the filling, summing to 1.

    "own" follows the words; "frequency" follows them for three quarters and the language for one;
    "even" uses each letter of the alphabet equally. Accented letters, digraphs and tiles that are
    not in the alphabet are always as frequent as in the words, because they would reveal them.
    """
    counts = Counter(tile for word in words for tile in word)
    total = sum(counts.values())
    own = {tile: counts[tile] / total for tile in sorted(counts)}
    if fill == "own":
        return own
    plain = [tile for tile in alphabet if _is_plain(tile)]
    usual = letter_weights(language) if fill == "frequency" else None
    base = {tile: (usual or {}).get(tile, 0.0) if usual else 1.0 for tile in plain}
    if not sum(base.values()):
        return own
    share = sum(own.get(tile, 0.0) for tile in plain) / sum(base.values())
    mixed = {tile: weight * share for tile, weight in base.items()}
    if fill == "frequency":
        mixed = {
            tile: OWN_PART * own.get(tile, 0.0) + (1 - OWN_PART) * weight
            for tile, weight in mixed.items()
        }
    return own | mixed


def _is_plain(tile: str) -> bool:
    """Return whether the tile is one letter without accent; Devanagari's may have a virama."""
    return len(unicodedata.normalize("NFD", tile).removesuffix("\u094d")) == 1


def fill_in(
    grid: Ints,
    weights: Mapping[str, float],
    numbers: Mapping[str, int],
    patterns: Sequence[Sequence[int]],
    rng: Random,
) -> None:
    """Fill the cells of *grid* (rows, cols) that hold -1 with the tiles of *weights*.

    *numbers* are those of all tiles; the ones without a weight are used if the others would
    spell a word. No reading of one of *patterns*, in any of eight directions, is added. Raises
    WordSearchError if no tile is possible in some cell.
    """
    empty = np.flatnonzero(grid.ravel() < 0)
    banned = {pattern[0] for pattern in patterns if len(pattern) == 1}
    allowed = {tile: w for tile, w in weights.items() if numbers[tile] not in banned and w > 0}
    bag = deal(allowed, len(empty), rng) if allowed else []
    # Any known tile is an alternative if every tile of the bag would complete a word.
    spare = [number for number in numbers.values() if number not in banned]
    rng.shuffle(spare)
    laid = np.array([tile for pattern in patterns for tile in pattern], np.int64)
    first = np.zeros(len(patterns) + 1, np.int64)
    np.cumsum([len(pattern) for pattern in patterns], out=first[1:])
    order = np.argsort(laid, kind="stable")
    begin = np.searchsorted(laid[order], np.arange(len(numbers) + 1))
    pattern_of = np.repeat(np.arange(len(patterns)), np.diff(first))
    stuck = _fill(
        grid,
        empty,
        np.array([numbers[tile] for tile in bag], np.int64),
        np.array(spare, np.int64),
        laid,
        first,
        order,
        begin,
        pattern_of,
        np.full(len(numbers), -1, np.int64),
    )
    if stuck:
        raise WordSearchError(
            message(
                "The grid cannot be filled: in one square, every letter would spell a blocked "
                "word, or a listed word a second time. Shorten the list of blocked words, or set "
                "the language."
            )
        )


def deal(weights: Mapping[str, float], count: int, rng: Random) -> list[str]:
    """Return *count* tiles in random order; the frequency of each matches its weight within one."""
    total = sum(weights.values())
    position = rng.random()
    bag: list[str] = []
    reached = 0.0
    names = list(weights)
    rng.shuffle(names)
    # Systematic sampling: evenly spaced marks on a line on which each tile has its length.
    for tile in names:
        reached += weights[tile] / total * count
        while len(bag) < count and position < reached:
            bag.append(tile)
            position += 1
    bag += [names[-1]] * (count - len(bag))
    rng.shuffle(bag)
    return bag


@kernel
def _fill(grid, cells, bag, spare, laid, first, order, begin, pattern_of, refused_at):  # type: ignore[no-untyped-def]
    """Put the tiles of *bag* into *cells*; return the number of cells in which none is possible.

    *refused_at* contains for each tile the last cell in which it was refused, so that equal tiles
    of the bag are not tried again in the same cell.
    """
    cols = grid.shape[1]
    stuck = 0
    for k in range(len(cells)):
        row, col = cells[k] // cols, cells[k] % cols
        done = False
        for j in range(k, len(bag)):
            tile = bag[j]
            if refused_at[tile] == k:
                continue
            if _is_free(grid, row, col, tile, laid, first, order, begin, pattern_of):
                bag[k], bag[j] = tile, bag[k]
                grid[row, col] = tile
                done = True
                break
            refused_at[tile] = k
        if not done:
            for tile in spare:
                if refused_at[tile] != k and _is_free(
                    grid, row, col, tile, laid, first, order, begin, pattern_of
                ):
                    grid[row, col] = tile
                    done = True
                    break
        if not done:
            stuck += 1
    return stuck


@kernel
def _is_free(grid, row, col, tile, laid, first, order, begin, pattern_of):  # type: ignore[no-untyped-def]
    """Return whether *tile* in a cell completes no pattern."""
    rows, cols = grid.shape
    for k in range(begin[tile], begin[tile + 1]):
        at = order[k]
        start, end = first[pattern_of[at]], first[pattern_of[at] + 1]
        for direction in range(8):
            down, right = ROW_STEP[direction], COL_STEP[direction]
            r, c = row - (at - start) * down, col - (at - start) * right
            complete = True
            for i in range(start, end):
                if i != at and not (0 <= r < rows and 0 <= c < cols and grid[r, c] == laid[i]):
                    complete = False
                    break
                r += down
                c += right
            if complete:
                return False
    return True
