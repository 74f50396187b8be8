"""Playing: open a session, submit moves, take hints, finish.

Each call checks and acts under a lock on the session's row. In addition, unique constraints
ensure that a move counts once and a word is found once, even with concurrent requests.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts.models import User
from puzzles.generators.grid import Cell
from puzzles.kinds import KINDS
from puzzles.kinds.base import MoveRefused, SentMove, Verdict, cells_of
from puzzles.models import Move, Placement, PlaySession, Puzzle
from puzzles.untold import SOLVED
from vocab.memory import reviews
from vocab.models import Review
from vocab.sounds import playback

# Trying cells without limit would find every word; a student who guesses is slower than this.
MOST_WRONG_MOVES = 30
# Checking a whole crossword takes one check per word, and each is recorded as help.
MOST_WRONG_CHECKS = 150
WRONG_MOVES_WITHIN = timedelta(minutes=1)
HINTS = ("first_cell", "letter", "word", "text")


class SessionFinished(Exception):
    """The session is finished; no more moves count."""


class TooFast(Exception):
    """Too many wrong moves in a short time: a program, or a student trying everything."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(
            ngettext(
                "Too many wrong answers in a short time. Wait %(count)s second, then continue. "
                "Nothing is lost.",
                "Too many wrong answers in a short time. Wait %(count)s seconds, then continue. "
                "Nothing is lost.",
                seconds,
            )
            % {"count": seconds}
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a move for the student."""

    outcome: str
    session: PlaySession
    placement: Placement | None = None
    wrong_cells: tuple[Cell, ...] = ()
    accent_cells: tuple[Cell, ...] = ()
    asked_for: str | None = None  # the slot of the word that the student was looking for

    @property
    def note(self) -> str | None:
        """Return the message about accents in a correct answer, if the list is set to show it."""
        if not self.accent_cells:
            return None
        if self.placement is not None:
            return _("Check the accents: %(word)s.") % {"word": self.placement.term}
        count = len(self.accent_cells)
        return ngettext(
            "%(count)s letter needs a different accent.",
            "%(count)s letters need a different accent.",
            count,
        ) % {"count": count}

    @property
    def message(self) -> str:
        if self.outcome == "checked":
            if not self.wrong_cells:
                return _("All correct so far.")
            count = len(self.wrong_cells)
            return ngettext("%(count)s letter is wrong.", "%(count)s letters are wrong.", count) % {
                "count": count
            }
        if self.outcome == "wrong" or self.placement is None:
            return _("That word is not in this puzzle. Try again.")
        if self.outcome == "already":
            return _("You have already found %(word)s.") % {"word": self.placement.term}
        if self.asked_for not in (None, self.placement.slot):
            return _("Found: %(word)s. The word you chose sounds the same. Find that one too.") % {
                "word": self.placement.term
            }
        return _("Found: %(word)s.") % {"word": self.placement.term}


@dataclass(frozen=True, slots=True)
class Hint:
    """The part of an answer that was requested."""

    placement: Placement
    cells: tuple[Cell, ...]
    tiles: tuple[str, ...]
    session: PlaySession


def open_session(*, puzzle: Puzzle, student: User) -> PlaySession:
    """Return the student's last session of this puzzle, or start the first."""
    last = puzzle.sessions.filter(student=student).order_by("-number").first()
    if last is None:
        number = 1
        if puzzle.adapted_for_id is not None:  # each attempt at such an assignment has its puzzle
            earlier = PlaySession.objects.filter(
                student=student, puzzle__adapted_for=puzzle.adapted_for_id
            )
            number += earlier.count()
        last, _created = PlaySession.objects.get_or_create(
            puzzle=puzzle, student=student, number=number
        )
    return last


