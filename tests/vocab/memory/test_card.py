"""What an answer does to a word, and what it does not."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from fsrs import Rating

from vocab.memory.card import (
    LAPSES_OF_A_LEECH,
    REST,
    Card,
    Level,
    Memory,
    card_from_json,
    card_to_json,
    ways_from_json,
    ways_to_json,
)
from vocab.memory.evidence import Answer, Mode, Skill, evidence

MONDAY = date(2026, 9, 7)
MEANING, SOUND = Skill.MEANING_TO_FORM, Skill.SOUND_TO_FORM


def answer(day=0, mode=Mode.TYPED, outcome="right", skill=None, **facts):
    on = MONDAY + timedelta(days=day)
    is_heard = mode in {Mode.FINDER, Mode.HEARD}
    at = datetime(on.year, on.month, on.day, 10, tzinfo=UTC)
    return Answer(at, on, mode, skill or (SOUND if is_heard else MEANING), outcome, **facts)


def memory_of(*answers):
    memory = Memory()
    for one in answers:
        memory.take(one, "student:word")
    return memory


def learnt():
    """Return a memory of a word that was typed right on days 0, 3 and 18: known for weeks."""
    return memory_of(answer(0), answer(3), answer(18))


# What an answer shows


@pytest.mark.parametrize("mode", [Mode.TYPED, Mode.CROSSWORD])
def test_producing_a_word_without_help_is_good_and_proves_recall(mode):
    shown = evidence(answer(mode=mode))
    assert (shown.rating, shown.is_recall) == (Rating.Good, True)


@pytest.mark.parametrize("mode", [Mode.TYPED, Mode.CROSSWORD, Mode.CHOSEN, Mode.WORD_SEARCH])
@pytest.mark.parametrize(
    "facts",
    [
        {"outcome": "hinted"},
        {"hints": 1},
        {"wrong_tries": 2},
        {"outcome": "wrong", "is_slip": True},
        {"is_slip": True},
    ],
)
def test_with_help_after_wrong_tries_or_but_for_a_letter_is_hard_and_proves_nothing(mode, facts):
    shown = evidence(answer(mode=mode, **facts))
    assert (shown.rating, shown.is_recall, shown.is_wrong) == (Rating.Hard, False, False)


@pytest.mark.parametrize("mode", [Mode.TYPED, Mode.CROSSWORD, Mode.CHOSEN, Mode.WORD_SEARCH])
def test_a_wrong_answer_or_being_shown_is_again(mode):
    shown = evidence(answer(mode=mode, outcome="wrong"))
    assert (shown.rating, shown.is_recall, shown.is_wrong) == (Rating.Again, False, True)


@pytest.mark.parametrize("mode", [Mode.WORD_SEARCH, Mode.CHOSEN, Mode.FINDER, Mode.HEARD])
def test_finding_choosing_and_hearing_move_the_schedule_but_prove_no_recall(mode):
    memory = memory_of(answer(0, mode), answer(20, mode))
    assert evidence(answer(mode=mode)).rating == Rating.Good
    assert not evidence(answer(mode=mode)).is_recall
    assert memory.card.moves == 2
    assert memory.card.level == Level.LEARNING
    assert memory.counts.delayed == 0


@pytest.mark.parametrize("mode", [Mode.FINDER, Mode.HEARD])
def test_mishearing_is_hard_for_the_word_and_wrong_for_its_sound(mode):
    memory = memory_of(answer(0), answer(5, mode, "wrong"))
    assert evidence(answer(mode=mode, outcome="wrong")).rating == Rating.Hard
    assert memory.card.lapses == 0
    assert (memory.ways[SOUND].asked, memory.ways[SOUND].right) == (1, 0)
    assert memory.counts.wrong == 1


@pytest.mark.parametrize(
    "facts",
    [
        {"was_tried": False, "outcome": "wrong"},
        {"is_free_practice": True},
        {"is_free_practice": True, "outcome": "wrong"},
        {"skill": Skill.FORM},
    ],
)
def test_what_was_not_tried_seen_or_played_freely_changes_nothing_at_all(facts):
    memory, before = learnt(), learnt()
    taken = memory.take(answer(**{"day": 100, **facts}), "student:word")
    assert not taken.moves
    assert memory == before


# One move a day


def test_a_missed_word_that_returns_on_the_same_day_changes_nothing():
    missed = memory_of(answer(0), answer(5, outcome="wrong"))
    again = memory_of(answer(0), answer(5, outcome="wrong"), answer(5), answer(5))
    assert again.card == missed.card
    assert again.counts == missed.counts
    assert (missed.missed_on, again.missed_on) == (MONDAY + timedelta(days=5), None)
    assert again.tries == 3


def test_a_missed_choice_is_not_mended_by_typing_what_was_just_shown():
    chosen = memory_of(answer(0), answer(5, Mode.CHOSEN, "wrong"))
    typed = memory_of(answer(0), answer(5, Mode.CHOSEN, "wrong"), answer(5))
    assert typed.card == chosen.card


def test_the_first_test_of_a_day_replaces_a_find_and_only_the_first():
    found = answer(5, Mode.WORD_SEARCH)
    missed = memory_of(answer(0), found, answer(5, outcome="wrong"))
    only = memory_of(answer(0), answer(5, outcome="wrong"))
    assert missed.card == only.card
    later = memory_of(answer(0), found, answer(5, outcome="wrong"), answer(5))
    assert later.card == only.card
    assert later.counts.asked == 2


def test_recall_of_a_word_found_on_the_same_day_bridges_no_days():
    memory = memory_of(answer(0), answer(20, Mode.WORD_SEARCH), answer(20))
    assert memory.card.level == Level.LEARNING
    assert memory.counts.delayed == 0
    assert memory.ways[MEANING].gap == 0
    control = memory_of(answer(0), answer(20))
    assert control.card.level == Level.WEEKS
    assert control.counts.delayed == 1
    assert control.ways[MEANING].gap == 20
    assert memory.card.stability == control.card.stability


def test_a_clock_that_was_set_back_does_not_undo_a_day():
    memory = learnt()
    before = memory.card
    memory.take(answer(2, outcome="wrong"), "student:word")
    assert memory.card == before


def test_the_forecast_is_taken_before_the_answer_and_only_once_a_day():
    memory = memory_of(answer(0))
    taken = memory.take(answer(4), "student:word")
    assert taken.gap == 4
    assert taken.expected == pytest.approx(memory.before.chance(MONDAY + timedelta(days=4)))
    assert 0 < taken.expected < 1
    assert memory.take(answer(4), "student:word").expected is None
    assert Memory().take(answer(0), "student:word").expected is None


def test_only_unaided_tests_after_at_least_a_day_count_as_recalled():
    memory = memory_of(
        answer(0),
        answer(1),
        answer(4, hints=1),
        answer(9, outcome="wrong"),
        answer(12, Mode.CHOSEN),
        answer(20),
    )
    assert (memory.counts.delayed, memory.counts.recalled) == (4, 2)
    assert memory.counts.asked == 6


# Levels


@pytest.mark.parametrize(
    ("gap", "level"),
    [(2, Level.LEARNING), (3, Level.DAYS), (13, Level.DAYS), (14, Level.WEEKS), (29, Level.WEEKS),
     (30, Level.MONTHS), (300, Level.MONTHS)],
)  # fmt: skip
def test_a_level_says_which_gap_was_bridged_by_unaided_recall(gap, level):
    assert Card().level == Level.NEW
    assert memory_of(answer(0)).card.level == Level.LEARNING
    card = memory_of(answer(0), answer(gap)).card
    assert card.level == level
    assert card.known_since == (MONDAY + timedelta(days=gap) if card.is_known else None)


@pytest.mark.parametrize("facts", [{"hints": 1}, {"wrong_tries": 1}, {"mode": Mode.CHOSEN},
                                   {"mode": Mode.WORD_SEARCH}, {"mode": Mode.HEARD}])  # fmt: skip
def test_nothing_but_unaided_recall_raises_a_level(facts):
    assert memory_of(answer(0), answer(40, **facts)).card.level == Level.LEARNING


def test_days_since_a_word_was_found_count_not_days_since_it_was_produced():
    memory = memory_of(answer(0), answer(19, Mode.WORD_SEARCH), answer(20))
    assert memory.card.level == Level.LEARNING


def test_a_known_word_that_is_missed_slips_until_it_is_recalled_after_days_again():
    memory = learnt()
    assert memory.card.level == Level.WEEKS
    memory.take(answer(40, outcome="wrong"), "student:word")
    assert memory.card.level == Level.SLIPPING
    assert memory.card.known_since is None
    memory.take(answer(41), "student:word")
    assert memory.card.level == Level.SLIPPING
    memory.take(answer(44), "student:word")
    assert memory.card.level == Level.DAYS


# Leeches


def test_forgetting_is_only_what_was_learnt_on_an_earlier_day():
    memory = memory_of(answer(0, outcome="wrong"), answer(1, outcome="wrong"))
    assert memory.card.lapses == 0
    memory.take(answer(2), "student:word")
    memory.take(answer(2, outcome="wrong"), "student:word")
    assert memory.card.lapses == 0
    memory.take(answer(3, outcome="wrong"), "student:word")
    assert memory.card.lapses == 1


def test_a_word_forgotten_four_times_rests_a_week():
    memory = memory_of(answer(0))
    for number in range(1, LAPSES_OF_A_LEECH):
        memory.take(answer(number, outcome="wrong"), "student:word")
        assert memory.card.rests_until is None
    day = LAPSES_OF_A_LEECH
    memory.take(answer(day, outcome="wrong"), "student:word")
    ends = MONDAY + timedelta(days=day) + REST
    assert memory.card.rests_until == ends
    memory.take(answer(day + 8), "student:word")
    assert memory.card.rests_until is None


# Stored


def test_a_card_survives_being_stored():
    for card in (Card(), learnt().card, memory_of(answer(0, outcome="wrong")).card):
        assert card_from_json(card_to_json(card)) == card
    resting = replace(learnt().card, rests_until=MONDAY, is_slipping=True)
    assert card_from_json(card_to_json(resting)) == resting
    assert card_from_json({**card_to_json(resting), "unknown": 1}) == resting


def test_ways_survive_being_stored():
    memory = memory_of(answer(0), answer(3, Mode.HEARD), answer(6))
    assert set(memory.ways) == {MEANING, SOUND, Skill.SPELLING}
    assert ways_from_json(ways_to_json(memory.ways)) == memory.ways
