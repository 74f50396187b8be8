"""When a school year ends. Pure."""

from __future__ import annotations

from datetime import date, timedelta

# The last day, by which most schools of the north have ended theirs.
_MONTH, _DAY = 8, 31
# In its last weeks, the year to come is meant.
_SOON = timedelta(days=31)


def end_of_school_year(today: date) -> date:
    """Return the last day of the school year: the next 31 August that is not just ahead."""
    end = date(today.year, _MONTH, _DAY)
    return end if end - today > _SOON else date(today.year + 1, _MONTH, _DAY)
