"""What pages and API show of puzzles: shapes ready to be rendered, read in few queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import Classroom, Membership, User
from puzzles import assignments
from puzzles.access import given_to, is_open_at
from puzzles.kinds import KINDS
from puzzles.models import Assignment, Find, Placement, PlaySession, Puzzle
from puzzles.play import SOLVED, was_text_shown
from vocab import pronunciation
from vocab.text import alphabet_for, direction, keyboard_for, word_lengths


def play_state(session: PlaySession) -> dict[str, Any]:
    """Return what a player may know of a session: the grid, the clues, and what was found.

    An item carries its term and cells only once it is found or shown, or the session is over.
    """
    puzzle = session.puzzle
    vocabulary_list = puzzle.vocabulary_list
    kind = KINDS[puzzle.kind]
    placements = list(puzzle.placements.select_related("entry"))
    finds = list(session.finds.all())
    items = [item_state(session, placement, finds) for placement in placements]
    rows = kind.public_grid(puzzle)
    return {
        "session": {
            "id": str(session.pk),
            "state": "finished" if session.finished_at else "playing",
            "read_only": False,
        },
        "puzzle": {
            "code": puzzle.code,
            "kind": puzzle.kind,
            "title": puzzle.title,
            "subtitle": str(kind.name),
            "language": vocabulary_list.language,
            "direction": direction(vocabulary_list.language),
            "translation_language": (vocabulary_list.translation_languages or [""])[0],
            "rows": len(rows),
            "cols": len(rows[0]) if rows else 0,
            "grid": rows,
            "settings": puzzle.settings
            | {
                "alphabet": (alphabet_for if kind.shows_letters else keyboard_for)(
                    [placement.tiles for placement in placements],
                    vocabulary_list.language,
                    digraphs=vocabulary_list.uses_digraphs,
                )
            },
        },
        "items": items,
        "draft": session.draft,
        "found": session.found_count,
        "total": len(placements),
        "attempts_made": puzzle.attempts,
        "summary": summary(session, placements, finds) if session.finished_at else None,
    }


def item_state(session: PlaySession, placement: Placement, finds: list[Find]) -> dict[str, Any]:
    """Return one word of the puzzle as its player may know it."""
    puzzle = session.puzzle
    kind = KINDS[puzzle.kind]
    mine = [find for find in finds if find.placement_id == placement.pk]
    is_found = any(find.outcome == Find.Outcome.FOUND for find in mine)
    is_open = (
        is_found
        or session.finished_at is not None
        or any(find.outcome == Find.Outcome.REVEALED for find in mine)
    )
    language = puzzle.vocabulary_list.language
    has_sound = pronunciation.is_speakable(language, placement.entry_id)
    is_heard = kind.is_heard(puzzle.settings)
    has_clue_sound = has_sound and (is_heard or is_open)
    text = kind.clue(placement, puzzle.settings)
    note = None
    if is_heard and text is None and not has_sound:
        text = kind.clue_without_sound(placement, puzzle.settings)
        note = _("No sound for this word: its text is shown.")
    elif is_heard and text is None and was_text_shown(mine):
        text = kind.clue_without_sound(placement, puzzle.settings)
        note = _("Sound is off: the text is shown.")
    item: dict[str, Any] = {
        "id": placement.slot,
        "clue": {
            "text": text,
            "language": language
            if text in (placement.term, placement.sentence, placement.hint)
            else (puzzle.vocabulary_list.translation_languages or [""])[0],
            "sound": sound_url(puzzle, placement) if has_clue_sound else None,
            "slow_sound": sound_url(puzzle, placement, slow=True) if has_clue_sound else None,
            "note": note,
            "picture": picture_url(puzzle, placement)
            if is_open or kind.shows_picture(puzzle.settings)
            else None,
        },
        "length": []
        if is_heard and kind.shows_letters and text is None and not is_open  # only heard yet
        else list(
            word_lengths(placement.term, language, digraphs=puzzle.vocabulary_list.uses_digraphs)
        ),
        "found": is_found,
        "revealed": is_open and not is_found,
        "term": placement.term if is_open else None,
        "translations": placement.translations if is_open else [],
        "cells": placement.cells if is_open else None,
    }
    if placement.number is not None:
        item |= {
            "number": placement.number,
            "direction": placement.direction,
            "start": placement.cells[0],
        }
        if is_open:
            item["tiles"] = placement.tiles
    return item


def sound_url(puzzle: Puzzle, placement: Placement, *, slow: bool = False) -> str:
    """Return the address of a word's sound.

    It names the slot, which tells nothing, and the version of the list's sounds, so that what a
    teacher changed is heard in spite of what browsers keep.
    """
    address = reverse("api:play-sound", args=[puzzle.code, placement.slot])
    version = puzzle.vocabulary_list.sounds_version
    return f"{address}?v={version}" + ("&slow=1" if slow else "")


def picture_url(puzzle: Puzzle, placement: Placement) -> str | None:
    """Return the address of a word's picture, or None. It tells as little as that of its sound."""
    version = placement.entry.picture_version if placement.entry else ""
    if not version:
        return None
    return f"{reverse('api:play-picture', args=[puzzle.code, placement.slot])}?v={version}"


