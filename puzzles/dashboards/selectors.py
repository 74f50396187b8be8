"""Figures of a class's progress, computed from summaries in a constant number of queries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, FloatField, Max, Q, QuerySet, Sum
from django.db.models.functions import Cast, Floor

from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.collation import Alphabetical, sort_key
from puzzles.models import Assignment
from vocab.memory import selectors as memory
from vocab.models import Entry, Review, StudyDay, VocabularyList, WordProgress

HARDEST = 10
FEED_DAYS = 14


def lists_of_class(classroom: Classroom) -> QuerySet[VocabularyList]:
    """Return the lists from which the class has assignments."""
    given = Assignment.objects.filter(classroom=classroom).values("puzzle__vocabulary_list")
    return VocabularyList.objects.filter(pk__in=given).order_by(Alphabetical("title"), "pk")


def entries_of_class(
    classroom: Classroom, vocabulary_list: VocabularyList | None = None
) -> QuerySet[Entry]:
    """Return the words of these lists, or of one of them."""
    lists = lists_of_class(classroom).order_by()
    if vocabulary_list is not None:
        lists = lists.filter(pk=vocabulary_list.pk)
    return Entry.objects.filter(vocabulary_list__in=lists)


@dataclass(frozen=True, slots=True)
class WordLine:
    """Figures of one word over all students. A word that was only seen does not count as asked."""

    entry: Entry
    asked: int = 0
    right: int = 0
    wrong: int = 0

    @property
    def missed_share(self) -> float:
        """The share of wrong answers; while there are few answers, drawn towards one eighth."""
        return (self.wrong + 1) / (self.asked + 8)

    @property
    def missed(self) -> int:
        return round(100 * self.wrong / self.asked) if self.asked else 0


@dataclass(frozen=True, slots=True)
class StudentLine:
    """Figures of one student over all words of the class."""

    student: User
    asked: int = 0
    right: int = 0
    known: int = 0
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """What one student knows of one word."""

    level: int = 0
    chance: int | None = None
    right: int = 0
    asked: int = 0


NOT_MET = Cell()
WORD_ORDERS = ("hardest", "list", "alphabet")
STUDENT_ORDERS = ("name", "weakest")


def _progress(students: Sequence[User], entries: QuerySet[Entry]) -> QuerySet[WordProgress]:
    return WordProgress.objects.filter(student__in=students, entry__in=entries.order_by()).exclude(
        skill=Review.Skill.FORM
    )


def word_lines(
    students: Sequence[User], entries: QuerySet[Entry], order: str = "hardest"
) -> list[WordLine]:
    """Return every word of the class: hardest first, by list or alphabetically.

    Words of one language are sorted by its alphabet, words of several by the reader's.
    """
    sums: dict[int, Any] = {
        row["entry"]: row
        for row in _progress(students, entries)
        .values("entry")
        .annotate(asked=Sum("reviews"), rights=Sum("right"), wrongs=Sum("wrong"))
    }
    none = {"asked": 0, "rights": 0, "wrongs": 0}
    lines = []
    in_lists = entries.order_by("vocabulary_list", "position", "pk")
    for entry in in_lists.select_related("vocabulary_list"):
        row = sums.get(entry.pk, none)
        lines.append(WordLine(entry, row["asked"], row["rights"], row["wrongs"]))
    if order == "hardest":
        lines.sort(key=lambda line: (-bool(line.asked), -line.missed_share))
    elif order == "alphabet":
        key = sort_key(*{line.entry.vocabulary_list.language for line in lines})
        lines.sort(key=lambda line: key(line.entry.term))
    return lines


def student_lines(
    students: Sequence[User], entries: QuerySet[Entry], order: str = "name"
) -> list[StudentLine]:
    """Return every student of the class, by name or with those who know least first."""
    sums: dict[int, Any] = {
        row["student"]: row
        for row in _progress(students, entries)
        .values("student")
        .annotate(
            asked=Sum("reviews"),
            rights=Sum("right"),
            known=Count("entry", filter=Q(stability__gte=KNOWN_DAYS), distinct=True),
            last=Max("last_at"),
        )
    }
    none = {"asked": 0, "rights": 0, "known": 0, "last": None}
    lines = []
    for student in students:
        row = sums.get(student.pk, none)
        lines.append(StudentLine(student, row["asked"], row["rights"], row["known"], row["last"]))
    if order == "weakest":
        lines.sort(key=lambda line: (line.known, line.right))
    return lines


def cells(
    students: Sequence[User], words: Sequence[Entry], at: datetime
) -> dict[tuple[int, int], Cell]:
    """Return what each student knows of each word, by (word's id, student's id)."""
    rows = (
        WordProgress.objects.filter(student__in=students, entry__in=words)
        .exclude(skill=Review.Skill.FORM)
        .values_list("entry", "student")
        .annotate(Max("stability"), Max("last_at"), Sum("right"), Sum("reviews"))
    )
    known = {}
    for entry, student, stability, last_at, right, asked in rows:
        chance = None if stability is None else round(100 * recall_chance(stability, last_at, at))
        known[entry, student] = Cell(memory.level(stability), chance, right, asked)
    return known


def wrong_answers(students: Sequence[User], words: Sequence[Entry]) -> dict[int, list[str]]:
    """Return the most frequent wrong answers to each word, at most three."""
    rows = (
        Review.objects.filter(student__in=students, entry__in=words)
        .exclude(given="")
        .order_by()
        .values_list("entry", "given")
        .annotate(times=Count("pk"))
    )
    answers: dict[int, Counter[str]] = defaultdict(Counter)
    for entry, given, times in rows:
        answers[entry][given.casefold()] += times
    return {
        entry: [text for text, _n in counts.most_common(3)] for entry, counts in answers.items()
    }


@dataclass(frozen=True, slots=True)
class FeedLine:
    """The activity of a class on one day."""

    day: Any
    students: list[User]
    reviews: int
    right: int


def activity(students: Sequence[User], at: datetime) -> list[FeedLine]:
    """Return the activity of each of the last two weeks' days, newest first."""
    place = {student.pk: number for number, student in enumerate(students)}
    days: dict[Any, list[StudyDay]] = defaultdict(list)
    since = day_of(at - timedelta(days=FEED_DAYS))
    for row in StudyDay.objects.filter(student__in=students, day__gt=since, reviews__gt=0):
        days[row.day].append(row)
    return [
        FeedLine(
            day,
            [students[number] for number in sorted(place[row.student_id] for row in rows)],
            sum(row.reviews for row in rows),
            sum(row.right for row in rows),
        )
        for day, rows in sorted(days.items(), reverse=True)
    ]


