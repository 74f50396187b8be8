"""The day's plan: what is due, the week's words, new words, and then the next to be forgotten."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from random import Random

import pytest

from vocab.memory.card import Card, Memory
from vocab.memory.evidence import Answer
from vocab.memory.planning import (
    MOST_DAYS_WAITING,
    MOST_NEW,
    WAITING,
    WORDS_A_DAY,
    Candidate,
    plan,
)

TODAY = date(2026, 10, 5)
A_QUARTER = WORDS_A_DAY - WORDS_A_DAY * 3 // 4


def new(key, **facts):
    return Candidate(key, Card(), **facts)


def met(key, *, due_in, stability=10.0, rests=None, **facts):
    """Return a word that was last met ten days ago and is due in so many days."""
    card = Card(
        stability=stability,
        difficulty=5.0,
        last_on=TODAY - timedelta(days=10),
        due_on=TODAY + timedelta(days=due_in),
        moves=3,
        rests_until=TODAY + timedelta(days=rests) if rests else None,
    )
    return Candidate(key, card, **facts)


def due(key, **facts):
    return met(key, due_in=-1, **facts)


def later(key, **facts):
    return met(key, due_in=5, **facts)


def test_due_words_take_three_quarters_while_others_are_there():
    words = [*(due(key) for key in range(100)), *(later(key) for key in range(100, 200))]
    week = [later(key, is_of_week=True) for key in range(200, 300)]
    found = plan([*words, *week], TODAY).words
    assert len(found) == len(set(found)) == WORDS_A_DAY
    assert len([key for key in found if key < 100]) == WORDS_A_DAY * 3 // 4
    assert len([key for key in found if key >= 200]) == A_QUARTER


def test_due_words_take_the_rest_if_nothing_else_is_new_or_of_the_week():
    words = [*(due(key) for key in range(100)), *(later(key) for key in range(100, 200))]
    found = plan(words, TODAY).words
    assert len([key for key in found if key < 100]) == WORDS_A_DAY


@pytest.mark.parametrize("is_new", [True, False])
def test_the_weeks_words_get_their_quarter_after_the_holidays(is_new):
    backlog = [due(key) for key in range(300)]
    make = new if is_new else later
    week = [make(key, is_of_week=True) for key in range(300, 330)]
    found = plan([*backlog, *week], TODAY).words
    assert len([key for key in found if key >= 300]) >= A_QUARTER


def test_the_weeks_words_that_are_not_due_take_no_more_than_a_quarter_from_new_ones():
    week = [later(key, is_of_week=True) for key in range(50)]
    found = plan([*week, *(new(key) for key in range(50, 80))], TODAY).words
    assert len([key for key in found if key >= 50]) == MOST_NEW
    assert len(found) == WORDS_A_DAY


def test_of_the_due_words_the_weeks_come_first_then_the_longest_overdue():
    words = [met(1, due_in=-1), met(2, due_in=-9), met(3, due_in=0, is_of_week=True)]
    assert plan(words, TODAY).words == (3, 2, 1)


def test_at_most_eight_words_a_day_are_new():
    assert plan([new(key) for key in range(50)], TODAY).words == tuple(range(MOST_NEW))
    week = [new(key, is_of_week=True) for key in range(50, 60)]
    found = plan([*(new(key) for key in range(50)), *week], TODAY).words
    assert found == tuple(range(50, 50 + MOST_NEW))


def test_nothing_new_is_begun_while_days_of_words_are_waiting_except_the_weeks():
    def new_in(backlog, days):
        waiting = [met(key, due_in=-days) for key in range(backlog)]
        words = [*waiting, *(new(key) for key in range(500, 550))]
        return len([key for key in plan(words, TODAY).words if key >= 500])

    enough = MOST_DAYS_WAITING * WORDS_A_DAY
    assert new_in(enough, WAITING.days) == 0
    assert new_in(enough - 1, WAITING.days) == MOST_NEW
    assert new_in(enough, WAITING.days - 1) == MOST_NEW, "due since the last lesson: no backlog"


def test_new_words_have_their_place_beside_due_ones():
    words = [*(due(key) for key in range(40)), *(new(key) for key in range(500, 550))]
    found = plan(words, TODAY).words
    assert len([key for key in found if key >= 500]) == MOST_NEW


def test_with_nothing_due_or_new_the_next_to_be_forgotten_are_asked_first():
    words = [later(key, stability=5.0 + key) for key in range(40)]
    assert plan(words, TODAY).words == tuple(range(WORDS_A_DAY))


def test_in_the_first_half_of_its_interval_a_word_is_asked_only_of_who_wants_more():
    half, early = met(1, due_in=10), met(2, due_in=11)  # last met ten days ago
    assert plan([half, early], TODAY).words == (1,)
    assert set(plan([half, early], TODAY, is_early=True).words) == {1, 2}
    asked = replace(early, is_done=True)
    assert set(plan([half, asked], TODAY).words) == {1, 2}, "asked already: part of the day"


def test_who_practises_a_short_list_every_day_comes_to_know_its_words():
    """Words asked again every day had no gap that could show that they are known."""
    rng = Random(3)
    memories = {key: Memory() for key in range(20)}
    for number in range(28):
        on = TODAY + timedelta(days=number)
        for key in plan([Candidate(key, one.card) for key, one in memories.items()], on).words:
            at = datetime.combine(on, time(12), UTC)
            outcome = "right" if rng.random() < 0.9 else "wrong"
            answer = Answer(at, on, "typed", "meaning_to_form", outcome)
            memories[key].take(answer, f"1:{key}")
    assert sum(one.card.is_known for one in memories.values()) >= 15


def test_a_word_that_rests_is_left_alone_until_it_has_rested():
    assert plan([due(1, rests=1)], TODAY).words == ()
    assert plan([due(1, rests=1)], TODAY + timedelta(days=1)).words == (1,)


def test_an_empty_list_has_an_empty_plan():
    found = plan([], TODAY)
    assert (len(found), found.left) == (0, [])


@pytest.mark.parametrize("size", [4, 12, 60])
def test_the_teachers_number_of_words_is_kept(size):
    words = [*(due(key) for key in range(100)), *(new(key) for key in range(100, 200))]
    assert len(plan(words, TODAY, size)) == size


def sampled_words(seed):
    rng = Random(seed)
    makes = [new, due, later, lambda key, **facts: due(key, rests=2, **facts)]
    weights = [rng.random() for _make in makes]
    return [
        replace(
            rng.choices(makes, weights)[0](key),
            is_of_week=rng.random() < 0.2,
        )
        for key in range(rng.randrange(150))
    ]


def test_in_whatever_order_words_are_asked_what_is_left_only_shrinks_to_nothing():
    for seed in range(60):
        rng = Random(seed)
        words = {one.key: one for one in sampled_words(seed)}
        size = rng.choice([5, 12, WORDS_A_DAY])
        today = plan(words.values(), TODAY, size)
        left = set(today.left)
        assert len(left) == len(today)
        for key in rng.sample(sorted(words), len(words)):
            words[key] = replace(words[key], is_done=True)
            now = plan(words.values(), TODAY, size)
            assert set(now.left) <= left
            assert len(now) == len(today)
            assert key not in now.left
            assert len(left) - len(now.left) <= 1
            left = set(now.left)
        assert left == set()


def test_other_waiting_words_count_as_much_as_the_plans_but_not_those_that_could_wait():
    words = {key: due(key) for key in range(100)}
    words |= {key: later(key) for key in range(100, 140)}
    today = plan(words.values(), TODAY)
    asked = [key for key in words if key not in today.words]
    for key in asked:
        words[key] = replace(words[key], is_done=key >= 100)
    assert plan(words.values(), TODAY).left == today.left
    for key in asked[:WORDS_A_DAY]:
        words[key] = replace(words[key], is_done=True)
    now = plan(words.values(), TODAY)
    assert now.left == []
    assert len(now) == len(today)


def test_only_the_plans_words_in_any_order_leave_the_plan_as_it_is():
    for seed in range(60):
        words = {one.key: one for one in sampled_words(seed)}
        today = plan(words.values(), TODAY)
        for number, key in enumerate(Random(seed).sample(today.words, len(today)), start=1):
            words[key] = replace(words[key], is_done=True)
            now = plan(words.values(), TODAY)
            assert now.words == today.words
            assert len(now.left) == len(today) - number
