"""Permissions on puzzles: who may see, play and follow them. Used by pages, API and sounds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from osmosmjerka.accounts.access import Person, classrooms
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.db.prepared import Prepared
from puzzles.models import Assignment, CrosswordSearch, DailyPuzzle, PlaySession, Puzzle
from vocab.access import vocabulary_lists
from vocab.models import Entry, VocabularyList

PuzzleAction = Literal["manage", "agree", "see", "play"]


def puzzles(
    person: Person,
    action: PuzzleAction,
    *,
    is_binned: bool = False,
    at: datetime | None = None,
    code: str | None = None,
) -> QuerySet[Puzzle]:
    """Return the puzzles on which *person* may carry out *action* at a moment (default: now).

    With *is_binned*, return those in the bin instead, as if they were not there. With *code*, only
    the one that has it: looking for it takes no longer if a class has hundreds of assignments.

    "manage" (see answers, assign, delete): the teacher who created it, and site admins.
    "agree" (accept fewer words than requested): the person who requested it, also a student.
    "see" (its page with the answers): also teachers who follow a class that has it.
    "play": also students of a class that has it, the student who requested it for practice, and
    teachers who may see its list.

    A class's puzzle of the day can only be played: by the class's teachers, and by those of its
    students whom `puzzles.daily` let begin.
    """
    puzzles = Puzzle.objects.all()
    if is_binned:
        puzzles = Puzzle.everything.exclude(deleted_at=None)
    if code is not None:
        puzzles = puzzles.filter(code=code)
    if not isinstance(person, User) or not person.is_active:
        return puzzles.none()
    if person.is_superuser:
        return puzzles
    made = Q(created_by=person, daily=None) if person.is_teacher else Q(pk__in=())
    if action == "manage":
        return puzzles.filter(made)
    if action == "agree":
        return puzzles.filter(created_by=person)
    followed = Assignment.objects.filter(classroom__in=classrooms(person, "see progress"))
    may = made | Q(pk__in=followed.values("puzzle"))
    if action == "see":
        return puzzles.filter(may)
    at = at or timezone.now()
    of_this_one = Q() if code is None else Q(puzzle__code=code)
    days = DailyPuzzle.objects.filter(of_this_one, classroom__in=_classes_with_days(person))
    if not person.is_student:
        may |= Q(vocabulary_list__in=vocabulary_lists(person, "see"), daily=None)
        return puzzles.filter(may | Q(daily__in=days))
    # A session that was started can be finished late.
    begun = Exists(PlaySession.objects.filter(puzzle=OuterRef("puzzle"), student=person))
    # Of an adaptive assignment, each student plays a puzzle of their own.
    common = is_open_at(at) & Q(is_adaptive=False)
    given = given_to(person).filter(common | Q(begun), of_this_one)
    # A student's own next puzzle, as long as one of their classes has the list.
    lists = lists_of_student(person, at, code=code).values("pk")
    begun_day = Exists(PlaySession.objects.filter(puzzle=OuterRef("pk"), student=person))
    return puzzles.filter(
        Q(pk__in=given.values("puzzle"), state=Puzzle.State.READY)
        | Q(created_by=person, vocabulary_list__in=lists)
        | Q(begun_day, daily__in=days)
    )


def may_go_on(student: User, puzzle: Puzzle) -> bool:
    """Return whether *student*, who has begun the puzzle, is in a class that has it.

    Whether they may begin it is decided by `puzzles`. This is asked with every answer, so it is one
    small query.
    """
    if puzzle.daily_id is not None:
        has_it = Q(classroom__daily_puzzles=puzzle.daily_id)
    else:
        has_it = Q(classroom__assignments__is_draft=False)
        has_it &= Q(classroom__assignments__puzzle__deleted_at=None)
        if puzzle.adapted_for_id is not None:
            has_it &= Q(classroom__assignments=puzzle.adapted_for_id)
        elif puzzle.created_by_id == student.pk:
            words = puzzle.vocabulary_list_id
            has_it &= Q(classroom__assignments__puzzle__vocabulary_list=words)
        else:
            has_it &= Q(classroom__assignments__puzzle=puzzle.pk)
    places = Membership.objects.filter(user=student.pk, role=Membership.Role.STUDENT)
    return places.filter(has_it, classroom__archived_at=None).exists()


def _classes_with_days(person: User) -> QuerySet[Classroom]:
    """Return the classes whose puzzles of the day *person* may open."""
    classes = classrooms(person, "play" if person.is_student else "see progress")
    return classes.filter(archived_at=None)


def classes_with_daily_puzzle(person: Person) -> QuerySet[Classroom]:
    """Return the classes that have a puzzle each day and whose students or teachers *person* is."""
    if not isinstance(person, User):
        return Classroom.objects.none()
    return _classes_with_days(person).filter(has_daily_puzzle=True)


def crossword_searches(person: Person, *, is_binned: bool = False) -> QuerySet[CrosswordSearch]:
    """Return the searches that *person* may watch, stop and use: a teacher's own."""
    searches = CrosswordSearch.objects.all()
    if is_binned:
        searches = CrosswordSearch.everything.exclude(deleted_at=None)
    if not isinstance(person, User) or not person.is_active or not person.is_teacher:
        return searches.none()
    if person.is_superuser:
        return searches
    return searches.filter(
        created_by=person, vocabulary_list__in=vocabulary_lists(person, "make puzzles")
    )


