"""Whether a class's page names the right students, in classes whose truth is known.

    python -m benchmarks.monday --classes 20

The classes are those of `tests/puzzles/dashboards/simulated.py`. Prints how many of the students
whom the page names are not fine (precision), how many of those who are not fine it names (recall),
how many with the reason that is true of them, and how often the number of words that a student
recalls lies in the range that the page gives for it.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from random import Random

from puzzles.dashboards.monday import named
from tests.puzzles.dashboards.simulated import (
    TODAY,
    WORDS_A_DAY,
    Score,
    play,
    standings,
    truth_of,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classes", type=int, default=20)
    options = parser.parse_args()
    total = Score()
    wrongly: Counter[str] = Counter()
    estimates: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    margins: Counter[str] = Counter()
    for seed in range(options.classes):
        rng = Random(seed)
        played = play(rng)
        known = list(standings(played))
        found = {
            key: {reason for reason, _count in reasons}
            for key, reasons in named(known, TODAY, WORDS_A_DAY).items()
        }
        truth = truth_of(played)
        total.add(truth, found)
        for key, reasons in found.items():
            wrongly.update(reasons if truth[key] is None else ())
        for one, standing in zip(played.learners, known, strict=True):
            if standing.recalls is not None:
                really = played.asked_now(one, rng)
                kind = one.trouble or "fine"
                estimates[kind] += 1
                margins[kind] += round(standing.recalls.margin)
                inside[kind] += abs(really - standing.recalls.words) <= standing.recalls.margin
    print(json.dumps({
        "classes": options.classes, "named": total.named, "precision": round(total.precision, 3),
        "recall": round(total.recall, 3),
        "recall with the true reason": round(total.recall_of_reasons, 3),
        "named though fine, by reason": wrongly,
    }))  # fmt: skip
    for kind, count in estimates.items():
        print(json.dumps({
            "students": kind, "estimates": count, "in their range": round(inside[kind] / count, 3),
            "mean margin in words": round(margins[kind] / count, 1),
        }))  # fmt: skip


if __name__ == "__main__":
    main()
