"""Play as a guest: the first page's game, and puzzles that are shared by a link.

Nothing is in the database, so there is nothing to lock and nothing to delete. The game itself is
the same as any other: the kinds judge it, and `play.selectors` say what the guest may know.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace

from django.utils import timezone

from puzzles.generators.grid import Cell
from puzzles.guests.state import GuestState
from puzzles.kinds.base import SentMove
from puzzles.models import Move, Placement, PlaySession, Puzzle
from puzzles.play.games import Address, Game, Played
from puzzles.play.services import Answer, Hint, SessionFinished, hint_in, judge

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_OID, "osmosmjerka.guests")


@dataclass(frozen=True, slots=True)
class GuestPuzzle:
    """A puzzle as guests play it. *name* tells the games of one device apart."""

    name: str
    puzzle: Puzzle
    words: tuple[Placement, ...]
    bonus: tuple[Placement, ...] = ()
    address: Address | None = None
    has_sounds: bool = True


def begin() -> GuestState:
    # Without fractions, as the cookie has it: the game's id is made of it.
    return GuestState(timezone.now().replace(microsecond=0))


def game_of(of: GuestPuzzle, state: GuestState) -> Game:
    """Return the game of a guest; nothing in it is saved."""
    key = uuid.uuid5(_NAMESPACE, f"{of.name}:{state.started_at.isoformat()}")
    session = PlaySession(
        pk=key,
        puzzle=of.puzzle,
        started_at=state.started_at,
        finished_at=state.finished_at,
    )
    words = {word.position: word for word in (*of.words, *of.bonus)}
    moves = [
        Played(words[one.position].pk, uuid.uuid4(), one.outcome, {"kind": one.kind}, state.at(one))
        for one in state.moves
    ]
    silent: set[int | None] | None = None if of.has_sounds else set()
    return Game(session, of.words, moves, of.bonus, of.address, _speakable=silent)


def try_move(of: GuestPuzzle, state: GuestState, move: SentMove) -> tuple[GuestState, Answer]:
    """Judge a move. Raises MoveRefused and SessionFinished as `play.services.record_move` does."""
    game = game_of(of, state)
    if game.is_over:
        raise SessionFinished
    verdict = judge(game, move)
    word = verdict.placement
    if word is None:
        return state, Answer.of(verdict, move, game)
    if word.pk in game.solved or word in game.bonus_found:
        return state, Answer("already", game, word, asked_for=move.slot)
    outcome = Move.Outcome.BONUS if word.is_bonus else Move.Outcome.FOUND
    state = _after(of, state, outcome, word)
    return state, Answer.of(verdict, move, game_of(of, state))


def take_hint(
    of: GuestPuzzle, state: GuestState, slot: str, kind: str, cell: Cell | None = None
) -> tuple[GuestState, Hint]:
    """Show part of a word, or with the kind "word" all of it, which solves it.

    Raises MoveRefused and SessionFinished as `play.services.take_hint` does.
    """
    game = game_of(of, state)
    if game.is_over:
        raise SessionFinished
    hint = hint_in(game, slot, kind, cell)
    word = hint.placement
    if word.pk not in game.solved:
        is_word = kind == "word"
        outcome = Move.Outcome.REVEALED if is_word else Move.Outcome.HINT
        state = _after(of, state, outcome, word, "text" if kind == "text" else "")
    return state, replace(hint, game=game_of(of, state))


def finish(state: GuestState) -> GuestState:
    if state.finished_at:
        return state
    return replace(state, finished_at=timezone.now().replace(microsecond=0))


def _after(
    of: GuestPuzzle, state: GuestState, outcome: str, word: Placement, kind: str = ""
) -> GuestState:
    state = state.after(str(outcome), word.position, timezone.now(), kind)
    return finish(state) if len(game_of(of, state).solved) == len(of.words) else state