def recall_curve(
    students: Sequence[User], entries: QuerySet[Entry]
) -> list[tuple[int, float, float, int]]:
    """Return (from per cent, forecast, recalled, reviews) for each tenth of forecast chance.

    Counts only reviews that had a forecast and were not played for fun.
    """
    rows = (
        Review.objects.filter(
            student__in=students,
            entry__in=entries.order_by(),
            expected__isnull=False,
            is_free_practice=False,
        )
        .exclude(skill=Review.Skill.FORM)
        .order_by()
        .annotate(tenth=Floor(Cast(F("expected") * 9.999, FloatField())))
        .values("tenth")
        .annotate(
            count=Count("pk"),
            forecast=Sum("expected"),
            recalled=Count("pk", filter=~Q(outcome=Review.Outcome.WRONG)),
        )
    )
    return sorted(
        (
            int(row["tenth"]) * 10,
            100 * row["forecast"] / row["count"],
            100 * row["recalled"] / row["count"],
            row["count"],
        )
        for row in rows
    )


@dataclass(frozen=True, slots=True)
class ClassLine:
    """Figures of one class, to compare with others."""

    classroom: Classroom
    students: int
    active: int
    learned: int


def class_lines(classrooms: QuerySet[Classroom], at: datetime) -> list[ClassLine]:
    """Return each class's number of students, of active ones in two weeks, and of words learned."""
    role = Membership.Role.STUDENT
    since = day_of(at - timedelta(days=FEED_DAYS))
    students = Membership.objects.filter(classroom__in=classrooms, role=role)
    counts = dict(students.order_by().values_list("classroom").annotate(Count("pk")))
    days = students.order_by().values_list("classroom")
    learned = dict(days.annotate(Sum("user__study_days__known_change")))
    recent = Q(user__study_days__day__gt=since, user__study_days__reviews__gt=0)
    active = dict(days.filter(recent).annotate(Count("user", distinct=True)))
    return [
        ClassLine(one, counts.get(one.pk, 0), active.get(one.pk, 0), learned.get(one.pk) or 0)
        for one in classrooms.filter(archived_at=None).order_by(Alphabetical("name"), "pk")
    ]
