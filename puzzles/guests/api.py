"""HTTP API of a guest's game, as that of playing, but without a trace on the server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.rest.serializers import read_body
from puzzles.guests import cookies
from puzzles.guests import services as guests
from puzzles.guests.services import GuestPuzzle
from puzzles.guests.state import GuestState
from puzzles.play import selectors
from puzzles.play.api import REFUSALS, PlayView, shown_by, told_of
from puzzles.play.games import Game
from puzzles.play.serializers import (
    HintAnswerSerializer,
    HintSerializer,
    MoveAnswerSerializer,
    MoveSerializer,
    PlayStateSerializer,
    move_of,
)


class GuestView(PlayView, ABC):
    """Base of the views of a guest's game: everybody may play it, and nobody need be known."""

    permission_classes = (AllowAny,)

    @abstractmethod
    def guest_puzzle(self) -> GuestPuzzle:
        """Return the puzzle that is played."""

    def state_of(self, of: GuestPuzzle) -> GuestState:
        return cookies.state_in(self.request, of.name)

    def seen(self) -> Game:
        """Return the game as the guest has it."""
        of = self.guest_puzzle()
        return guests.game_of(of, self.state_of(of))

    def respond(self, of: GuestPuzzle, state: GuestState, content: dict[str, Any]) -> Response:
        response = Response(content)
        cookies.remember(response, self.request, of.name, state)
        return response


class GuestStateView(GuestView):
    @extend_schema(responses=PlayStateSerializer)
    def get(self, request: Request, **where: str) -> Response:
        """Return your game, which only you have, in a cookie; the first call starts it.

        Words that you have not found are not revealed.
        """
        of = self.guest_puzzle()
        state = self.state_of(of)
        return self.respond(of, state, selectors.state_of(guests.game_of(of, state)))


class GuestMoveView(GuestView):
    @extend_schema(request=MoveSerializer, responses={200: MoveAnswerSerializer} | REFUSALS)
    def post(self, request: Request, **where: str) -> Response:
        """Submit an answer, as at `/api/play/{code}/attempts/`."""
        given = read_body(request, MoveSerializer)
        of = self.guest_puzzle()
        state, answer = guests.try_move(of, self.state_of(of), move_of(given))
        return self.respond(of, state, told_of(answer))


class GuestHintView(GuestView):
    @extend_schema(request=HintSerializer, responses={200: HintAnswerSerializer} | REFUSALS)
    def post(self, request: Request, **where: str) -> Response:
        """Request a hint, as at `/api/play/{code}/hint/`."""
        given = read_body(request, HintSerializer)
        of = self.guest_puzzle()
        state, hint = guests.take_hint(
            of, self.state_of(of), given["item"], given["kind"], given.get("cell")
        )
        return self.respond(of, state, shown_by(hint, given["kind"]))


class GuestFinishView(GuestView):
    @extend_schema(request=None, responses=PlayStateSerializer)
    def post(self, request: Request, **where: str) -> Response:
        """Finish the game and return it; words that were not found are shown."""
        of = self.guest_puzzle()
        state = guests.finish(self.state_of(of))
        return self.respond(of, state, selectors.state_of(guests.game_of(of, state)))
