"""What a teacher reads first: whom to help in all classes, with which words, and what is new.

In a number of queries that grows neither with classes nor with students nor with words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby

from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, Sum

from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.selectors import students_of_classes
from puzzles.assignments.selectors import with_puzzles
from puzzles.assignments.status import AssignmentLine, lines_of_classes
from puzzles.dashboards import recall
from puzzles.dashboards.attention import Group, StudentWeek, weeks_of
from puzzles.dashboards.monday import Reason
from puzzles.models import Assignment
from vocab.memory.rules import Rules, rules_of
from vocab.memory.selectors import KNOWN, LEECH
from vocab.models import Entry, StudyDay, WordProgress

# So many students stand on the page; the others are on their classes' pages.
MOST_HELPED = 5
# So many words are given again at once: what a student can learn in a sitting.
MOST_WORDS = 8
# An assignment due longer ago is no longer what a teacher thinks of.
FORGOTTEN = timedelta(days=21)
MOST_ASSIGNMENTS = 20


@dataclass(frozen=True, slots=True)
class Helped:
    """A student who needs help: where, why, and what to do about it.

    *words* are the hardest words of one list that they do not know, or those that they keep
    forgetting, if that is why they are named; *overdue* are the assignments that they owe.
    """

    classroom: Classroom
    week: StudentWeek
    words: Sequence[Entry]
    overdue: Sequence[Assignment]

    @property
    def student(self) -> User:
        return self.week.student

    @property
    def reason(self) -> Reason:
        return self.week.reasons[0][0]


@dataclass(frozen=True, slots=True)
class News:
    """What a class did since a day: who gave how many answers, and who finished what.

    Puzzles are known by their title and kind: several assignments may look alike.
    """

    practised: Sequence[User]
    answers: int
    finished: Mapping[tuple[str, str], Sequence[User]]


@dataclass(frozen=True, slots=True)
class ClassToday:
    """One class: its students, those to help first, its open assignments, and what is new."""

    classroom: Classroom
    students: Sequence[StudentWeek]
    lines: Sequence[AssignmentLine]
    news: News
    lists: Mapping[int, int]

    @property
    def named(self) -> list[StudentWeek]:
        return [week for week in self.students if week.reasons]

    @property
    def has_begun(self) -> bool:
        """Whether anybody has practised: of who has not, nothing is known."""
        return any(week.has_practised for week in self.students)


@dataclass(frozen=True, slots=True)
class Today:
    """All classes of a teacher on a day; *helped* are the most urgent students of all of them."""

    classes: Sequence[ClassToday]
    helped: Sequence[Helped]

    @property
    def named(self) -> int:
        return sum(len(one.named) for one in self.classes)

    @property
    def weeks(self) -> list[StudentWeek]:
        """The students of all classes that have begun, of whom one may be in several."""
        return [week for one in self.classes if one.has_begun for week in one.students]

    @property
    def not_begun(self) -> list[Classroom]:
        return [one.classroom for one in self.classes if one.students and not one.has_begun]


def today_of(
    classes: Sequence[Classroom],
    since: date,
    at: datetime,
    *,
    members: Mapping[int, Sequence[User]] | None = None,
    lines: Mapping[int, Sequence[AssignmentLine]] | None = None,
) -> Today:
    """Return what is to be done in classes, with what they did *since* a day.

    Their schools must be loaded. *members* and *lines* are their students and assignments, if they
    were read already.
    """
    members = students_of_classes(classes) if members is None else members
    lines = _open_lines(classes, members, at) if lines is None else lines
    lists = _lists(classes)
    practised = _practised(members, since)
    found: dict[int, ClassToday] = {}
    for _school, some in groupby(sorted(classes, key=_school_of), key=_school_of):
        groups = [Group(one, members[one.pk], lists[one.pk], lines[one.pk]) for one in some]
        rules = rules_of(groups[0].classroom.school)
        weeks = weeks_of(groups, rules, at, _tests(groups, rules.day_of(at)))
        for group, week in zip(groups, weeks, strict=True):
            finished = _finished(group.lines, group.students, rules, since)
            news = News(*practised[group.classroom.pk], finished)
            one = ClassToday(group.classroom, week, group.lines, news, group.lists)
            found[group.classroom.pk] = one
    in_order = [found[one.pk] for one in classes]
    return Today(in_order, _helped(in_order))


def _school_of(classroom: Classroom) -> int:
    return classroom.school_id


def _open_lines(
    classes: Sequence[Classroom], members: Mapping[int, Sequence[User]], at: datetime
) -> dict[int, list[AssignmentLine]]:
    """Return the assignments of each class that are not over for long, the most urgent first."""
    given = Assignment.objects.filter(
        Q(due_at=None) | Q(due_at__gte=at - FORGOTTEN),
        Q(opens_at=None) | Q(opens_at__lte=at),
        classroom__in=classes,
        archived_at=None,
    )
    rows = with_puzzles(given).order_by(F("due_at").asc(nulls_last=True), "pk")
    lines: dict[int, list[AssignmentLine]] = {one.pk: [] for one in classes}
    kept: list[Assignment] = []
    counts: Counter[int] = Counter()
    for row in rows:
        counts[row.classroom_id] += 1
        if counts[row.classroom_id] <= MOST_ASSIGNMENTS:
            kept.append(row)
    for line in lines_of_classes(kept, members, at):
        lines[line.assignment.classroom_id].append(line)
    return {key: most_urgent_first(some) for key, some in lines.items()}


def most_urgent_first(lines: Iterable[AssignmentLine]) -> list[AssignmentLine]:
    """Return assignments sorted: by due date, then the newest without one; the done come last."""
    return sorted(lines, key=_urgency)


def _urgency(line: AssignmentLine) -> tuple[bool, bool, float]:
    due = line.assignment.due_at
    return line.is_over, due is None, due.timestamp() if due else -line.opened_at.timestamp()


def _lists(classes: Sequence[Classroom]) -> dict[int, dict[int, int]]:
    """Return the lists that each class learns, with their numbers of words."""
    given = (
        Assignment.objects.filter(classroom__in=classes, puzzle__vocabulary_list__deleted_at=None)
        .order_by()
        .values_list("classroom", "puzzle__vocabulary_list")
        .distinct()
    )
    pairs = list(given)
    entries = Entry.objects.filter(vocabulary_list__in={key for _class, key in pairs}).order_by()
    sizes = dict(entries.values_list("vocabulary_list").annotate(Count("pk")))
    lists: dict[int, dict[int, int]] = {one.pk: {} for one in classes}
    for classroom, key in pairs:
        if key in sizes:
            lists[classroom][key] = sizes[key]
    return lists


def _tests(groups: Sequence[Group], on: date) -> list[recall.Line]:
    students = list({one.pk: one for group in groups for one in group.students}.values())
    lists = {key for group in groups for key in group.lists}
    entries = Entry.objects.filter(vocabulary_list__in=lists)
    return recall.delayed_tests(students, entries, on)


def _practised(
    members: Mapping[int, Sequence[User]], since: date
) -> dict[int, tuple[list[User], int]]:
    """Return who of each class practised since a day, and how many answers they gave in all."""
    everybody = {student.pk for students in members.values() for student in students}
    rows = StudyDay.objects.filter(student__in=everybody, day__gte=since, reviews__gt=0)
    answers = dict(rows.order_by().values_list("student").annotate(Sum("reviews")))
    found = {}
    for classroom, students in members.items():
        some = [student for student in students if student.pk in answers]
        found[classroom] = some, sum(answers[student.pk] for student in some)
    return found


def _finished(
    lines: Sequence[AssignmentLine], students: Sequence[User], rules: Rules, since: date
) -> dict[tuple[str, str], list[User]]:
    """Return who finished what since a day, by the title and kind of the puzzles."""
    finished: dict[tuple[str, str], set[int]] = {}
    for line in lines:
        some = {student for student, at in line.finished.items() if rules.day_of(at) >= since}
        if some:
            puzzle = line.assignment.puzzle
            finished.setdefault((puzzle.title, puzzle.kind), set()).update(some)
    found = {
        key: [student for student in students if student.pk in some]
        for key, some in finished.items()
    }
    return {key: some for key, some in found.items() if some}


def _helped(classes: Sequence[ClassToday]) -> list[Helped]:
    """Return the students of all classes who need help most urgently, with their hardest words."""
    order = list(Reason)
    named = [(one, week) for one in classes for week in one.named]
    # Within a class they are in order; between classes, the reason decides, then how much.
    named.sort(key=lambda pair: (order.index(pair[1].reasons[0][0]), -pair[1].reasons[0][1]))
    first = named[:MOST_HELPED]
    words = _hardest(first)
    return [
        Helped(
            one.classroom,
            week,
            words[one.classroom.pk, week.student.pk],
            [line.assignment for line in one.lines if week.student.pk in line.owing],
        )
        for one, week in first
    ]


def _hardest(
    named: Sequence[tuple[ClassToday, StudentWeek]],
) -> dict[tuple[int, int], list[Entry]]:
    """Return, by class and student, the words of one list that they missed most often.

    The list is the one in which they missed most words: a puzzle has the words of one list. For who
    is named because they keep forgetting words, only these count.
    """
    students = {week.student.pk for _class, week in named}
    lists = {key for one, _week in named for key in one.lists}
    rows = (
        WordProgress.objects.filter(
            student__in=students, entry__vocabulary_list__in=lists, entry__deleted_at=None
        )
        .filter(wrong__gt=0, level__lt=KNOWN)
        .order_by("-wrong", "stability", "pk")
        .annotate(is_leech=ExpressionWrapper(LEECH, BooleanField()))
        .values_list("student", "entry__vocabulary_list", "entry", "is_leech")
    )
    missed: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    forgotten: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for student, key, entry, is_leech in rows:
        missed[student][key].append(entry)
        if is_leech:
            forgotten[student][key].append(entry)
    chosen: dict[tuple[int, int], list[int]] = {}
    for one, week in named:
        is_forgetting = week.reasons[0][0] == Reason.KEEPS_FORGETTING
        of_student = (forgotten if is_forgetting else missed)[week.student.pk]
        by_list = {key: of_student[key] for key in one.lists}
        most = max(by_list.values(), key=len, default=[])
        chosen[one.classroom.pk, week.student.pk] = most[:MOST_WORDS]
    keys = {key for some in chosen.values() for key in some}
    words = Entry.objects.select_related("vocabulary_list").in_bulk(keys) if keys else {}
    return {place: [words[key] for key in some] for place, some in chosen.items()}