def sessions(person: Person) -> QuerySet[PlaySession]:
    """Return the sessions that *person* may follow: their own, and those of their students.

    Only sessions of puzzles assigned to a class of which the student is a member count: a teacher
    of one class does not see what the student plays in another.
    """
    kept = PlaySession.objects.filter(puzzle__deleted_at=None)
    if not isinstance(person, User) or not person.is_active:
        return kept.none()
    if person.is_superuser:
        return kept
    followed = Assignment.objects.filter(
        Q(puzzle=OuterRef("puzzle")) | Q(own_puzzles=OuterRef("puzzle")),
        classroom__in=classrooms(person, "see progress"),
        classroom__memberships__user=OuterRef("student"),
        classroom__memberships__role=Membership.Role.STUDENT,
    )
    return kept.filter(Q(student=person) | Exists(followed))


def given_to(student: User) -> QuerySet[Assignment]:
    """Return all assignments of the student: to the class, or to them if students were chosen."""
    return _given_in(Q(classroom__in=_played_in(student)), student.pk)


def _played_in(student: User) -> QuerySet[Classroom]:
    return classrooms(student, "play").filter(archived_at=None)


def _given_in(is_of_class: Q, student: int) -> QuerySet[Assignment]:
    chosen = Assignment.chosen_students.through.objects.filter(assignment=OuterRef("pk"))
    return Assignment.objects.filter(
        Q(Exists(chosen.filter(user=student))) | ~Exists(chosen), is_of_class, is_draft=False
    )


@dataclass(frozen=True, slots=True)
class GivenAssignment:
    """An assignment of a student at some moment, with what other queries need of it as ids."""

    assignment: int
    puzzle: int
    vocabulary_list: int
    is_adaptive: bool
    is_open: bool
    has_started: bool
    started_at: datetime
    pinned: list[int]


def puzzle_to_play(person: Person, code: str) -> Puzzle | None:
    """Return the puzzle with this code if *person* may play it; its grid is read when asked for."""
    if isinstance(person, User) and person.is_student:
        begun = _to_show(Puzzle.objects.filter(code=code, sessions__student=person)).first()
        if begun is not None and may_go_on(person, begun):
            return begun
    return _to_show(puzzles(person, "play", code=code)).first()


def puzzle_to_play_or_404(person: Person, code: str) -> Puzzle:
    """Return what `puzzle_to_play` does; raise Http404 instead of returning None."""
    puzzle = puzzle_to_play(person, code)
    if puzzle is None:
        raise Http404
    return puzzle


def is_adaptive_for(person: Person, code: str) -> bool:
    """Return whether an open assignment gives *person* their own puzzle instead of this one."""
    if not isinstance(person, User) or not person.is_student or not person.is_active:
        return False
    given = given_to(person).filter(is_open_at(timezone.now()), is_adaptive=True)
    return given.filter(puzzle__code=code).exists()


