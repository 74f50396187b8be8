"""When to review a word, by FSRS-6 with the fsrs package, in whole days. Pure.

FSRS: Ye, Su and Cao, "A Stochastic Shortest Path Algorithm for Optimizing Spaced Repetition
Scheduling" (KDD 2022). Days are counted as nights slept (open-spaced-repetition/fsrs-rs, issue
237), so that a lesson a minute earlier than yesterday's is still a day later. There are no learning
steps within a day, because a class does not come back after ten minutes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from random import Random

from fsrs import Card, Rating, Scheduler, State
from fsrs.scheduler import DEFAULT_PARAMETERS, FUZZ_RANGES

_BASE = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Model:
    """FSRS's 21 parameters, and the chance of recall at which a word is due (0.7…0.97)."""

    parameters: tuple[float, ...] = DEFAULT_PARAMETERS
    retention: float = 0.9


DEFAULT = Model()


@dataclass(frozen=True, slots=True)
class Step:
    """The result of one review: stability and interval in days, difficulty from 1 to 10."""

    stability: float
    difficulty: float
    interval: int


@lru_cache(maxsize=64)
def _scheduler(model: Model) -> Scheduler:
    # No fuzz here: fsrs draws it from the process's random numbers, and a replay of the review
    # history must give the same due dates. `fuzzed` adds it.
    return Scheduler(
        parameters=model.parameters,
        desired_retention=model.retention,
        learning_steps=(),
        relearning_steps=(),
        enable_fuzzing=False,
    )


def step(
    stability: float | None,
    difficulty: float | None,
    days: int,
    rating: Rating,
    model: Model = DEFAULT,
) -> Step:
    """Return what a review changes, *days* after the last one.

    *stability* and *difficulty* are None for the first review.
    """
    is_new = stability is None
    card = Card(
        card_id=0,
        state=State.Learning if is_new else State.Review,
        step=0 if is_new else None,
        stability=stability,
        difficulty=difficulty,
        due=_BASE,
        last_review=None if is_new else _BASE,
    )
    now = _BASE + timedelta(days=days)
    card, _log = _scheduler(model).review_card(card, rating, now)
    assert card.stability is not None and card.difficulty is not None  # noqa: S101
    return Step(card.stability, card.difficulty, (card.due - now).days)


def fuzzed(interval: int, seed: str) -> int:
    """Return *interval* with a small change drawn by *seed*, within the range that FSRS allows.

    Otherwise words that were met together would always be due together.
    """
    if interval < FUZZ_RANGES[0]["start"]:
        return interval
    spread = 1.0
    for part in FUZZ_RANGES:
        spread += part["factor"] * max(min(interval, part["end"]) - part["start"], 0.0)
    # A longer interval never becomes the shorter one: the spread grows by less than a day a day.
    return max(2, round(interval + Random(seed).uniform(-spread, spread)))


def recall_chance(stability: float | None, days: int | None, model: Model = DEFAULT) -> float:
    """Return the expected chance of recall *days* after the last review; 0 for a new word."""
    if stability is None or days is None:
        return 0.0
    decay = -model.parameters[20]
    factor = 0.9 ** (1 / decay) - 1
    return float((1 + factor * max(0, days) / stability) ** decay)
