"""How many words a student recalls, as far as it can be told, and how far it cannot. Pure.

FSRS forecasts the chance of recall of each word. How far it errs is seen on the days on which a
word had to be produced after at least a day ("delayed tests"), and is estimated in two steps, each
a logistic regression:

1. From the recent tests of the whole class: by how much all forecasts are wrong, how much of their
   differences is true, how much faster the class forgets, and how much more it recalls each week,
   because it has met its words more often since. Few tests leave this close to FSRS's forecast.
2. From the tests of one student: by how much they differ from the class. Few tests leave this close
   to the class.

Figures come with 95 % intervals, and not at all while a student's tests are too few.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import exp, log, sqrt

# With fewer delayed tests, "not enough data".
FEWEST_TESTS = 8
# How far back delayed tests count. This and the numbers below were chosen for the smallest error in
# classes whose truth is known; see benchmarks/figures.py.
RECENT = timedelta(days=14)
# How sure it is beforehand, as 1 / variance, that FSRS's forecasts are right as they are: their
# mean, their differences, how fast words are forgotten, and that nothing changes in a week.
SURENESS = (1.0, 400.0, 100.0, 40.0)
# The standard deviation of students of one class, in log odds.
STUDENT_SPREAD = 0.7
# The standard deviation of what remains wrong, as a share of the words met.
REMAINING_ERROR = 0.02

_Z = 1.959964  # of a two-sided 95 % interval
_EPSILON = 1e-4
# Newton's method, one weight after the other, has settled by then; a step is never longer.
_SWEEPS, _LONGEST_STEP = 25, 1.0
# What is usual in a test. Facts are counted from there, so that each weight has its own meaning.
_USUAL_LOG_ODDS, _USUAL_DELAY, _USUAL_WEEKS = 1.5, 6.0, 1.0


@dataclass(frozen=True, slots=True)
class Word:
    """A word at some time: FSRS's *forecast* of its recall, and *days* since it was last met.

    *weeks* says how long ago that was; 0 is now.
    """

    forecast: float
    days: float
    weeks: float = 0.0

    @property
    def facts(self) -> tuple[float, ...]:
        forecast = min(1 - _EPSILON, max(_EPSILON, self.forecast))
        return (
            1.0,
            log(forecast / (1 - forecast)) - _USUAL_LOG_ODDS,
            log(max(1.0, self.days) / _USUAL_DELAY),
            self.weeks - _USUAL_WEEKS,
        )


@dataclass(frozen=True, slots=True)
class Tests:
    """Delayed tests of like words in the time `RECENT`, and how many were right unaided."""

    word: Word
    count: int
    recalled: int


@dataclass(frozen=True, slots=True)
class Habit:
    """How a class recalls: the weight of each fact of a word, and the first's standard error."""

    weights: tuple[float, ...] = (_USUAL_LOG_ODDS, 1.0, 0.0, 0.0)
    error: float = SURENESS[0] ** -0.5

    def log_odds(self, word: Word) -> float:
        return _dot(self.weights, word.facts)


FORECAST = Habit()


@dataclass(frozen=True, slots=True)
class Recalled:
    """An estimate: so many *words*, give or take the *margin* (95 %), *of* so many."""

    words: float
    margin: float
    of: int


def habit(tests: Iterable[Tests]) -> Habit:
    """Return how a class recalls, from the tests of all its students."""
    alike: dict[tuple[int, ...], list[tuple[tuple[float, ...], int, int]]] = defaultdict(list)
    for one in tests:
        facts = one.word.facts
        alike[tuple(round(2 * fact) for fact in facts)].append((facts, one.count, one.recalled))
    rows = []
    for some in alike.values():  # thousands of tests are some dozens of rows
        count = sum(one for _facts, one, _right in some)
        means = [
            sum(facts[place] * one for facts, one, _right in some) / count
            for place in range(len(SURENESS))
        ]
        rows.append((0.0, means, count, sum(right for _facts, _count, right in some)))
    return Habit(*_fitted(rows, FORECAST.weights, SURENESS))


def offset(tests: Iterable[Tests], of_class: Habit) -> tuple[float, float]:
    """Return by how much a student's log odds differ from the class's, and the standard error."""
    rows = [(of_class.log_odds(one.word), (1.0,), one.count, one.recalled) for one in tests]
    (by,), error = _fitted(rows, (0.0,), (STUDENT_SPREAD**-2,))
    return by, error


def recalled(
    words: Iterable[Word], of: int, tests: Sequence[Tests], of_class: Habit
) -> Recalled | None:
    """Return how many words a student would recall now; None if too little was seen.

    *words* are those that the student has met, *of* is the number of all words, met or not. The
    margin has three parts: chance itself; what is not known about the student and the class, which
    is common to all words; and that neither of them is the same for all words.
    """
    if sum(one.count for one in tests) < FEWEST_TESTS:
        return None
    by, error = offset(tests, of_class)
    likely = [_chance(of_class.log_odds(word) + by) for word in words]
    spread = sum(chance * (1 - chance) for chance in likely)
    common = spread**2 * (error**2 + of_class.error**2)
    margin = _Z * sqrt(spread + common + (REMAINING_ERROR * len(likely)) ** 2)
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


def _fitted(
    rows: Sequence[tuple[float, Sequence[float], int, int]],
    prior: Sequence[float],
    sureness: Sequence[float],
) -> tuple[tuple[float, ...], float]:
    """Return the most likely weights of facts, and the standard error of the first.

    A row has the log odds to which they add, the facts, how many tests there were, and how many of
    them were right.
    """
    weights, curves = list(prior), list(sureness)
    for _sweep in range(_SWEEPS):
        for place, sure in enumerate(sureness):
            slope, curve = sure * (prior[place] - weights[place]), sure
            for log_odds, facts, count, right in rows:
                chance = _chance(log_odds + _dot(weights, facts))
                slope += facts[place] * (right - count * chance)
                curve += facts[place] ** 2 * count * chance * (1 - chance)
            weights[place] += min(_LONGEST_STEP, max(-_LONGEST_STEP, slope / curve))
            curves[place] = curve
    return tuple(weights), 1 / sqrt(curves[0])


def _dot(weights: Sequence[float], facts: Sequence[float]) -> float:
    return sum(weight * fact for weight, fact in zip(weights, facts, strict=True))


def _chance(log_odds: float) -> float:
    return 1 / (1 + exp(-log_odds))
