"""Whether a class's figures are true: words recalled, who is named, which words are hardest.

    python -m benchmarks.figures [--classes 5] [--seed 1000]

Classes whose truth is known (`tests/puzzles/dashboards/simulated.py`): two models of memory that are
not the scheduler's, three speeds of forgetting, two ways of playing, and so many classes of each.
Printed are, for all of them and for each speed:

- how often a student's range holds the number of words that they would recall now, and by how many
  words estimates are too high; how often a class's sum lies within its range, as if the errors of
  its students were independent; the same for FSRS's forecasts moved by one amount for each student;
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
from random import Random
from statistics import mean

from benchmarks.remembering.minds import MINDS
from puzzles.dashboards.monday import hardest_first, named
from tests.puzzles.dashboards import simulated
from tests.puzzles.dashboards.simulated import GIFTS, SEARCHES, Ranges, Score, merge


@dataclass(slots=True)
class Figures:
    """The figures of one class."""

    ranges: Ranges = field(default_factory=Ranges)
    forecasts: Ranges = field(default_factory=Ranges)
    score: Score = field(default_factory=Score)
    by_share: float = 0.0
    by_number: float = 0.0


def figures(mind: str, kind: str, likes: str, seed: int) -> Figures:
    """Return how true the figures of a class are."""
    played = simulated.play(mind, kind, likes, seed)
    found, rng = Figures(), Random(seed)
    truth = [simulated.asked_now(one, rng) for one in played.learners]
    found.ranges.add(truth, simulated.estimated(played))
    found.forecasts.add(truth, simulated.estimated(played, from_forecasts=True))
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


def told(of: Sequence[Figures]) -> str:
    """Return the figures of some classes as a line."""
    ranges, forecasts, score = Ranges(), Ranges(), Score()
    for one in of:
        merge(ranges, one.ranges)
        merge(forecasts, one.forecasts)
        merge(score, one.score)
    return (
        f"{_told(ranges)}   {_told(forecasts)}   {score.precision:9.2f}{score.recall:8.2f}"
        f"{score.recall_of_reasons:8.2f}   "
        f"{mean(one.by_share for one in of):8.2f}{mean(one.by_number for one in of):8.2f}"
    )


def _told(ranges: Ranges) -> str:
    high = ranges.too_many / ranges.students
    return f"{100 * ranges.share:6.1f} %{high:+6.1f}{100 * ranges.share_of_classes:6.0f} %"


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
    print(f"{'':12}students  high  class   forecasts only         precision  recall  reason"
          "   tau: share  number")  # fmt: skip
    for name in (*MINDS, *GIFTS, *SEARCHES):
        print(f"{name:12}{told([one for key in found if name in key for one in found[key]])}")
    print(f"{'all':12}{told([one for some in found.values() for one in some])}")


if __name__ == "__main__":
    main()
