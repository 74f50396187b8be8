"""When a school year ends. Pure."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

# The last day, by which most schools of the north have ended theirs.
_MONTH, _DAY = 8, 31
# In its last weeks, the year to come is meant.
_SOON = timedelta(days=31)


def end_of_school_year(now: datetime, zone: ZoneInfo) -> datetime:
    """Return the last second of the school year in a time zone.

    Its last day is the next 31 August that is not just ahead.
    """
    today = now.astimezone(zone).date()
    last = date(today.year, _MONTH, _DAY)
    if last - today <= _SOON:
        last = date(today.year + 1, _MONTH, _DAY)
    return datetime.combine(last, time(23, 59, 59), zone)
