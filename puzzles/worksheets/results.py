"""What students did on paper, as their teacher enters it: reviews like any others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from django.db import transaction
from django.db.models import QuerySet, prefetch_related_objects
from django.db.models.functions import Substr
from django.utils import timezone

from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.selectors import students_of
from puzzles.kinds import KINDS
from puzzles.making.downloads import placements_to_print, shown, shows_words
from puzzles.models import Assignment, Placement, PlaySession, Puzzle, WorksheetSet
from puzzles.worksheets import layouts
from vocab.memory import reviews
from vocab.memory.days import study_day
from vocab.memory.rules import zone_of
from vocab.models import Review

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
    """A student and the words on their sheet.

    *saved* are the days whose results were entered before, each with the words not known.
    """

    student: User
    words: Sequence[PaperWord]
    saved: Mapping[date, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Saved:
    """What was stored: how many *answers* of how many *students*; of how many it was *before*."""

    students: int
    answers: int
    before: int


def is_asked_again(puzzle: Puzzle, classroom: Classroom) -> bool:
    """Return whether words of the puzzle's list come back: only those of assigned lists do."""
    given = Assignment.objects.filter(classroom=classroom, is_draft=False)
    return given.filter(puzzle__vocabulary_list=puzzle.vocabulary_list_id).exists()


def assignments_on_screen(puzzle: Puzzle, classroom: Classroom) -> QuerySet[Assignment]:
    """Return how the class has to do this very puzzle on screen, if it has to."""
    given = Assignment.objects.filter(puzzle=puzzle, classroom=classroom, archived_at=None)
    return given.filter(is_adaptive=False, is_draft=False)


