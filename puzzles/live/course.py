"""How a class game goes on: its lock and its version, its clock, its rounds, its end.

No timer and no job ends a game or asks the next word, but whoever looks at the game next: of
several processes, one.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.jobs import ledger
from puzzles.kinds.base import MoveRefused
from puzzles.live import rules
from puzzles.live.state import LiveState, state_of
from puzzles.models import LiveGame, LiveMove, LivePlayer, Placement, Puzzle

MISSED = "puzzles.live_missed"


def advance(code: str) -> LiveGame:
    """Do what the clock of a game asks for: end it, or ask the next word. Returns the game.

    No timer and no job does this, but whoever looks at the game next: of several processes, one.
    """
    with transaction.atomic():
        return go_on(locked(LiveGame.objects.get(code=code)), timezone.now())


def is_due(game: LiveGame, at: datetime) -> bool:
    """Return whether `advance` has something to do."""
    if game.ended_at is not None:
        return False
    return _is_too_old(game, at) or _is_made_now(game) or _is_time_over(game, at)


def _is_too_old(game: LiveGame, at: datetime) -> bool:
    return game.created_at + rules.OPEN_FOR <= at


def _is_made_now(game: LiveGame) -> bool:
    return not game.is_made and game.puzzle.state != Puzzle.State.QUEUED


def _is_time_over(game: LiveGame, at: datetime) -> bool:
    is_running = game.state == LiveGame.State.RUNNING
    return is_running and game.ends_at is not None and game.ends_at <= at


def go_on(game: LiveGame, at: datetime) -> LiveGame:
    """Do what `advance` does with a game that is locked already."""
    if game.ended_at is not None:
        return game
    if _is_too_old(game, at) or game.puzzle.state == Puzzle.State.FAILED:
        end_now(game)
    elif _is_made_now(game):
        game.is_made = True
        changed(game)
    elif _is_time_over(game, at):
        if game.mode == LiveGame.Mode.LISTEN:
            next_round(state_of(game, at), at)
        else:
            end_now(game)
    return game


def next_round(state: LiveState, at: datetime) -> None:
    """Ask the next word of Listen; end the game after the last."""
    game = state.game
    if game.round >= len(state.board.words):
        end_now(game)
        return
    game.round += 1
    game.left_seconds = game.seconds or None
    if game.state == LiveGame.State.RUNNING:
        set_clock(game, at)
    changed(game)


def set_clock(game: LiveGame, at: datetime) -> None:
    """Give the game, or in Listen the round, its whole time."""
    game.left_seconds = None
    game.ends_at = at + timedelta(seconds=game.seconds) if game.seconds else None


def end_if_done(game: LiveGame, at: datetime) -> None:
    """End the game if no team has anything left to find."""
    state = state_of(game, at)
    teams = {player.team for player in state.players.values()}
    if all(state.is_done(team) for team in teams):
        end_now(game)


def end_now(game: LiveGame) -> None:
    """End the game, and queue the job that remembers what was tried in vain."""
    game.state, game.ended_at = LiveGame.State.ENDED, timezone.now()
    game.ends_at = game.left_seconds = None
    changed(game)
    ledger.enqueue(
        MISSED,
        key=f"{MISSED}:{game.pk}",
        arguments={"game": game.pk},
        owner=game.created_by,
        subject=game,
    )


def locked(game: LiveGame) -> LiveGame:
    """Return the game as it is once its row is locked, until the transaction ends."""
    held = LiveGame.objects.select_for_update(of=("self",)).select_related("puzzle", "classroom")
    return held.get(pk=game.pk)


def changed(game: LiveGame) -> None:
    """Save the game with its next version, by which all devices learn of the change."""
    game.version += 1
    game.save()


def note_move(
    game: LiveGame,
    player: LivePlayer | None,
    word: Placement | None,
    client_id: uuid.UUID,
    outcome: LiveMove.Outcome,
    *,
    answer: dict[str, Any] | None = None,
    version: int = 0,
    for_team: int | None = None,
) -> LiveMove:
    """Write a move; what a team has found is its own, and counts once."""
    return LiveMove.objects.create(
        game=game,
        player=player,
        for_team=for_team if outcome == LiveMove.Outcome.FOUND else None,
        placement=word,
        client_id=client_id,
        version=version,
        outcome=outcome,
        answer=answer or {},
    )


def word_in(state: LiveState, slot: str | None) -> Placement:
    """Return the word of a slot. Raises MoveRefused if there is none."""
    for word in state.board.words:
        if word.slot == slot:
            return word
    raise MoveRefused(_("Choose a word of this puzzle first."))
