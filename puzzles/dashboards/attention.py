"""What a teacher reads first about a class: who needs what, three numbers a student, five words.

From summaries, in a number of queries that grows neither with students nor with words. Only the
tests on which estimates rest are counted in the review history, by an index of these alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    Count,
    ExpressionWrapper,
    F,
    Max,
    Q,
    QuerySet,
    Sum,
    When,
)

from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.i18n.numbers import percent
from puzzles.assignments.status import AssignmentLine
from puzzles.dashboards import monday
from puzzles.dashboards.monday import Outlook, Reason, Standing
from puzzles.dashboards.recall import DELAYED_TEST, Line, newest_week, recent_tests
from puzzles.dashboards.selectors import due_words
from vocab.memory import reviews
from vocab.memory.estimates import Habit, Recalled, Word, habit, recalled, share_interval
from vocab.memory.rules import Rules
from vocab.memory.scheduling import Model, recall_chance
from vocab.memory.selectors import KNOWN, LEECH
from vocab.models import Entry, Review, StudyDay, WordProgress

SHARED_WORDS = 5
# A word that a class shares was missed by as many students, who do not know it yet.
FEWEST_TO_SHARE = 2


@dataclass(frozen=True, slots=True)
class StudentWeek:
    """Three numbers of one student, and the reasons to look at them, if any.

    *recalls* is None if too little was seen, *waiting* in days of their own pace. *days* are the
    last seven, the last of them today, with whether they played. *outlook* says what may be said of
    them.
    """

    student: User
    recalls: Recalled | None
    due: int
    waiting: float
    days: Mapping[date, bool]
    reasons: Sequence[tuple[Reason, int]] = ()
    outlook: Outlook = Outlook.UNKNOWN
    has_practised: bool = True

    @property
    def played(self) -> int:
        """On how many of these days they played."""
        return sum(self.days.values())


@dataclass(frozen=True, slots=True)
class SharedWord:
    """A word that several students missed in delayed tests and do not know yet."""

    entry: Entry
    missed: int
    count: int
    answer: str = ""
    times: int = 0

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval of the share missed."""
        return share_interval(self.missed, self.count)[0]

    @property
    def high(self) -> float:
        """Its upper end."""
        return share_interval(self.missed, self.count)[1]

    @property
    def likely(self) -> str:
        """The range in which the share missed probably lies, for people."""
        return f"{round(100 * self.low)}–{percent(round(100 * self.high))}"


@dataclass(frozen=True, slots=True)
class Monday:
    """A class on a day: those to look at first, all students, and the words they share."""

    students: Sequence[StudentWeek]
    words: Sequence[SharedWord]

    @property
    def named(self) -> list[StudentWeek]:
        """Those to look at, the most urgent first."""
        return [line for line in self.students if line.reasons]

    @property
    def others(self) -> list[StudentWeek]:
        """Those to look at for whom the first line has no room."""
        return self.named[monday.MOST_NAMES :]


@dataclass(frozen=True, slots=True)
class Group:
    """A class as it is compared: its students, what it learns, its open assignments.

    *lists* are its lists with their numbers of words, of `selectors.sizes_of_lists`.
    """

    classroom: Classroom
    students: Sequence[User]
    lists: Mapping[int, int]
    lines: Sequence[AssignmentLine] = ()


def monday_of(group: Group, rules: Rules, at: datetime, tests: Iterable[Line]) -> Monday:
    """Return who needs what in a class, with the *tests* of `recall.delayed_tests`."""
    [weeks] = weeks_of([group], rules, at, tests)
    entries = Entry.objects.filter(vocabulary_list__in=list(group.lists))
    return Monday(weeks, shared_words(group.students, entries))


def weeks_of(
    groups: Sequence[Group], rules: Rules, at: datetime, tests: Iterable[Line]
) -> list[list[StudentWeek]]:
    """Return the students of each class, those to look at first, in as many queries as of one.

    The classes are of one school, whose *rules* they have.
    """
    today = rules.day_of(at)
    members = Membership.objects.filter(
        classroom__in=[group.classroom for group in groups], role=Membership.Role.STUDENT
    )
    joined = {
        (classroom, student): day
        for classroom, student, day in members.order_by().values_list(
            "classroom", "user", "joined_at"
        )
    }
    students = list(
        {student.pk: student for group in groups for student in group.students}.values()
    )
    lists = list({key: None for group in groups for key in group.lists})
    numbers = _Numbers(students, lists, rules.model, today, tests)
    result = []
    for group in groups:
        overdue, owing = _overdue(group.lines)
        of_class = numbers.habit_of([student.pk for student in group.students], group.lists)
        standings = [
            Standing(
                student.pk,
                rules.day_of(joined[group.classroom.pk, student.pk]),
                student.last_login is not None,
                overdue=overdue[student.pk],
                owing=owing[student.pk],
                **numbers.of(student.pk, group.lists, *of_class),
            )
            for student in group.students
        ]
        words_a_day = group.classroom.words_a_day
        named = monday.named(standings, today, words_a_day)
        outlooks = monday.outlooks(standings, named)
        weeks = {
            student.pk: _week(
                student,
                standing,
                words_a_day,
                numbers.days_of(student.pk),
                reasons=named.get(student.pk, ()),
                outlook=outlooks[student.pk],
            )
            for student, standing in zip(group.students, standings, strict=True)
        }
        result.append([weeks.pop(key) for key in named] + list(weeks.values()))
    return result