def sheets_of(
    puzzle: Puzzle,
    classroom: Classroom,
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
        placements = {
            stored["student"]: [layouts.placement_from_json(word) for word in stored["words"]]
            for stored in worksheet_set.sheets
        }
        layouts.attach_entries([one for words in placements.values() for one in words])
        own = {
            key: _words(puzzle, [one for one in words if one.entry], shows)
            for key, words in placements.items()
        }
    saved = _saved_of(_source(puzzle, classroom, worksheet_set), students)
    return [
        Sheet(student, own[student.pk], saved[student.pk])
        for student in students
        if own.get(student.pk)
    ]


def _words(puzzle: Puzzle, placements: Sequence[Placement], shows: str) -> list[PaperWord]:
    """Return the words of a sheet that still exist, each once, without bonus words."""
    kind = KINDS[puzzle.kind]
    in_view = shows_words(kind, puzzle, shows)
    words: dict[int, PaperWord] = {}
    for placement in placements:
        if placement.entry_id is None or placement.is_bonus:
            continue
        of_word = shown(kind, puzzle, placement, shows, is_drawn=False)
        is_asked = bool(of_word.clue or of_word.picture) and of_word.clue != placement.played
        skill = (
            Review.Skill.MEANING_TO_FORM
            if is_asked and not in_view and shows != "none"
            else Review.Skill.FORM
        )
        words.setdefault(placement.entry_id, PaperWord(placement.entry_id, placement.term, skill))
    return list(words.values())


def _source(puzzle: Puzzle, classroom: Classroom, worksheet_set: WorksheetSet | None) -> str:
    """Return what the sources of all answers begin with; the day follows.

    A student's own words are on another sheet of paper than the words of the puzzle.
    """
    if worksheet_set is not None:
        return f"paper-set:{worksheet_set.pk}:{classroom.pk}:"
    return f"paper:{puzzle.pk}:{classroom.pk}:"


def _saved_of(
    beginning: str, students: Collection[User]
) -> defaultdict[int, dict[date, list[str]]]:
    """Return, for each student, the days of which results can be and were entered before.

    These have a source with this *beginning*. With each day are the words not known, in order.
    """
    rows = Review.objects.filter(
        # What the index has of a student, so that no others are read.
        student__in=students,
        at__gt=timezone.now() - timedelta(days=MOST_DAYS_AGO + 2),
        mode=Review.Mode.PAPER,
        source__startswith=beginning,
    )
    day = Substr("source", len(beginning) + 1, len("2000-01-01"))
    saved: defaultdict[int, dict[date, list[str]]] = defaultdict(dict)
    for student, text in sorted(rows.order_by().values_list("student", day).distinct()):
        saved[student][date.fromisoformat(text)] = []
    wrong = rows.filter(outcome=Review.Outcome.WRONG).order_by("pk")
    for student, text, term in wrong.values_list("student", day, "word"):
        saved[student][date.fromisoformat(text)].append(term)
    return saved


@transaction.atomic
def save_results(
    *,
    puzzle: Puzzle,
    classroom: Classroom,
    sheets: Sequence[Sheet],
    missed: Mapping[int, Collection[int]],
    absent: Collection[int],
    day: date,
    worksheet_set: WorksheetSet | None = None,
    is_excused: bool = False,
) -> Saved:
    """Add what students did on paper to their reviews, all or nothing.

    Of *sheets*, those of *absent* students are left out. *missed* are the entries that a student,
    by id, did not know; all others they knew. A sheet counts once a day: of a student whose results
    of this puzzle, class and day were saved before, nothing is changed. Sheets of the students' own
    words, of *worksheet_set*, count by themselves. *day* is one where the school is. If
    *is_excused*, who has not finished the puzzle on screen is excused from doing it there as well.
    """
    at = _moment_of(classroom, day)
    # Two teachers who save at once wait for each other.
    list(Classroom.objects.select_for_update(no_key=True).filter(pk=classroom.pk))
    source = _source(puzzle, classroom, worksheet_set)
    saved = _saved_of(source, [sheet.student for sheet in sheets])
    present = [one for one in sheets if one.student.pk not in absent]
    new = [one for one in present if day not in saved[one.student.pk]]
    students = answers = 0
    # In one order, so that nobody waits for each other in a circle.
    for sheet in sorted(new, key=lambda one: one.student.pk):
        student = sheet.student
        not_known = missed.get(student.pk, ())
        made = reviews.record(
            student=student,
            answers=[
                reviews.GivenAnswer(
                    entry=word.entry,
                    term=word.term,
                    mode=Review.Mode.PAPER,
                    skill=word.skill,
                    outcome=Review.Outcome.WRONG
                    if word.entry in not_known
                    else Review.Outcome.RIGHT,
                    source=f"{source}{day.isoformat()}:{student.pk}:{word.entry}",
                    at=at,
                    is_free_practice=puzzle.is_free_practice,
                )
                for word in sheet.words
            ],
        )
        students += bool(made)
        answers += len(made)
    if is_excused:
        _excuse(puzzle, classroom, [sheet.student for sheet in present])
    return Saved(students, answers, before=len(present) - len(new))


def _excuse(puzzle: Puzzle, classroom: Classroom, students: Collection[User]) -> None:
    """Excuse those who have not finished the puzzle from having to do it on screen."""
    sessions = PlaySession.objects.filter(puzzle=puzzle, student__in=students)
    done = set(sessions.filter(finished_at__isnull=False).values_list("student", flat=True))
    for assignment in assignments_on_screen(puzzle, classroom):
        assignment.excused.add(*(student for student in students if student.pk not in done))


def today_of(classroom: Classroom) -> date:
    """Return the day of study where the school is: a late evening belongs to it."""
    return study_day(timezone.now(), zone_of(classroom.school))


def _moment_of(classroom: Classroom, day: date) -> datetime:
    """Return when it was answered: now, or at noon of an earlier day."""
    zone = zone_of(classroom.school)
    return (
        timezone.localtime(timezone=zone)
        if day >= today_of(classroom)
        else datetime.combine(day, time(12), zone)
    )
