"""Compare ways to choose the words of a day: words that students produce after weeks of practice.

    python -m benchmarks.remembering [--students 30] [--classes 2] [--words 300 100] [--weeks 12]
        [--lessons 4.5] [--minutes 10] [--gift 0] [--seed 0] [--minds …] [--mixes …] [--pickers …]

The same students learn the same words on the same days, for equal minutes, by two models of memory
(`minds.py`), four mixes of puzzles (`lessons.py`) and several pickers (`pickers.py`). Printed are
means in the last week and four weeks later without practice, and the gain over words chosen at
random, with 95 % intervals: a paired bootstrap over students; the words are taken as they are.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from statistics import mean

from benchmarks.remembering.lessons import MIXES, Learnt, study
from benchmarks.remembering.minds import MINDS, people
from benchmarks.remembering.pickers import PICKERS


@dataclass(frozen=True, slots=True)
class Task:
    """One class that learns so many *words* with one picker."""

    mind: str
    mix: str
    picker: str
    words: int
    seed: int
    students: int
    weeks: int
    lessons: float
    minutes: float
    gift: float
    transfer: float


def a_class(task: Task) -> list[Learnt]:
    """Return what each student of the class has learnt."""
    found = []
    rng = Random(f"class {task.seed}")
    for number, person in enumerate(people(rng, task.students, task.words, gift=task.gift)):
        seed = f"{task.seed}:{number}"
        days = _days(Random(f"days {seed}"), task.weeks, task.lessons)
        mind = MINDS[task.mind](person, task.transfer)
        picker = PICKERS[task.picker](task.words, seed)
        found.append(study(mind, picker, task.mix, days, task.weeks, task.minutes, seed))
    return found


def _days(rng: Random, weeks: int, lessons: float) -> list[int]:
    """Return the days with a lesson, from 0 on; a week has the whole number above or below."""
    days = []
    for week in range(weeks):
        count = int(lessons) + (rng.random() < lessons % 1)
        days += [week * 7 + day for day in sorted(rng.sample(range(5), count))]
    return days


def gain(ours: Sequence[float], theirs: Sequence[float], draws: int = 1000) -> str:
    """Return by how many per cent our mean is higher, and its interval: a bootstrap of pairs."""
    rng = Random(0)
    pairs = list(zip(ours, theirs, strict=True))
    ratios = []
    for _draw in range(draws):
        drawn = rng.choices(pairs, k=len(pairs))
        ratios.append(sum(one for one, _ in drawn) / sum(other for _, other in drawn))
    ratios.sort()
    found = sum(ours) / sum(theirs), ratios[round(draws * 0.025)], ratios[round(draws * 0.975) - 1]
    here, low, high = (100 * (one - 1) for one in found)
    return f"{here:+4.0f} ({low:+.0f}…{high:+.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--classes", type=int, default=2)
    parser.add_argument("--words", type=int, nargs="+", default=[300, 100])
    parser.add_argument("--weeks", type=int, default=12)
    parser.add_argument("--lessons", type=float, default=4.5, help="a week, at most 5")
    parser.add_argument("--minutes", type=float, default=10.0, help="a lesson")
    parser.add_argument("--gift", type=float, default=0.0, help="of the class; -1.5: slow learners")
    parser.add_argument("--transfer", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minds", nargs="+", choices=MINDS, default=list(MINDS))
    parser.add_argument("--mixes", nargs="+", choices=MIXES, default=list(MIXES))
    parser.add_argument("--pickers", nargs="+", choices=PICKERS, default=list(PICKERS))
    given = parser.parse_args()
    began = time.monotonic()
    classes = range(given.seed, given.seed + given.classes)
    pickers = [*given.pickers, *({"random"} - {*given.pickers})]
    print(f"{'':37}then   against random  later   against random  met  plays")
    with ProcessPoolExecutor() as pool:
        runs = {
            (words, mind, mix, picker): [
                pool.submit(a_class, Task(
                    mind, mix, picker, words, seed, given.students, given.weeks, given.lessons,
                    given.minutes, given.gift, given.transfer,
                ))
                for seed in classes
            ]
            for words in given.words for mind in given.minds for mix in given.mixes
            for picker in pickers
        }  # fmt: skip
        for (words, mind, mix, picker), futures in runs.items():
            found = [one for future in futures for one in future.result()]
            base = [one for future in runs[words, mind, mix, "random"] for one in future.result()]
            print(
                f"{words:4} {mind:10} {mix:13} {picker:7}"
                f"{mean(one.now for one in found):6.1f} "
                f"{gain([one.now for one in found], [one.now for one in base]):>16}"
                f"{mean(one.later for one in found):7.1f} "
                f"{gain([one.later for one in found], [one.later for one in base]):>16}"
                f"{mean(one.met for one in found):5.0f}{mean(one.plays for one in found):7.0f}",
                flush=True,
            )
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
