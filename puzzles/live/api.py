"""HTTP API of class games: for their teachers, and for the devices of their players."""

from __future__ import annotations

import uuid
from functools import cached_property
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, PermissionDenied, Throttled
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.schema import VERSION
from osmosmjerka.rest.serializers import read_body, read_query
from osmosmjerka.rest.views import ApiView
from osmosmjerka.web.problems import problem
from puzzles.live import entrance, moves, polling, selectors, services, tokens
from puzzles.live.serializers import (
    BoardSerializer,
    GameSerializer,
    JoinedSerializer,
    JoinSerializer,
    LiveHintSerializer,
    NewGameSerializer,
    OrderSerializer,
    PlayerChangeSerializer,
    PlayerStateSerializer,
    ResultsSerializer,
    SinceSerializer,
    SkipSerializer,
)
from puzzles.live.state import LiveState, fixed_of
from puzzles.models import LiveGame, LivePlayer, Placement
from puzzles.play import selectors as play
from puzzles.play.api import REFUSALS, PlayView, progress_after, told_of
from puzzles.play.games import Game
from puzzles.play.serializers import (
    HintAnswerSerializer,
    HowSpokenSerializer,
    MoveAnswerSerializer,
    MoveSerializer,
    PlayStateSerializer,
    move_of,
)
from puzzles.play.sounds import picture_response, sound_response
from puzzles.wrong_tokens import WITHIN, TooManyWrong
from vocab.access import vocabulary_lists

PAUSED_FOR = "3"  # seconds, until an answer is sent again

# For teachers -----------------------------------------------------------------------------


