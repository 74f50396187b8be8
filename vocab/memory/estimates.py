"""How many words a student recalls, as far as it can be told, and how far it cannot. Pure.

FSRS forecasts the chance of recall of each word. How far it errs about a student is seen on the
days on which a word had to be produced after at least a day ("delayed tests"): the log odds of
every forecast move by the same amount, which is estimated from these tests and drawn towards 0
while they are few. Only recent tests count (`RECENT`), because early ones say little about a
student who has learnt since. Figures come with 95 % intervals, and not at all while the tests are
too few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import exp, log, sqrt

# With fewer delayed tests, "not enough data".
FEWEST_TESTS = 8
# How far back delayed tests count: the time with the smallest error in benchmarks/remembering.py.
RECENT = timedelta(days=21)
# The standard deviation, among students, of the amount (log odds) by which forecasts err.
OFFSET_SPREAD = 1.0
# The standard deviation of what remains wrong then, as a share of the words met (same benchmark):
# one amount does not fit all words.
REMAINING_ERROR = 0.05
MOST_OFFSET = 6.0

_Z = 1.959964  # of a two-sided 95 % interval
_EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class Tests:
    """A student's delayed tests in the time `RECENT`: how many, and how many were right unaided.

    *expected* is Σe and *spread* is Σe(1 - e) over their forecasts e, taken before each test.
    """

    count: int
    recalled: int
    expected: float
    spread: float


@dataclass(frozen=True, slots=True)
class Recalled:
    """An estimate: so many *words*, give or take the *margin* (95 %), *of* so many."""

    words: float
    margin: float
    of: int


def offset(tests: Tests) -> tuple[float, float]:
    """Return by how much the log odds of forecasts should move, and the standard error.

    The most likely value under a normal prior around 0 (logistic regression with one intercept).
    Of the forecasts only two sums are known, so their mean stands for all of them, with a slope
    that fits their spread.
    """
    prior = 1 / OFFSET_SPREAD**2
    if not tests.count:
        return 0.0, OFFSET_SPREAD
    mean = _inside(tests.expected / tests.count)
    slope = min(1.0, max(_EPSILON, tests.spread / (tests.count * mean * (1 - mean))))
    low, high = -MOST_OFFSET, MOST_OFFSET
    for _halving in range(40):
        middle = (low + high) / 2
        expected = tests.count * shifted(mean, slope * middle)
        if tests.recalled - expected - prior * middle > 0:
            low = middle
        else:
            high = middle
    found = (low + high) / 2
    chance = shifted(mean, slope * found)
    return found, 1 / sqrt(tests.count * slope * chance * (1 - chance) + prior)


def shifted(chance: float, by: float) -> float:
    """Return a chance (0…1) whose log odds are moved *by* an amount."""
    chance = _inside(chance)
    return 1 / (1 + exp(-(log(chance / (1 - chance)) + by)))


def recalled(chances: Sequence[float], of: int, tests: Tests) -> Recalled | None:
    """Return how many words a student would recall now; None if too little was seen.

    *chances* are the forecasts for the words that the student has met, *of* is the number of all
    words, met or not. The margin has three parts: chance itself; what is not known about the
    student's offset, which is common to all words; and that the offset is not the same for all.
    """
    if tests.count < FEWEST_TESTS:
        return None
    by, error = offset(tests)
    likely = [shifted(chance, by) for chance in chances]
    spread = sum(chance * (1 - chance) for chance in likely)
    remaining = REMAINING_ERROR * len(likely)
    margin = _Z * sqrt(spread + (spread * error) ** 2 + remaining**2)
    return Recalled(sum(likely), margin, of)


def share_interval(right: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (0…1) by Wilson's score; (0, 1) if nothing was counted.

    Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    if not count:
        return 0.0, 1.0
    share, extra = right / count, _Z**2 / count
    middle = (share + extra / 2) / (1 + extra)
    half = _Z / (1 + extra) * sqrt(share * (1 - share) / count + extra / (4 * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def _inside(chance: float) -> float:
    return min(1 - _EPSILON, max(_EPSILON, chance))
