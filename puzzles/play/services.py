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
from functools import cache
from typing import Any

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from prometheus_client import Counter

from osmosmjerka.monitoring import metrics
from puzzles.generators.grid import Cell
from puzzles.kinds.base import Miss, MoveRefused, SentMove, Verdict, cells_of
from puzzles.models import Move, Placement, PlaySession, Puzzle
from puzzles.play import games
from puzzles.play.games import Game, Played, Which, game_of
from vocab.memory import reviews
from vocab.models import Review

# Trying cells without limit would find every word; a student who guesses is slower than this.
MOST_WRONG_MOVES = 30
# Checking a whole crossword takes one check per word, and each is recorded as help.
MOST_WRONG_CHECKS = 150
WRONG_MOVES_WITHIN = timedelta(minutes=1)
HINTS = ("first_cell", "letter", "word", "text")

open_session, _locked = games.open_session, games.locked

# Sent with `session` in the transaction in which a session is finished, for rooms above this one.
finished = Signal()


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


_MISSED = {
    Miss.NO_WORD: gettext_lazy("That word is not in this puzzle. Try again."),
    Miss.NOT_IT: gettext_lazy("That is not the word. Try again."),
    Miss.OTHER_WORD: gettext_lazy("That is another word of this puzzle, not the one asked for."),
    Miss.BACKWARDS: gettext_lazy(
        "That is the right word, but backwards. Start at its first letter."
    ),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a move for the student."""

    outcome: str
    game: Game
    placement: Placement | None = None
    wrong_cells: tuple[Cell, ...] = ()
    accent_cells: tuple[Cell, ...] = ()
    asked_for: str | None = None  # the slot of the word that the student was looking for
    miss: Miss = Miss.NO_WORD
    is_repeated: bool = False  # the answer to an attempt that was sent before

    @classmethod
    def of(cls, verdict: Verdict, move: SentMove, game: Game) -> Answer:
        """Return the answer to a *move* that counts as *verdict* says."""
        is_found = verdict.placement is not None
        return cls(
            "found" if is_found else "checked" if verdict.is_check else "wrong",
            game,
            verdict.placement,
            wrong_cells=verdict.wrong_cells,
            accent_cells=verdict.accent_cells if is_found or verdict.is_check else (),
            asked_for=move.slot,
            miss=verdict.miss,
        )

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
            return str(_MISSED[self.miss])
        if self.outcome == "already":
            return _("You have already found %(word)s.") % {"word": self.placement.term}
        if self.placement.is_bonus:
            return _("A bonus word: %(word)s!") % {"word": self.placement.term}
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
    game: Game


def record_move(
    *,
    session: Which,
    move_id: uuid.UUID,
    move: SentMove,
    latency_ms: int | None = None,
    answered_at: datetime | None = None,
    sent_at: datetime | None = None,
) -> Answer:
    """Judge a move by the stored placements and record it.

    *answered_at* is the device's time, for moves that waited on it for a connection, and *sent_at*
    what the same clock said when it sent them, which may be wrong. The same
    *move_id* again returns the same answer and counts once. Raises MoveRefused for an invalid move,
    SessionFinished if the session is finished, and TooFast after many wrong moves: the same move
    may be sent again later. See `games.locked` for what it raises without a session.
    """
    answer = _record_move(session, move_id, move, latency_ms, answered_at, sent_at)
    outcome = "repeated" if answer.is_repeated else answer.outcome
    _counter(answer.game.puzzle.kind, outcome).inc()
    return answer


@cache
def _counter(kind: str, outcome: str) -> Counter:
    """Return where such an answer is counted; looking it up takes longer than counting."""
    return metrics.moves.labels(kind, outcome)


def _record_move(
    session: Which,
    move_id: uuid.UUID,
    move: SentMove,
    latency_ms: int | None,
    answered_at: datetime | None,
    sent_at: datetime | None,
) -> Answer:
    with transaction.atomic():
        game = game_of(_locked(session))
        # Two devices may send at once, or one may repeat a request whose response was lost. Thanks
        # to the lock, the second request finds the move that the first recorded.
        earlier = sent_before(game, move_id)
        if earlier is not None:
            return same_answer(game, earlier)
        if game.is_over:
            raise SessionFinished
        hold_back(game)
        verdict = judge(game, move)
        word = verdict.placement
        if word is not None and (word.pk in game.solved or word in game.bonus_found):
            return Answer("already", game, word, asked_for=move.slot)
        at = _when(game.session, answered_at, sent_at)
        _record(
            game,
            placement=word or game.word_in(move.slot),
            client_id=move_id,
            outcome=_outcome_of(verdict),
            answer=_kept(move, verdict),
            latency_ms=latency_ms,
        )
        if word is not None:
            _remember(game, [word], at, latency_ms=latency_ms)
            _count_solved(game)
        return Answer.of(verdict, move, game)


def judge(game: Game, move: SentMove) -> Verdict:
    """Judge a move by the words of its game. Raises MoveRefused if it is invalid."""
    word = game.word_in(move.slot)
    heard = replace(move, was_heard=word is not None and was_heard(game, word))
    return game.kind.judge(heard, game.left_first, game.puzzle)


def sent_before(game: Game, move_id: uuid.UUID) -> Played | None:
    """Return the move that was sent with this id, if any."""
    return next((move for move in game.moves if move.client_id == move_id), None)


def _outcome_of(verdict: Verdict) -> Move.Outcome:
    """Return what a move is recorded as; a check counts as help."""
    if verdict.placement is None:
        return Move.Outcome.HINT if verdict.is_check else Move.Outcome.WRONG
    return Move.Outcome.BONUS if verdict.placement.is_bonus else Move.Outcome.FOUND


def _record(
    game: Game,
    *,
    placement: Placement | None,
    client_id: uuid.UUID,
    outcome: Move.Outcome,
    answer: dict[str, Any],
    latency_ms: int | None = None,
) -> None:
    """Record a move. The session must be locked."""
    move = Move.objects.create(
        session_id=game.session.pk,
        placement_id=placement.pk if placement else None,
        client_id=client_id,
        outcome=outcome,
        answer=answer,
        latency_ms=latency_ms,
    )
    game.moves.append(Played(move.placement_id, client_id, outcome, answer, move.at))


def _kept(move: SentMove, verdict: Verdict) -> dict[str, Any]:
    """Return the data of a move to store: what was sent, and what of it was wrong."""
    kept: dict[str, Any] = {
        "cells": move.cells and [list(cell) for cell in move.cells],
        "tiles": move.tiles and list(move.tiles),
    }
    if verdict.accent_cells:
        kept["accent_cells"] = [list(cell) for cell in verdict.accent_cells]
    if verdict.placement is None:
        kept["wrong_cells"] = [list(cell) for cell in verdict.wrong_cells]
        kept["miss"] = verdict.miss.value
    if verdict.is_check:
        kept["kind"] = "check"
    return kept


def take_hint(
    *,
    session: Which,
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
        game = game_of(_locked(session))
        hint_id = hint_id or uuid.uuid4()
        earlier = sent_before(game, hint_id)
        if earlier is not None and earlier.answer.get("kind") in HINTS:
            return _same_hint(game, earlier)
        if earlier is not None:  # the id of an answer: a client's mistake
            hint_id = uuid.uuid4()
        if game.is_over:
            raise SessionFinished
        hint = hint_in(game, slot, kind, cell)
        placement = hint.placement
        answer = {"kind": kind, "cells": [list(one) for one in hint.cells]}
        given = [m.answer for m in game.moves_of(placement) if m.outcome == Move.Outcome.HINT]
        if placement.pk not in game.solved and answer not in given:
            is_word = kind == "word"
            _record(
                game,
                placement=placement,
                client_id=hint_id,
                outcome=Move.Outcome.REVEALED if is_word else Move.Outcome.HINT,
                answer=answer,
            )
            if is_word:
                _remember(game, [placement], timezone.now(), is_shown=True)
                _count_solved(game)
        return hint


def hint_in(game: Game, slot: str, kind: str, cell: Cell | None = None) -> Hint:
    """Return what a hint shows. Raises MoveRefused if there is no such word or hint."""
    placement = game.word_in(slot)
    if placement is None or placement.is_bonus:
        raise MoveRefused(_("Choose a word of this puzzle first."))
    return _hint(game, placement, _cells_to_show(game, placement, kind, cell))


def _cells_to_show(
    game: Game, placement: Placement, kind: str, cell: Cell | None
) -> Sequence[Cell]:
    cells = cells_of(placement)
    if kind == "first_cell":
        return cells[:1]
    if kind == "letter":
        if cell not in cells:
            raise MoveRefused(_("This square is not part of the word."))
        return (cell,)
    if kind == "word":
        return cells
    if kind == "text" and game.kind.is_heard(game.puzzle.settings):
        return ()
    raise MoveRefused(_("Ask for first_cell, letter or word."))


def save_draft(*, session: Which, letters: dict[str, str]) -> None:
    """Save letters that were typed but not checked; an empty letter clears its cell."""
    with transaction.atomic():
        game = game_of(_locked(session))
        if game.is_over or game.kind.shows_letters:
            return
        to_fill = {
            f"{row},{col}"
            for row, tiles in enumerate(game.puzzle.grid)
            for col, tile in enumerate(tiles)
            if tile is not None
        }
        draft = game.session.draft
        for place, tile in letters.items():
            if place not in to_fill:
                continue
            if tile:
                draft[place] = tile
            else:
                draft.pop(place, None)
        game.session.save(update_fields=["draft"])


def finish_session(*, session: Which) -> Game:
    """Finish the session and return its game. A second call has no effect.

    Words that were not found are shown, which says nothing about the student's memory, unless they
    tried to find them.
    """
    with transaction.atomic():
        game = game_of(_locked(session))
        if not game.is_over:
            left = [word for word in game.words if word.pk not in game.solved]
            _remember(game, left, timezone.now(), is_left=True)
            _finish(game)
    return game


def was_text_shown(moves: Sequence[Played]) -> bool:
    """Return whether the student read a word meant to be heard; *moves* are those of the word."""
    return any(
        move.outcome == Move.Outcome.HINT and move.answer.get("kind") == "text" for move in moves
    )


def was_heard(game: Game, word: Placement) -> bool:
    """Return whether a word was asked by its sound: it has one, and no text was shown."""
    return (
        game.kind.is_heard(game.puzzle.settings)
        and game.is_speakable(word)
        and not was_text_shown(game.moves_of(word))
    )


def hold_back(game: Game) -> None:
    """Refuse all moves, including correct ones, for a while after many wrong ones."""
    now = timezone.now()
    lately = [move for move in game.moves if move.at > now - WRONG_MOVES_WITHIN]
    tried = [move.at for move in lately if move.outcome == Move.Outcome.WRONG]
    checked = [
        move.at
        for move in lately
        if move.outcome == Move.Outcome.HINT
        and move.answer.get("kind") == "check"
        and move.answer.get("wrong_cells") != []
    ]
    for times, most in ((tried, MOST_WRONG_MOVES), (checked, MOST_WRONG_CHECKS)):
        if len(times) >= most:
            wait = min(sorted(times)[-most:]) + WRONG_MOVES_WITHIN - now
            raise TooFast(max(1, math.ceil(wait.total_seconds())))


def same_answer(game: Game, move: Played) -> Answer:
    """Return the answer that a move got when it was first sent."""
    wrong, slips = (
        tuple((row, col) for row, col in move.answer.get(name, ()))
        for name in ("wrong_cells", "accent_cells")
    )
    if move.outcome in (Move.Outcome.WRONG, Move.Outcome.HINT):
        outcome = "wrong" if move.outcome == Move.Outcome.WRONG else "checked"
        shown = slips if outcome == "checked" else ()
        miss = Miss(move.answer.get("miss", Miss.NO_WORD))  # the hint for a letter has none
        return Answer(
            outcome, game, wrong_cells=wrong, accent_cells=shown, miss=miss, is_repeated=True
        )
    return Answer("found", game, game.word_of(move), accent_cells=slips, is_repeated=True)


def _same_hint(game: Game, move: Played) -> Hint:
    placement = game.word_of(move)
    assert placement is not None  # noqa: S101  (hints are for a word)
    return _hint(game, placement, [(row, col) for row, col in move.answer.get("cells", ())])


def _hint(game: Game, placement: Placement, shown: Sequence[Cell]) -> Hint:
    tiles = dict(zip(cells_of(placement), placement.tiles, strict=True))
    return Hint(placement, tuple(shown), tuple(tiles[cell] for cell in shown), game)


def _count_solved(game: Game) -> None:
    if len(game.solved) == len(game.words):
        _finish(game)


def _finish(game: Game) -> None:
    session = game.session
    session.finished_at = timezone.now()
    session.seconds = game.seconds
    session.is_unaided = game.is_unaided
    session.save(update_fields=["finished_at", "seconds", "is_unaided"])
    finished.send(sender=PlaySession, session=session)


def given_answer(
    game: Game,
    placement: Placement,
    at: datetime,
    *,
    is_shown: bool = False,
    is_left: bool = False,
    latency_ms: int | None = None,
) -> reviews.GivenAnswer | None:
    """Return what the review history gets of a word.

    The word was found, shown on request, or left when the session was finished. None if it is no
    longer in a list.
    """
    if placement.entry_id is None:
        return None
    moves = game.moves_of(placement)
    hints = sum(move.outcome == Move.Outcome.HINT for move in moves) - was_text_shown(moves)
    wrong = [move for move in moves if move.outcome == Move.Outcome.WRONG]
    found = [move for move in moves if move.outcome == Move.Outcome.FOUND]
    if is_shown or is_left:
        outcome = Review.Outcome.WRONG
    else:
        outcome = Review.Outcome.HINTED if hints else Review.Outcome.RIGHT
    puzzle, kind = game.puzzle, game.kind
    skill = kind.skill(puzzle.settings, was_heard=was_heard(game, placement))
    if kind.clue(placement, puzzle.settings) == placement.played:
        skill = Review.Skill.FORM  # without a translation the word itself was shown
    if placement.is_bonus:
        skill = Review.Skill.FORM  # nothing asked for it
    return reviews.GivenAnswer(
        entry=placement.entry_id,
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
        source=f"session:{game.session.pk}:{placement.slot}",
        session=game.session.pk,
        given=_text_of(wrong[-1], puzzle) if wrong else "",
        is_free_practice=puzzle.is_free_practice,
    )


def _remember(game: Game, placements: Iterable[Placement], at: datetime, **how: Any) -> None:
    """Add words of the game to the review history. Teachers who try a puzzle are ignored."""
    student = game.session.student
    if not student.is_student:
        return
    given = [given_answer(game, placement, at, **how) for placement in placements]
    answers = [one for one in given if one is not None]
    made = reviews.record(student=student, answers=answers, is_locked=True)
    for review in made:
        game.know(review.entry)


def _when(session: PlaySession, answered_at: datetime | None, sent_at: datetime | None) -> datetime:
    """Return when a move was made: by how long it waited on the device, while the session lasted.

    That is right also by a clock that is wrong, if the device says when it *sent* the move.
    """
    now = timezone.now()
    waited = (sent_at or now) - answered_at if answered_at else timedelta()
    return now - max(min(waited, now - session.started_at), timedelta())


def _text_of(move: Played, puzzle: Puzzle) -> str:
    """Return the letters of a move: those typed, or those of the traced cells."""
    tiles = move.answer.get("tiles") or [
        puzzle.grid[row][col] for row, col in move.answer.get("cells") or ()
    ]
    return "".join(tile or "" for tile in tiles)