class ClassGamesView(ApiView):
    is_for_teachers = True

    @extend_schema(operation_id="classes_games_list", responses=GameSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the class games of a class that you lead, the newest first."""
        games = selectors.games_led(request.user).filter(classroom=self._classroom(request, pk))
        return Response(GameSerializer(games[:100], many=True).data)

    @extend_schema(
        operation_id="classes_games_open",
        request=NewGameSerializer,
        responses={201: GameSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Open a class game: players can join it while its puzzle is made in the background.

        A game that the class has not ended is ended. Returns 400 if the words fit no such game.
        """
        wanted = read_body(request, NewGameSerializer)
        lists = vocabulary_lists(request.user, "make puzzles")
        game = services.open_game(
            classroom=self._classroom(request, pk),
            actor=user_of(request),
            mode=wanted["mode"],
            vocabulary_list=get_object_or_404(lists, pk=wanted["list"]),
            entries=wanted.get("entries", ()),
            words=wanted.get("words"),
            team_count=wanted["teams"],
            seconds=wanted["seconds"],
            allows_guests=wanted["allows_guests"],
            is_heard_on_board=wanted["is_heard_on_board"],
        )
        return Response(GameSerializer(game).data, status=201)

    def _classroom(self, request: Request, pk: int) -> Any:
        led = classrooms(request.user, "lead games").filter(archived_at=None)
        return get_object_or_404(led.select_related("school"), pk=pk)


class LedGameView(ApiView):
    """Base of the views of a game for the teachers of its class."""

    is_for_teachers = True

    def game(self, code: str) -> LiveGame:
        return get_object_or_404(selectors.games_led(self.request.user), code=code)

    def results(self, code: str) -> Response:
        selectors.forget(code)
        return Response(ResultsSerializer(selectors.results_of(self.game(code))).data)


class LiveGameView(LedGameView):
    @extend_schema(operation_id="live_retrieve", responses=ResultsSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Return a class game and what was found in it, word by word."""
        return self.results(code)

    @extend_schema(operation_id="live_update", request=OrderSerializer, responses=ResultsSerializer)
    def patch(self, request: Request, code: str) -> Response:
        """Start a class game, pause it, let it go on, or end it.

        The same request again has no effect. Returns 400 if its puzzle is not ready.
        """
        game, wanted = self.game(code), read_body(request, OrderSerializer)["state"]
        if wanted == "paused":
            services.pause(game)
        elif wanted == "ended":
            services.end(game)
        elif game.state == LiveGame.State.PAUSED:
            services.resume(game)
        else:
            services.start(game)
        return self.results(code)


class LiveSkipView(LedGameView):
    @extend_schema(request=SkipSerializer, responses=ResultsSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Show a word to everybody, so that nobody has to find it; in Listen, ask the next one."""
        services.skip(self.game(code), read_body(request, SkipSerializer).get("item"))
        return self.results(code)


class LiveShuffleView(LedGameView):
    @extend_schema(request=None, responses=ResultsSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Deal the players into new teams, before the game starts."""
        services.shuffle(self.game(code))
        return self.results(code)


class LivePlayerView(LedGameView):
    @extend_schema(request=PlayerChangeSerializer, responses={204: None})
    def patch(self, request: Request, code: str, pk: uuid.UUID) -> Response:
        """Put a player into another team, remove them from the game, or let them back in."""
        player = get_object_or_404(
            LivePlayer.objects.filter(game=self.game(code)).select_related("game"), pk=pk
        )
        wanted = read_body(request, PlayerChangeSerializer)
        if "team" in wanted:
            services.move_player(player, wanted["team"])
        if "removed" in wanted:
            services.remove_player(player, is_removed=wanted["removed"])
        selectors.forget(code)
        return Response(status=204)


class LiveBoardView(LedGameView):
    asks = {"get": [SinceSerializer]}

    @extend_schema(responses={200: BoardSerializer, 204: None})
    def get(self, request: Request, code: str) -> Response:
        """Return what the projector shows of a class game, or 204 if nothing has changed."""
        state = selectors.current(self.game(code).code)
        if state is None:
            raise NotFound
        if read_query(request, SinceSerializer).get("since") == state.game.version:
            return Response(status=204)
        return Response(selectors.told_to_board(state, timezone.now()))


class LiveBoardSoundView(LedGameView):
    asks = {"get": [HowSpokenSerializer, VERSION]}

    @extend_schema(responses={(200, "audio/mpeg"): bytes})
    def get(self, request: Request, code: str, slot: str) -> HttpResponse:
        """Return the sound of a word for the projector: the word asked, or one that all found."""
        state = selectors.current(self.game(code).code)
        may = [] if state is None else selectors.heard_on_board(state)
        word = next((word for word in may if word.slot == slot), None)
        if state is None or word is None:
            raise NotFound
        return _sound(request, state, word)


# For players ------------------------------------------------------------------------------


class JoinView(ApiView):
    scope_to_write = "play"
    permission_classes = (AllowAny,)

    @extend_schema(request=JoinSerializer, responses={201: JoinedSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Join a class game: as a student of its class, or as a guest with an offered nickname.

        Who was in it comes back to their place. Returns 400 if you may not join, 404 for a wrong
        code, and 429 after many wrong codes.
        """
        try:
            game = entrance.game_by_code(request, code)
        except TooManyWrong:
            raise Throttled(WITHIN) from None
        if game is None:
            raise NotFound
        name = read_body(request, JoinSerializer).get("name")
        if request.user.is_authenticated:
            player = services.join(game=game, student=user_of(request))
        else:
            player = services.join_as_guest(game=game, name=name or "")
        response = Response({"name": player.name, "team": player.team}, status=201)
        tokens.remember(response, request, player)
        return response


class PlayerView(PlayView):
    """Base of the views for players, whose devices are known by the game's cookie."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        ApiView.initial(self, request, *args, **kwargs)

    @cached_property
    def player(self) -> uuid.UUID:
        """The id of the player whose device asks. Raises NotFound without the game's cookie.

        Raises PermissionDenied for a page of somebody else who played on the device before.
        """
        player = tokens.player_in(self.request, self.kwargs["code"])
        if player is None:
            raise NotFound  # as if there were no such game
        sent = self.request.headers.get("X-Player")
        if sent is not None:
            who = LivePlayer.objects.filter(pk=player).first()
            if who is None or tokens.player_on_device(who) != sent:
                raise PermissionDenied(_("Someone else plays here now."), "other_player")
        return player

    def seen(self, code: str) -> tuple[LiveState, LivePlayer, Game]:
        """Return the game as the player plays it."""
        game = selectors.open_game(code)
        seen = game and selectors.view_for(game, self.player)
        if not seen:
            raise moves.NotPlaying
        return seen

    def handle_exception(self, exc: Exception) -> Any:
        if isinstance(exc, moves.NotPlaying | LiveGame.DoesNotExist):
            return problem(409, _("You are not in this game any more."), "not_playing")
        if isinstance(exc, moves.Paused):
            told = _("The game is paused. Your answer is sent when it goes on.")
            return problem(429, told, "paused", headers={"Retry-After": PAUSED_FOR})
        return super().handle_exception(exc)


class LiveStateView(PlayerView):
    asks = {"get": [SinceSerializer]}

    @extend_schema(responses={200: PlayerStateSerializer, 204: None})
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return what changed in a game since the version that you know, or 204."""
        player, state = self.player, selectors.current(code)
        if state is None:
            raise NotFound
        return polling.answer(request, state, player)


class LivePlayView(PlayerView):
    @extend_schema(responses=PlayStateSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Return the puzzle of a game that runs, as its player may know it."""
        _state, _who, view = self.seen(code)
        return Response(play.state_of(view))


class LiveMoveView(PlayerView):
    @extend_schema(request=MoveSerializer, responses={200: MoveAnswerSerializer} | REFUSALS)
    def post(self, request: Request, code: str) -> Response:
        """Submit an answer, as at `/api/play/{code}/attempts/`.

        Returns 429 (`paused`) while the game is paused: send the same answer again then.
        """
        given = read_body(request, MoveSerializer)
        answer = moves.record_move(
            player=self.player,
            move_id=given["attempt"],
            move=move_of(given),
            latency_ms=given.get("latency_ms"),
        )
        selectors.forget(code)
        return Response(told_of(answer))


class LiveHintView(PlayerView):
    @extend_schema(request=LiveHintSerializer, responses={200: HintAnswerSerializer} | REFUSALS)
    def post(self, request: Request, code: str) -> Response:
        """Read the word that is asked in Listen, or pass a word of Together on."""
        given = read_body(request, LiveHintSerializer)
        asked = {"player": self.player, "slot": given["item"], "move_id": given["attempt"]}
        if given["kind"] == "pass":
            moves.pass_on(**asked)
            _state, _who, view = self.seen(code)
            word = view.word_in(given["item"])
        else:
            view, word = moves.read_word(**asked)
        selectors.forget(code)
        hint = {"kind": given["kind"], "cells": [], "tiles": []}
        return Response(hint | progress_after(view, word))


class LiveSoundView(PlayerView):
    asks = {"get": [HowSpokenSerializer, VERSION]}

    @extend_schema(responses={(200, "audio/mpeg"): bytes})
    def get(self, request: Request, code: str, slot: str) -> HttpResponse:
        """Return the sound of a word, if it is the clue or if the word was found."""
        state, _who, view = self.seen(code)
        word = view.word_in(slot)
        if word is None or play.item_state(view, word)["clue"]["sound"] is None:
            raise NotFound
        return _sound(request, state, word)


class LivePictureView(PlayerView):
    asks = {"get": [VERSION]}

    @extend_schema(responses={(200, "image/*"): bytes})
    def get(self, request: Request, code: str, slot: str) -> HttpResponse:
        """Return the picture of a word, if it is the clue or if the word was found."""
        _state, _who, view = self.seen(code)
        word = view.word_in(slot)
        if word is None or play.item_state(view, word)["clue"]["picture"] is None:
            raise NotFound
        return picture_response(request, word)


def _sound(request: Request, state: LiveState, word: Placement) -> HttpResponse:
    vocabulary_list = fixed_of(state.game.code).puzzle.vocabulary_list
    is_slow = "slow" in read_query(request, HowSpokenSerializer)
    return sound_response(request, word, vocabulary_list, state.board.words, is_slow=is_slow)