def record_move(
    *,
    session: PlaySession,
    move_id: uuid.UUID,
    move: SentMove,
    latency_ms: int | None = None,
    answered_at: datetime | None = None,
) -> Answer:
    """Judge a move by the stored placements and record it.

    *answered_at* is the device's time, for moves that waited on it for a connection. The same
    *move_id* again returns the same answer and counts once. Raises MoveRefused for an invalid move,
    SessionFinished if the session is finished, and TooFast after many wrong moves: the same move
    may be sent again later.
    """
    with transaction.atomic():
        session = _locked(session)
        # Two devices may send at once, or one may repeat a request whose response was lost. Thanks
        # to the lock, the second request finds the move that the first recorded.
        earlier = session.moves.filter(client_id=move_id).select_related("placement").first()
        if earlier is not None:
            return _same_answer(session, earlier)
        if session.finished_at is not None:
            raise SessionFinished
        _hold_back(session)
        placements = list(session.puzzle.placements.select_related("entry"))
        verdict = KINDS[session.puzzle.kind].judge(
            replace(move, was_heard=_was_heard(session, move.slot)), placements, session.puzzle
        )
        if verdict.placement is None:
            _record_miss(session, move_id, move, verdict, placements, latency_ms)
            return Answer(
                "checked" if verdict.is_check else "wrong",
                session,
                wrong_cells=verdict.wrong_cells,
                accent_cells=verdict.accent_cells if verdict.is_check else (),
            )
        if session.moves.filter(placement=verdict.placement, outcome__in=SOLVED).exists():
            return Answer("already", session, verdict.placement, asked_for=move.slot)
        _record_found(session, move_id, move, verdict, latency_ms)
        at = _when(session, answered_at)
        _remember(session, [verdict.placement], at, latency_ms=latency_ms)
        _count_solved(session, found=1, total=len(placements))
        return Answer(
            "found",
            session,
            verdict.placement,
            accent_cells=verdict.accent_cells,
            asked_for=move.slot,
        )


def _record_miss(
    session: PlaySession,
    move_id: uuid.UUID,
    move: SentMove,
    verdict: Verdict,
    placements: Sequence[Placement],
    latency_ms: int | None,
) -> None:
    """Record a move that found nothing; a check counts as help. The session must be locked."""
    looked_for = (placement for placement in placements if placement.slot == move.slot)
    Move.objects.create(
        session=session,
        placement=next(looked_for, None),
        client_id=move_id,
        outcome=Move.Outcome.HINT if verdict.is_check else Move.Outcome.WRONG,
        answer=_sent(move, verdict)
        | {"wrong_cells": [list(cell) for cell in verdict.wrong_cells]}
        | ({"kind": "check"} if verdict.is_check else {}),
        latency_ms=latency_ms,
    )


def _record_found(
    session: PlaySession,
    move_id: uuid.UUID,
    move: SentMove,
    verdict: Verdict,
    latency_ms: int | None,
) -> None:
    """Record the move that found its word. The session must be locked."""
    Move.objects.create(
        session=session,
        placement=verdict.placement,
        client_id=move_id,
        outcome=Move.Outcome.FOUND,
        answer=_sent(move, verdict),
        latency_ms=latency_ms,
    )


def _sent(move: SentMove, verdict: Verdict) -> dict[str, Any]:
    """Return the data of a move to store: what was sent, and the cells with only a wrong accent."""
    slips = [list(cell) for cell in verdict.accent_cells]
    return {
        "cells": move.cells and [list(cell) for cell in move.cells],
        "tiles": move.tiles and list(move.tiles),
    } | ({"accent_cells": slips} if slips else {})


def take_hint(
    *,
    session: PlaySession,
    slot: str,
    kind: str,
    cell: Cell | None = None,
    hint_id: uuid.UUID | None = None,
) -> Hint:
    """Reveal part of a word and record the hint.

    *kind* is "first_cell", "letter" (at *cell*, which belongs to the word), "word", or "text":
    the text of a clue that is a sound, for a student whose sound is off. The same *hint_id* again
    returns the same hint, and a hint that shows nothing new counts once.
    """
    with transaction.atomic():
        session = _locked(session)
        hint_id = hint_id or uuid.uuid4()
        earlier = session.moves.filter(client_id=hint_id).select_related("placement").first()
        if earlier is not None and earlier.answer.get("kind") in HINTS:
            return _same_hint(session, earlier)
        if earlier is not None:  # the id of an answer: a client's mistake
            hint_id = uuid.uuid4()
        if session.finished_at is not None:
            raise SessionFinished
        placement = session.puzzle.placements.filter(slot=slot).first()
        if placement is None:
            raise MoveRefused(_("Choose a word of this puzzle first."))
        cells = cells_of(placement)
        if kind == "first_cell":
            shown = [0]
        elif kind == "letter":
            if cell not in cells:
                raise MoveRefused(_("This square is not part of the word."))
            shown = [cells.index(cell)]
        elif kind == "word":
            shown = list(range(len(cells)))
        elif kind == "text" and KINDS[session.puzzle.kind].is_heard(session.puzzle.settings):
            shown = []
        else:
            raise MoveRefused(_("Ask for first_cell, letter or word."))
        is_solved = session.moves.filter(placement=placement, outcome__in=SOLVED).exists()
        answer = {"kind": kind, "cells": [list(cells[index]) for index in shown]}
        given = session.moves.filter(placement=placement, outcome=Move.Outcome.HINT)
        if not is_solved and answer not in given.values_list("answer", flat=True):
            is_word = kind == "word"
            Move.objects.create(
                session=session,
                placement=placement,
                client_id=hint_id,
                outcome=Move.Outcome.REVEALED if is_word else Move.Outcome.HINT,
                answer=answer,
            )
            if is_word:
                _remember(session, [placement], timezone.now(), is_shown=True)
                _count_solved(session, found=0, total=session.puzzle.placements.count())
        return _hint(session, placement, [cells[index] for index in shown])


