"""A miss never hides another one and never makes a date later; no date is further than proven."""

from datetime import UTC, date, datetime, time, timedelta
from random import Random

import pytest

from tests.layers import IS_THOROUGH
from vocab.memory.card import WAIT, Level, Memory
from vocab.memory.evidence import Answer, Mode, Skill

START = date(2026, 3, 2)
HISTORIES = 2500 if IS_THOROUGH else 500
HEARD = (Mode.HEARD, Skill.SOUND_TO_FORM)
TYPED = (Mode.TYPED, Skill.MEANING_TO_FORM)
FOUND = (Mode.WORD_SEARCH, Skill.MEANING_TO_FORM)
WAYS = [
    HEARD, TYPED, FOUND, (Mode.FINDER, Skill.SOUND_TO_FORM), (Mode.CHOSEN, Skill.MEANING_TO_FORM),
    (Mode.CROSSWORD, Skill.MEANING_TO_FORM),
]  # fmt: skip


def answer(day, way=TYPED, outcome="right", **facts):
    on = START + timedelta(days=day)
    return Answer(datetime.combine(on, time(10), UTC), on, *way, outcome, **facts)


def memory_of(*answers):
    memory = Memory()
    for one in answers:
        memory.take(one, "student:word")
    return memory


def known_and(*today):
    """Return what is remembered of a word recalled 60, 57 and 45 days before today's answers."""
    return memory_of(answer(0), answer(3), answer(15), *today)


def test_a_miss_by_ear_does_not_hide_a_miss_by_meaning_on_the_same_day():
    typed = known_and(answer(60, outcome="wrong"))
    both = known_and(answer(60, HEARD, "wrong"), answer(60, outcome="wrong"))
    assert both.card == typed.card
    assert both.card.level == Level.SLIPPING


@pytest.mark.parametrize("way", WAYS)
def test_a_right_answer_does_not_hide_a_miss_by_ear(way):
    """The control: after the word was told, only a miss by meaning shows more."""
    heard = known_and(answer(60, HEARD, "wrong"))
    assert known_and(answer(60, HEARD, "wrong"), answer(60, way)).card == heard.card


@pytest.mark.parametrize("day", range(16, 120, 8))
def test_a_miss_by_ear_makes_no_date_later(day):
    before = [answer(0), answer(3), answer(15)]
    after = answer(day + 30)
    without = memory_of(*before, after).card.due_on
    assert memory_of(*before, answer(day, HEARD, "wrong"), after).card.due_on <= without
    right = memory_of(*before, answer(day)).card.due_on
    assert memory_of(*before, answer(day, HEARD, "wrong")).card.due_on <= right


def sampled(rng):
    """Return a history of some months, in days; sometimes two answers a day."""
    days = sorted(rng.sample(range(240), rng.randint(1, 12)))
    days += [day for day in days if rng.random() < 0.2]
    return [
        answer(day, rng.choice(WAYS), rng.choice(["right", "right", "right", "wrong"]))
        for day in sorted(days)
    ]


def test_one_more_miss_before_a_right_answer_never_makes_its_date_later():
    for seed in range(HISTORIES):
        rng = Random(seed)
        history = [*sampled(rng), answer(250, rng.choice(WAYS))]
        place = rng.randrange(len(history) - 1)
        miss = answer((history[place].day - START).days, rng.choice(WAYS), "wrong")
        missed = [*history[: place + 1], miss, *history[place + 1 :]]
        if history[place].outcome == "right" and rng.random() < 0.5:
            del missed[place]
        after, without = memory_of(*missed).card, memory_of(*history).card
        assert after.due_on <= without.due_on, (seed, place)
        assert after.urgent_on <= without.urgent_on, (seed, place)


def test_a_miss_before_a_word_is_due_never_makes_its_date_later():
    for seed in range(HISTORIES):
        rng = Random(seed)
        history = sampled(rng)
        before = memory_of(*history).card
        early = rng.randrange((before.due_on - before.last_on).days + 1)
        day = (before.last_on - START).days + early
        missed = memory_of(*history, answer(day, rng.choice(WAYS), "wrong")).card
        assert missed.due_on <= max(before.due_on, missed.last_on + timedelta(days=WAIT))
        if early < (before.due_on - before.last_on).days:
            assert missed.due_on <= before.due_on, seed
            assert missed.urgent_on <= before.urgent_on, seed


def test_nothing_is_further_away_than_twice_what_recall_has_proven():
    for seed in range(1000):
        card = memory_of(*sampled(Random(seed))).card
        assert (card.due_on - card.last_on).days <= max(WAIT, 2 * card.bridged)


def test_word_searches_alone_prove_nothing():
    card = memory_of(*(answer(day, FOUND) for day in (0, 3, 14, 50, 120))).card
    assert card.stability > 100  # the control: FSRS would wait for months
    assert (card.due_on - card.last_on).days == WAIT
    recalled = memory_of(*(answer(day) for day in (0, 3, 14, 50, 120))).card
    assert (recalled.due_on - recalled.last_on).days > 100
