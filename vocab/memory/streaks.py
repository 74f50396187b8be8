"""How many days in a row somebody practised, with days off for missed ones. Pure.

Every fifth day of practice earns a day off ("freeze"), of which at most two are kept. A missed day
uses one, and the streak continues; without one it starts again. Today does not count as missed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

DAYS_A_FREEZE = 5
MOST_FREEZES = 2


@dataclass(frozen=True, slots=True)
class Streak:
    """Days practised in a row, freezes left, and whether there was practice today."""

    days: int = 0
    freezes: int = 0
    is_today_done: bool = False


def streak(practised: Iterable[date], today: date) -> Streak:
    """Return the streak of *today*, from the days on which somebody practised."""
    days = sorted(day for day in set(practised) if day <= today)
    run = freezes = 0
    previous: date | None = None
    for day in days:
        run, freezes = _after_gap(run, freezes, previous, day)
        run += 1
        if run % DAYS_A_FREEZE == 0:
            freezes = min(freezes + 1, MOST_FREEZES)
        previous = day
    run, freezes = _after_gap(run, freezes, previous, today)
    return Streak(run, freezes, previous == today)


def _after_gap(run: int, freezes: int, previous: date | None, day: date) -> tuple[int, int]:
    missed = (day - previous - timedelta(days=1)).days if previous else 0
    if missed <= 0:
        return run, freezes
    return (run, freezes - missed) if missed <= freezes else (0, 0)
