"""Switch a class's puzzle of the day on, make it, let a student begin it, forget old ones."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.selectors import students_of
from puzzles.access import Moment
from puzzles.daily import rules
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.models import Assignment, DailyPuzzle, PlaySession, Puzzle
from puzzles.play import services as play
from puzzles.practice import plan
from puzzles.practice.services import fitting_settings
from puzzles.withheld import Waiting
from vocab.entries.selectors import blocked_words
from vocab.memory.days import begins_at, study_day
from vocab.memory.rules import zone_of
from vocab.models import Entry, StudyDay, VocabularyList, WordProgress

# Of the words of a list, so many are looked at whether a kind can ask them.
_MOST_LOOKED_AT = 60


class NothingToday(ValidationError):
    """There are too few words for a puzzle of the day."""


@dataclass(frozen=True, slots=True)
class _Choice:
    vocabulary_list: VocabularyList
    kind: str
    entries: list[Entry]


def switch(*, classroom: Classroom, is_on: bool, actor: User) -> None:
    """Switch the puzzle of the day of a class on or off; who has begun one can finish it.

    A class whose teachers switched it off is not offered it any more.
    """
    classroom.has_daily_puzzle = is_on
    classroom.is_daily_puzzle_declined = not is_on
    classroom.save(update_fields=["has_daily_puzzle", "is_daily_puzzle_declined"])
    audit.record(actor, "changed class", classroom)


def day_of(classroom: Classroom, at: datetime) -> date:
    """Return the day of study at a moment where the class is."""
    return study_day(at, zone_of(classroom.school))


def begin(*, classroom: Classroom, person: User, at: datetime) -> Puzzle:
    """Return the class's puzzle of the day for *person* to play; make it for the first to ask.

    A student's game begins with it: they may finish it later. Raises ValidationError if there are
    too few words, or if an assignment still asks this student for one of them.
    """
    puzzle = puzzle_of(classroom, day_of(classroom, at)) or _make(classroom, at)
    if person.is_student and not puzzle.sessions.filter(student=person).exists():
        hidden = Waiting(Moment(person, at)).of_assignments
        if hidden.intersection(puzzle.entries):
            raise ValidationError(
                _("First solve the puzzles that your teacher assigned: they ask for these words.")
            )
        play.open_session(puzzle=puzzle, student=person)
    return puzzle


def puzzle_of(classroom: Classroom, day: date) -> Puzzle | None:
    """Return the puzzle of a class's day, if it was made and is not in the bin with its list."""
    return Puzzle.objects.filter(daily__classroom=classroom, daily__day=day).first()


def forget_old() -> int:
    """Delete puzzles of days long past, with the games; what was learned stays. Return how many."""
    old = DailyPuzzle.objects.filter(until__lt=timezone.now() - rules.KEPT_FOR)
    count = old.count()
    old.delete()
    return count


def _make(classroom: Classroom, at: datetime) -> Puzzle:
    day = day_of(classroom, at)
    choice = _choose(classroom, day, at)
    if choice is None:
        raise NothingToday(
            _("Too few words are left for a puzzle today: the others are in open assignments.")
        )
    with transaction.atomic():
        # Of two students who are the first, the constraint lets one pass; the other waits for it.
        of_day, _is_new = DailyPuzzle.objects.get_or_create(
            classroom=classroom,
            day=day,
            defaults={"until": begins_at(day + timedelta(days=1), zone_of(classroom.school))},
        )
        DailyPuzzle.objects.select_for_update().get(pk=of_day.pk)
        made = Puzzle.everything.filter(daily=of_day).first()
        if made is not None:
            if made.deleted_at is not None:
                raise NothingToday(_("Today’s puzzle is not available any more."))
            return made
        puzzle = making.request_puzzle(
            vocabulary_list=choice.vocabulary_list,
            kind=choice.kind,
            created_by=_owner(classroom),
            settings=fitting_settings(
                choice.kind,
                len(choice.entries),
                max(len(entry.tiles) for entry in choice.entries),
            ),
            seed=rules.seed_of(classroom.pk, day),
            entries=[entry.pk for entry in choice.entries],
        )
        puzzle.daily = of_day
        puzzle.save(update_fields=["daily"])
        return puzzle


