"""What players do in a class game: answer, pass a word on, read one; and what of it is remembered.

Each call locks the game's row, checks and acts. A student's answers are added to the review
history as those of any puzzle; what team mates do is none of theirs.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzles.kinds.base import MoveRefused, SentMove, Verdict
from puzzles.live import course, rules
from puzzles.live.state import LiveState, state_of
from puzzles.models import LiveGame, LiveMove, LivePlayer, Placement
from puzzles.play.games import Game
from puzzles.play.services import (
    Answer,
    SessionFinished,
    given_answer,
    hold_back,
    judge,
    same_answer,
    sent_before,
)
from vocab.memory import reviews


class NotPlaying(Exception):
    """The player was removed, or left the class."""


class Paused(Exception):
    """The game is paused, or has not started: the same answer may be sent again later."""


@dataclass(frozen=True, slots=True)
class _Move:
    """A move that is being judged, with what is known of the game before it."""

    state: LiveState
    player: LivePlayer
    game: Game
    client_id: uuid.UUID
    sent: SentMove
    latency_ms: int | None

    def note(self, word: Placement | None, outcome: LiveMove.Outcome, **answer: Any) -> None:
        """Record it; what others see is found by the game's new version."""
        is_seen = outcome in (LiveMove.Outcome.FOUND, LiveMove.Outcome.PASSED)
        if is_seen:
            course.changed(self.state.game)
        move = course.note_move(
            self.state.game,
            self.player,
            word,
            self.client_id,
            outcome,
            answer={
                "cells": self.sent.cells and [list(cell) for cell in self.sent.cells],
                "tiles": self.sent.tiles and list(self.sent.tiles),
            }
            | answer,
            version=self.state.game.version if is_seen else 0,
            for_team=None if self.state.is_listen else self.player.team,
        )
        self.state.moves.append(move)


def record_move(
    *,
    player: uuid.UUID,
    move_id: uuid.UUID,
    move: SentMove,
    latency_ms: int | None = None,
) -> Answer:
    """Judge a player's move and record it; what a student finds is added to the review history.

    The same *move_id* again returns the same answer and counts once. Raises MoveRefused for an
    invalid move, NotPlaying, Paused, SessionFinished if the game is over, and TooFast after many
    wrong moves.
    """
    with transaction.atomic():
        state, me = _entered(player)
        game = state.view(me)
        earlier = sent_before(game, move_id)
        if earlier is not None:
            return same_answer(game, earlier)
        _refuse_unless_running(state.game)
        hold_back(game)
        _refuse_unless_asked(state, me, move)
        verdict = judge(game, move)
        if verdict.is_check:
            raise MoveRefused(_("Type the whole word."))
        one = _Move(state, me, game, move_id, move, latency_ms)
        if verdict.placement is None:
            return _missed(one, verdict)
        if verdict.placement.pk in game.solved:
            return Answer("already", game, verdict.placement, asked_for=move.slot)
        return _found(one, verdict)


def pass_on(*, player: uuid.UUID, slot: str, move_id: uuid.UUID) -> LiveState:
    """Give a word of Together to the next player. Raises as `record_move` does."""
    with transaction.atomic():
        state, me = _entered(player)
        if any(one.client_id == move_id for one in state.moves):
            return state
        _refuse_unless_running(state.game)
        move = SentMove(slot=slot)
        _refuse_unless_asked(state, me, move)
        if state.game.mode != LiveGame.Mode.TOGETHER:
            raise MoveRefused(_("Words can be passed on in Together only."))
        one = _Move(state, me, state.view(me), move_id, move, None)
        one.note(course.word_in(state, slot), LiveMove.Outcome.PASSED)
        return state


def read_word(*, player: uuid.UUID, slot: str, move_id: uuid.UUID) -> tuple[Game, Placement]:
    """Show the text of the word that is asked in Listen, to who cannot hear it; it counts as help.

    Raises as `record_move` does.
    """
    with transaction.atomic():
        state, me = _entered(player)
        game = state.view(me)
        word = state.asked
        if word is None or word.slot != slot:
            raise MoveRefused(_("Choose a word of this puzzle first."))
        if not any(one.client_id == move_id for one in state.moves):
            _refuse_unless_running(state.game)
            one = _Move(state, me, game, move_id, SentMove(slot=slot), None)
            one.note(word, LiveMove.Outcome.HINT, kind="text")
        return state.view(me), word


