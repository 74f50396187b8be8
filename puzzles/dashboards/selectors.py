"""Figures of a class's progress, computed from summaries in a constant number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum

from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.db.collation import Alphabetical, sort_key
from puzzles.access import in_present_lists
from puzzles.models import Assignment
from vocab.memory import reviews
from vocab.memory import selectors as memory
from vocab.models import Entry, Review, StudyDay, VocabularyList, WordProgress

HARDEST = 10
# With fewer answers, a word may not be called hard: one bad day would decide.
FEWEST_ANSWERS = 4
FEED = timedelta(days=14)


def lists_of_class(classroom: Classroom) -> QuerySet[VocabularyList]:
    """Return the lists from which the class has assignments."""
    given = Assignment.objects.filter(classroom=classroom).values("puzzle__vocabulary_list")
    return VocabularyList.objects.filter(pk__in=given).order_by(Alphabetical("title"), "pk")


def sizes_of_lists(classroom: Classroom) -> dict[int, int]:
    """Return the number of words of each list that the class learns, by its key."""
    entries = entries_of_class(classroom).order_by()
    return dict(entries.values_list("vocabulary_list").annotate(Count("pk")))


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
    """Figures of one word over all students; a word counts at most once a student and day."""

    entry: Entry
    asked: int = 0
    right: int = 0
    helped: int = 0
    wrong: int = 0

    @property
    def failed(self) -> int:
        """How often it was not right at once: wrong, almost right, or right only with help."""
        return self.asked - self.right

    @property
    def failed_share(self) -> int:
        """The share of first tries that were not right, in per cent, as it is shown."""
        return round(100 * self.failed / self.asked) if self.asked else 0

    @property
    def may_be_hard(self) -> bool:
        return self.asked >= FEWEST_ANSWERS and self.failed > 0


@dataclass(frozen=True, slots=True)
class StudentLine:
    """Figures of one student over all words of the class."""

    student: User
    asked: int = 0
    right: int = 0
    helped: int = 0
    wrong: int = 0
    known: int = 0
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """What one student knows of one word."""

    level: int = 0
    right: int = 0
    helped: int = 0
    asked: int = 0
    last_on: date | None = None
    due_on: date | None = None

    @property
    def is_known(self) -> bool:
        return self.level >= memory.KNOWN


NOT_MET = Cell()
WORD_ORDERS = ("hardest", "list", "alphabet")
STUDENT_ORDERS = ("name", "weakest")


def _progress(students: Sequence[User], entries: QuerySet[Entry]) -> QuerySet[WordProgress]:
    return WordProgress.objects.filter(student__in=students, entry__in=entries.order_by())


_SUMS = {
    "asks": Sum("asked"), "rights": Sum("right"), "helps": Sum("helped"), "wrongs": Sum("wrong"),
}  # fmt: skip


def word_lines(
    students: Sequence[User],
    entries: QuerySet[Entry],
    order: str = "hardest",
    lists: Iterable[VocabularyList] | None = None,
) -> list[WordLine]:
    """Return every word of the class: hardest first, by list or alphabetically.

    *lists* are those of the words, if they were read already.

    Words of one language are sorted by its alphabet, words of several by the reader's. The hardest
    are those with the greatest share of failed first tries, of equal ones those with more answers;
    words with too few answers come after them.
    """
    rows = _progress(students, entries).order_by().values_list("entry").annotate(**_SUMS)
    sums = {entry: figures for entry, *figures in rows}
    # No more of each word than its line shows, and each list once: a class may have thousands.
    in_lists = entries.order_by("vocabulary_list", "position", "pk")
    if lists is None:
        related = in_lists.select_related("vocabulary_list")
        shown = list(related.only("term", "vocabulary_list__language"))
    else:
        shown = list(in_lists.only("term", "vocabulary_list"))
        known = {one.pk: one for one in lists}
        for entry in shown:
            if entry.vocabulary_list_id in known:
                entry.vocabulary_list = known[entry.vocabulary_list_id]
    lines = [WordLine(entry, *sums.get(entry.pk, ())) for entry in shown]
    if order == "hardest":
        lines.sort(key=lambda line: (*_hardness(line), -line.asked))
    elif order == "alphabet":
        key = sort_key(*{line.entry.vocabulary_list.language for line in lines})
        lines.sort(key=lambda line: key(line.entry.term))
    return lines


def _hardness(line: WordLine) -> tuple[bool, int]:
    return (not line.may_be_hard, -line.failed_share if line.may_be_hard else 0)


def hardest(words: Sequence[WordLine]) -> list[WordLine]:
    """Return the hardest of the words, in the order of what is shown beside them."""
    return sorted(
        (line for line in words if line.may_be_hard),
        key=lambda line: (*_hardness(line), -line.asked),
    )[:HARDEST]


def weakest(words: QuerySet[WordProgress]) -> QuerySet[WordProgress]:
    """Return the first of a student's words that are not known and were missed."""
    return words.filter(level__lt=memory.KNOWN, wrong__gt=0)[:HARDEST]


