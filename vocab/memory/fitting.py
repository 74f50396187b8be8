"""Fit FSRS's parameters to a site's own reviews. Pure (numpy).

The parameters that come with FSRS were fitted to adults with flash cards. A site's students forget
at their own pace, and a game teaches less or more than a card. As in FSRS's own optimiser (Ye, Su
and Cao 2022; open-spaced-repetition/fsrs-optimizer), the log-loss of forecasts is minimised by Adam
(Kingma and Ba 2015), with a penalty for leaving the present parameters, measured by how much they
differ among the users of FSRS.

Forecasts are judged where they can be: when a word had to be produced after at least a day without
help (`Counts.delayed`). New parameters are kept only if they forecast the answers of students on
whom they were not fitted better than the present ones, by more than chance: each half of the
students is forecast with parameters fitted to the other half.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, nan, sqrt

import numpy as np
from fsrs import Rating
from fsrs.scheduler import LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS
from numpy.typing import NDArray

from vocab.memory.card import Memory
from vocab.memory.evidence import Answer, evidence
from vocab.memory.scheduling import DEFAULT

FEWEST_TESTS = 1000
FEWEST_STUDENTS = 10

# By how much (standard deviation) each parameter differs among users of FSRS, from fsrs-rs. The
# first three are stabilities: they are positive and skewed, so their logarithms differ by that.
# Those that days without learning steps and without "easy" never use are left as they are.
_SPREAD = {
    0: 1.0, 1: 1.0, 2: 1.0, 4: 0.57, 5: 0.28, 6: 0.6, 7: 0.12, 8: 0.39, 9: 0.18, 10: 0.33,
    11: 0.3, 12: 0.09, 13: 0.16, 14: 0.57, 15: 0.25, 20: 0.27,
}  # fmt: skip
_STABILITIES = {0, 1, 2}
_STEPS = 100
_RATE = 0.08
_NEAR = 1e-4
# Student's t for 95 %, two-sided, for the fewest students allowed.
_T = 2.262

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fit:
    """The result of a fit.

    *before* and *after* are log-losses (nats a test) of students who were left out of the fit,
    *fall* is the 95 % interval of before - after, *tests* and *students* are how many were counted.
    If not *is_kept*, *parameters* are the present ones; with too few tests or students the losses
    are not a number.
    """

    parameters: tuple[float, ...]
    before: float
    after: float
    fall: tuple[float, float]
    tests: int
    students: int
    is_kept: bool


@dataclass(frozen=True, slots=True)
class Move:
    """A day's move of a word: days since the one before, FSRS's grade, and, if it was a delayed
    test, whether the word was recalled without help."""

    gap: int
    rating: Rating
    is_recalled: bool | None


def moves(answers: Iterable[Answer]) -> list[Move]:
    """Return the moves that a student's answers for one word, in order, amount to."""
    memory = Memory()
    days: list[Move] = []
    for answer in answers:
        before = memory.card.moves
        taken = memory.take(answer, "")
        shown = evidence(answer)
        if not taken.moves or shown is None:
            continue
        is_delayed = bool(taken.gap) and shown.is_test
        if memory.card.moves == before:
            # The first test of a day replaces a find, and the word had been in view then.
            days[-1] = Move(days[-1].gap, shown.rating, None)
        else:
            recalled = shown.is_unaided if is_delayed else None
            days.append(Move(taken.gap or 0, shown.rating, recalled))
    return days


