"""HTTP API of playing: the state of a session, moves, hints, sounds."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.auth.api_authentication import covers
from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.schema import VERSION, refusal
from osmosmjerka.rest.serializers import read_body, read_query
from osmosmjerka.rest.views import ApiView
from osmosmjerka.web.problems import problem
from puzzles import access
from puzzles.kinds.base import MoveRefused
from puzzles.models import Placement, PlaySession, Puzzle
from puzzles.play import attempts, games, selectors
from puzzles.play import services as play
from puzzles.play.games import Game, Mine
from puzzles.play.serializers import (
    AnotherSerializer,
    DraftSerializer,
    HintAnswerSerializer,
    HintSerializer,
    HowSpokenSerializer,
    MoveAnswerSerializer,
    MoveSerializer,
    PlayStateSerializer,
    PuzzleToPlaySerializer,
    move_of,
)
from puzzles.play.sounds import picture_response, sound_response

REFUSALS = {
    400: refusal("A value is invalid, or (`refused`) the move is impossible in this puzzle."),
    409: refusal("The session is finished (`session_finished`)."),
}
_MOVE = MoveSerializer()  # making one takes longer than checking a move with it
_SLOW_DOWN = {429: refusal("Too many wrong answers (`slow_down`) or requests (`throttled`).")}


class PlayView(ApiView):
    """Base of the views for playing: finds the puzzle and the student's own session."""

    scope_to_write = "play"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse requests from another student's page: two students may share a tablet."""
        super().initial(request, *args, **kwargs)
        player = request.headers.get("X-Player")
        if player is not None and player != name_on_device(request.user.pk or 0):
            raise PermissionDenied(_("Someone else is logged in here now."), "other_player")

    def game_of(self, code: str, session: uuid.UUID | None = None) -> Mine:
        """Return which game is meant: the session with this id, by default the last attempt."""
        token: Any = self.request.auth
        may_start = token is None or covers(token, self.scope_to_write)
        return Mine(user_of(self.request), code, session, may_start)

    def handle_exception(self, exc: Exception) -> Any:
        if isinstance(exc, Puzzle.DoesNotExist | PlaySession.DoesNotExist):
            return super().handle_exception(NotFound())
        if isinstance(exc, games.NotStarted):
            told = _("You have not started this puzzle, and this token may not start it.")
            return super().handle_exception(NotFound(told))
        if isinstance(exc, MoveRefused):
            return problem(400, str(exc), "refused")
        if isinstance(exc, play.SessionFinished):
            told = _("This puzzle is finished. Answers no longer count.")
            return problem(409, told, "session_finished")
        if isinstance(exc, play.TooFast):
            return problem(429, str(exc), "slow_down", headers={"Retry-After": str(exc.seconds)})
        return super().handle_exception(exc)


