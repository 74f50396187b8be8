"""What becomes of a student's puzzles when accounts are merged or erased."""

from __future__ import annotations

from typing import Any

from django.db.models import Model
from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.privacy.services import MovedRows, give, give_back
from puzzles.models import (
    Assignment,
    CompleteList,
    LtiGrade,
    LtiPerson,
    Nickname,
    OwnGoal,
    PlaySession,
    Puzzle,
    RefusedStatement,
)

# A number that no attempt has, while two sessions change places.
_ASIDE = 10_000


def merge(kept: User, gone: User) -> MovedRows:
    """Move sessions, nicknames and puzzles from *gone* to *kept*.

    Of two sessions of an attempt, *kept* gets the one in which more was found.
    """
    own = {
        (session.puzzle_id, session.number): session
        for session in PlaySession.objects.filter(student=kept)
    }
    sessions: list[Any] = []
    swapped: list[Any] = []
    for session in PlaySession.objects.filter(student=gone):
        other = own.get((session.puzzle_id, session.number))
        if other is None:
            PlaySession.objects.filter(pk=session.pk).update(student=kept)
            sessions.append(str(session.pk))
        elif other.found_count < session.found_count:
            _swap(session, other)
            swapped.append([str(session.pk), str(other.pk)])
    goals: list[int] = []
    if not OwnGoal.objects.filter(student=kept).exists():
        goals = give(OwnGoal, "student", gone, kept)
    # An assignment for which nobody is chosen any more would be the whole class's.
    chosen = Assignment.everything.filter(chosen_students=gone).exclude(chosen_students=kept)
    assignments = list(chosen.values_list("pk", flat=True))
    for assignment in Assignment.everything.filter(pk__in=assignments):
        assignment.chosen_students.add(kept)
    return {
        "sessions": sessions,
        "swapped": swapped,
        "nicknames": _give_missing(Nickname, gone, kept, "classroom"),
        "goals": goals,
        "complete": _give_missing(CompleteList, gone, kept, "vocabulary_list", "level"),
        "assignments": assignments,
        "lti_people": give(LtiPerson, "user", gone, kept),
        # Of two grades for an activity, the next attempt decides.
        "lti_grades": _give_missing(LtiGrade, gone, kept, "link"),
        "refused": give(RefusedStatement, "student", gone, kept),
        "puzzles": give(Puzzle, "created_by", gone, kept),
    }


def split(kept: User, gone: User, given: MovedRows) -> None:
    """Give *gone* back its sessions, nicknames and puzzles."""
    give_back(PlaySession, "student", given["sessions"], gone, kept)
    for one, two in given["swapped"]:
        pair = PlaySession.objects.filter(pk__in=[one, two])
        got, gave = pair.filter(student=kept).first(), pair.filter(student=gone).first()
        if got and gave:
            _swap(got, gave)
    give_back(Nickname, "student", given["nicknames"], gone, kept)
    give_back(OwnGoal, "student", given.get("goals", []), gone, kept)
    give_back(CompleteList, "student", given.get("complete", []), gone, kept)
    give_back(LtiPerson, "user", given.get("lti_people", []), gone, kept)
    give_back(LtiGrade, "student", given.get("lti_grades", []), gone, kept)
    give_back(RefusedStatement, "student", given["refused"], gone, kept)
    give_back(Puzzle, "created_by", given["puzzles"], gone, kept)
    for assignment in Assignment.everything.filter(pk__in=given["assignments"]):
        assignment.chosen_students.remove(kept)


def _give_missing(model: type[Model], gone: User, kept: User, *fields: str) -> list[int]:
    """Give *kept* the rows of *gone* that equal none of its own in *fields*; return their ids."""
    rows = model._default_manager.order_by("pk")
    own = set(rows.filter(student=kept).values_list(*fields))
    of_gone = rows.filter(student=gone).values_list("pk", *fields)
    missing = [pk for pk, *key in of_gone if tuple(key) not in own]
    give_back(model, "student", missing, kept, gone)
    return missing


def archive_for_nobody(gone: User) -> None:
    """Archive the assignments that only *gone* has: without them they would be the whole class's.

    “Nobody chosen” means the whole class.
    """
    for assignment in Assignment.everything.filter(chosen_students=gone, archived_at=None):
        if assignment.chosen_students.count() == 1:
            assignment.archived_at = timezone.now()
            assignment.save(update_fields=["archived_at"])


def _swap(one: PlaySession, two: PlaySession) -> None:
    """Exchange the students of two sessions of the same attempt at a puzzle."""
    first, second, number = one.student, two.student, one.number
    PlaySession.objects.filter(pk=two.pk).update(student=first, number=number + _ASIDE)
    PlaySession.objects.filter(pk=one.pk).update(student=second)
    PlaySession.objects.filter(pk=two.pk).update(number=number)
