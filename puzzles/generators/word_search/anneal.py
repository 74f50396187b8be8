"""Search for a dense word search: repeatedly take words out and put them back better.

This is ruin and recreate with the acceptance rule of simulated annealing (Schrimpf et al., Record
breaking optimization results using the ruin and recreate principle, 2000; overlooking some starts
corresponds to the "blinks" of Christiaens and Vanden Berghe, Slack induction by string removals,
2020), in which words that share little are taken out more often (the "worst removal" of Ropke and
Pisinger, An adaptive large neighborhood search heuristic for the pickup and delivery problem with
time windows, 2006). The value of a board is the number of tiles on cells that words share, minus
costs of uneven density and unbalanced directions; a missing word costs more than any of these. A
board on which some word can be read a second time is never accepted.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from puzzles.generators.kernels import kernel
from puzzles.generators.word_search.board import (
    Ints,
    choose,
    put,
    random_below,
    random_bits,
    readings,
    sharing,
    take,
    write_over,
)

TRIES_FOR_A_LEGAL_PLACE = 12
TRIES_FOR_A_LEGAL_CROSSING = 6
APART = 4
"""If words are missing because others would be readable twice, one move in APART crosses none."""
CANDIDATES = 3
"""Of this number of words that are drawn one is taken out."""
FEW_DIRECTIONS, MOST_DIRECTIONS = 5, 7
SHARED, PLACED, BEST_SHARED, BEST_PLACED, CAUTION, BEST_COVERED = range(6)
"""Indexes of `Tally.numbers`; SHARED counts tiles on cells of two or more words."""
RECORDS, EACH_BOARD, EACH_WORD = range(3)
"""How cautious a search is: what it checks for second readings. See `anneal`."""
MOVING, CHECKING = 6, 8
"""Steps of work to move (per word), and to check a board (per tile of its patterns)."""


class Tuning(NamedTuple):
    """Weights and moves of the search; costs and temperatures are in shared tiles."""

    hot: float = 2.5
    cold: float = 1.0
    missing: float = 20.0
    """The cost of a word that is not placed."""
    uneven: float = 0.04
    """The cost of one unit of chi-squared of the tiles in each block, times the fourth power of how
    many more cells than tiles there are: the more room, the more visible is a clump in a corner."""
    unbalanced: float = 0.01
    """The cost of one unit of chi-squared of the words in each direction."""
    narrow: float = 3.0
    """The cost of each direction in use short of half the number of words, but at least FEW and at
    most MOST_DIRECTIONS."""
    most_taken: int = 9
    """The most words that are taken out at once."""
    covered: float = 0.0
    """How many cells to cover exactly; 0: to share as many tiles as possible is the goal."""
    off: float = 2.0
    """The cost of each cell more or less than that."""
    enough: float = -1e9
    """The least value of a board that covers exactly as many, to stop there."""


TUNING = Tuning()


class Patterns(NamedTuple):
    """What can be read only where it is placed: each word, and each word of the blocklist.

    Pattern p is tiles[first[p] : first[p + 1]]; a palindrome is read twice wherever it is.
    A placed word w makes inside[k, 1] readings of pattern inside[k, 0] unavoidable, for each k in
    range(first_inside[w], first_inside[w + 1]).
    """

    tiles: Ints
    first: Ints
    first_inside: Ints
    inside: Ints


class Tally(NamedTuple):
    """The current state of a search, and the best so far."""

    places: Ints
    """(word, 2): first cell and direction, which is -1 for a word that is not placed."""
    best: Ints
    before: Ints
    taken: Ints
    is_out: Ints
    numbers: Ints
    """Indexed by SHARED and the constants beside it."""
    worth: NDArray[np.float64]
    """[now, best]"""
    used: Ints
    """Direction → how many words run in it."""
    forced: Ints
    """Pattern → how many of its readings the placed words force."""


@kernel
def _is_legal(board, patterns, scratch, tally):  # type: ignore[no-untyped-def]
    """Return whether every pattern is read only as often as the placed words force it."""
    forced = tally.forced
    count = len(forced)
    for p in range(count):
        forced[p] = 0
    for w in range(len(tally.places)):
        if tally.places[w, 1] >= 0:
            for k in range(patterns.first_inside[w], patterns.first_inside[w + 1]):
                forced[patterns.inside[k, 0]] += patterns.inside[k, 1]
    for p in range(count):
        tiles = patterns.tiles[patterns.first[p] : patterns.first[p + 1]]
        if readings(board, scratch, tiles) != forced[p]:
            return False
    return True


@kernel
def _worth(board, tally, directions, tuning):  # type: ignore[no-untyped-def]
    """Return the value of the board, as defined in the module's docstring."""
    blocks, total, squares = len(board.filled), 0, 0
    for block in range(blocks):
        tiles = int(board.filled[block])
        total += tiles
        squares += tiles * tiles
    uneven = blocks * squares / total - total if total else 0.0
    used = tally.used
    for direction in range(8):
        used[direction] = 0
    for w in range(len(tally.places)):
        if tally.places[w, 1] >= 0:
            used[tally.places[w, 1]] += 1
    placed, squares = tally.numbers[PLACED], 0
    varied = 0
    for direction in range(8):
        count = int(used[direction])
        squares += count * count
        varied += count > 0
    wanted = min(max(placed // 2, FEW_DIRECTIONS), MOST_DIRECTIONS, placed, directions)
    short = max(0, wanted - varied)
    unbalanced = directions * squares / placed - placed if placed else 0.0
    missing = len(tally.places) - placed
    gained = float(tally.numbers[SHARED])
    if tuning.covered:
        gained = -tuning.off * abs(total - tuning.covered)
    return (
        gained
        - tuning.uneven * uneven
        - tuning.unbalanced * unbalanced
        - tuning.narrow * short
        - tuning.missing * missing
    )


@kernel
def _covered(board):  # type: ignore[no-untyped-def]
    """Return how many cells are in words."""
    total = 0
    for block in range(len(board.filled)):
        total += board.filled[block]
    return total


@kernel
def _set(board, words, tally, w, cell, direction):  # type: ignore[no-untyped-def]
    """Write word *w*, unless *direction* is -1: a word that is not placed."""
    if direction >= 0:
        tally.numbers[SHARED] += put(board, words, w, cell, direction)
        tally.numbers[PLACED] += 1
        tally.places[w, 0] = cell
        tally.places[w, 1] = direction


@kernel
def _lift(board, words, tally, w):  # type: ignore[no-untyped-def]
    """Remove word *w*, if it is placed."""
    cell, direction = tally.places[w, 0], tally.places[w, 1]
    if direction >= 0:
        tally.numbers[SHARED] -= take(board, words, w, cell, direction)
        tally.numbers[PLACED] -= 1
        tally.places[w, 1] = -1


@kernel
def _lay(board, words, patterns, scratch, tally, w, apart, rng):  # type: ignore[no-untyped-def]
    """Put word *w*, if it fits, where it shares most, or nothing if *apart*; return the work."""
    work = 0
    is_careful = tally.numbers[CAUTION] == EACH_WORD
    for number in range(TRIES_FOR_A_LEGAL_PLACE if is_careful else 1):
        # If each crossing makes some word readable twice, try a place without crossings.
        alone = apart or number >= TRIES_FOR_A_LEGAL_CROSSING
        cell, direction, cost = choose(board, words, w, scratch, alone, rng)
        work += cost
        _set(board, words, tally, w, cell, direction)
        if direction < 0 or not is_careful:
            break
        work += CHECKING * len(patterns.tiles)
        if _is_legal(board, patterns, scratch, tally):
            break
        _lift(board, words, tally, w)
    return work


@kernel
def go_to(board, words, tally, places):  # type: ignore[no-untyped-def]
    """Put every word where *places* says."""
    for w in range(len(places)):
        _lift(board, words, tally, w)
    for w in range(len(places)):
        _set(board, words, tally, w, places[w, 0], places[w, 1])


@kernel
def _pick_out(board, words, tally, extra, rng):  # type: ignore[no-untyped-def]
    """List the words that are not placed and *extra* others in `taken`; return how many.

    Of each CANDIDATES words that are drawn the one is taken that shares the least.
    """
    count, n = 0, len(tally.places)
    for w in range(n):
        tally.is_out[w] = tally.places[w, 1] < 0
        if tally.is_out[w]:
            tally.taken[count] = w
            count += 1
    wanted = min(n, count + extra)
    while count < wanted:
        least, loosest = 2.0, -1
        for _ in range(CANDIDATES):
            w = random_below(rng, n)
            if not tally.is_out[w]:
                share = sharing(board, words, w, tally.places[w, 0], tally.places[w, 1])
                if share < least:
                    least, loosest = share, w
        if loosest >= 0:
            tally.is_out[loosest] = 1
            tally.taken[count] = loosest
            count += 1
    return count


@kernel
def _order(tally, count, by_chance, rng):  # type: ignore[no-untyped-def]
    """Shuffle the words of `taken`, or sort them by number: longest first."""
    taken = tally.taken
    if by_chance:
        for j in range(count - 1, 0, -1):
            other = random_below(rng, j + 1)
            taken[j], taken[other] = taken[other], taken[j]
    else:
        for j in range(1, count):
            w, to = taken[j], j
            while to > 0 and taken[to - 1] > w:
                taken[to] = taken[to - 1]
                to -= 1
            taken[to] = w


@kernel
def anneal(  # type: ignore[no-untyped-def]
    board, kept, words, patterns, directions, scratch, tally, tuning, rng, heat, budget, until_full
):
    """Continue the search for *budget* steps of work, from temperature heat[0] down to heat[1].

    *kept* is working space of the size of the board's memory.

    If *until_full*, stop as soon as no word is missing, and as many cells are covered as wanted
    by words whose directions are even enough.
    Return the work done.

    Words are rarely readable twice, and checking for it is expensive. Therefore only a board that
    would be the best so far is checked, until one fails. From then on every board is checked, or,
    if it was the very first, each word that is placed.
    """
    n = len(tally.places)
    work = 0
    write_over(kept, board.memory)
    while work < budget and not (
        until_full
        and tally.numbers[BEST_PLACED] == n
        and (
            not tuning.covered
            or (tally.numbers[BEST_COVERED] == tuning.covered and tally.worth[1] >= tuning.enough)
        )
    ):
        temperature = heat[0] * (heat[1] / heat[0]) ** (work / budget)
        shared, placed = tally.numbers[SHARED], tally.numbers[PLACED]
        extra = 1 + random_below(rng, tuning.most_taken) if placed else 0
        count = _pick_out(board, words, tally, extra, rng)
        for j in range(count):
            w = tally.taken[j]
            tally.before[w, 0] = tally.places[w, 0]
            tally.before[w, 1] = tally.places[w, 1]
            _lift(board, words, tally, w)
        _order(tally, count, extra > 0 and random_below(rng, 3) == 0, rng)
        apart = (
            tally.numbers[CAUTION] != RECORDS
            and tally.numbers[BEST_PLACED] < n
            and random_below(rng, APART) == 0
        )
        if tuning.covered:
            # Words that always share as much as possible would cover too few cells.
            apart = random_below(rng, 4) < (3 if _covered(board) < tuning.covered else 1)
        for j in range(count):
            w = tally.taken[j]
            work += _lay(board, words, patterns, scratch, tally, w, apart, rng)
        work += MOVING * n
        now = _worth(board, tally, directions, tuning)
        chance = (random_bits(rng) >> uint64(11)) * (1.0 / 9007199254740992.0)
        accepted = now >= tally.worth[0] + temperature * log(chance + 1e-300)
        is_record = now > tally.worth[1]
        if accepted and (is_record or tally.numbers[CAUTION] == EACH_BOARD):
            work += CHECKING * len(patterns.tiles)
            if not _is_legal(board, patterns, scratch, tally):
                accepted = False
                if tally.numbers[CAUTION] == RECORDS:
                    # The board may have been illegal for a long time: return to a legal one.
                    has_any = tally.numbers[BEST_PLACED] > 0
                    tally.numbers[CAUTION] = EACH_BOARD if has_any else EACH_WORD
                    go_to(board, words, tally, tally.best)
                    write_over(kept, board.memory)
                    tally.worth[0] = tally.worth[1]
                    continue
        if not accepted:
            write_over(board.memory, kept)
            tally.numbers[SHARED], tally.numbers[PLACED] = shared, placed
            for j in range(count):
                w = tally.taken[j]
                tally.places[w, 0] = tally.before[w, 0]
                tally.places[w, 1] = tally.before[w, 1]
            continue
        write_over(kept, board.memory)
        tally.worth[0] = now
        if is_record:
            tally.worth[1] = now
            tally.numbers[BEST_SHARED] = tally.numbers[SHARED]
            tally.numbers[BEST_PLACED] = tally.numbers[PLACED]
            tally.numbers[BEST_COVERED] = _covered(board)
            for w in range(n):
                tally.best[w, 0] = tally.places[w, 0]
                tally.best[w, 1] = tally.places[w, 1]
    return work
