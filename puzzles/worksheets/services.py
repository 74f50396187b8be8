"""Sets of worksheets: request one, draw it in the background, forget it after a week."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from random import Random
from secrets import randbits
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet, prefetch_related_objects
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts.access import Person, classrooms
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.privacy.services import forget_traces
from osmosmjerka.accounts.selectors import by_name, students_of
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles import access
from puzzles.exports import ExportError, Printing, PuzzleData, sets
from puzzles.generators.errors import PuzzleError
from puzzles.kinds import KINDS
from puzzles.making.downloads import placements_to_print, puzzle_data
from puzzles.models import Puzzle, WorksheetSet
from puzzles.practice.services import words_to_fill
from puzzles.worksheets import layouts
from puzzles.worksheets.layouts import Drawn
from vocab.message import message, packed
from vocab.models import Entry

JOB = "puzzles.worksheets"
MOST_VERSIONS = 6
LETTERS = "ABCDEF"
# Sets that one person may have in preparation at the same time.
MOST_IN_PREPARATION = 3
# Names of students are on the sheets: they are kept until they are printed, not for ever.
KEPT = timedelta(days=7)
_SECOND_CLICK = timedelta(minutes=1)
_USUAL = asdict(Printing())

Content = WorksheetSet.Content
# What only the students of a class can have on their sheets.
FOR_STUDENTS = (Content.EACH, Content.OWN)


def ready_puzzles(person: Person) -> QuerySet[Puzzle]:
    """Return the ready puzzles that *person* may see, whose words may be printed."""
    seen = access.puzzles(person, "see").select_related("vocabulary_list")
    return seen.filter(state=Puzzle.State.READY)


def worksheet_sets(person: Person) -> QuerySet[WorksheetSet]:
    """Return the sets that *person* may open: their own, of classes and puzzles still theirs."""
    if not isinstance(person, User) or not person.is_active or not person.is_teacher:
        return WorksheetSet.objects.none()
    return WorksheetSet.objects.filter(
        Q(classroom=None) | Q(classroom__in=classrooms(person, "see progress")),
        created_by=person,
        puzzle__in=access.puzzles(person, "see"),
        created_at__gt=timezone.now() - KEPT,
    ).defer("pdf", "key_pdf", "sheets")


@transaction.atomic
def request_set(
    *,
    puzzle: Puzzle,
    created_by: User,
    content: str,
    printing: Printing,
    classroom: Classroom | None = None,
    versions: int = 2,
) -> WorksheetSet:
    """Save a set of worksheets of a ready puzzle and the job that draws it.

    With a class, a sheet for each of its students, with their name. The same request within a
    minute (a double click) returns the same set. Raises ValidationError if the class has no
    students, if own words are wanted for none, or if too many sets are in preparation.
    """
    list(User.objects.select_for_update(no_key=True).filter(pk=created_by.pk))  # a double click
    students = students_of(classroom) if classroom else []
    if classroom and not students:
        raise ValidationError(_("This class has no students yet."))
    if content in FOR_STUDENTS and classroom is None:
        raise ValidationError({"classroom": _("Choose the class these sheets are for.")})
    wanted: dict[str, Any] = {
        "puzzle": puzzle,
        "classroom": classroom,
        "created_by": created_by,
        "content": content,
        "versions": min(max(versions, 2), MOST_VERSIONS) if content == Content.VERSIONS else 1,
        "printing": {
            name: value for name, value in asdict(printing).items() if value != _USUAL[name]
        },
        "language": translation.get_language() or "",
    }
    mine = WorksheetSet.objects.defer("pdf", "key_pdf").exclude(state=WorksheetSet.State.FAILED)
    same = mine.filter(created_at__gt=timezone.now() - _SECOND_CLICK, **wanted)
    for made in same:
        if set(made.named.all()) == set(students):
            return made
    if mine.filter(created_by=created_by, state=WorksheetSet.State.QUEUED).count() >= (
        MOST_IN_PREPARATION
    ):
        raise ValidationError(
            ngettext(
                "You already have %(count)s set of worksheets in preparation. Wait until it is "
                "ready.",
                "You already have %(count)s sets of worksheets in preparation. Wait until some "
                "are ready.",
                MOST_IN_PREPARATION,
            )
            % {"count": MOST_IN_PREPARATION}
        )
    made = WorksheetSet.objects.create(seed=randbits(62), **wanted)
    made.named.set(students)
    _enqueue(made)
    return made


def can_be_played(puzzle: Puzzle, classroom: Classroom | None = None) -> bool:
    """Return whether students can play the same puzzle now or later, so that paper may say where.

    These are the students of *classroom*, by default of any class.
    """
    given = puzzle.assignments.filter(
        Q(closes_at=None) | Q(closes_at__gt=timezone.now()),
        is_adaptive=False,
        is_draft=False,
        archived_at=None,
        classroom__archived_at=None,
    )
    return given.filter(**{"classroom": classroom} if classroom else {}).exists()


def has_repeated_grids(worksheet_set: WorksheetSet) -> bool:
    """Return whether two grids of the set are the same: few words may have no others."""
    grids = [str(stored["grid"]) for stored in worksheet_set.sheets]
    return worksheet_set.content in (Content.VERSIONS, Content.EACH) and len(set(grids)) < len(
        grids
    )


def job_of(worksheet_set: WorksheetSet) -> Job | None:
    """Return the job that draws the set."""
    return Job.objects.filter(key=f"{JOB}:{worksheet_set.pk}").first()


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A sheet to draw: whose it is, and which of the set's grids it has."""

    student: int | None
    version: str
    grid: int


