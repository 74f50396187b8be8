"""Days of study. Pure: they begin at four in the morning, local time.

A student who practises in the evening and once more after midnight has practised on one day.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo

BEGINS = timedelta(hours=4)


def study_day(at: datetime, zone: tzinfo) -> date:
    """Return the day of study to which the moment *at* (aware) belongs in *zone*."""
    # By the clock on the wall, so that the day also begins at four when the clocks change.
    return (at.astimezone(zone).replace(tzinfo=None) - BEGINS).date()


def begins_at(day: date, zone: tzinfo) -> datetime:
    """Return the moment at which a day of study begins in *zone*."""
    return datetime(day.year, day.month, day.day, tzinfo=zone) + BEGINS
