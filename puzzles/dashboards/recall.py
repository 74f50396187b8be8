"""What delayed tests show: how many words were recalled without help after days without them.

A delayed test is the first answer of a day to a word that was last met at least a day earlier, if
the word had to be produced from its meaning: one a student, word and day. See
`vocab.memory.evidence` for why finding a word in a grid or among four is no test.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Sum, Value, When

from osmosmjerka.accounts.models import User
from vocab.memory import reviews
from vocab.memory.estimates import RECENT, Tests, share_interval
from vocab.models import Entry, Review

# How far back the chart of a class looks.
TERM = timedelta(days=120)
# The least number of days in each step of the delay.
DELAYS = (1, 2, 4, 8, 15, 31)
DELAYED_TEST = Q(
    gap__gte=1,
    expected__isnull=False,
    mode__in=[Review.Mode.CROSSWORD, Review.Mode.TYPED],
) & ~Q(skill=Review.Skill.SOUND_TO_FORM)
UNAIDED = Q(outcome=Review.Outcome.RIGHT, hints=0, wrong_tries=0, is_slip=False)


@dataclass(frozen=True, slots=True)
class Line:
    """The delayed tests of one student in one list after a delay of at least so many days.

    *is_recent* says whether they are of the time that estimates rest on. *expected* and *spread*
    are Σe and Σe(1 - e) over the forecasts e.
    """

    student: int
    vocabulary_list: int
    delay: int
    is_recent: bool
    count: int
    recalled: int
    expected: float
    spread: float


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
            is_recent=Case(When(day__gte=on - RECENT, then=Value(True)), default=Value(False)),
        )
        .values("student", "entry__vocabulary_list", "delay", "is_recent")
        .annotate(
            count=Count("pk"),
            recalled=Count("pk", filter=UNAIDED),
            sum=Sum("expected"),
            squares=Sum(F("expected") * F("expected")),
        )
    )
    return [
        Line(
            row["student"],
            row["entry__vocabulary_list"],
            row["delay"],
            row["is_recent"],
            row["count"],
            row["recalled"],
            row["sum"],
            max(0.0, row["sum"] - row["squares"]),
        )
        for row in rows
    ]


def recent_tests(lines: Iterable[Line]) -> dict[int, dict[int, Tests]]:
    """Return the recent delayed tests of each student by list, as estimates take them."""
    sums: dict[int, dict[int, Tests]] = {}
    for line in lines:
        if line.is_recent:
            of = sums.setdefault(line.student, {})
            more = Tests(line.count, line.recalled, line.expected, line.spread)
            so_far = of.get(line.vocabulary_list)
            of[line.vocabulary_list] = together([so_far, more]) if so_far else more
    return sums


def together(tests: Iterable[Tests]) -> Tests:
    """Return the sums of tests."""
    of = list(tests)
    return Tests(
        sum(one.count for one in of),
        sum(one.recalled for one in of),
        sum(one.expected for one in of),
        sum(one.spread for one in of),
    )


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