def _planned(worksheet_set: WorksheetSet, students: Sequence[User]) -> list[_Sheet]:
    """Return the sheets of a set in the order of names; versions take turns."""
    keys: list[int | None] = [student.pk for student in students]
    if drawn := _drawn_for(worksheet_set):
        is_lettered = worksheet_set.content == Content.VERSIONS
        return [
            _Sheet(key, LETTERS[drawn[key]] if is_lettered else "", drawn[key])
            for key in keys
            if key is not None
        ]
    match worksheet_set.content:
        case Content.VERSIONS:
            count = worksheet_set.versions
            people = keys or [None] * count
            return [
                _Sheet(student, LETTERS[place % count], place % count)
                for place, student in enumerate(people)
            ]
        case Content.SAME:
            return [_Sheet(student, "", 0) for student in keys or [None]]
        case _:
            return [_Sheet(student, "", place) for place, student in enumerate(keys)]


def _drawn_for(worksheet_set: WorksheetSet) -> dict[int, int]:
    """Return which grid each student of a set has that was drawn before; nothing if it was not."""
    return {
        student: number
        for number, stored in enumerate(worksheet_set.sheets)
        for student in stored.get("students", ())
    }


def _students_on(worksheet_set: WorksheetSet) -> list[User]:
    """Return the students of a set's sheets by name; also who left the class after it was drawn."""
    named = list(worksheet_set.named.select_related("school"))
    if drawn := _drawn_for(worksheet_set):
        return sorted((one for one in named if one.pk in drawn), key=by_name())
    students = students_of(worksheet_set.classroom) if worksheet_set.classroom else []
    prefetch_related_objects(students, "school")  # which says when their day begins
    return [student for student in students if student in named]


def draw_set(run: ledger.JobRun) -> None:
    """Draw the worksheets of the job's set and store them, or the reason why they cannot be.

    Each grid is stored as soon as it is made: whoever continues begins with the next one.
    """
    worksheet_set = (
        WorksheetSet.objects.defer("pdf", "key_pdf")
        .select_related("puzzle__vocabulary_list", "classroom", "created_by__school")
        .filter(pk=run.arguments["set"], state=WorksheetSet.State.QUEUED)
        .first()
    )
    if worksheet_set is None:
        return
    students = _students_on(worksheet_set)
    planned = _planned(worksheet_set, students)
    try:
        if worksheet_set.classroom and not students:
            raise PuzzleError(message("This class has no students yet."))
        if not _lay_out(run, worksheet_set, students, planned):
            return
        with translation.override(worksheet_set.language or None):
            pdf, key_pdf = _written(worksheet_set, students, planned)
    except (PuzzleError, ExportError) as error:
        with run.finishing():
            worksheet_set.state = WorksheetSet.State.FAILED
            worksheet_set.reason = packed(error.sentence)
            worksheet_set.save(update_fields=["state", "reason"])
        return
    with run.finishing(sheets=len(planned)):
        worksheet_set.pdf, worksheet_set.key_pdf = pdf, key_pdf
        worksheet_set.state = WorksheetSet.State.READY
        _note_students(worksheet_set, planned)
        worksheet_set.save(update_fields=["pdf", "key_pdf", "state", "sheets"])


