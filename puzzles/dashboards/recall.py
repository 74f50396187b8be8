"""What delayed tests show: how many words were recalled without help after days without them.

A delayed test is the first answer of a day to a word that was last met at least a day earlier, if
the word had to be produced from its meaning: one a student, word and day. See
`vocab.memory.evidence` for why finding a word in a grid or among four is no test.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Sum, Value, When

from osmosmjerka.accounts.models import User
from vocab.memory import reviews
from vocab.memory.estimates import RECENT, Tests, Word, share_interval
from vocab.models import Entry, Review

# How far back the chart of a class looks.
TERM = timedelta(days=120)
# In this time, students are compared with each other.
WEEKS = 4
# The least number of days in each step of the delay.
DELAYS = (1, 2, 4, 8, 15, 31)
# Recent tests are counted together if their forecasts have at least the same of these, in per cent.
FORECASTS = (0, 50, 65, 80, 90, 96)
DELAYED_TEST = Q(
    gap__gte=1,
    expected__isnull=False,
    mode__in=[Review.Mode.CROSSWORD, Review.Mode.TYPED],
) & ~Q(skill=Review.Skill.SOUND_TO_FORM)
UNAIDED = Q(outcome=Review.Outcome.RIGHT, hints=0, wrong_tries=0, is_slip=False)


@dataclass(frozen=True, slots=True)
class Line:
    """The delayed tests of one student in one list that are alike.

    They have a *delay* and, if they are of the last `WEEKS`, a *forecast* of at least so much (of
    `DELAYS` and `FORECASTS`). *week* is 0 for the last seven days, 1 for those before, and None if
    it is not among the last `WEEKS`. *days* and *expected* are the sums of delays and forecasts.
    """

    student: int
    vocabulary_list: int
    delay: int
    week: int | None
    forecast: int
    count: int
    recalled: int
    days: int
    expected: float


@dataclass(frozen=True, slots=True)
class Delay:
    """The delayed tests of a class after *first* to *last* days (None: or more)."""

    first: int
    last: int | None
    count: int
    recalled: int
    expected: float

    @property
    def share(self) -> float:
        return self.recalled / self.count

    @property
    def forecast(self) -> float:
        return self.expected / self.count

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return share_interval(self.recalled, self.count)


def delayed_tests(students: Sequence[User], entries: QuerySet[Entry], on: date) -> list[Line]:
    """Return the delayed tests of students in `TERM` before a day, of the present words.

    These are those among *entries*. What an entry was before it became another word is left out.
    """
    steps = [When(gap__gte=least, then=Value(least)) for least in reversed(DELAYS)]
    weeks = [
        When(day__gte=on - timedelta(days=7 * week + 7), then=Value(week)) for week in range(WEEKS)
    ]
    likely = [When(expected__gte=one / 100, then=Value(one)) for one in reversed(FORECASTS)]
    rows = (
        Review.objects.filter(
            reviews.of_present_words(),
            DELAYED_TEST,
            student__in=students,
            entry__in=entries.order_by(),
            day__gte=on - TERM,
        )
        .order_by()
        .annotate(
            delay=Case(*steps, output_field=IntegerField()),
            week=Case(*weeks, output_field=IntegerField()),
            forecast=Case(
                When(day__lt=on - timedelta(weeks=WEEKS), then=Value(0)),
                *likely,
                output_field=IntegerField(),
            ),
        )
        .values_list("student", "entry__vocabulary_list", "delay", "week", "forecast")
        .annotate(
            count=Count("pk"),
            right=Count("pk", filter=UNAIDED),
            days=Sum("gap"),
            sum=Sum("expected"),
        )
    )
    return [Line(*row) for row in rows]


def newest_week(lines: Iterable[Line]) -> int:
    """Return the last week with delayed tests, 0 for this one: after holidays, that before them."""
    return min((line.week for line in lines if line.week is not None), default=0)


def recent_tests(lines: Iterable[Line], newest: int) -> list[Tests]:
    """Return the delayed tests on which estimates rest, of the time up to the *newest* week."""
    return [
        Tests(
            Word(line.expected / line.count, line.days / line.count, line.week - newest + 0.5),
            line.count,
            line.recalled,
        )
        for line in lines
        if line.week is not None and line.week < newest + RECENT.days // 7
    ]


def by_delay(lines: Sequence[Line]) -> list[Delay]:
    """Return the delayed tests of all students by delay, the shortest first; none left empty."""
    found = []
    for first, after in zip(DELAYS, (*DELAYS[1:], None), strict=True):
        of = [line for line in lines if line.delay == first]
        if of:
            found.append(
                Delay(
                    first,
                    None if after is None else after - 1,
                    sum(line.count for line in of),
                    sum(line.recalled for line in of),
                    sum(line.expected for line in of),
                )
            )
    return found