class PlayStateView(PlayView):
    @extend_schema(responses=PlayStateSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Return your session of a puzzle; the first call starts it, if the token allows to play.

        Words that you have not found are not revealed. Returns 404 if you may not play the puzzle.
        """
        return Response(selectors.play_state(self.game_of(code)))


class PlayMoveView(PlayView):
    @extend_schema(
        request=MoveSerializer, responses={200: MoveAnswerSerializer} | REFUSALS | _SLOW_DOWN
    )
    def post(self, request: Request, code: str) -> Response:
        """Submit an answer: traced `cells` (word search, listen and find) or `tiles` (crossword).

        `item` is the id of the word; in a word search it may be omitted.
        """
        given = _MOVE.run_validation(request.data)
        answer = play.record_move(
            session=self.game_of(code, given.get("session")),
            move_id=given["attempt"],
            move=move_of(given),
            latency_ms=given.get("latency_ms"),
            answered_at=given.get("answered_at"),
            sent_at=given.get("sent_at"),
        )
        return Response(told_of(answer))


class PlayHintView(PlayView):
    @extend_schema(request=HintSerializer, responses={200: HintAnswerSerializer} | REFUSALS)
    def post(self, request: Request, code: str) -> Response:
        """Request a hint: the first cell, a letter, or the whole word. The hint is recorded.

        A hint that is sent twice, or shows nothing new, counts once.
        If the clue is a sound, the hint `text` shows its text.
        """
        given = read_body(request, HintSerializer)
        hint = play.take_hint(
            session=self.game_of(code),
            slot=given["item"],
            kind=given["kind"],
            cell=given.get("cell"),
            hint_id=given.get("attempt"),
        )
        return Response(shown_by(hint, given["kind"]))


class PlayDraftView(PlayView):
    @extend_schema(request=DraftSerializer, responses={204: None})
    def put(self, request: Request, code: str) -> Response:
        """Save crossword letters that have not been checked yet."""
        letters = read_body(request, DraftSerializer)["cells"]
        play.save_draft(session=self.game_of(code), letters=letters)
        return Response(status=204)


class PlayFinishView(PlayView):
    @extend_schema(request=None, responses=PlayStateSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Finish the session and return it; words that were not found are shown.

        Such a word counts as missed only if it was tried.
        """
        return Response(selectors.state_of(play.finish_session(session=self.game_of(code))))


class PlayAgainView(PlayView):
    @extend_schema(request=None, responses=PlayStateSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Start another attempt at a puzzle whose last attempt is finished, and return it.

        Returns 400 if no attempt is left, or if the next one has other words: for an adaptive
        assignment, start it at `/api/assignments/{id}/play/`.
        """
        puzzle = access.puzzle_to_play_or_404(request.user, code)
        attempts.play_again(puzzle=puzzle, student=user_of(request))
        return Response(selectors.play_state(self.game_of(code)))


class PlayAnotherView(PlayView):
    @extend_schema(request=AnotherSerializer, responses={202: PuzzleToPlaySerializer})
    def post(self, request: Request, code: str) -> Response:
        """Create another puzzle like this, of the same list, for you alone.

        It is generated in the background. Returns 202, or 400 if its type allows no other, or if
        assignments still ask you for the words.
        """
        changes = read_body(request, AnotherSerializer)
        puzzle = access.puzzle_to_play_or_404(request.user, code)
        another = attempts.request_another(puzzle=puzzle, person=user_of(request), changes=changes)
        return Response(PuzzleToPlaySerializer(another).data, status=202)


class PlaySoundView(PlayView):
    asks = {"get": [HowSpokenSerializer, VERSION]}

    @extend_schema(
        responses={(200, "audio/mpeg"): bytes},
    )
    def get(self, request: Request, code: str, slot: str) -> HttpResponse:
        """Return the sound of a word, if it is the clue or if the word was found.

        Returns 404 if there is no sound or you may not hear it yet.
        """
        is_slow = "slow" in read_query(request, HowSpokenSerializer)
        game = games.current(self.game_of(code))
        placement = _word_in(game, slot)
        if selectors.item_state(game, placement)["clue"]["sound"] is None:
            raise NotFound(_("There is no sound for this word yet."))
        return sound_response(request, placement, game.vocabulary_list, game.words, is_slow=is_slow)


class PlayPictureView(PlayView):
    asks = {"get": [VERSION]}

    @extend_schema(responses={(200, "image/*"): bytes})
    def get(self, request: Request, code: str, slot: str) -> HttpResponse:
        """Return the picture of a word, if it is the clue or if the word was found.

        Returns 404 if there is no picture or you may not see it yet.
        """
        game = games.current(self.game_of(code))
        placement = _word_in(game, slot)
        if selectors.item_state(game, placement)["clue"]["picture"] is None:
            raise NotFound(_("There is no picture of this word yet."))
        return picture_response(request, placement)


def _word_in(game: Game, slot: str) -> Placement:
    word = game.word_in(slot)
    if word is None:
        raise NotFound
    return word


def told_of(answer: play.Answer) -> dict[str, Any]:
    """Return what a move brought, as its player may know it."""
    return {
        "outcome": answer.outcome,
        "message": answer.message,
        "wrong_cells": answer.wrong_cells,
        "accent_cells": answer.accent_cells,
        "note": answer.note,
    } | progress_after(answer.game, answer.placement)


def shown_by(hint: play.Hint, kind: str) -> dict[str, Any]:
    """Return what a hint shows, as its player may know it."""
    shown = {"kind": kind, "cells": hint.cells, "tiles": hint.tiles}
    return shown | progress_after(hint.game, hint.placement)


def progress_after(game: Game, placement: Placement | None) -> dict[str, Any]:
    """Return the word of an answer or a hint as it is now, and how far the game is."""
    return {
        "item": selectors.item_state(game, placement) if placement else None,
        "finished": game.is_over,
    } | selectors.progress(game)
