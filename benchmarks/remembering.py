"""How many words a class recalls after eight weeks: practice of due words against random practice.

    python -m benchmarks.remembering [--students 30] [--words 200] [--weeks 8] [--seeds 3]

The forgetting model is not the scheduler's: a word has a half-life h in days and is recalled after
t days with probability 2^(-t/h), as in half-life regression (Settles and Meeder, 2016). Seeing a
word for the first time sets h = FIRST; a recall multiplies h by 1 + 1.6·(1.2 - probability), so
that a late one strengthens more; a miss divides h by 2, never below FIRST, because the word is then
shown. The simulation runs with FIRST = 0.5, 1 and 2 days, because the outcome depends on it. Each
word has a difficulty drawn from a log-normal of sigma 0.5 that multiplies the growth, each student
another of sigma 0.25. Both methods play the same number of puzzles of twelve words, on the same
days, with the same seeds: "adaptive" uses the words that `puzzles.practice` would (overdue, then
lapsed, then new, in its order), "random" uses twelve of the list. The figure is the expected number
of words recalled at the end.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random

from vocab.memory.scheduling import KNOWN_DAYS, Memory, due_at

START = datetime(2026, 9, 1, 8, tzinfo=UTC)
A_PUZZLE = 12
FIRST_HALF_LIVES = (0.5, 1.0, 2.0)


@dataclass(slots=True)
class Brain:
    """The memory of a simulated student: half-lives in days, and when each word was last seen."""

    ease: list[float]
    first: float
    half_life: dict[int, float] = field(default_factory=dict)
    met: dict[int, datetime] = field(default_factory=dict)

    def chance(self, word: int, at: datetime) -> float:
        if word not in self.met:
            return 0.0
        days = (at - self.met[word]).total_seconds() / 86_400
        return float(2 ** (-days / self.half_life[word]))

    def ask(self, word: int, at: datetime, rng: Random) -> bool:
        """Return whether the word is recalled, and learn from it."""
        chance = self.chance(word, at)
        is_recalled = rng.random() < chance
        before = self.half_life.get(word, self.first)
        if is_recalled:
            self.half_life[word] = before * (1 + 1.6 * self.ease[word] * (1.2 - chance))
        else:
            self.half_life[word] = max(self.first, before / 2)
        self.met[word] = at
        return is_recalled


def adaptive(memories: dict[int, Memory], words: int, at: datetime) -> list[int]:
    """Return the words in the order of `puzzles.practice`: overdue, then lapsed, then new."""
    dues = {word: due_at(memory.schedule) for word, memory in memories.items()}
    due = sorted((when, word) for word, when in dues.items() if when is not None and when <= at)
    late = {word for _when, word in due}
    lapsed = sorted(
        (memory.stability or 0, word)
        for word, memory in memories.items()
        if word not in late and memory.lapses and (memory.stability or 0) < KNOWN_DAYS
    )
    new = [word for word in range(words) if word not in memories]
    return [*(word for _when, word in due), *(word for _days, word in lapsed), *new][:A_PUZZLE]


def class_recalls(
    way: str, *, students: int, words: int, weeks: int, puzzles_a_week: int, seed: int, first: float
) -> float:
    """Return the mean number of words that a student recalls at the end."""
    common = Random(seed)
    difficulty = [common.lognormvariate(0, 0.5) for _word in range(words)]
    end = START + timedelta(weeks=weeks)
    recalled = []
    for student in range(students):
        rng = Random(f"{seed}:{student}")
        gift = rng.lognormvariate(0, 0.25)
        brain = Brain([gift * ease for ease in difficulty], first)
        memories: dict[int, Memory] = {}
        days = sorted(rng.sample(range(weeks * 7), min(weeks * puzzles_a_week, weeks * 7)))
        for day in days:
            at = START + timedelta(days=day, seconds=rng.uniform(0, 3600))
            if way == "adaptive":
                chosen = adaptive(memories, words, at)
            else:
                chosen = rng.sample(range(words), A_PUZZLE)
            for word in chosen:
                outcome = "right" if brain.ask(word, at, rng) else "wrong"
                memories.setdefault(word, Memory()).take(outcome, at, moves_schedule=True)
        recalled.append(sum(brain.chance(word, end) for word in range(words)))
    return statistics.mean(recalled)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=30)
    parser.add_argument("--words", type=int, default=200)
    parser.add_argument("--weeks", type=int, default=8)
    parser.add_argument("--puzzles-a-week", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    for first in FIRST_HALF_LIVES:
        ratios = []
        for seed in range(options.seeds):
            means = [
                class_recalls(
                    way,
                    students=options.students,
                    words=options.words,
                    weeks=options.weeks,
                    puzzles_a_week=options.puzzles_a_week,
                    seed=seed,
                    first=first,
                )
                for way in ("adaptive", "random")
            ]
            ratios.append(means[0] / means[1])
            print(
                f"first half-life {first:g} d, seed {seed}: adaptive {means[0]:.1f}, random "
                f"{means[1]:.1f} of {options.words} words; ratio {ratios[-1]:.2f}"
            )
        print(f"  mean ratio {statistics.mean(ratios):.2f} (least {min(ratios):.2f})")


if __name__ == "__main__":
    main()
