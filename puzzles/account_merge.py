"""Merge what two accounts of a student played; of two sessions of an attempt keep the fuller."""

from __future__ import annotations

from typing import Any

from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.privacy.services import Given, give, give_back
from puzzles.models import Assignment, Nickname, PlaySession, Puzzle, RefusedStatement

# A number that no attempt has, while two sessions change places.
_ASIDE = 10_000


def merge(kept: User, gone: User) -> Given:
    """Move sessions, nicknames and puzzles from *gone* to *kept*."""
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
    named = Nickname.objects.filter(student=kept).values_list("classroom", flat=True)
    nicknames = Nickname.objects.filter(student=gone).exclude(classroom__in=list(named))
    names = list(nicknames.values_list("pk", flat=True))
    give_back(Nickname, "student", names, kept, gone)
    # An assignment for which nobody is chosen any more would be the whole class's.
    chosen = [
        assignment.pk
        for assignment in Assignment.everything.filter(chosen_students=gone)
        if not assignment.chosen_students.filter(pk=kept.pk).exists()
    ]
    for assignment in Assignment.everything.filter(pk__in=chosen):
        assignment.chosen_students.add(kept)
    return {
        "sessions": sessions,
        "swapped": swapped,
        "nicknames": names,
        "chosen": chosen,
        "refused": give(RefusedStatement, "student", gone, kept),
        # Those in the bin too: they come back with their list.
        "puzzles": give(Puzzle, "created_by", gone, kept),
    }


def split(kept: User, gone: User, given: Given) -> None:
    """Give *gone* back its sessions, nicknames and puzzles."""
    give_back(PlaySession, "student", given["sessions"], gone, kept)
    for one, two in given["swapped"]:
        pair = PlaySession.objects.filter(pk__in=[one, two])
        got, gave = pair.filter(student=kept).first(), pair.filter(student=gone).first()
        if got and gave:
            _swap(got, gave)
    give_back(Nickname, "student", given["nicknames"], gone, kept)
    for assignment in Assignment.everything.filter(pk__in=given["chosen"], chosen_students=gone):
        assignment.chosen_students.remove(kept)
    give_back(RefusedStatement, "student", given["refused"], gone, kept)
    give_back(Puzzle, "created_by", given["puzzles"], gone, kept)


def _swap(one: PlaySession, two: PlaySession) -> None:
    """Exchange the students of two sessions of the same attempt at a puzzle."""
    first, second, number = one.student, two.student, one.number
    PlaySession.objects.filter(pk=two.pk).update(student=first, number=number + _ASIDE)
    PlaySession.objects.filter(pk=one.pk).update(student=second)
    PlaySession.objects.filter(pk=two.pk).update(number=number)
