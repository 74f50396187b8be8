"""Who counts as stuck in a lesson, who has stopped, and when a lesson began."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from puzzles.lessons import rules
from puzzles.lessons.rules import Game, Reason, State, Step
from puzzles.models import Move

NOW = datetime(2026, 3, 9, 10, 0, tzinfo=UTC)
SINCE = NOW - rules.USUAL
SECOND = timedelta(seconds=1)


def ago(seconds):
    return NOW - seconds * SECOND


def steps(*made):
    """Return steps from (seconds ago, outcome) or (seconds ago, outcome, word)."""
    return [Step(ago(one[0]), *one[1:]) for one in made]


def how(game=None, **facts):
    return rules.standing(game, since=SINCE, now=NOW, **facts)


def test_a_step_is_called_as_a_move_is():
    assert {one.value for one in rules.Outcome} == set(Move.Outcome.values)


def test_five_wrong_answers_in_a_row_are_stuck_and_four_are_not():
    four = steps((50, "found"), *((n, "wrong") for n in (40, 30, 20, 10)))
    assert how(Game(ago(60), steps=four)).state == State.PLAYING
    five = [*four, *steps((5, "wrong", "labud"))]
    stuck = how(Game(ago(60), steps=five))
    assert (stuck.state, stuck.reason, stuck.count) == (State.STUCK, Reason.WRONG_ANSWERS, 5)
    assert stuck.word == "labud"


@pytest.mark.parametrize(
    ("between", "in_a_row"), [("hint", 5), ("found", 2), ("revealed", 2)], ids=str
)
def test_a_hint_does_not_end_a_row_of_wrong_answers_but_a_word_does(between, in_a_row):
    made = steps(
        *((n, "wrong") for n in (60, 50, 40)), (30, between), *((n, "wrong") for n in (20, 10))
    )
    assert rules.wrong_in_a_row(made) == in_a_row


@pytest.mark.parametrize(
    ("seconds", "state"), [(179, State.PLAYING), (180, State.STUCK), (181, State.STUCK)]
)
def test_three_minutes_of_trying_without_a_word_are_stuck(seconds, state):
    made = steps((seconds, "found"), (seconds - 60, "wrong"), (10, "hint", "labud"))
    standing = how(Game(ago(600), steps=made))
    assert standing.state == state
    if state == State.STUCK:
        assert (standing.reason, standing.count, standing.word) == (Reason.NO_WORD, 3, "labud")


def test_who_only_thinks_is_not_stuck():
    assert how(Game(ago(600), steps=steps((240, "found")))).state == State.PLAYING
    assert how(Game(ago(240))).state == State.PLAYING  # has just opened it


def test_a_break_counts_as_no_more_play_than_a_long_thought():
    called_away = steps((1200, "found"), (1190, "wrong"), (20, "wrong"))
    assert how(Game(ago(1300), steps=called_away)).state == State.PLAYING
    slow = steps((1200, "found"), (900, "wrong"), (600, "wrong"), (60, "wrong"))
    assert rules.played_without_a_word(Game(ago(1300), steps=slow), SINCE, NOW) == timedelta(
        minutes=7
    )


def test_a_game_of_yesterday_goes_on_with_its_first_step_today():
    begun = NOW - timedelta(days=1)
    made = steps((120, "wrong"), (60, "wrong"), (10, "wrong"))
    assert how(Game(begun, steps=made)).state == State.PLAYING
    later = [*steps((180, "wrong")), *made]
    assert how(Game(begun, steps=later)).state == State.STUCK


def test_a_shown_word_is_not_found():
    shown = steps((200, "found"), (100, "revealed"), (10, "revealed"))
    assert how(Game(ago(300), steps=shown)).reason == Reason.NO_WORD


@pytest.mark.parametrize(("seconds", "state"), [(299, State.PLAYING), (300, State.PAUSED)])
def test_who_does_not_answer_for_five_minutes_has_paused(seconds, state):
    assert how(Game(ago(900), steps=steps((seconds, "found")))).state == state
    wrong = steps(*((seconds + n, "wrong") for n in (40, 30, 20, 10, 0)))
    stopped = how(Game(ago(900), steps=wrong))
    assert stopped.state == (State.STUCK if seconds < 300 else State.PAUSED)
    assert stopped.count == 5


def test_what_a_student_did_last_counts():
    over = Game(ago(900), finished_at=ago(600), steps=steps((601, "found")))
    assert how(over).state == State.FINISHED
    assert how(over, reviewed_at=ago(700)).state == State.FINISHED
    assert how(over, reviewed_at=ago(60)).state == State.PLAYING
    # The quick review has no end: who stops is through with it.
    assert how(over, reviewed_at=ago(300)).state == State.FINISHED
    stuck = Game(ago(60), steps=steps(*((n, "wrong") for n in (50, 40, 30, 20, 10))))
    assert how(stuck, reviewed_at=ago(30)).state == State.STUCK
    assert how(stuck, reviewed_at=ago(5)).state == State.PLAYING


def test_who_has_done_nothing_is_here_if_they_logged_in():
    assert how(is_logged_in=True).state == State.LOGGED_IN
    assert how().state == State.ABSENT


@pytest.mark.parametrize(
    ("wanted", "begun"),
    [
        ("09:15", "09:15"), ("09:45", "09:45"), ("09:46", None), ("05:00", "05:45"), ("", None),
        ("9.15", None), ("25:00", None), ("09:15:00", None), ("now", None),
    ],
)  # fmt: skip
def test_a_lesson_begins_at_a_time_of_the_schools_day(wanted, begun):
    now = datetime(2026, 3, 9, 9, 45, 30, tzinfo=ZoneInfo("Europe/Zagreb"))
    at = rules.begins_at(wanted, now)
    assert (at and at.strftime("%H:%M")) == begun
    assert at is None or at.tzinfo == now.tzinfo