def _owner(classroom: Classroom) -> User:
    """Return the teacher whose class it is: the owner, or else the first who teaches it."""
    teachers = Membership.objects.filter(classroom=classroom).exclude(role=Membership.Role.STUDENT)
    places = list(teachers.order_by("pk").select_related("user"))
    places.sort(key=lambda place: place.role != Membership.Role.OWNER)
    if not places:
        raise NothingToday(_("This class has no teacher any more."))
    return places[0].user


def _choose(classroom: Classroom, day: date, at: datetime) -> _Choice | None:
    """Return what the class is asked on a day: of one list, by the kind whose turn it is.

    If that kind can ask too few words of every list, it is the next kind's turn.
    """
    students, lists = students_of(classroom), _lists_of(classroom, at)
    if not students or not lists:
        return None
    hidden = _hidden(students, at)
    choice = _choice_without(set().union(*hidden.values()), classroom, day, students, lists)
    if choice is None:
        # One student who never comes would keep it from all others. `begin` keeps these words from
        # whoever is away until they have solved what asks for them.
        here = _here(students, day)
        hidden_here = set().union(*(hidden[one] for one in here))
        choice = _choice_without(hidden_here, classroom, day, students, lists) if here else None
    return choice


def _choice_without(
    hidden: set[int],
    classroom: Classroom,
    day: date,
    students: Collection[User],
    lists: Collection[VocabularyList],
) -> _Choice | None:
    rng = Random(rules.seed_of(classroom.pk, day))
    wanted = _wanted(lists, students, hidden, rng)
    lists = rng.sample(list(lists), len(lists))
    for kind in rules.kinds_of(classroom.pk, day, list(KINDS)):
        for one in lists:
            entries = _askable(kind, one, wanted[one.pk])
            if len(entries) >= max(rules.FEWEST, KINDS[kind].fewest_words):
                return _Choice(one, kind, entries)
    return None


def _lists_of(classroom: Classroom, at: datetime) -> list[VocabularyList]:
    """Return the lists of which the class has had assignments."""
    given = Assignment.objects.filter(classroom=classroom, is_draft=False).exclude(opens_at__gt=at)
    return list(
        VocabularyList.objects.filter(pk__in=given.values("puzzle__vocabulary_list")).order_by("pk")
    )


def _hidden(students: Collection[User], at: datetime) -> dict[int, set[int]]:
    """Return the words that an assignment still asks each of these students for.

    Each student is looked at alone, so that the rule is that of `puzzles.withheld` and no other: a
    handful of statements a student, once a day for a class.
    """
    return {student.pk: Waiting(Moment(student, at)).of_assignments for student in students}


def _here(students: Collection[User], day: date) -> set[int]:
    """Return the students who have answered anything lately."""
    lately = StudyDay.objects.filter(student__in=students, day__gt=day - rules.AWAY_AFTER)
    return set(lately.values_list("student", flat=True))


def _wanted(
    lists: Collection[VocabularyList],
    students: Collection[User],
    hidden: set[int],
    rng: Random,
) -> dict[int, list[int]]:
    """Return the words of each list that may be asked, the most wanted first."""
    of_lists = Entry.objects.filter(vocabulary_list__in=lists).order_by()
    met = dict(
        WordProgress.objects.filter(student__in=students, entry__vocabulary_list__in=lists)
        .order_by()
        .values_list("entry")
        .annotate(Count("pk"))
    )
    met_by: dict[int, dict[int, int]] = {one.pk: {} for one in lists}
    for key, its_list in of_lists.values_list("pk", "vocabulary_list"):
        if key not in hidden:
            met_by[its_list][key] = met.get(key, 0)
    return {
        key: rules.most_wanted(words, len(students), rng)[:_MOST_LOOKED_AT]
        for key, words in met_by.items()
    }


def _askable(kind: str, vocabulary_list: VocabularyList, keys: list[int]) -> list[Entry]:
    """Return the words for a puzzle of this kind: the most wanted that it can ask."""
    settings = KINDS[kind].default_settings()
    blocked = blocked_words(vocabulary_list)
    fit, _left_out = making.usable(
        plan.askable(kind, plan.entries_to_ask(keys)), KINDS[kind].why_not, settings, blocked
    )
    return fit[: rules.SIZE]


def session_of(puzzle: Puzzle, person: User) -> PlaySession | None:
    """Return the person's game of a puzzle of the day."""
    return puzzle.sessions.filter(student=person).order_by("number").first()