def week_of(
    student: User, group: Group, rules: Rules, at: datetime, tests: Iterable[Line]
) -> StudentWeek:  # fmt: skip
    """Return the three numbers of one student, with the *tests* of the whole class."""
    today = rules.day_of(at)
    numbers = _Numbers([student], list(group.lists), rules.model, today, tests)
    of_class = numbers.habit_of([one.pk for one in group.students], group.lists)
    standing = Standing(student.pk, today, **numbers.of(student.pk, group.lists, *of_class))
    return _week(student, standing, group.classroom.words_a_day, numbers.days_of(student.pk))


def _week(
    student: User, standing: Standing, words_a_day: int, days: Mapping[date, bool], **more: Any
) -> StudentWeek:
    return StudentWeek(
        student, standing.recalls, standing.due, standing.waiting(words_a_day), days,
        has_practised=standing.last_on is not None, **more,
    )  # fmt: skip


class _Numbers:
    """What a `Standing` says of each student's days, words due, and recall in some lists."""

    def __init__(
        self,
        students: Sequence[User],
        lists: Collection[int],
        model: Model,
        today: date,
        tests: Iterable[Line],
    ) -> None:
        self._week = [today - timedelta(days=ago) for ago in reversed(range(monday.WEEK.days))]
        self._days = _days(students, self._week)
        # In any of their lists: a day's pace is one of all of them.
        due = due_words(students, today).values_list("student").annotate(Count("pk"))
        self._due = dict(due)
        self._words, self._forgotten = _words(students, lists, model, today)
        self._tests: dict[int, list[Line]] = defaultdict(list)
        for line in tests:
            self._tests[line.student].append(line)

    def days_of(self, student: int) -> dict[date, bool]:
        """Return the last seven days, today the last, with whether the student played."""
        played = self._days[student].bits if student in self._days else 0
        return {day: bool(played >> place & 1) for place, day in enumerate(self._week)}

    def habit_of(self, students: Iterable[int], lists: Collection[int]) -> tuple[Habit, int]:
        """Return how students recall the words of lists, and the last week that shows it."""
        tests = self._tests_of(students, lists)
        newest = newest_week(tests)
        return habit(recent_tests(tests, newest)), newest

    def _tests_of(self, students: Iterable[int], lists: Collection[int]) -> list[Line]:
        lines = (line for student in students for line in self._tests.get(student, ()))
        return [line for line in lines if line.vocabulary_list in lists]

    def of(
        self, student: int, lists: Mapping[int, int], of_class: Habit, newest: int
    ) -> dict[str, Any]:
        words = sum(lists.values())
        by_list = self._words.get(student, {})
        met = [word for key in lists for word in by_list.get(key, ())]
        forgotten = self._forgotten[student]
        tests = self._tests_of([student], lists)
        lately = [line for line in tests if line.week is not None]
        days = self._days.get(student, _Days())
        return {
            "last_on": days.last_on,
            "played": days.bits.bit_count(),
            "pace": days.pace,
            "due": self._due.get(student, 0),
            "forgotten": sum(forgotten[key] for key in lists),
            "recalls": recalled(met, words, recent_tests(tests, newest), of_class)
            if words
            else None,
            "tests": sum(line.count for line in lately),
            "recalled": sum(line.recalled for line in lately),
        }


@dataclass(frozen=True, slots=True)
class _Days:
    """On which days a student played: the last, and a bit for each of the last seven."""

    last_on: date | None = None
    bits: int = 0
    pace: float | None = None