def _entered(player: uuid.UUID) -> tuple[LiveState, LivePlayer]:
    """Return the state of a player's game, which is locked, and the player in it."""
    of = LivePlayer.objects.filter(pk=player).select_related("game").first()
    if of is None:
        raise NotPlaying
    now = timezone.now()
    game = course.go_on(course.locked(of.game), now)
    state = state_of(game, now, of=of)
    if player not in state.players:
        raise NotPlaying
    return state, state.players[player]


def _refuse_unless_running(game: LiveGame) -> None:
    if game.ended_at is not None:
        raise SessionFinished
    if game.state != LiveGame.State.RUNNING:
        raise Paused


def _refuse_unless_asked(state: LiveState, player: LivePlayer, move: SentMove) -> None:
    """Refuse an answer to a word of an earlier round, or to one that another player holds."""
    if state.is_listen and (state.asked is None or move.slot != state.asked.slot):
        raise MoveRefused(_("The time for this word is over."))
    if state.game.mode == LiveGame.Mode.TOGETHER:
        course.word_in(state, move.slot)
        holder = state.holder_of(str(move.slot))
        if holder is not None and holder.pk != player.pk:
            raise MoveRefused(_("%(player)s has this word.") % {"player": holder.name})


def _found(move: _Move, verdict: Verdict) -> Answer:
    word, state = verdict.placement, move.state
    assert word is not None  # noqa: S101  (the caller checked this)
    slips = [list(cell) for cell in verdict.accent_cells]
    move.note(
        word,
        LiveMove.Outcome.FOUND,
        **({"accent_cells": slips} if slips else {}),
        **({"is_early": _is_early(state)} if state.is_listen else {}),
    )
    _remember(move, word)
    if state.is_listen:
        if state.is_round_done():
            course.next_round(state, state.at)
    else:
        course.end_if_done(state.game, state.at)
    return Answer.of(verdict, move.sent, state.view(move.player))


def _missed(move: _Move, verdict: Verdict) -> Answer:
    word = move.game.word_in(move.sent.slot)
    wrong = [list(cell) for cell in verdict.wrong_cells]
    move.note(word, LiveMove.Outcome.WRONG, wrong_cells=wrong, miss=verdict.miss.value)
    if move.state.game.mode == LiveGame.Mode.TOGETHER and word is not None:
        tries = sum(
            one.outcome == "wrong"
            and one.placement_id == word.pk
            and one.player_id == move.player.pk
            for one in move.state.moves
        )
        if tries % rules.WRONG_BEFORE_PASSED == 0:
            passed = replace(move, client_id=uuid.uuid5(move.client_id, "passed"))
            passed.note(word, LiveMove.Outcome.PASSED)
    return Answer.of(verdict, move.sent, move.game)


def _remember(move: _Move, word: Placement) -> None:
    """Add a word that a student found to the review history: an answer of the puzzle's kind."""
    student = move.player.student
    if student is None or not student.is_student:
        return
    given = given_answer(_alone(move), word, move.state.at, latency_ms=move.latency_ms)
    if given is not None:
        reviews.record(student=student, answers=[given])


def _alone(move: _Move) -> Game:
    """Return the game with this player's moves only: what others did is no answer of theirs."""
    own = [one for one in move.state.moves if one.player_id == move.player.pk]
    return replace(move.state, moves=own).view(move.player)


def _is_early(state: LiveState) -> bool:
    game = state.game
    if not game.seconds or game.ends_at is None:
        return True
    return (game.ends_at - state.at).total_seconds() >= game.seconds * rules.EARLY


def remember_missed(game: int) -> int:
    """Add the words that students tried and did not find to the review history; return how many.

    It may run twice: an answer has its source, and counts once.
    """
    ended = LiveGame.objects.select_related("puzzle").filter(pk=game).first()
    if ended is None or ended.ended_at is None or ended.started_at is None:
        return 0
    count = 0
    students = ended.players.exclude(student=None).select_related("student")
    for player in students:
        own = list(ended.moves.filter(player=player).order_by("pk"))
        state = LiveState(ended, {player.pk: player}, own, ended.ended_at)
        view = state.view(player)
        found = {one.placement_id for one in own if one.outcome == "found"}
        tried = {one.placement_id for one in own if one.outcome == "wrong"} - found
        given = [
            given_answer(view, word, ended.ended_at, is_left=True)
            for word in view.words
            if word.pk in tried
        ]
        answers = [one for one in given if one is not None]
        if answers and player.student is not None:
            count += len(reviews.record(student=player.student, answers=answers))
    return count