def _to_show(puzzles: QuerySet[Puzzle]) -> QuerySet[Puzzle]:
    shown = puzzles.select_related("vocabulary_list")
    return shown.defer("grid", "unplaced", "entries", "settings")


_GIVEN = Prepared(
    Assignment,
    lambda classes, student: _given_in(Q(classroom__any_of=classes), student).order_by(),
    (
        "id",
        "puzzle_id",
        "puzzle__vocabulary_list_id",
        "is_adaptive",
        "pinned",
        "created_at",
        "opens_at",
        "closes_at",
        "archived_at",
    ),
    classes=list,
    student=int,
)


def _assignments_at(
    student: User, at: datetime, classes: Collection[Classroom]
) -> list[GivenAssignment]:
    """Return all assignments of the student as they are at a moment, in one query."""
    rows = _GIVEN.rows(classes=[one.pk for one in classes], student=student.pk)
    given = []
    for pk, puzzle, words, is_adaptive, pinned, made_at, opens_at, closes_at, archived_at in rows:
        has_started = opens_at is None or opens_at <= at
        is_closed = closes_at is not None and closes_at <= at
        is_open = has_started and not is_closed and archived_at is None
        started_at = opens_at or made_at
        given.append(
            GivenAssignment(
                pk, puzzle, words, is_adaptive, is_open, has_started, started_at, pinned
            )
        )
    return given


class Moment:
    """A student at one moment: their classes, assignments and lists, each read once.

    A page that needs them for several purposes passes this on, so that it asks no row twice.
    """

    def __init__(self, student: User, at: datetime) -> None:
        self.student, self.at = student, at

    @cached_property
    def classes(self) -> list[Classroom]:
        """The classes in which the student plays."""
        return list(_played_in(self.student).select_related("ranking"))

    @cached_property
    def given(self) -> list[GivenAssignment]:
        """All assignments of the student."""
        return _assignments_at(self.student, self.at, self.classes)

    @cached_property
    def lists(self) -> list[VocabularyList]:
        """The lists from which assignments have started, newest first; see `lists_of_student`."""
        begun = {one.vocabulary_list for one in self.given if one.has_started}
        return list(VocabularyList.objects.filter(pk__in=begun).order_by("-pk"))

    def know_lists(self, entries: Iterable[Entry]) -> None:
        """Set the lists of entries, so that none is read again."""
        lists = {one.pk: one for one in self.lists}
        for entry in entries:
            if entry.vocabulary_list_id in lists:
                entry.vocabulary_list = lists[entry.vocabulary_list_id]


def is_open_at(at: datetime) -> Q:
    """Return the condition under which an assignment can be started."""
    return (
        Q(is_draft=False, archived_at=None)
        & (Q(opens_at=None) | Q(opens_at__lte=at))
        & (Q(closes_at=None) | Q(closes_at__gt=at))
    )


def in_present_lists() -> Exists:
    """Return the condition for `WordProgress` of a list that its student is still asked.

    What a student learnt in a class that has ended stays known, but waits for nobody.
    """
    return Exists(
        Assignment.objects.filter(
            puzzle__vocabulary_list=OuterRef("entry__vocabulary_list"),
            classroom__archived_at=None,
            classroom__memberships__user=OuterRef("student"),
            is_draft=False,
        )
    )


def lists_of_student(
    student: User, at: datetime | None = None, *, code: str | None = None
) -> QuerySet[VocabularyList]:
    """Return the lists from which the student has assignments that have started, newest first.

    With *code*, only the list of the puzzle that has it.
    """
    begun = Q(opens_at=None) | Q(opens_at__lte=at or timezone.now())
    given = given_to(student).filter(begun)
    if code is not None:
        given = given.filter(puzzle__vocabulary_list__puzzles__code=code)
    return VocabularyList.objects.filter(pk__in=given.values("puzzle__vocabulary_list")).order_by(
        "-pk"
    )