def summary(session: PlaySession, placements: list[Placement], finds: list[Find]) -> dict[str, Any]:
    """Return what was learned and what to practise, for the end of a session."""
    assert session.finished_at is not None  # noqa: S101  (callers ask only then)
    learned, practise = [], []
    language = session.puzzle.vocabulary_list.language
    for placement in placements:
        outcomes = [find.outcome for find in finds if find.placement_id == placement.pk]
        hints, wrong = outcomes.count(Find.Outcome.HINT), outcomes.count(Find.Outcome.WRONG)
        word = {
            "term": placement.term,
            "translations": placement.translations,
            "sound": sound_url(session.puzzle, placement)
            if pronunciation.is_speakable(language, placement.entry_id)
            else None,
            "picture": picture_url(session.puzzle, placement),
            "hints": hints,
            "wrong": wrong,
        }
        is_found = Find.Outcome.FOUND in outcomes
        if is_found:
            learned.append(word)
        if not is_found or hints or wrong:
            practise.append(word)
    seconds = round((session.finished_at - session.started_at).total_seconds())
    message = (
        _("Every word found. Well done!")
        if len(learned) == len(placements)
        else _("%(found)s of %(total)s words found.")
        % {"found": len(learned), "total": len(placements)}
    )
    left = assignments.tries_left(session)
    return {
        "seconds": seconds,
        "learned": learned,
        "practise": practise,
        "message": message,
        "again": {"url": reverse("play-again", args=[session.puzzle.code]), "left": left}
        if left
        else None,
    }


@dataclass(frozen=True, slots=True)
class PupilProgress:
    """How one pupil of a class stands with one puzzle."""

    pupil: User
    session: PlaySession | None
    found: list[str]
    missing: list[str]

    @property
    def state(self) -> str:
        if self.session is None:
            return "not started"
        return "done" if self.session.finished_at else "in progress"


def progress_of_class(puzzle: Puzzle, classroom: Classroom) -> list[PupilProgress]:
    """Return who of the class found what, pupils in the order of their names."""
    pupils = User.objects.filter(
        memberships__classroom=classroom, memberships__role=Membership.Role.STUDENT
    ).order_by("display_name", "pk")
    sessions = {
        session.student_id: session
        for session in PlaySession.objects.filter(puzzle=puzzle, student__in=pupils).order_by(
            "number"
        )
    }
    terms = dict(puzzle.placements.values_list("pk", "term"))
    found: dict[Any, set[int]] = {}
    for session_id, placement_id in Find.objects.filter(
        session__in=sessions.values(), outcome=Find.Outcome.FOUND
    ).values_list("session", "placement"):
        if placement_id is not None:
            found.setdefault(session_id, set()).add(placement_id)
    progress = []
    for pupil in pupils:
        session = sessions.get(pupil.pk)
        got = found.get(session.pk, set()) if session else set()
        progress.append(
            PupilProgress(
                pupil,
                session,
                [term for key, term in terms.items() if key in got],
                [term for key, term in terms.items() if key not in got],
            )
        )
    return progress


@dataclass(frozen=True, slots=True)
class ToDo:
    """An assignment as its pupil sees it: how far they are in their last try."""

    assignment: Assignment
    session: PlaySession | None
    total: int
    solved: int

    @property
    def code(self) -> str | None:
        """The code of what is played; None of an adaptive one that was not begun."""
        if self.assignment.is_adaptive:
            return self.session.puzzle.code if self.session else None
        return self.assignment.puzzle.code

    @property
    def is_finished(self) -> bool:
        return self.session is not None and self.session.finished_at is not None

    @property
    def tries_left(self) -> int:
        return self.assignment.tries - (self.session.number if self.session else 0)


def assignments_of_student(student: User) -> list[ToDo]:
    """Return what the student was given and is open, newest first, in constantly many queries."""
    given = list(
        given_to(student)
        .filter(is_open_at(timezone.now()), puzzle__state=Puzzle.State.READY)
        .exclude(excused=student)
        .select_related("puzzle", "classroom")
        .defer("puzzle__grid", "puzzle__unplaced")
        .order_by("-created_at", "-pk")
    )
    own = dict(
        Puzzle.objects.filter(adapted_for__in=given, created_by=student).values_list(
            "adapted_for", "pk"
        )
    )
    played = {one.pk: own.get(one.pk) if one.is_adaptive else one.puzzle_id for one in given}
    sessions = {  # the last try of each puzzle
        session.puzzle_id: session
        for session in PlaySession.objects.filter(
            puzzle__in=[puzzle for puzzle in played.values() if puzzle], student=student
        )
        .select_related("puzzle")
        .defer("draft", "puzzle__grid", "puzzle__unplaced")
        .order_by("number")
    }
    totals = dict(
        Placement.objects.filter(puzzle__in=played.values())
        .order_by()
        .values_list("puzzle")
        .annotate(Count("pk"))
    )
    solved = dict(
        Find.objects.filter(session__in=sessions.values(), outcome__in=SOLVED)
        .order_by()
        .values_list("session__puzzle")
        .annotate(Count("placement", distinct=True))
    )
    todo = []
    for assignment in given:
        puzzle = played[assignment.pk] or 0
        todo.append(
            ToDo(assignment, sessions.get(puzzle), totals.get(puzzle, 0), solved.get(puzzle, 0))
        )
    return todo
