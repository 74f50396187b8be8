"""Whether a class's figures are true: words recalled, who is named, which words are hardest.

    python -m benchmarks.figures [--classes 5] [--seed 1000]

In classes whose truth is known (`tests/puzzles/dashboards/simulated.py`): two models of memory that
are not the scheduler's, three speeds of forgetting, three ways of playing, so many classes of each.
Printed are, for each of these:

- how often a student's range holds the number of words that they would recall now, by how many
  words estimates are too high, how often the class's sum lies within its range, and within one for
  which no error is common to a class; the same for the estimator before: FSRS's forecasts, whose
  log odds move by one amount for each student;
- how many of those named are not fine (precision), how many of those who are not fine are named
  (recall), and how many with the true reason;
- Kendall's tau between the order of missed words and their true difficulty, by the share missed and
  by the number of misses. Chance gives 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from math import exp, log, sqrt
from random import Random
from statistics import mean

from benchmarks.remembering.minds import MINDS
from puzzles.dashboards.monday import hardest_first, named
from tests.puzzles.dashboards import simulated
from tests.puzzles.dashboards.simulated import (
    GIFTS,
    SEARCHES,
    Learner,
    Played,
    Ranges,
    Score,
    merge,
)
from vocab.memory.estimates import FEWEST_TESTS, Recalled

BEFORE = timedelta(days=21)


@dataclass(slots=True)
class Figures:
    """The figures of one class."""

    ranges: Ranges = field(default_factory=Ranges)
    before: Ranges = field(default_factory=Ranges)
    score: Score = field(default_factory=Score)
    by_share: float = 0.0
    by_number: float = 0.0


def figures(mind: str, kind: str, likes: str, seed: int) -> Figures:
    """Return how true the figures of a class are."""
    played = simulated.play(mind, kind, likes, seed)
    found, rng = Figures(), Random(seed)
    truth = [simulated.asked_now(one, rng) for one in played.learners]
    found.ranges.add(truth, simulated.estimated(played))
    found.before.add(truth, [one_amount(played, one) for one in played.learners])
    known = list(simulated.standings(played))
    reasons = named(known, simulated.TODAY, simulated.WORDS_A_DAY)
    found.score.add(
        simulated.truth_of(played),
        {key: {reason for reason, _number in some} for key, some in reasons.items()},
    )
    misses = played.misses()
    most = sorted(misses, key=lambda word: -misses[word][0])
    found.by_share = simulated.tau(hardest_first(misses), played.difficulty)
    found.by_number = simulated.tau(most, played.difficulty)
    return found


def one_amount(played: Played, learner: Learner) -> Recalled | None:
    """Return an estimate as it was made before."""
    tests = [
        one for one in played.tests
        if one.student == learner.key and simulated.DAYS - one.day <= BEFORE.days
    ]  # fmt: skip
    if len(tests) < FEWEST_TESTS:
        return None
    count, expected = len(tests), sum(one.expected for one in tests)
    mean_of_all, right = expected / count, sum(one.is_right for one in tests)
    spread = sum(one.expected * (1 - one.expected) for one in tests)
    slope = min(1.0, spread / (count * mean_of_all * (1 - mean_of_all)))
    low, high = -6.0, 6.0
    for _halving in range(40):
        by = (low + high) / 2
        is_low = right - count * moved(mean_of_all, slope * by) - by > 0
        low, high = (by, high) if is_low else (low, by)
    chance = moved(mean_of_all, slope * by)
    error = 1 / sqrt(count * slope * chance * (1 - chance) + 1)
    likely = [moved(word.forecast, by) for word in simulated.met(played, learner)]
    spread = sum(one * (1 - one) for one in likely)
    margin = 1.96 * sqrt(spread + (spread * error) ** 2 + (0.05 * len(likely)) ** 2)
    return Recalled(sum(likely), margin, simulated.WORDS)


def moved(chance: float, by: float) -> float:
    """Return a chance whose log odds are moved by an amount."""
    chance = min(1 - 1e-6, max(1e-6, chance))
    return 1 / (1 + exp(-(log(chance / (1 - chance)) + by)))


def told(of: Sequence[Figures]) -> str:
    """Return the figures of some classes as a line."""
    ranges, before, score = Ranges(), Ranges(), Score()
    for one in of:
        merge(ranges, one.ranges)
        merge(before, one.before)
        merge(score, one.score)
    return (
        f"{_told(ranges)}   {_told(before)}   {score.precision:9.2f}{score.recall:8.2f}"
        f"{score.recall_of_reasons:8.2f}   "
        f"{mean(one.by_share for one in of):8.2f}{mean(one.by_number for one in of):8.2f}"
    )


def _told(ranges: Ranges) -> str:
    high = ranges.too_many / ranges.students
    return f"{ranges.share:6.3f}{high:+6.1f}{ranges.share_of_classes:6.2f}{ranges.share_alone:6.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--classes", type=int, default=5, help="of each model, speed and way")
    parser.add_argument("--seed", type=int, default=1000, help="the first")
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.classes)
    with ProcessPoolExecutor() as pool:
        runs = {
            (mind, kind, likes): [pool.submit(figures, mind, kind, likes, seed) for seed in seeds]
            for mind in MINDS for kind in GIFTS for likes in SEARCHES
        }  # fmt: skip
        found = {key: [one.result() for one in futures] for key, futures in runs.items()}
    head = "   in  high   sum alone"
    print(f"{'':12}{head}   {head}: before   precision  recall  reason   tau  before")
    for name in (*MINDS, *GIFTS, *SEARCHES):
        print(f"{name:12}{told([one for key in found if name in key for one in found[key]])}")
    print(f"{'all':12}{told([one for some in found.values() for one in some])}")


if __name__ == "__main__":
    main()
