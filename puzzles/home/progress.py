"""A student's own progress: a calendar of practice, badges, games without help."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import formats

from osmosmjerka.accounts.models import User
from puzzles.home.badges import Badge, Feat, badges
from puzzles.models import PlaySession
from vocab.memory import selectors as memory
from vocab.memory.days import study_day
from vocab.memory.rules import zone_of
from vocab.memory.selectors import EndedGame
from vocab.memory.streaks import DayState, day_states, longest_streak
from vocab.models import WordProgress

Level = WordProgress.Level
_FEATS_OF_LEVELS = {
    Level.DAYS: Feat.WORDS_DAYS,
    Level.WEEKS: Feat.WORDS_WEEKS,
    Level.MONTHS: Feat.WORDS_MONTHS,
}


@dataclass(frozen=True, slots=True)
class Day:
    """A day of a calendar: what it was, and how many answers were given."""

    day: date
    state: DayState
    answers: int


@dataclass(frozen=True, slots=True)
class Month:
    """A month in weeks; None where a week belongs to another month.

    *before* and *after* are the first days of the months beside it, if there is something to see.
    """

    first: date
    weekdays: Sequence[date]  # of any week, for their names
    weeks: Sequence[Sequence[Day | None]]
    before: date | None
    after: date | None


def month_of(practised: dict[date, int], first: date, today: date) -> Month:
    """Return the month that begins on *first*, from the answers of each day of practice."""
    weeks = calendar.Calendar(_first_weekday()).monthdatescalendar(first.year, first.month)
    days = [day for week in weeks for day in week]
    states = dict(zip(days, day_states(practised, days, today), strict=True))
    begun = min(practised, default=today)
    return Month(
        first,
        weeks[0],
        [
            [
                Day(day, states[day], practised.get(day, 0)) if day.month == first.month else None
                for day in week
            ]
            for week in weeks
        ],
        before=_months_later(first, -1) if first > begun else None,
        after=_months_later(first, 1) if first < today.replace(day=1) else None,
    )


def _first_weekday() -> int:
    """Return on which day weeks begin where the reader is; Monday is 0, as in `calendar`."""
    return (int(formats.get_format("FIRST_DAY_OF_WEEK")) - 1) % 7


def _months_later(first: date, months: int) -> date:
    years, month = divmod(first.month - 1 + months, 12)
    return date(first.year + years, month + 1, 1)


def badges_of(
    student: User, practised: dict[date, int], today: date, game: EndedGame | None = None
) -> list[Badge]:
    """Return the student's badges. New are those earned today, or by a *game* of today."""
    now: dict[Feat, int] = {}
    before: dict[Feat, int] = {}
    is_first = game is None or not memory.was_answered_before(student, today, game)
    earlier = [day for day in practised if day < today or not is_first]
    for feats, days in ((now, list(practised)), (before, earlier)):
        feats[Feat.DAYS] = len(days)
        feats[Feat.ROW] = longest_streak(days, today)
    for level, (ever, earlier_words) in memory.ever_recalled(student, today, game).items():
        feat = _FEATS_OF_LEVELS[level]
        now[feat], before[feat] = ever, earlier_words
    now[Feat.UNAIDED], before[Feat.UNAIDED] = _unaided_games(student, today, game)
    return badges(now, before)


def _unaided_games(student: User, today: date, game: EndedGame | None) -> tuple[int, int]:
    """Return how many games were won without a hint, and how many of them before."""
    won = PlaySession.objects.filter(student=student, is_unaided=True)
    if game is not None:
        ended = list(won.filter(finished_at__lte=game.ended_at).values_list("pk", flat=True))
        return len(ended), sum(key != game.pk for key in ended)
    zone = zone_of(student.school)
    days = [study_day(at, zone) for at in won.values_list("finished_at", flat=True) if at]
    return len(days), sum(day < today for day in days)
