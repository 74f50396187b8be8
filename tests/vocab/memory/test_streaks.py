"""A streak forgives a missed day, if enough days were practised before it."""

from datetime import date, timedelta

import pytest

from vocab.memory.streaks import Streak, longest_streak, streak, week

TODAY = date(2026, 11, 20)


def days_ago(*numbers):
    return [TODAY - timedelta(days=number) for number in numbers]


@pytest.mark.parametrize(
    ("practised", "expected"),
    [
        ([], Streak(0, 0, False)),
        (days_ago(0), Streak(1, 1, True)),
        (days_ago(1), Streak(1, 1, False)),  # today is not over
        (days_ago(2), Streak(1, 0, False)),  # the day off that it began with was used
        (days_ago(3), Streak(0, 0, False)),
        (days_ago(0, 2), Streak(2, 0, True)),
        (days_ago(0, 3), Streak(1, 1, True)),  # it begins again
        (days_ago(0, 1, 2, 3, 4), Streak(5, 2, True)),
        (days_ago(0, *range(2, 7)), Streak(6, 1, True)),
        (days_ago(0, *range(3, 8)), Streak(6, 0, True)),  # five days, and a weekend
        (days_ago(0, *range(4, 9)), Streak(1, 1, True)),  # three days were missed
        (days_ago(0, *range(4, 14)), Streak(1, 1, True)),  # ten days keep no more than two
        (days_ago(*range(30)), Streak(30, 2, True)),
        (days_ago(0, 0, -1), Streak(1, 1, True)),
    ],
)
def test_days_make_a_streak(practised, expected):
    assert streak(practised, TODAY) == expected


@pytest.mark.parametrize(
    ("practised", "states"),
    [
        ([], "empty empty empty empty empty empty today"),
        (days_ago(0), "empty empty empty empty empty empty played"),
        (days_ago(2, 4), "empty empty played off played missed today"),
        # The first day and the fifth earned a day off each.
        (days_ago(3, *range(5, 10)), "played played off played missed missed today"),
        (days_ago(0, 1, 3, *range(5, 15)), "played played off played off played played"),
    ],
)
def test_a_week_shows_days_off_apart_from_missed_ones(practised, states):
    assert " ".join(state for _day, state in week(practised, TODAY)) == states
    assert [day for day, _state in week(practised, TODAY)] == days_ago(*reversed(range(7)))


@pytest.mark.parametrize(
    ("practised", "longest"),
    [
        ([], 0),
        (days_ago(0), 1),
        (days_ago(0, 1, *range(10, 14)), 4),  # it ended, and stays the longest
        (days_ago(*range(10, 15), *range(5, 9)), 9),  # the missed day was a day off
        (days_ago(-1, -2, 0), 1),
    ],
)
def test_the_longest_streak_stays_after_it_has_ended(practised, longest):
    assert longest_streak(practised, TODAY) == longest
