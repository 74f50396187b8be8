"""Covers of lists: a small grid of first letters, and what happened with each list last.

In a constant number of queries: a page shows many lists.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db.models import Count, F, Max, QuerySet, Window
from django.db.models.functions import RowNumber, TruncDate

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Membership, User
from vocab.models import Entry, Import, VocabularyList
from vocab.text import direction

COLUMNS, ROWS = 5, 3
# What was longer ago is no longer what a teacher thinks of.
LATELY = timedelta(days=28)
# Of a square, in the units of the picture.
STEP = 20

What = Literal["played", "assigned", "imported"]
_Lists = QuerySet[VocabularyList]


@dataclass(frozen=True, slots=True)
class Last:
    """What happened last: *students* played, or it was assigned until *due_at*."""

    at: datetime
    what: What
    students: int = 0
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Cover:
    """A list as it looks among others: *squares* are letters (or "") with their places."""

    squares: Sequence[tuple[str, int, int]]
    last: Last | None


def covers_of(lists: Collection[VocabularyList], person: User, now: datetime) -> dict[int, Cover]:
    """Return the cover of each list by its id, with what happened in the person's classes."""
    letters, last = _first_letters(lists), _last(lists, person, now - LATELY)
    return {
        one.pk: Cover(_squares(letters.get(one.pk, ()), one.language), last.get(one.pk))
        for one in lists
    }


def _first_letters(lists: Iterable[VocabularyList]) -> dict[int, list[str]]:
    """Return the first letters of the first words of each list: enough for a grid, no answers."""
    numbered = Entry.objects.filter(vocabulary_list__in=[one.pk for one in lists]).annotate(
        place=Window(RowNumber(), partition_by=F("vocabulary_list"), order_by=["position", "pk"])
    )
    first = numbered.filter(place__lte=COLUMNS * ROWS).order_by("vocabulary_list", "place")
    found: dict[int, list[str]] = {}
    for its_list, tiles in first.values_list("vocabulary_list", "tiles"):
        found.setdefault(its_list, []).extend(tiles[:1])
    return found


def _squares(letters: Sequence[str], language: str) -> list[tuple[str, int, int]]:
    is_rtl = direction(language) == "rtl"
    squares = []
    for place in range(COLUMNS * ROWS):
        row, column = divmod(place, COLUMNS)
        from_left = COLUMNS - 1 - column if is_rtl else column
        letter = letters[place] if place < len(letters) else ""
        squares.append((letter, from_left * STEP + STEP // 2, row * STEP + STEP // 2))
    return squares


def _last(lists: Collection[VocabularyList], person: User, since: datetime) -> dict[int, Last]:
    found: dict[int, Last] = {}
    rows = VocabularyList.objects.filter(pk__in=[one.pk for one in lists]).order_by()
    for pk, last in (
        *_imported(rows, since),
        *_assigned(rows, person, since),
        *_played(rows, person, since),
    ):
        if pk not in found or last.at > found[pk].at:
            found[pk] = last
    return found


def _imported(rows: _Lists, since: datetime) -> list[tuple[int, Last]]:
    done = rows.filter(imports__state=Import.State.APPLIED, imports__created_at__gte=since)
    dates = done.values_list("pk").annotate(Max("imports__created_at"))
    return [(pk, Last(at, "imported")) for pk, at in dates]


def _assigned(rows: _Lists, person: User, since: datetime) -> list[tuple[int, Last]]:
    given = rows.filter(
        puzzles__assignments__classroom__in=classrooms(person, "see progress"),
        puzzles__assignments__created_at__gte=since,
        puzzles__assignments__archived_at=None,
        puzzles__assignments__is_draft=False,
        puzzles__deleted_at=None,
    )
    dates = given.values_list(
        "pk", "puzzles__assignments__created_at", "puzzles__assignments__due_at"
    )
    return [(pk, Last(at, "assigned", due_at=due_at)) for pk, at, due_at in dates]


def _played(rows: _Lists, person: User, since: datetime) -> list[tuple[int, Last]]:
    """Return how many students of the person's classes played words of a list on which day."""
    students = Membership.objects.filter(
        classroom__in=classrooms(person, "see progress"), role=Membership.Role.STUDENT
    )
    days = (
        rows.filter(
            puzzles__sessions__student__in=students.values("user"),
            puzzles__sessions__started_at__gte=since,
            puzzles__deleted_at=None,
        )
        .values_list("pk", TruncDate("puzzles__sessions__started_at"))
        .annotate(
            Max("puzzles__sessions__started_at"),
            Count("puzzles__sessions__student", distinct=True),
        )
    )
    return [(pk, Last(at, "played", students=count)) for pk, _day, at, count in days]
