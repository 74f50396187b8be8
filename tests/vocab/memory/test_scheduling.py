"""Schedules are the fsrs package's own at the level of days, whatever the history."""

from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import fsrs
import pytest
from fsrs import Rating, Scheduler, State

from vocab.memory.card import FIRST_WAIT, LAPSES_OF_A_LEECH, WAIT, Memory
from vocab.memory.days import study_day
from vocab.memory.evidence import Answer, Mode, Skill
from vocab.memory.scheduling import Model, fuzzed, recall_chance, step

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
ZONES = [ZoneInfo("Europe/Zagreb"), ZoneInfo("Pacific/Auckland")]
SOMETIMES_ASKED = [
    # mode, skill, outcome, is_slip, was_tried, then what it shows: (rating, whether it is a test)
    (Mode.TYPED, Skill.MEANING_TO_FORM, "right", False, True, (Rating.Good, True)),
    (Mode.TYPED, Skill.MEANING_TO_FORM, "hinted", False, True, (Rating.Hard, True)),
    (Mode.TYPED, Skill.MEANING_TO_FORM, "wrong", True, True, (Rating.Hard, True)),
    (Mode.TYPED, Skill.MEANING_TO_FORM, "wrong", False, True, (Rating.Again, True)),
    (Mode.CROSSWORD, Skill.MEANING_TO_FORM, "right", False, True, (Rating.Good, True)),
    (Mode.CHOSEN, Skill.MEANING_TO_FORM, "right", False, True, (Rating.Good, False)),
    (Mode.CHOSEN, Skill.MEANING_TO_FORM, "wrong", False, True, (Rating.Again, False)),
    (Mode.WORD_SEARCH, Skill.MEANING_TO_FORM, "right", False, True, (Rating.Good, False)),
    (Mode.WORD_SEARCH, Skill.MEANING_TO_FORM, "wrong", False, False, None),
    (Mode.WORD_SEARCH, Skill.FORM, "right", False, True, None),
    (Mode.FINDER, Skill.SOUND_TO_FORM, "right", False, True, (Rating.Good, False)),
    (Mode.HEARD, Skill.SOUND_TO_FORM, "wrong", False, True, (Rating.Hard, False)),
]
GAPS = [30, 900, 40_000, 86_400, 86_340, 700_000, 6_000_000]


def sampled_history(seed):
    """Return (answer, what it shows): minutes to months apart, doubled, clocks set back, two zones,
    also around four in the morning."""
    rng = Random(seed)
    zone = rng.choice(ZONES)
    at = START + timedelta(hours=rng.choice([0, 18, 19, 20]), seconds=rng.randrange(3600))
    history = []
    for _answer in range(rng.randint(1, 25)):
        at += timedelta(seconds=rng.choice(GAPS) * rng.choice([1, rng.random()]))
        if rng.random() < 0.05:
            at -= timedelta(days=rng.randint(1, 40))
        if rng.random() < 0.05:
            zone = rng.choice(ZONES)
        mode, skill, outcome, is_slip, was_tried, shows = rng.choice(SOMETIMES_ASKED)
        answer = Answer(
            at,
            study_day(at, zone),
            mode,
            skill,
            outcome,
            is_slip=is_slip,
            was_tried=was_tried,
        )
        history.append((answer, shows))
        if rng.random() < 0.1:
            history.append((answer, shows))
    return history


def rating_of_each_day(history):
    """Return (day, rating, whether it was missed) in order.

    That is the day's first evidence, or its first test after a find. After a miss by ear the word
    has been told: only a miss by meaning counts instead.
    """
    days = []
    for answer, shows in history:
        if shows is None:
            continue
        day = max([answer.day, *(day for day, _shown in days[-1:])])
        rating, is_test = shows
        is_miss = answer.outcome == "wrong" and not answer.is_slip
        now = (rating, is_test or rating == Rating.Again, is_miss)
        if not days or days[-1][0] != day:
            days.append((day, now))
        else:
            _rating, was_last, was_miss = days[-1][1]
            if not was_last and (rating == Rating.Again if was_miss else is_test):
                days[-1] = (day, now)
    return [(day, rating, is_miss) for day, (rating, _is_last, is_miss) in days]


def package(**options):
    return Scheduler(learning_steps=(), relearning_steps=(), **options)


def fuzz_range(interval):
    """Return the range of FSRS's own fuzz, as its documentation has it."""
    if interval < 2.5:
        return interval, interval
    delta = 1 + sum(
        factor * max(min(interval, end) - start, 0)
        for start, end, factor in [(2.5, 7, 0.15), (7, 20, 0.1), (20, float("inf"), 0.05)]
    )
    return max(2, round(interval - delta)), round(interval + delta)


