"""A streak forgives a missed day, if enough days were practised before it."""

from datetime import date, timedelta

import pytest

from vocab.memory.streaks import Streak, streak

TODAY = date(2026, 11, 20)


def days_ago(*numbers):
    return [TODAY - timedelta(days=number) for number in numbers]


@pytest.mark.parametrize(
    ("practised", "expected"),
    [
        ([], Streak(0, 0, False)),
        (days_ago(0), Streak(1, 0, True)),
        (days_ago(1), Streak(1, 0, False)),  # today is not over
        (days_ago(2), Streak(0, 0, False)),
        (days_ago(0, 2), Streak(1, 0, True)),
        (days_ago(0, 1, 2, 3, 4), Streak(5, 1, True)),
        (days_ago(0, *range(2, 7)), Streak(6, 0, True)),  # the freeze was used
        (days_ago(0, *range(3, 8)), Streak(1, 0, True)),  # two days were missed, one was frozen
        (days_ago(0, *range(3, 13)), Streak(11, 0, True)),  # ten days earned two
        (days_ago(*range(30)), Streak(30, 2, True)),
        (days_ago(0, 0, -1), Streak(1, 0, True)),
    ],
)
def test_days_make_a_streak(practised, expected):
    assert streak(practised, TODAY) == expected
