"""What students did on paper, as their teacher enters it: reviews like any others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.selectors import students_of
from puzzles.kinds import KINDS
from puzzles.making.downloads import placements_to_print, shown, shows_words
from puzzles.models import Placement, Puzzle, WorksheetSet
from puzzles.worksheets import layouts
from vocab.memory import reviews
from vocab.memory.rules import zone_of
from vocab.models import Entry, Review

# Of paper that is older nobody knows any more who was there.
MOST_DAYS_AGO = 14


@dataclass(frozen=True, slots=True)
class PaperWord:
    """A word on a sheet of paper, and what its finding shows; see `vocab.memory.evidence`."""

    entry: int
    term: str
    skill: Review.Skill


@dataclass(frozen=True, slots=True)
class Sheet:
    """A student and the words on their sheet; *is_saved* if its results were entered before."""

    student: User
    words: Sequence[PaperWord]
    is_saved: bool = False


@dataclass(frozen=True, slots=True)
class Saved:
    """What was stored: how many *answers* of how many *students*; of how many it was *before*."""

    students: int
    answers: int
    before: int


def sheets_of(
    puzzle: Puzzle,
    classroom: Classroom,
    day: date,
    worksheet_set: WorksheetSet | None = None,
    shows: str = "usual",
) -> list[Sheet]:
    """Return the students of a class with the words that they had on paper.

    These are the puzzle's, or of *worksheet_set*, in which each student has words of their own.
    *shows* is what the list on the paper showed. The number of queries is constant.
    """
    students = students_of(classroom)
    prefetch_related_objects(students, "school")  # which says when their day begins
    if worksheet_set is None:
        words = _words(puzzle, placements_to_print(puzzle), shows)
        own = dict.fromkeys((student.pk for student in students), words)
    else:
        own = {
            stored["student"]: _words(
                puzzle, [layouts.placement_from_json(word) for word in stored["words"]], shows
            )
            for stored in worksheet_set.sheets
        }
        there = set(
            Entry.everything.filter(
                pk__in={word.entry for words in own.values() for word in words}
            ).values_list("pk", flat=True)
        )
        own = {key: [one for one in words if one.entry in there] for key, words in own.items()}
    saved = _saved_of(puzzle, classroom, day, students)
    return [
        Sheet(student, own[student.pk], student.pk in saved)
        for student in students
        if own.get(student.pk)
    ]


def _words(puzzle: Puzzle, placements: Sequence[Placement], shows: str) -> list[PaperWord]:
    """Return the words of a sheet that are still in a list, each once, without bonus words."""
    kind = KINDS[puzzle.kind]
    in_view = shows_words(kind, puzzle, shows)
    words: dict[int, PaperWord] = {}
    for placement in placements:
        if placement.entry_id is None or placement.is_bonus:
            continue
        of_word = shown(kind, puzzle, placement, shows)
        is_asked = bool(of_word.clue or of_word.picture) and of_word.clue != placement.played
        skill = (
            Review.Skill.MEANING_TO_FORM
            if is_asked and not in_view and shows != "none"
            else Review.Skill.FORM
        )
        words.setdefault(placement.entry_id, PaperWord(placement.entry_id, placement.term, skill))
    return list(words.values())


def _source(puzzle: Puzzle, classroom: Classroom, day: date) -> str:
    """Return what the sources of all answers begin with that were entered for a class and day."""
    return f"paper:{puzzle.pk}:{classroom.pk}:{day.isoformat()}:"


def _saved_of(
    puzzle: Puzzle, classroom: Classroom, day: date, students: Collection[User]
) -> set[int]:
    """Return the students of whom results of this day were entered before."""
    noon = datetime.combine(day, time(12), zone_of(classroom.school))
    rows = Review.objects.filter(
        # What the index has of a student, so that no others are read.
        student__in=students,
        at__gt=noon - timedelta(days=1),
        at__lt=noon + timedelta(days=1),
        mode=Review.Mode.PAPER,
        source__startswith=_source(puzzle, classroom, day),
    )
    return set(rows.order_by().values_list("student", flat=True).distinct())


@transaction.atomic
def save_results(
    *,
    puzzle: Puzzle,
    classroom: Classroom,
    sheets: Sequence[Sheet],
    missed: Mapping[int, Collection[int]],
    absent: Collection[int],
    day: date,
) -> Saved:
    """Add what students did on paper to their reviews, all or nothing.

    Of *sheets*, those of *absent* students are left out. *missed* are the entries that a student,
    by id, did not know; all others they knew. A sheet counts once a day: of a student whose results
    of this puzzle, class and day were saved before, nothing is changed. *day* is one where the
    school is.
    """
    at = _moment_of(classroom, day)
    beginning = _source(puzzle, classroom, day)
    saved = _saved_of(puzzle, classroom, day, [sheet.student for sheet in sheets])
    present = [one for one in sheets if one.student.pk not in absent]
    students = answers = 0
    # In one order, so that two teachers who save at once wait for each other.
    for sheet in sorted(present, key=lambda one: one.student.pk):
        student = sheet.student
        if student.pk in saved:
            continue
        not_known = missed.get(student.pk, ())
        made = reviews.record(
            student=student,
            answers=[
                reviews.Given(
                    entry=word.entry,
                    term=word.term,
                    mode=Review.Mode.PAPER,
                    skill=word.skill,
                    outcome=Review.Outcome.WRONG
                    if word.entry in not_known
                    else Review.Outcome.RIGHT,
                    source=f"{beginning}{student.pk}:{word.entry}",
                    at=at,
                    is_free_practice=puzzle.is_free_practice,
                )
                for word in sheet.words
            ],
        )
        students += bool(made)
        answers += len(made)
    before = sum(one.student.pk in saved for one in present)
    return Saved(students, answers, before)


def _moment_of(classroom: Classroom, day: date) -> datetime:
    """Return when it was answered: now, or at noon of an earlier day."""
    zone = zone_of(classroom.school)
    now = timezone.localtime(timezone=zone)
    return now if day >= now.date() else datetime.combine(day, time(12), zone)