def _days(students: Sequence[User], week: Sequence[date]) -> dict[int, _Days]:
    today = week[-1]
    lately = Q(day__gt=today - timedelta(days=monday.PACE_DAYS))
    # A day has one row, so that the sum has each bit once.
    bits = Case(*(When(day=day, then=1 << place) for place, day in enumerate(week)), default=0)
    rows = (
        StudyDay.objects.filter(student__in=students, day__lte=today, reviews__gt=0)
        .order_by()
        .values("student")
        .annotate(
            last=Max("day"),
            bits=Sum(bits),
            days=Count("pk", filter=lately),
            words=Sum("reviews", filter=lately),
        )
    )
    return {
        row["student"]: _Days(
            row["last"], row["bits"], row["words"] / row["days"] if row["days"] else None
        )
        for row in rows
    }


def _words(
    students: Sequence[User], lists: Collection[int], model: Model, today: date
) -> tuple[dict[int, dict[int, list[Word]]], dict[int, Counter[int]]]:
    """Return, by student and list, the words that were right at least once, as they are now.

    A word of today is taken as it will be after a day: just after a lesson, everything is known.
    Nobody is said to recall a word that they were only shown. Of the same words, also return how
    many were forgotten again and again.
    """
    rows = (
        WordProgress.objects.filter(student__in=students, entry__vocabulary_list__in=lists)
        .filter(Q(right__gt=0) | Q(helped__gt=0), entry__deleted_at=None)
        .order_by()
        .annotate(is_leech=ExpressionWrapper(LEECH, BooleanField()))
        .values_list("student", "entry__vocabulary_list", "stability", "last_on", "is_leech")
    )
    words: dict[int, dict[int, list[Word]]] = defaultdict(lambda: defaultdict(list))
    forgotten: dict[int, Counter[int]] = defaultdict(Counter)
    for student, of, stability, last_on, is_leech in rows:
        days = max(1, (today - last_on).days)
        words[student][of].append(Word(recall_chance(stability, days, model), days))
        if is_leech:
            forgotten[student][of] += 1
    return words, forgotten


def _overdue(assignments: Iterable[AssignmentLine]) -> tuple[Counter[int], Counter[int]]:
    """Return how many assignments each student owes that most of the class has done, and of all.

    What most have not done says more about the assignment than about them.
    """
    overdue: Counter[int] = Counter()
    owing: Counter[int] = Counter()
    for line in assignments:
        owing.update(line.owing)
        if len(line.owing) * 2 < line.students:
            overdue.update(line.owing)
    return overdue, owing


def shared_words(students: Sequence[User], entries: QuerySet[Entry]) -> list[SharedWord]:
    """Return the words of whose delayed tests the greatest share was missed, for sure.

    Words that fewer than two students missed and do not know yet are nobody's in common; in a class
    of one, its student's are.
    """
    wanted = min(FEWEST_TO_SHARE, len(students))
    rows = (
        WordProgress.objects.filter(student__in=students, entry__in=entries.order_by())
        .filter(delayed__gt=0)
        .order_by()
        .values("entry")
        .annotate(
            count=Sum("delayed"),
            missed=Sum(F("delayed") - F("recalled")),
            students=Count("pk", filter=Q(recalled__lt=F("delayed"), level__lt=KNOWN)),
        )
        .filter(students__gte=wanted, missed__gt=0)
        .order_by("entry")
    )
    counts = {row["entry"]: (row["missed"], row["count"]) for row in rows}
    hardest = monday.hardest_first(counts)[:SHARED_WORDS]
    words = (
        Entry.objects.select_related("vocabulary_list")
        .prefetch_related("translations")
        .in_bulk(hardest)
    )
    answers = wrong_answers(students, list(words.values()), DELAYED_TEST)
    return [
        SharedWord(words[entry], *counts[entry], *next(iter(answers.get(entry, [])), ("", 0)))
        for entry in hardest
    ]


def wrong_answers(
    students: Sequence[User], words: Sequence[Entry], which: Q | None = None, most: int = 3
) -> Mapping[int, list[tuple[str, int]]]:
    """Return the most frequent wrong answers to each word, with how often they were given.

    *which* restricts the reviews, for example to `recall.DELAYED_TEST`.
    """
    rows = (
        Review.objects.filter(
            reviews.of_present_words(),
            which or Q(),
            student__in=students,
            entry__in=words,
            is_free_practice=False,
        )
        .exclude(given="")
        .exclude(is_taken_back=True)
        .order_by()
        .values_list("entry", "given")
        .annotate(times=Count("pk"))
    )
    answers: dict[int, Counter[str]] = defaultdict(Counter)
    for entry, given, times in rows:
        answers[entry][given.casefold()] += times
    return {entry: counts.most_common(most) for entry, counts in answers.items()}
