"""Assignments: create, schedule, close, archive, excuse; each student's own adaptive puzzle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.selectors import students_of
from puzzles.making import services as making
from puzzles.models import Assignment, Puzzle
from puzzles.practice import plan
from puzzles.practice import services as practice
from vocab.models import Entry, VocabularyList

SECOND_CLICK = timedelta(minutes=1)
_DATES = ("opens_at", "due_at", "closes_at")


def assign(
    *, puzzle: Puzzle, classroom: Classroom, created_by: User, due_at: datetime | None = None
) -> Assignment:
    """Assign *puzzle* to a class. If the class has it, restore it and keep all but *due_at*."""
    again: dict[str, Any] = {"archived_at": None} | ({"due_at": due_at} if due_at else {})
    assignment, _created = Assignment.objects.update_or_create(
        puzzle=puzzle,
        classroom=classroom,
        defaults=again,
        create_defaults={"due_at": due_at, "created_by": created_by},
    )
    return assignment


@transaction.atomic
def make_and_assign(
    *, classroom: Classroom | None, created_by: User, due_at: datetime | None = None, **wanted: Any
) -> Puzzle:
    """Request the puzzle that *wanted* describes and assign it to *classroom*, unless None.

    *wanted* contains the arguments of `making.request_puzzle`.
    """
    puzzle = making.request_puzzle(created_by=created_by, **wanted)
    if classroom is not None:
        assign(puzzle=puzzle, classroom=classroom, created_by=created_by, due_at=due_at)
    return puzzle


@transaction.atomic
def give_words(
    *,
    classroom: Classroom,
    vocabulary_list: VocabularyList,
    entries: Sequence[Entry],
    kind: str,
    created_by: User,
    students: Iterable[User] = (),
    title: str = "",
    due_at: datetime | None = None,
    settings: dict[str, Any] | None = None,
) -> Assignment:
    """Create a puzzle of *entries* of one list and assign it to *students*, or to the whole class.

    If there are too few words for a puzzle, others of the list are added. A second identical
    request within a minute (a double click) does not create a second assignment.
    """
    if not entries:
        raise ValidationError(_("Choose a word to assign."))
    wanted = [entry.pk for entry in entries]
    if len(wanted) < 4:
        others = vocabulary_list.entries.exclude(pk__in=wanted)
        wanted += others.values_list("pk", flat=True)[: 6 - len(wanted)]
    chosen = _in_class(classroom, students)
    list(Classroom.objects.select_for_update(no_key=True).filter(pk=classroom.pk))  # a double click
    just_given = classroom.assignments.filter(
        created_by=created_by,
        created_at__gt=timezone.now() - SECOND_CLICK,
        puzzle__vocabulary_list=vocabulary_list,
        puzzle__kind=kind,
        puzzle__entries=wanted,
    )
    for assignment in just_given:
        if set(assignment.chosen_students.all()) == set(chosen):
            return assignment
    tiles = vocabulary_list.entries.filter(pk__in=wanted).values_list("tiles", flat=True)
    longest = max(map(len, tiles), default=0)
    puzzle = making.request_puzzle(
        vocabulary_list=vocabulary_list,
        kind=kind,
        created_by=created_by,
        title=title or _("Practise again: %(list)s") % {"list": vocabulary_list.title},
        settings=practice.fitting_settings(kind, len(wanted), longest) | (settings or {}),
        entries=wanted,
    )
    assignment = assign(puzzle=puzzle, classroom=classroom, created_by=created_by, due_at=due_at)
    assignment.chosen_students.set(chosen)
    return assignment


@transaction.atomic
def give_puzzle(
    *, puzzle: Puzzle, classroom: Classroom, created_by: User, **changes: Any
) -> Assignment:
    """Assign a puzzle to a class with the settings that `change` accepts, also as a draft."""
    assignment = assign(puzzle=puzzle, classroom=classroom, created_by=created_by)
    return change(assignment=assignment, **changes)


def _in_class(classroom: Classroom, students: Iterable[User]) -> list[User]:
    inside = {student.pk for student in students_of(classroom)}
    chosen = list(students)
    strangers = [str(student) for student in chosen if student.pk not in inside]
    if strangers:
        raise ValidationError(_("Not in this class: %(names)s.") % {"names": ", ".join(strangers)})
    return chosen


@transaction.atomic
def change(*, assignment: Assignment, **changes: Any) -> Assignment:
    """Change an assignment: dates, whether it is a draft, its students, who is excused.

    Only what is in *changes* is written, so that a colleague who archived the assignment since it
    was read has still archived it. Raises ValidationError if the dates are changed and not in
    order. If they are unchanged, they may be out of order: an assignment can be closed before it
    is due.
    """
    stored = Assignment.objects.select_for_update(of=("self",)).get(pk=assignment.pk)
    before = [getattr(stored, name) for name in _DATES]
    for name in ("chosen_students", "excused"):
        if name in changes:
            people = _in_class(assignment.classroom, changes.pop(name))
            getattr(assignment, name).set(people)
    for name, value in changes.items():
        setattr(stored, name, value)
    dates = [getattr(stored, name) for name in _DATES]
    given = [date for date in dates if date is not None]
    is_changed = [*map(_minute, dates)] != [*map(_minute, before)]
    if is_changed and given != sorted(given):
        raise ValidationError(
            _("The start must be before the due date, and the due date before the end.")
        )
    stored.save(update_fields=list(changes))
    columns = stored._meta.concrete_fields
    assignment.refresh_from_db(fields=[field.name for field in columns if not field.is_relation])
    return assignment


def _minute(at: datetime | None) -> datetime | None:
    """Return a date to the minute, as its form shows and submits it."""
    return at and at.replace(second=0, microsecond=0)


def excuse(*, assignment: Assignment, student: User, is_excused: bool) -> None:
    """Excuse one student or stop excusing them, even if they have left the class."""
    if is_excused:
        assignment.excused.add(*_in_class(assignment.classroom, [student]))
    else:
        assignment.excused.remove(student)


def close(*, assignment: Assignment) -> Assignment:
    """Close the assignment: nobody can start it; students who have started can finish."""
    at = timezone.now()
    assignment.closes_at = min(assignment.closes_at or at, at)
    assignment.save(update_fields=["closes_at"])
    return assignment


def archive(*, assignment: Assignment) -> Assignment:
    """Archive the assignment: it still counts in figures, but students no longer see it."""
    assignment.archived_at = assignment.archived_at or timezone.now()
    assignment.save(update_fields=["archived_at"])
    return assignment


def restore(*, assignment: Assignment) -> Assignment:
    """Restore the assignment from the archive; its state again depends on its dates."""
    assignment.archived_at = None
    assignment.save(update_fields=["archived_at"])
    return assignment


def words_for(
    assignment: Assignment, student: User, known: dict[int, Entry] | None = None
) -> list[Entry]:
    """Return the words that an adaptive assignment gives *student* now; also used for previews.

    The words that the teacher included come first, then those of the student's plan for today that
    this type of puzzle can ask, then new words and those that will be forgotten next, until the
    puzzle has its number of words. *known* keeps the entries that were read, by id, for other
    students.
    """
    known = {} if known is None else known
    puzzle = assignment.puzzle
    size = puzzle.settings.get("words", practice.SIZE)
    planned = practice.words_to_fill(
        student, puzzle.vocabulary_list, puzzle.kind, timezone.now(), size, known
    )
    wanted = list(dict.fromkeys([*assignment.pinned, *planned]))[:size] or puzzle.entries
    return plan.entries_to_ask(wanted, known=known)


def preview(assignment: Assignment) -> list[tuple[User, list[Entry]]]:
    """Return the words that each student would get now if the assignment were adaptive."""
    chosen = set(assignment.chosen_students.values_list("pk", flat=True))
    excused = set(assignment.excused.values_list("pk", flat=True))
    students, known = students_of(assignment.classroom), dict[int, Entry]()
    prefetch_related_objects(students, "school")  # which says when their day begins
    return [
        (student, words_for(assignment, student, known))
        for student in students
        if student.pk not in excused and (not chosen or student.pk in chosen)
    ]


@transaction.atomic
def own_puzzle(*, assignment: Assignment, student: User) -> Puzzle:
    """Return the puzzle that *student* plays for the assignment; their own if it is adaptive.

    Their own is made of the words of the day on which they open it. When it is finished and they
    have attempts left, the next one is made of new words. Raises ValidationError if too many of
    their puzzles are in preparation.
    """
    if not assignment.is_adaptive:
        return assignment.puzzle
    # Double click: the second request waits, then finds the puzzle of the first.
    Assignment.objects.select_for_update(of=("self",)).get(pk=assignment.pk)
    mine = assignment.own_puzzles.filter(created_by=student).order_by("-pk").first()
    if mine is not None and not _may_begin_next(assignment, mine):
        return mine
    common = assignment.puzzle
    words = words_for(assignment, student)
    made = making.request_puzzle(
        vocabulary_list=common.vocabulary_list,
        kind=common.kind,
        created_by=student,
        title=common.title,
        settings=common.settings | ({"words": len(words)} if words else {}),
        entries=[entry.pk for entry in words],
    )
    made.adapted_for = assignment
    made.save(update_fields=["adapted_for"])
    return made


def _may_begin_next(assignment: Assignment, mine: Puzzle) -> bool:
    """Return whether a student's last own puzzle is finished and another attempt is left."""
    last = mine.sessions.filter(student=mine.created_by_id).order_by("-number").first()
    return last is not None and last.finished_at is not None and last.number < assignment.attempts