def save_draft(*, session: PlaySession, letters: dict[str, str]) -> None:
    """Save letters that were typed but not checked; an empty letter clears its cell."""
    with transaction.atomic():
        session = _locked(session)
        if session.finished_at is not None or KINDS[session.puzzle.kind].shows_letters:
            return
        grid = session.puzzle.grid
        to_fill = {
            f"{row},{col}"
            for row, tiles in enumerate(grid)
            for col, tile in enumerate(tiles)
            if tile is not None
        }
        for place, tile in letters.items():
            if place not in to_fill:
                continue
            if tile:
                session.draft[place] = tile
            else:
                session.draft.pop(place, None)
        session.save(update_fields=["draft"])


def finish_session(*, session: PlaySession) -> PlaySession:
    """Finish the session. A second call has no effect.

    Words that were not found are shown, which says nothing about the student's memory, unless they
    tried to find them.
    """
    with transaction.atomic():
        session = _locked(session)
        if session.finished_at is None:
            solved = session.moves.filter(outcome__in=SOLVED).values("placement")
            left = session.puzzle.placements.select_related("entry").exclude(pk__in=solved)
            session.finished_at = timezone.now()
            _remember(session, left, session.finished_at, is_left=True)
            session.save(update_fields=["finished_at"])
    return session


def was_text_shown(moves: Sequence[Move]) -> bool:
    """Return whether the student read a word meant to be heard; *moves* are those of the word."""
    return any(
        move.outcome == Move.Outcome.HINT and move.answer.get("kind") == "text" for move in moves
    )


def _was_heard(session: PlaySession, slot: str | None) -> bool:
    """Return whether the word was found by its sound: it has one, and no text was shown."""
    if slot is None or not KINDS[session.puzzle.kind].is_heard(session.puzzle.settings):
        return False
    placement = session.puzzle.placements.filter(slot=slot).first()
    return (
        placement is not None
        and playback.is_speakable(session.puzzle.vocabulary_list.language, placement.entry_id)
        and not was_text_shown(list(session.moves.filter(placement=placement)))
    )


def _hold_back(session: PlaySession) -> None:
    """Refuse all moves, including correct ones, for a while after many wrong ones."""
    now = timezone.now()
    tried = Q(outcome=Move.Outcome.WRONG)
    checked = Q(outcome=Move.Outcome.HINT, answer__kind="check") & ~Q(answer__wrong_cells=[])
    for wrong, most in ((tried, MOST_WRONG_MOVES), (checked, MOST_WRONG_CHECKS)):
        lately = session.moves.filter(wrong, at__gt=now - WRONG_MOVES_WITHIN)
        times = lately.order_by("-at").values_list("at", flat=True)[:most]
        if len(times) >= most:
            wait = min(times) + WRONG_MOVES_WITHIN - now
            raise TooFast(max(1, math.ceil(wait.total_seconds())))


def _locked(session: PlaySession) -> PlaySession:
    return (
        PlaySession.objects.select_for_update(of=("self",))
        .select_related("puzzle__vocabulary_list", "student")
        .get(pk=session.pk)
    )