def test_1000_sampled_histories_equal_the_packages_own_day_by_day():
    scheduler = package(enable_fuzzing=False)
    moves = 0
    for seed in range(1000):
        history = sampled_history(seed)
        memory = Memory()
        for answer, _shows in history:
            memory.take(answer, f"student:{seed}")
        ours, lapses = memory.card, 0
        days = rating_of_each_day(history)
        assert ours.moves == len(days)
        moves += len(days)
        if not days:
            assert ours.stability is None
            continue
        theirs, learnt_on = fsrs.Card(card_id=0), None
        for day, rating, is_miss in days:
            noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
            before = theirs.stability
            theirs, _log = scheduler.review_card(theirs, rating, noon)
            if is_miss and before is not None:  # Hard, of a word misheard, would strengthen it
                theirs.stability = min(before, theirs.stability)
            was_learnt = learnt_on is not None
            lapses += was_learnt and rating == Rating.Again
            learnt_on = learnt_on or (None if is_miss else day)
        assert ours.last_on == day
        assert ours.stability == pytest.approx(theirs.stability, rel=1e-12)
        assert ours.difficulty == pytest.approx(theirs.difficulty, rel=1e-12)
        assert ours.lapses == lapses
        assert bool(ours.rests_until) == (lapses >= LAPSES_OF_A_LEECH and rating == Rating.Again)
        due_after = (ours.due_on - day).days
        low, high = fuzz_range((theirs.due - noon).days)
        if not was_learnt:
            assert due_after == FIRST_WAIT or (is_miss and due_after < FIRST_WAIT)
        elif is_miss:
            assert due_after <= WAIT
        else:
            most = max(WAIT, 2 * ours.bridged)
            assert min(max(WAIT, low), most) <= due_after <= min(max(WAIT, high), most)
        later = noon + timedelta(days=9)
        assert ours.chance(later.date()) == pytest.approx(
            scheduler.get_card_retrievability(theirs, later)
        )
    assert moves > 5000


def test_the_packages_own_fuzz_has_the_same_range():
    """The control of the range above: it is what the package draws from."""
    scheduler = package(enable_fuzzing=True)
    for stability in (3.2, 8.0, 24.0, 150.0):
        card = fsrs.Card(
            card_id=0, state=State.Review, step=None, stability=stability, difficulty=5.0,
            due=START, last_review=START,
        )  # fmt: skip
        at = START + timedelta(days=round(stability))
        exact = (package(enable_fuzzing=False).review_card(card, Rating.Good, at)[0].due - at).days
        low, high = fuzz_range(exact)
        theirs = {
            (scheduler.review_card(card, Rating.Good, at)[0].due - at).days for _ in range(400)
        }
        ours = {fuzzed(exact, f"seed:{number}") for number in range(400)}
        # The package rounds after drawing from [low, high + 1), so that it may reach one day more.
        assert low <= min(theirs) <= max(theirs) <= high + 1
        assert low <= min(ours) <= max(ours) <= high
        assert len(ours) > 2


def lessons(change):
    """Return the intervals of ten lessons on consecutive days, each *change* off the clock time of
    the one before."""
    memory, intervals = Memory(), []
    for number in range(10):
        at = datetime(2026, 3, 2, 10, tzinfo=UTC) + number * (timedelta(days=1) + change)
        answer = Answer(at, study_day(at, UTC), Mode.TYPED, Skill.MEANING_TO_FORM, "right")
        assert memory.take(answer, "student:word").moves
        intervals.append((memory.card.due_on - memory.card.last_on).days)
    return intervals, memory.card.stability


def test_a_lesson_a_minute_earlier_each_day_is_worth_one_a_second_later():
    earlier = lessons(timedelta(minutes=-1))
    assert earlier == lessons(timedelta(seconds=1)) == lessons(timedelta(0))
    assert earlier[1] > 20  # stability, in days


def test_counting_hours_instead_of_nights_would_tell_them_apart():
    """The control: the package by the clock does so."""
    due = []
    for change in (timedelta(minutes=-1), timedelta(seconds=1)):
        card, scheduler = fsrs.Card(card_id=0), Scheduler(enable_fuzzing=False)
        for number in range(10):
            at = START + number * (timedelta(days=1) + change)
            card, _log = scheduler.review_card(card, Rating.Good, at)
        due.append(card.stability)
    assert due[0] < 0.2 * due[1]


def test_words_met_together_do_not_stay_together():
    dues = {fuzzed(30, f"student:{word}:3") for word in range(50)}
    assert len(dues) > 3
    assert fuzzed(2, "any") == 2


def test_a_longer_interval_is_never_the_shorter_one_after_chance_has_changed_it():
    for word in range(30):
        days = [fuzzed(interval, f"student:{word}") for interval in range(1, 400)]
        assert days == sorted(days)


def test_a_higher_retention_brings_words_back_sooner():
    intervals = [
        step(20.0, 5.0, 20, Rating.Good, Model(retention=retention)).interval
        for retention in (0.8, 0.9, 0.95)
    ]
    assert intervals == sorted(intervals, reverse=True)
    assert len(set(intervals)) == 3


def test_nothing_is_recalled_that_was_never_learnt():
    assert recall_chance(None, None) == 0
    assert recall_chance(3.0, 0) == 1
    assert recall_chance(3.0, 3) == pytest.approx(0.9)
    assert recall_chance(3.0, -5) == 1


def test_a_word_missed_by_ear_and_then_typed_as_it_was_told_is_not_recalled():
    day = date(2026, 10, 5)
    at = datetime(2026, 10, 5, 9, tzinfo=UTC)
    memory = Memory()
    memory.take(Answer(at, day, "heard", "sound_to_form", "wrong"), "1:1")
    missed = memory.card
    memory.take(Answer(at, day, "typed", "meaning_to_form", "right"), "1:1")
    assert (memory.card, memory.counts.wrong, memory.counts.right) == (missed, 1, 0)
    found = Memory()  # the control: a word found by ear may be tested afterwards
    found.take(Answer(at, day, "heard", "sound_to_form", "right"), "1:1")
    found.take(Answer(at, day, "typed", "meaning_to_form", "right"), "1:1")
    assert found.was_test
