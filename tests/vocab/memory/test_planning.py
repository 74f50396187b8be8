"""The day's plan: what is due, then new words, then what is due next; the week's words first."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from random import Random

import pytest

from vocab.memory.card import Card, Memory
from vocab.memory.evidence import Answer
from vocab.memory.planning import WORDS_A_DAY, Candidate, plan

TODAY = date(2026, 10, 5)


def new(key, **facts):
    return Candidate(key, Card(), **facts)


def met(key, *, due_in, ago=10, rests=None, **facts):
    """Return a word that was last met some days ago and is due in so many days."""
    card = Card(
        stability=10.0,
        difficulty=5.0,
        last_on=TODAY - timedelta(days=ago),
        due_on=TODAY + timedelta(days=due_in),
        moves=3,
        rests_until=TODAY + timedelta(days=rests) if rests else None,
    )
    return Candidate(key, card, **facts)


def due(key, **facts):
    return met(key, due_in=-1, **facts)


def later(key, **facts):
    return met(key, due_in=5, **facts)


def test_nothing_new_is_begun_while_enough_words_are_due():
    words = [*(new(key) for key in range(50)), *(due(key) for key in range(100, 200))]
    found = plan(words, TODAY).words
    assert found == [*range(100, 100 + WORDS_A_DAY)]


def test_new_words_take_the_places_that_due_ones_leave():
    words = [*(new(key) for key in range(50)), *(due(key) for key in range(100, 110))]
    assert plan(words, TODAY).words == [*range(100, 110), *range(WORDS_A_DAY - 10)]


def test_a_new_student_begins_a_whole_days_words():
    assert plan([new(key) for key in range(50)], TODAY).words == [*range(WORDS_A_DAY)]


def test_with_nothing_due_or_new_the_next_to_be_due_are_asked_first():
    words = [met(key, due_in=1 + key % 9) for key in range(40)]
    found = plan(words, TODAY).words
    assert [words[key].card.due_on for key in found] == sorted(one.card.due_on for one in words)[
        :WORDS_A_DAY
    ]


def test_new_words_are_begun_before_words_that_were_right_on_many_days():
    """Who only plays word searches gets on in a long list, though they prove nothing."""
    memory = Memory()
    for found in range(6):
        on = TODAY - timedelta(days=8 * (6 - found))
        at = datetime.combine(on, time(10), UTC)
        memory.take(Answer(at, on, "word-search", "meaning_to_form", "right"), "1:1")
    often = Candidate(1, memory.card)
    assert memory.card.due_on == TODAY
    seldom = met(2, due_in=0)
    assert plan([new(3), often, seldom], TODAY).words == [2, 3, 1]
    in_two_days = TODAY + timedelta(days=2)
    assert plan([new(3), often, seldom], in_two_days).words == [2, 1, 3]


@pytest.mark.parametrize("make", [due, new])
def test_the_weeks_words_come_before_others_of_their_sort(make):
    words = [*(make(key) for key in range(50)), make(70, is_of_week=True)]
    assert plan(words, TODAY).words[0] == 70


def test_of_the_due_words_those_asked_longest_ago_come_first():
    words = [met(1, due_in=-9, ago=10), met(2, due_in=0, ago=60), met(3, due_in=-1, ago=20)]
    assert plan(words, TODAY).words == [2, 3, 1]


def test_in_the_first_half_of_its_wait_a_word_is_asked_only_of_who_wants_more():
    half, early = met(1, due_in=10), met(2, due_in=11)  # last met ten days ago
    assert plan([half, early], TODAY).words == [1]
    assert set(plan([half, early], TODAY, is_early=True).words) == {1, 2}


def test_a_word_that_was_asked_though_it_could_wait_makes_the_plan_no_longer():
    """Words that fill up a puzzle of the last one left: 13 words, 12 played, then a puzzle."""
    words = [due(key) for key in range(13)]
    early = [met(key, due_in=11, is_done=True) for key in range(20, 25)]
    today = plan([*(replace(one, is_done=True) for one in words), *early], TODAY)
    assert (len(today), today.left) == (13, [])


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
    assert plan([due(1, rests=1)], TODAY).words == []
    assert plan([due(1, rests=1)], TODAY + timedelta(days=1)).words == [1]


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
