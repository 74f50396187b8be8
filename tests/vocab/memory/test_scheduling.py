"""Schedules are the fsrs package's own, whatever the history."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from fsrs import Card, Rating, Scheduler

from vocab.memory.scheduling import KNOWN_DAYS, Memory, recall_chance

START = datetime(2026, 9, 1, 8, tzinfo=UTC)
RATINGS = {"right": Rating.Good, "hinted": Rating.Hard, "wrong": Rating.Again}


def sampled_history(seed):
    """Return (outcome, at) of a word: minutes to months apart, forgotten now and then."""
    rng = Random(seed)
    at, history = START, []
    for _review in range(rng.randint(1, 25)):
        at += timedelta(seconds=rng.choice([30, 900, 86_400, 700_000, 6_000_000]) * rng.random())
        history.append((rng.choices(list(RATINGS), [6, 2, 3])[0], at))
    return history


def test_500_sampled_histories_equal_the_packages_own():
    scheduler = Scheduler(enable_fuzzing=False)
    for seed in range(500):
        memory = Memory()
        card = Card(card_id=0, due=START)
        for outcome, at in sampled_history(seed):
            memory.take(outcome, at, moves_schedule=True)
            card, _log = scheduler.review_card(card, RATINGS[outcome], at)
            assert memory.schedule == card.to_dict()
        assert recall_chance(memory.stability, memory.last_at, at + timedelta(days=9)) == (
            pytest.approx(scheduler.get_card_retrievability(card, at + timedelta(days=9)))
        )


def test_what_is_seen_or_played_freely_moves_nothing():
    memory = Memory()
    memory.take("right", START, moves_schedule=True)
    before = dict(memory.schedule)
    memory.take("wrong", START + timedelta(days=30), moves_schedule=False)
    assert memory.schedule == before
    assert (memory.reviews, memory.wrong, memory.lapses) == (2, 1, 0)


def test_a_lapse_is_forgetting_what_was_learned():
    memory = Memory()
    memory.take("wrong", START, moves_schedule=True)
    assert memory.lapses == 0
    for day in (1, 2, 5, 14):
        memory.take("right", START + timedelta(days=day), moves_schedule=True)
    assert memory.is_known
    assert memory.stability >= KNOWN_DAYS
    memory.take("wrong", START + timedelta(days=60), moves_schedule=True)
    assert memory.lapses == 1


def test_nothing_is_recalled_that_was_never_learned():
    assert recall_chance(None, START, START) == 0
    assert recall_chance(3.0, START, START) == 1
