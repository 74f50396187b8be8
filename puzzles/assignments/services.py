"""Assignments: create, schedule, close, archive, excuse; each student's own adaptive puzzle."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.selectors import students_of
from puzzles.kinds import KINDS
from puzzles.making import drafts
from puzzles.making import services as making
from puzzles.models import Assignment, Puzzle
from puzzles.practice import plan
from puzzles.practice import services as practice
from vocab.models import Entry, VocabularyList
from vocab.text import normal_form

SECOND_CLICK = timedelta(minutes=1)
FEWEST_WORDS, FILLED_UP_TO = 4, 6
_DATES = ("opens_at", "due_at", "closes_at")


@transaction.atomic
def give(
    *,
    created_by: User,
    classrooms: Iterable[Classroom] = (),
    puzzle: Puzzle | None = None,
    students: Collection[User] | None = None,
    schedule: Mapping[str, Any] | None = None,
    is_once: bool = False,
    replaces: Puzzle | None = None,
    **wanted: Any,
) -> Puzzle:
    """Assign a puzzle to *classrooms*, all or none, and return it; create it if there is none.

    A new puzzle is what *wanted*, the arguments of `making.request_puzzle`, describes; it is
    generated in the background, and students see it when it is ready. With *is_once*, the same
    request with the same seed, as a second click sends it, creates no second puzzle.

    The puzzle that it *replaces*, one that could not be created, goes into the bin with its
    assignments.

    In a class to which some of *students* belong, only these get it. *schedule* are dates and
    others of what `change` accepts. If a class has the puzzle already, its assignment is changed
    as far as these are given, and restored.

    Raises ValidationError: a dictionary by setting if a setting is wrong, and of `due_at` if that
    is past; with the code "dates" if dates are not in order and "strangers" if a student is in none
    of the classes, and else without.
    """
    due_at = (schedule or {}).get("due_at")
    if due_at and due_at < timezone.now():  # everybody would be late before they begin
        raise ValidationError({"due_at": [_("This date is in the past.")]})
    kind = KINDS.get(wanted.get("kind", ""))
    if kind is not None and (schedule or {}).get("is_adaptive"):
        wanted["settings"] = kind.settings_of_own_words(dict(wanted.get("settings") or {}))
    classes = {classroom: students_of(classroom) for classroom in classrooms}
    inside = {student for people in classes.values() for student in people}
    _refuse_strangers(students or (), inside)
    if puzzle is None and is_once:
        puzzle = _same(created_by=created_by, **wanted)
    if puzzle is None:
        puzzle = making.request_puzzle(created_by=created_by, **wanted)
    for classroom, people in classes.items():
        assignment, _created = Assignment.objects.update_or_create(
            puzzle=puzzle,
            classroom=classroom,
            defaults={"archived_at": None},
            create_defaults={"created_by": created_by},
        )
        changes = dict(schedule or {})
        if students is not None:
            changes["chosen_students"] = [student for student in students if student in people]
        if changes:
            change(assignment=assignment, **changes)
    if replaces is not None and replaces.state == Puzzle.State.FAILED:
        making.delete_puzzle(puzzle=replaces, actor=created_by)
    return puzzle


@transaction.atomic
def give_path(
    *,
    created_by: User,
    vocabulary_list: VocabularyList,
    entries: Sequence[int] = (),
    seed: int | None = None,
    **given: Any,
) -> list[Puzzle]:
    """Assign a puzzle of each kind with the same words, those that are seen first; return them.

    *entries* are ids of words of the list, empty: all of it. A kind that can ask too few of them is
    left out. *given* are other arguments of `give`: classes, students, schedule, title, is_once.
    Raises ValidationError, as `give` does, and if no kind can ask the words.
    """
    words = vocabulary_list.entries.prefetch_related("translations")
    if entries:
        words = words.filter(pk__in=entries)
    asked = {slug: plan.askable(slug, words) for slug in KINDS}
    puzzles = [
        give(
            created_by=created_by,
            vocabulary_list=vocabulary_list,
            kind=slug,
            settings=practice.fitting_settings(
                slug, len(asked[slug]), max(len(word.tiles) for word in asked[slug])
            ),
            entries=list(entries),
            seed=making.new_seed() if seed is None else seed,
            **given,
        )
        for slug, kind in KINDS.items()
        if len(asked[slug]) >= kind.fewest_words
    ]
    if not puzzles:
        raise ValidationError(_("There are too few words for a puzzle. Choose more words."))
    return puzzles


def _same(
    *,
    created_by: User,
    vocabulary_list: VocabularyList,
    kind: str,
    seed: int,
    settings: Mapping[str, Any] | None = None,
    entries: Sequence[int] = (),
    title: str = "",
    **_others: Any,
) -> Puzzle | None:
    """Return the puzzle that the same request of the same person has already created."""
    list(User.objects.select_for_update(no_key=True).filter(pk=created_by.pk))  # a double click
    made = Puzzle.objects.filter(
        created_by=created_by, vocabulary_list=vocabulary_list, kind=kind, seed=seed
    )
    for puzzle in made:
        is_titled = puzzle.title == (normal_form(title) or vocabulary_list.title)
        is_set = dict(settings or {}).items() <= puzzle.settings.items()
        if is_titled and is_set and puzzle.entries == list(entries):
            return puzzle
    return None


@transaction.atomic
def give_words(
    *,
    classroom: Classroom,
    vocabulary_list: VocabularyList,
    entries: Sequence[Entry],
    kind: str,
    created_by: User,
    title: str = "",
    schedule: Mapping[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
) -> Assignment:
    """Create a puzzle of *entries* of one list and assign it; *schedule* is that of `give`.

    If there are too few words for a puzzle, others of the list are added. A second identical
    request within a minute (a double click) does not create a second assignment. Raises
    ValidationError, as `give` does, and if *settings* are known to be impossible for these words.
    """
    if not entries:
        raise ValidationError(_("Choose a word to assign."))
    wanted = filled_up(vocabulary_list, [entry.pk for entry in entries])
    schedule = dict(schedule or {})
    chosen = _in_class(classroom, schedule.get("chosen_students", ()))
    tiles = vocabulary_list.entries.filter(pk__in=wanted).values_list("tiles", flat=True)
    longest = max(map(len, tiles), default=0)
    made_of: dict[str, Any] = {
        "vocabulary_list": vocabulary_list,
        "kind": kind,
        "settings": practice.fitting_settings(kind, len(wanted), longest) | (settings or {}),
        "seed": making.new_seed(),
        "entries": wanted,
    }
    if settings and not schedule.get("is_adaptive"):  # those that fit are possible
        drafts.refuse_impossible(**made_of)
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
            return change(assignment=assignment, **schedule)
    puzzle = give(
        classrooms=[classroom],
        schedule=schedule,
        created_by=created_by,
        title=title or _("Practise again: %(list)s") % {"list": vocabulary_list.title},
        **made_of,
    )
    return puzzle.assignments.get(classroom=classroom)


def filled_up(vocabulary_list: VocabularyList, entries: Sequence[int]) -> list[int]:
    """Return the ids of *entries*, and of others of the list if they are too few for a puzzle."""
    if len(entries) >= FEWEST_WORDS:
        return list(entries)
    others = vocabulary_list.entries.exclude(pk__in=entries).values_list("pk", flat=True)
    return [*entries, *others[: FILLED_UP_TO - len(entries)]]


def _in_class(classroom: Classroom, students: Iterable[User]) -> list[User]:
    chosen = list(students)
    _refuse_strangers(chosen, students_of(classroom))
    return chosen


def _refuse_strangers(students: Iterable[User], inside: Collection[User]) -> None:
    strangers = [str(student) for student in students if student not in inside]
    if strangers:
        told = _("Not in this class: %(names)s.") % {"names": ", ".join(strangers)}
        raise ValidationError(told, "strangers")


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
            _("Put the dates in this order: “Opens”, “Due date”, “Closes”."), "dates"
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
    have attempts left, the next one is made of new words; and when it could not be created, another
    is tried. Raises ValidationError if too many of their puzzles are in preparation, or failed.
    """
    if not assignment.is_adaptive:
        return assignment.puzzle
    # Double click: the second request waits, then finds the puzzle of the first.
    Assignment.objects.select_for_update(of=("self",)).get(pk=assignment.pk)
    mine = assignment.own_puzzles.filter(created_by=student).order_by("-pk").first()
    if mine is not None and mine.state == Puzzle.State.FAILED and mine.offer is None:
        making.waiting_for(student, adapted_for=assignment)  # refuses to try without end
    elif mine is not None and not _may_begin_next(assignment, mine):
        return mine
    common = assignment.puzzle
    words = words_for(assignment, student)
    made = making.request_puzzle(
        vocabulary_list=common.vocabulary_list,
        kind=common.kind,
        created_by=student,
        title=common.title,
        settings=KINDS[common.kind].settings_of_own_words(common.settings)
        | ({"words": len(words)} if words else {}),
        entries=[entry.pk for entry in words],
    )
    made.adapted_for = assignment
    made.save(update_fields=["adapted_for"])
    return made


def _may_begin_next(assignment: Assignment, mine: Puzzle) -> bool:
    """Return whether a student's last own puzzle is finished and another attempt is left."""
    last = mine.sessions.filter(student=mine.created_by_id).order_by("-number").first()
    return last is not None and last.finished_at is not None and last.number < assignment.attempts
