"""A day of study begins at four in the morning, where the school is."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from vocab.memory.days import begins_at, study_day

ZAGREB = ZoneInfo("Europe/Zagreb")
KIRITIMATI = ZoneInfo("Pacific/Kiritimati")


@pytest.mark.parametrize(
    ("hour", "minute", "day"),
    [(3, 59, date(2026, 9, 7)), (4, 0, date(2026, 9, 8)), (23, 59, date(2026, 9, 8))],
)
def test_practice_before_four_belongs_to_the_evening_before(hour, minute, day):
    assert study_day(datetime(2026, 9, 8, hour, minute, tzinfo=ZAGREB), ZAGREB) == day


def test_the_same_moment_may_be_another_day_in_another_zone():
    moment = datetime(2026, 9, 7, 20, tzinfo=UTC)
    assert study_day(moment, ZAGREB) == date(2026, 9, 7)
    assert study_day(moment, KIRITIMATI) == date(2026, 9, 8)


@pytest.mark.parametrize("zone", [ZAGREB, KIRITIMATI, ZoneInfo("America/Sao_Paulo")])
def test_every_day_begins_at_four_by_the_clock_also_when_clocks_change(zone):
    day = date(2026, 1, 1)
    while day.year == 2026:
        begins = begins_at(day, zone)
        assert begins.hour == 4
        assert study_day(begins, zone) == day
        assert study_day(begins.astimezone(UTC) - timedelta(seconds=1), zone) == (
            day - timedelta(days=1)
        )
        day += timedelta(days=1)
