"""How to search for a list of words: the board's size, the effort, and the tuned numbers.

The numbers were measured with `benchmarks/crossword.py`, which shows the effect of each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from puzzles.generators.crossword.search import NARROW, Plan
from puzzles.generators.crossword.tuning import Tuning
from puzzles.generators.crossword.words import Term


def board_sizes(
    terms: Sequence[Term], rows: int | None, cols: int | None, *, symmetric: bool
) -> list[tuple[int, int]]:
    """Return the boards to try, (rows, cols); the next one is tried if a word does not fit.

    A free side gets ample room: the search itself keeps the crossword compact, and a tight board
    costs crossings.
    """
    if rows is not None and cols is not None:
        return [(rows, cols)]
    longest = max(len(term.tiles) for term in terms)
    letters = sum(len(term.tiles) for term in terms)
    area = max(longest * longest, 8 * letters)
    sizes = []
    for room in (area, 4 * area):
        side = max(longest, min(198, math.ceil(math.sqrt(room))))
        # An odd side gives a middle row: a symmetric crossword grows from a word opposite itself.
        side += symmetric and side % 2 == 0
        if rows is not None:
            sizes.append((rows, max(longest, min(198, math.ceil(room / rows)))))
        elif cols is not None:
            sizes.append((max(longest, min(198, math.ceil(room / cols))), cols))
        else:
            sizes.append((side, side))
    return sizes


def effort(terms: Sequence[Term], *, is_free: bool) -> int:
    """Return the number of iterations of each searcher if there is no time limit."""
    return 620 + 72 * len(terms) if is_free else 3000 + 20 * len(terms)


def plan_search(
    *,
    word: float | None,
    is_free: bool,
    touching: bool,
    beam_width: int | None,
    symmetric: bool,
    is_compact: bool = False,
) -> Plan:
    """Return the tuned plan; *word* is the points for a word if points are the objective.

    A crossword on a free board *is_compact* if no side should be much longer than the other.
    """
    if word is not None:
        plan = _for_points(word)
    elif is_free:
        plan = _for_classroom(is_compact=is_compact)
    else:
        plan = _for_contest()
    tries = plan.tuning.tries if touching and not symmetric else 0
    if is_free or symmetric or not touching:
        beam_width = 0
    elif beam_width is None:
        beam_width = plan.beam_width
    return replace(
        plan,
        tuning=plan.tuning._replace(tries=tries, symmetric=symmetric),
        beam_width=beam_width,
    )


# Ranks and weights are for words, connectors, letters, points, pinned words, the area and excess of
# the bounding box.


def _for_points(word: float) -> Plan:
    rank = [round(word * 10**6), 10**3, 1, 10**6, 10**12, 0, 0]
    weight = [word, 0, 0, 1, 1000, 0, 0]
    tuning = _tuning(rank, weight, letter_cost=1.0, noise=6.0, margin=1)
    # Many boards in short annealings find more points than one board, or a wide beam, in the same
    # time: 96 % of what the winners of the Crozzle reached in 10 seconds, 98 % in 60.
    return Plan(
        tuning._replace(smallest=2, largest=6),
        hot=10.0,
        cold=3.0,
        beam_width=NARROW,
        beam_noise=0.05,
        seconds_a_board=0.6,
    )


def _for_classroom(*, is_compact: bool) -> Plan:
    # A page or a telephone has room for three by two: more crossings do not make up for a longer
    # side, more words do.
    rank = [10**9, 10**6, 0, 0, 10**12, -1, -(10**7) * is_compact]
    weight = [3, 1, 0, 0, 1000, -0.003, -1.0 * is_compact]
    tuning = _tuning(rank, weight, letter_cost=-0.1, noise=0.5, margin=999)
    return Plan(tuning._replace(smallest=2, largest=12), hot=0.8, cold=0.15)


def _for_contest() -> Plan:
    rank = [10**9, 10**6, 10**3, 0, 10**12, 0, 0]
    weight = [1, 1, 0, 0, 1000, 0, 0]
    tuning = _tuning(rank, weight, letter_cost=0.3, noise=0.6, margin=2)
    return Plan(tuning, hot=0.5, cold=0.2, beam_noise=0.01)


def _tuning(
    rank: Sequence[float],
    weight: Sequence[float],
    *,
    letter_cost: float,
    noise: float,
    margin: int,
) -> Tuning:
    return Tuning(
        rank=np.array(rank, np.int64),
        weight=np.array(weight, np.float64),
        letter_cost=letter_cost,
        noise=noise,
        smallest=3,
        largest=8,
        margin=margin,
        tries=50,
        symmetric=False,
    )