def _same_answer(session: PlaySession, move: Move) -> Answer:
    wrong, slips = (
        tuple((row, col) for row, col in move.answer.get(name, ()))
        for name in ("wrong_cells", "accent_cells")
    )
    if move.outcome in (Move.Outcome.WRONG, Move.Outcome.HINT):
        outcome = "wrong" if move.outcome == Move.Outcome.WRONG else "checked"
        shown = slips if outcome == "checked" else ()
        return Answer(outcome, session, wrong_cells=wrong, accent_cells=shown)
    return Answer("found", session, move.placement, accent_cells=slips)


def _same_hint(session: PlaySession, move: Move) -> Hint:
    assert move.placement is not None  # noqa: S101  (hints are for a word)
    return _hint(session, move.placement, [(row, col) for row, col in move.answer.get("cells", ())])


def _hint(session: PlaySession, placement: Placement, shown: Sequence[Cell]) -> Hint:
    tiles = dict(zip(cells_of(placement), placement.tiles, strict=True))
    return Hint(placement, tuple(shown), tuple(tiles[cell] for cell in shown), session)


def _count_solved(session: PlaySession, *, found: int, total: int) -> None:
    session.found_count += found
    if session.moves.filter(outcome__in=SOLVED).count() == total:
        session.finished_at = timezone.now()
    session.save(update_fields=["found_count", "finished_at"])


def _given(
    session: PlaySession,
    placement: Placement,
    moves: Sequence[Move],
    at: datetime,
    *,
    is_shown: bool = False,
    is_left: bool = False,
    latency_ms: int | None = None,
) -> reviews.Given | None:
    """Return what the review history gets of a word; *moves* are those of the word.

    The word was found, shown on request, or left when the session was finished. None if it is no
    longer in a list.
    """
    if placement.entry is None:
        return None
    was_read = was_text_shown(moves)
    hints = sum(move.outcome == Move.Outcome.HINT for move in moves) - was_read
    wrong = [move for move in moves if move.outcome == Move.Outcome.WRONG]
    found = [move for move in moves if move.outcome == Move.Outcome.FOUND]
    if is_shown or is_left:
        outcome = Review.Outcome.WRONG
    else:
        outcome = Review.Outcome.HINTED if hints else Review.Outcome.RIGHT
    puzzle = session.puzzle
    kind = KINDS[puzzle.kind]
    was_heard = not was_read and playback.is_speakable(
        puzzle.vocabulary_list.language, placement.entry_id
    )
    skill = kind.skill(puzzle.settings, was_heard=was_heard)
    if kind.clue(placement, puzzle.settings) == placement.term:
        skill = Review.Skill.FORM  # without a translation the word itself was shown
    return reviews.Given(
        entry=placement.entry,
        term=placement.term,
        mode=puzzle.kind,
        skill=skill,
        outcome=outcome,
        hints=hints,
        wrong_tries=len(wrong),
        is_slip=any(move.answer.get("accent_cells") for move in found),
        was_tried=not is_left or bool(wrong),
        latency_ms=latency_ms,
        at=at,
        source=f"session:{session.pk}:{placement.slot}",
        session=session.pk,
        given=_text_of(wrong[-1], puzzle) if wrong else "",
        is_free_practice=puzzle.is_free_practice,
    )


def _remember(
    session: PlaySession, placements: Iterable[Placement], at: datetime, **how: Any
) -> None:
    """Add words of the session to the review history. Teachers who try a puzzle are ignored."""
    if not session.student.is_student:
        return
    moves: dict[int, list[Move]] = {}
    for move in session.moves.exclude(placement=None):
        moves.setdefault(move.placement_id or 0, []).append(move)
    given = [
        _given(session, placement, moves.get(placement.pk, []), at, **how)
        for placement in placements
    ]
    answers = [one for one in given if one is not None]
    reviews.record(student=session.student, answers=answers)


def _when(session: PlaySession, answered_at: datetime | None) -> datetime:
    """Return when a move was made: by the device's clock, but while the session lasted."""
    now = timezone.now()
    return min(now, max(answered_at or now, session.started_at))


def _text_of(move: Move, puzzle: Puzzle) -> str:
    """Return the letters of a move: those typed, or those of the traced cells."""
    tiles = move.answer.get("tiles") or [
        puzzle.grid[row][col] for row, col in move.answer.get("cells") or ()
    ]
    return "".join(tile or "" for tile in tiles)
