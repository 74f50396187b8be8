"""How many days in a row somebody practised, with days off for missed ones. Pure.

A streak begins with a day off ("freeze"), and every fifth day of practice earns another; at most
two are kept, so that whoever practises on five days keeps the streak over a weekend. A missed day
uses one, and the streak continues; without one it starts again. Today does not count as missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

DAYS_A_FREEZE = 5
MOST_FREEZES = 2


@dataclass(frozen=True, slots=True)
class Streak:
    """Days practised in a row, freezes left, and whether there was practice today."""

    days: int = 0
    freezes: int = 0
    is_today_done: bool = False


class DayState(StrEnum):
    """What a day of a week was; a day off is a missed day that a freeze made up for."""

    PLAYED = "played"
    OFF = "off"
    MISSED = "missed"
    TODAY = "today"
    EMPTY = "empty"


def streak(practised: Iterable[date], today: date) -> Streak:
    """Return the streak of *today*, from the days on which somebody practised."""
    return _walk(practised, today)[0]


def longest_streak(practised: Iterable[date], today: date) -> int:
    """Return the most days in a row until *today*, counted as `streak` does."""
    return _walk(practised, today)[2]


def week(practised: Iterable[date], today: date) -> Sequence[tuple[date, DayState]]:
    """Return the last seven days, *today* last, and what each was.

    They are not those since Monday, on which a streak would look like nothing. Days before the
    first practice are empty: nothing was missed on them.
    """
    days = [today - timedelta(days=number) for number in reversed(range(7))]
    return list(zip(days, day_states(practised, days, today), strict=True))


def day_states(practised: Iterable[date], days: Iterable[date], today: date) -> list[DayState]:
    """Return what each of *days* was, up to *today*; those to come are empty."""
    played = {day for day in practised if day <= today}
    _streak, off, _longest = _walk(played, today)
    first = min(played, default=today)

    def state(day: date) -> DayState:
        if day in played:
            return DayState.PLAYED
        if day == today:
            return DayState.TODAY
        if day < first or day > today:
            return DayState.EMPTY
        return DayState.OFF if day in off else DayState.MISSED

    return [state(day) for day in days]


def _walk(practised: Iterable[date], today: date) -> tuple[Streak, set[date], int]:
    """Return the streak of *today*, the missed days that a freeze made up for, and the longest."""
    played = {day for day in practised if day <= today}
    run = longest = freezes = 0
    off: set[date] = set()
    previous: date | None = None
    for day in sorted(played | {today}):
        missed = _between(previous, day) if previous else []
        if len(missed) <= freezes:
            freezes -= len(missed)
            off.update(missed)
        else:
            run = freezes = 0
        if day not in played:
            break
        run += 1
        if run == 1:
            freezes = 1
        longest = max(longest, run)
        if run % DAYS_A_FREEZE == 0:
            freezes = min(freezes + 1, MOST_FREEZES)
        previous = day
    return Streak(run, freezes, previous == today), off, longest


def _between(first: date, last: date) -> list[date]:
    return [first + timedelta(days=number) for number in range(1, (last - first).days)]
