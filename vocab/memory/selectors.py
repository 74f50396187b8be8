"""What a student remembers, read from the summaries, ready for display."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Any

from django.db.models import Max, Min, Q, QuerySet, Sum

from osmosmjerka.accounts.models import User
from osmosmjerka.collation import sort_key
from vocab.memory.scheduling import KNOWN_DAYS, recall_chance
from vocab.memory.streaks import Streak, streak
from vocab.models import Entry, Review, StudyDay, WordProgress

# The minimum stability in days of each level above "seen"; see `level`.
LEVELS = (1.0, KNOWN_DAYS, 30.0)


def level(stability: float | None, *, was_met: bool = True) -> int:
    """Return a word's level: 0 new, 1 seen, 2 known for days, 3 for weeks, 4 for months.

    *stability* is in days: the time after which nine of ten such words are still recalled.
    """
    if not was_met:
        return 0
    return 1 + sum((stability or 0) >= days for days in LEVELS)


@dataclass(frozen=True, slots=True)
class RememberedWord:
    """One word of one student over all skills."""

    entry: Entry
    reviews: int
    right: int
    wrong: int
    lapses: int
    stability: float | None
    due_at: datetime | None
    last_at: datetime
    at: datetime

    @property
    def level(self) -> int:
        return level(self.stability)

    @property
    def chance(self) -> int:
        """The expected chance of recall now, in percent."""
        return round(100 * recall_chance(self.stability, self.last_at, self.at))

    @property
    def is_due(self) -> bool:
        return self.due_at is not None and self.due_at <= self.at


def words_of_student(
    student: User, at: datetime, entries: QuerySet[Entry] | None = None
) -> list[RememberedWord]:
    """Return every word that the student has seen, the weakest first, then alphabetically."""
    of_whom = Q(student=student, entry__deleted_at=None, entry__vocabulary_list__deleted_at=None)
    if entries is not None:
        of_whom &= Q(entry__in=entries)
    rows: list[Any] = list(
        WordProgress.objects.filter(of_whom)
        .values("entry")
        .annotate(
            total=Sum("reviews"),
            rights=Sum("right"),
            wrongs=Sum("wrong"),
            forgotten=Sum("lapses"),
            firmest=Max("stability"),
            next_at=Min("due_at"),
            last=Max("last_at"),
        )
    )
    known = (
        Entry.objects.select_related("vocabulary_list")
        .prefetch_related("translations")
        .in_bulk([row["entry"] for row in rows])
    )
    words = [
        RememberedWord(
            known[row["entry"]],
            row["total"],
            row["rights"],
            row["wrongs"],
            row["forgotten"],
            row["firmest"],
            row["next_at"],
            row["last"],
            at,
        )
        for row in rows
    ]
    key = sort_key(*{word.entry.vocabulary_list.language for word in words})
    return sorted(words, key=lambda word: (word.stability or 0, -word.wrong, key(word.entry.term)))


def resisting(words: Iterable[RememberedWord], most: int = 5) -> list[RememberedWord]:
    """Return the tricky words: missed more than once and not known yet, most missed first."""
    hard = [word for word in words if word.wrong + word.lapses > 1 and word.level < 3]
    return sorted(hard, key=lambda word: -(word.wrong + word.lapses))[:most]


def history(student: User, entry: Entry) -> QuerySet[Review]:
    """Return the reviews of a word, newest first."""
    return Review.objects.filter(student=student, entry=entry).order_by("-at", "-pk")


@dataclass(frozen=True, slots=True)
class Days:
    """A student's days: the streak, and the number of words known at the end of each day."""

    streak: Streak
    known: Sequence[tuple[date, int]]
    reviews_today: int


def days_of_student(student: User, today: date, *, most: int = 90) -> Days:
    """Return the student's streak and words known over the last *most* days."""
    rows = list(StudyDay.objects.filter(student=student, day__lte=today).order_by("day"))
    totals = accumulate(row.known_change for row in rows)
    known = dict(zip((row.day for row in rows), totals, strict=True))
    first = today - timedelta(days=most - 1)
    shown = [(day, count) for day, count in known.items() if day >= first]
    earlier = [count for day, count in known.items() if day < first]
    if shown and earlier:
        shown.insert(0, (first, earlier[-1]))
    if shown and shown[-1][0] != today:
        shown.append((today, shown[-1][1]))
    return Days(
        streak((row.day for row in rows if row.reviews), today),
        shown,
        sum(row.reviews for row in rows if row.day == today),
    )