class Reviews:
    """The moves of many words side by side: the nth move of all words is computed at once.

    Words with more moves come first, so that those with an nth move are the first of all.
    """

    def __init__(self, students: Sequence[Sequence[Sequence[Move]]]) -> None:
        words = [(number, word) for number, found in enumerate(students) for word in found if word]
        words.sort(key=lambda one: -len(one[1]))
        self.student = np.array([number for number, _word in words], dtype=np.int64)
        self.students = len(students)
        longest = len(words[0][1]) if words else 0
        self.gaps: list[Floats] = []
        self.ratings: list[Floats] = []
        self.tested: list[NDArray[np.int64]] = []
        self.recalled: list[NDArray[np.bool_]] = []
        for step in range(longest):
            column = [word[step] for _number, word in words if len(word) > step]
            self.gaps.append(np.array([float(one.gap) for one in column]))
            self.ratings.append(np.array([float(one.rating) for one in column]))
            tested = [place for place, one in enumerate(column) if one.is_recalled is not None]
            self.tested.append(np.array(tested, dtype=np.int64))
            self.recalled.append(np.array([bool(column[place].is_recalled) for place in tested]))

        parts = [self.student[tested] for tested in self.tested]
        self._tester = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    @property
    def tests(self) -> Floats:
        """Return the number of delayed tests of each student."""
        return self._by_student(np.ones(len(self._tester)))

    def losses(self, parameters: Sequence[float]) -> Floats:
        """Return the log-loss of each student's tests, summed."""
        return self._by_student(self._losses(np.array([parameters]))[0])

    def _by_student(self, values: Floats) -> Floats:
        """Return the sum of a value of each test by student."""
        return np.bincount(self._tester, values, minlength=self.students).astype(np.float64)

    def totals(self, rows: Floats) -> Floats:
        """Return the summed log-loss for each of several rows of parameters."""
        sums: Floats = self._losses(rows).sum(axis=1)
        return sums

    def _losses(self, rows: Floats) -> Floats:
        """Return the log-loss of each test (columns) for each row of parameters."""
        parts = []
        for chance, tested, recalled in zip(
            self._chances(rows), self.tested, self.recalled, strict=True
        ):
            likely = np.clip(chance[:, tested], 1e-6, 1 - 1e-6)
            parts.append(-np.log(np.where(recalled, likely, 1 - likely)))
        return np.concatenate(parts, axis=1) if parts else np.zeros((len(rows), 0))

    def _chances(self, rows: Floats) -> Iterator[Floats]:
        """Yield the forecast chances before each move, rows × words, by FSRS-6's formulas."""
        w = rows.T[:, :, np.newaxis]
        factor = 0.9 ** (-1 / w[20]) - 1
        easy = w[4] - np.exp(w[5] * 3) + 1
        stability = difficulty = np.zeros((len(rows), 0))
        for number, (gap, rating) in enumerate(zip(self.gaps, self.ratings, strict=True)):
            if number == 0:
                stability = np.maximum(rows[:, rating.astype(np.int64) - 1], 0.001)
                difficulty = np.clip(w[4] - np.exp(w[5] * (rating - 1)) + 1, 1, 10)
                yield np.zeros_like(stability)
                continue
            stability, difficulty = stability[:, : len(gap)], difficulty[:, : len(gap)]
            chance = (1 + factor * gap / stability) ** -w[20]
            yield chance
            grown = stability * (
                1
                + np.exp(w[8])
                * (11 - difficulty)
                * stability ** -w[9]
                * np.expm1((1 - chance) * w[10])
                * np.where(rating == Rating.Hard, w[15], 1.0)
            )
            lost = np.minimum(
                w[11]
                * difficulty ** -w[12]
                * ((stability + 1) ** w[13] - 1)
                * np.exp((1 - chance) * w[14]),
                stability / np.exp(w[17] * w[18]),
            )
            stability = np.maximum(np.where(rating == Rating.Again, lost, grown), 0.001)
            change = -w[6] * (rating - 3) * (10 - difficulty) / 9
            difficulty = np.clip(w[7] * easy + (1 - w[7]) * (difficulty + change), 1, 10)


def fit_moves(
    students: Mapping[int, Sequence[Sequence[Move]]],
    present: tuple[float, ...] = DEFAULT.parameters,
) -> Fit:
    """Return FSRS parameters fitted to the answers of a site's students.

    *students* has, by a student's number, the moves of each of their words; see `moves`. The result
    is the same whenever it is computed again from the same answers.
    """
    found = [students[number] for number in sorted(students)]
    found = [words for words in found if any(_is_test(move) for word in words for move in word)]
    everyone = Reviews(found)
    tests = int(everyone.tests.sum())
    if tests < FEWEST_TESTS or len(found) < FEWEST_STUDENTS:
        return Fit(present, nan, nan, (nan, nan), tests, len(found), is_kept=False)
    falls, counts, before = [], [], 0.0
    for half, other in ((found[::2], found[1::2]), (found[1::2], found[::2])):
        held_out = Reviews(other)
        losses = held_out.losses(present)
        before += losses.sum()
        falls.append(losses - held_out.losses(_minimised(Reviews(half), present)))
        counts.append(held_out.tests)
    mean, error = _mean_by_student(np.concatenate(falls), np.concatenate(counts))
    interval = (mean - _T * error, mean + _T * error)
    is_kept = interval[0] > 0
    parameters = _minimised(everyone, present) if is_kept else present
    loss = float(before / tests)
    return Fit(parameters, loss, loss - mean, interval, tests, len(found), is_kept)


def _is_test(move: Move) -> bool:
    return move.is_recalled is not None


def _mean_by_student(sums: Floats, counts: Floats) -> tuple[float, float]:
    """Return the mean a test and its standard error, when tests of one student are alike."""
    mean = float(sums.sum() / counts.sum())
    rests = sums - mean * counts
    students = len(sums)
    return mean, sqrt(float((rests**2).sum()) * students / (students - 1)) / float(counts.sum())


def _minimised(reviews: Reviews, present: tuple[float, ...]) -> tuple[float, ...]:
    """Return the parameters with the least log-loss, by Adam with numeric derivatives."""
    tests = float(reviews.tests.sum())

    def losses(places: Floats) -> Floats:
        rows = np.array([_parameters(place, present) for place in places])
        penalty: Floats = (places**2).sum(axis=1) / 2
        return reviews.totals(rows) + penalty

    place = best = np.zeros(len(_SPREAD))
    mean, square = np.zeros_like(place), np.zeros_like(place)
    least = float("inf")
    for step in range(1, _STEPS + 1):
        now, *near = losses(np.vstack([place, place + _NEAR * np.eye(len(place))]))
        if now < least:
            best, least = place, now
        slope = (np.array(near) - now) / (_NEAR * tests)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        rate = _RATE * (1 - step / (_STEPS + 1)) / (1 - 0.9**step)
        place = place - rate * mean / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return _parameters(best, present)


def _parameters(place: Floats, present: tuple[float, ...]) -> tuple[float, ...]:
    """Return the parameters so many standard deviations from the present ones, within bounds."""
    parameters = list(present)
    for (number, spread), by in zip(_SPREAD.items(), place.tolist(), strict=True):
        if number in _STABILITIES:
            parameters[number] *= exp(spread * by)
        else:
            parameters[number] += spread * by
    bounds = zip(parameters, LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS, strict=True)
    return tuple(min(max(one, low), high) for one, low, high in bounds)