def student_lines(
    students: Sequence[User], entries: QuerySet[Entry], order: str = "name"
) -> list[StudentLine]:
    """Return every student of the class, by name or with those who know least first."""
    known = Count("pk", filter=Q(level__gte=memory.KNOWN))
    rows = (
        _progress(students, entries)
        .order_by()
        .values_list("student")
        .annotate(**_SUMS, known=known, last=Max("last_at"))
    )
    sums = {student: figures for student, *figures in rows}
    lines = [StudentLine(student, *sums.get(student.pk, ())) for student in students]
    if order == "weakest":
        lines.sort(key=lambda line: (line.known, line.right))
    return lines


def cells(students: Sequence[User], words: Sequence[Entry]) -> dict[tuple[int, int], Cell]:
    """Return what each student knows of each word, by (word's id, student's id)."""
    rows: Iterable[tuple[Any, ...]]
    rows = WordProgress.objects.filter(student__in=students, entry__in=words).values_list(
        "entry", "student", "level", "right", "helped", "asked", "last_on", "due_on"
    )
    return {row[:2]: Cell(*row[2:]) for row in rows}


@dataclass(frozen=True, slots=True)
class FeedLine:
    """The activity of a class on one day."""

    day: Any
    students: list[User]
    reviews: int
    right: int


def activity(students: Sequence[User], today: date) -> list[FeedLine]:
    """Return the activity of each of the last two weeks' days, newest first."""
    place = {student.pk: number for number, student in enumerate(students)}
    days: dict[Any, list[StudyDay]] = defaultdict(list)
    recent = StudyDay.objects.filter(day__gt=today - FEED, day__lte=today, reviews__gt=0)
    for row in recent.filter(student__in=students):
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


def due_words(students: Sequence[User], today: date) -> QuerySet[WordProgress]:
    """Return the words that are due, of any list of the students, in no order.

    Who does each day's plan may have due words that give way to new ones, and is not behind.
    """
    return _words_of(students).alias(on=memory.FALLS_DUE).filter(on__lte=today)


def _words_of(students: Sequence[User]) -> QuerySet[WordProgress]:
    return WordProgress.objects.filter(
        in_present_lists(),
        student__in=students,
        entry__deleted_at=None,
        entry__vocabulary_list__deleted_at=None,
    ).order_by()


def load(students: Sequence[User], today: date, *, days: int = 14) -> list[tuple[date, float]]:
    """Return how many words fall due on each of the coming days, as the mean of the students.

    The first day has what is overdue too.
    """
    each = memory.falling_due(_words_of(students), today, days)
    return [(day, count / max(1, len(students))) for day, count in each]


@dataclass(frozen=True, slots=True)
class Leech:
    """A word that a student forgot again and again, with the wrong answers of the student."""

    progress: WordProgress
    answers: Sequence[str]


def leeches(students: Sequence[User], entries: QuerySet[Entry], most: int = 10) -> list[Leech]:
    """Return words that were forgotten again and again after they were learned."""
    rows = list(memory.leeches(students, entries)[:most])
    given: dict[tuple[int, int], list[str]] = defaultdict(list)
    own = (
        Review.objects.filter(
            reviews.of_present_words(),
            student__in={row.student_id for row in rows},
            entry__in={row.entry_id for row in rows},
        )
        .exclude(given="")
        .exclude(is_taken_back=True)
    )
    for entry, student, answer in own.order_by("-at", "-pk").values_list(
        "entry", "student", "given"
    ):
        if answer not in given[entry, student]:
            given[entry, student].append(answer)
    return [Leech(row, given[row.entry_id, row.student_id][:3]) for row in rows]


@dataclass(frozen=True, slots=True)
class ClassLine:
    """Figures of one class, to compare with others."""

    classroom: Classroom
    students: int
    active: int
    learned: int


def class_lines(classrooms: QuerySet[Classroom], today: date) -> list[ClassLine]:
    """Return each class's number of students, of active ones in two weeks, and of words learned."""
    members = Membership.objects.filter(classroom__in=classrooms, role=Membership.Role.STUDENT)
    recent = Q(user__study_days__day__gt=today - FEED, user__study_days__reviews__gt=0)
    active = dict(
        members.filter(recent)
        .order_by()
        .values_list("classroom")
        .annotate(Count("user", distinct=True))
    )
    of_class: dict[int, list[int]] = defaultdict(list)
    for classroom, student in members.order_by().values_list("classroom", "user"):
        of_class[classroom].append(student)
    known = memory.known_counts(User.objects.filter(memberships__in=members))
    return [
        ClassLine(
            one,
            len(of_class[one.pk]),
            active.get(one.pk, 0),
            sum(known.get(student, 0) for student in of_class[one.pk]),
        )
        for one in classrooms.filter(archived_at=None).order_by(Alphabetical("name"), "pk")
    ]