def _note_students(worksheet_set: WorksheetSet, planned: Sequence[_Sheet]) -> None:
    """Note which students have which grid: if one is erased, the others keep theirs."""
    grid_of = _grid_of(worksheet_set)
    for stored in worksheet_set.sheets:
        stored.pop("students", None)
    for sheet in planned:
        if sheet.student is not None:
            number = grid_of.get(sheet.student, sheet.grid)
            worksheet_set.sheets[number].setdefault("students", []).append(sheet.student)


def _grid_of(worksheet_set: WorksheetSet) -> dict[int | None, int]:
    """Return which grid each student has whose words are their own."""
    return {
        stored["student"]: number
        for number, stored in enumerate(worksheet_set.sheets)
        if "student" in stored
    }


def take_out(student: User) -> None:
    """Take a student who is erased out of the sets that others made; they are drawn again.

    The others keep their grids, so that sheets which are printed already have their solutions. A
    set of nobody else is deleted.
    """
    sets = WorksheetSet.objects.filter(named=student).exclude(created_by=student)
    for made in sets.select_for_update(of=("self",)).select_related("puzzle", "created_by"):
        made.named.remove(student)
        Job.objects.filter(key=f"{JOB}:{made.pk}").delete()  # it may be drawing their sheet now
        is_drawn = bool(_drawn_for(made))
        if not made.named.exists() or (made.state == WorksheetSet.State.READY and not is_drawn):
            made.delete()  # or it was drawn by a version that did not note who has which sheet
            continue
        made.sheets = [one for one in made.sheets if one.get("student") != student.pk]
        for stored in made.sheets:
            if "students" in stored:
                stored["students"] = [key for key in stored["students"] if key != student.pk]
        made.pdf = made.key_pdf = b""
        if made.state == WorksheetSet.State.READY:
            made.state = WorksheetSet.State.QUEUED
        made.save(update_fields=["sheets", "pdf", "key_pdf", "state"])
        if made.state == WorksheetSet.State.QUEUED:
            _enqueue(made)


def _enqueue(made: WorksheetSet) -> None:
    ledger.enqueue(
        JOB, key=f"{JOB}:{made.pk}", arguments={"set": made.pk}, owner=made.created_by,
        subject=made, queue=KINDS[made.puzzle.kind].queue,
    )  # fmt: skip


def _lay_out(
    run: ledger.JobRun,
    worksheet_set: WorksheetSet,
    students: Sequence[User],
    planned: Sequence[_Sheet],
) -> bool:
    """Make and store the grids that the sheets need; False if the job gave way to others."""
    puzzle, is_own = worksheet_set.puzzle, worksheet_set.content == Content.OWN
    count = max((sheet.grid for sheet in planned), default=-1) + 1
    placements = placements_to_print(puzzle)
    size = sum(not one.is_bonus for one in placements)
    known: dict[int, Entry] = {}
    done = {stored.get("student") for stored in worksheet_set.sheets}
    missing: list[User | None] = [None] * (count - len(worksheet_set.sheets))
    if is_own:
        missing = [one for one in students if one.pk not in done]
    for student in missing:
        number = len(worksheet_set.sheets)
        run.report(5 + round(75 * min(number / count, 1)), _("Placing the words"))
        seed = Random(f"{worksheet_set.seed}:{number}").getrandbits(62)
        whose: dict[str, Any] = {}
        if student is not None:
            whose = {"student": student.pk}
            drawn = _of_own_words(puzzle, size, student, known, seed)
        elif number == 0:
            drawn = Drawn(puzzle, placements)
        else:
            unlike = [stored["grid"] for stored in worksheet_set.sheets]
            drawn = layouts.another_grid(puzzle, placements, seed, unlike)
        stored = layouts.as_json(drawn) | whose
        with run.holding():
            worksheet_set.sheets = [*worksheet_set.sheets, stored]
            worksheet_set.save(update_fields=["sheets"])
        if run.is_awaited() and run.yield_turn():
            return False
    run.report(85, _("Drawing the pages"))
    return True


def _of_own_words(
    puzzle: Puzzle, size: int, student: User, known: dict[int, Entry], seed: int
) -> Drawn:
    """Return a grid of what a student should review now; if that is too little, of the list's."""
    vocabulary_list = puzzle.vocabulary_list
    wanted = words_to_fill(
        student, vocabulary_list, puzzle.kind, timezone.now(), size, known
    )  # fmt: skip
    others: list[int] = []
    if len(wanted) < size:
        others = list(vocabulary_list.entries.values_list("pk", flat=True))
    return layouts.grid_of_words(puzzle, wanted, others, size, seed)


def _written(
    worksheet_set: WorksheetSet, students: Sequence[User], planned: Sequence[_Sheet]
) -> tuple[bytes, bytes]:
    """Return the sheets and their solutions as PDF."""
    puzzle, classroom = worksheet_set.puzzle, worksheet_set.classroom
    printing = Printing(**worksheet_set.printing)
    names = {student.pk: str(student) for student in students}
    grids = [layouts.from_json(puzzle, stored) for stored in worksheet_set.sheets]
    layouts.attach_entries([one for drawn in grids for one in drawn.placements])
    is_played = can_be_played(puzzle, classroom)
    data = {
        number: puzzle_data(
            drawn.puzzle,
            # Only a sheet with the same grid says where it can be played.
            printing
            if is_played and drawn.puzzle.grid == puzzle.grid
            else replace(printing, address=""),
            drawn.placements,
        )
        for number, drawn in enumerate(grids)
    }
    grid_of = _grid_of(worksheet_set)

    def of_sheet(sheet: _Sheet) -> PuzzleData:
        # Who left the class in the meantime must not leave their words to the next student.
        common = data[grid_of.get(sheet.student, sheet.grid)]
        return replace(
            common,
            printing=replace(
                common.printing,
                version=sheet.version,
                student=names.get(sheet.student or 0, ""),
                class_name=str(classroom or ""),
            ),
        )

    sheets = [of_sheet(sheet) for sheet in planned]
    title, language = puzzle.title, puzzle.vocabulary_list.language
    return (
        sets.write(sheets, is_key=False, title=title, language=language),
        sets.write(sheets, is_key=True, title=title, language=language),
    )


def give_up(job: Job) -> None:
    """Mark the set of a failed job as failed."""
    reason = message("It failed three times. The problem is on our side, not yours.")
    WorksheetSet.objects.filter(pk=job.arguments["set"], state=WorksheetSet.State.QUEUED).update(
        state=WorksheetSet.State.FAILED, reason=packed(reason)
    )


def resume(job: Job) -> None:
    """Mark the set of a failed job that is queued again as queued."""
    WorksheetSet.objects.filter(pk=job.arguments["set"], state=WorksheetSet.State.FAILED).update(
        state=WorksheetSet.State.QUEUED, reason=""
    )


def delete_set(*, worksheet_set: WorksheetSet) -> None:
    """Delete a set for good, with its files."""
    worksheet_set.delete()
    transaction.on_commit(forget_traces, robust=True)


def forget_old() -> int:
    """Delete the sets whose time is over; return how many."""
    old = WorksheetSet.objects.filter(created_at__lt=timezone.now() - KEPT)
    count = old.count()
    if count:
        old.delete()
        transaction.on_commit(forget_traces, robust=True)
    return count
