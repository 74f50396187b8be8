"""HTTP API of the trial, as that of playing, but for everybody and without a trace.

The visitor's state is in a signed cookie. They can undo what they did by sending an older one,
which harms nobody.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core import signing
from django.http import HttpRequest
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.rest.serializers import read_body
from puzzles.play import selectors
from puzzles.play.api import REFUSALS, PlayView, cells_of_request, progress_after, told_of
from puzzles.play.serializers import (
    HintAnswerSerializer,
    HintSerializer,
    MoveAnswerSerializer,
    MoveSerializer,
    PlayStateSerializer,
)
from puzzles.trial import services as trials
from puzzles.trial.services import Trial

COOKIE = "trial"


def trial_of(request: HttpRequest) -> Trial:
    """Return the game of a visitor, as their cookie has it, or a new one."""
    try:
        started, finished, outcomes = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE)
    except signing.BadSignature:
        return trials.begin()
    at, ended = (one and datetime.fromisoformat(one) for one in (started, finished))
    return Trial(at, outcomes, ended)


class TrialView(PlayView):
    """Base of the views of the trial: everybody may play it, and nobody need be known."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def read(self) -> Trial:
        """Return the visitor's game, or a new one."""
        return trial_of(self.request)

    def respond(self, trial: Trial, content: dict[str, Any]) -> Response:
        response = Response(content)
        state = [
            trial.started_at.isoformat(),
            trial.finished_at and trial.finished_at.isoformat(),
            trial.outcomes,
        ]
        response.set_cookie(
            COOKIE,
            signing.dumps(state, salt=COOKIE),
            secure=self.request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
        return response


class TrialStateView(TrialView):
    @extend_schema(responses=PlayStateSerializer)
    def get(self, request: Request) -> Response:
        """Return your game of the puzzle on the first page; the first call starts it."""
        trial = self.read()
        return self.respond(trial, selectors.state_of(trials.game_of(trial)))


class TrialMoveView(TrialView):
    @extend_schema(request=MoveSerializer, responses={200: MoveAnswerSerializer} | REFUSALS)
    def post(self, request: Request) -> Response:
        """Submit traced `cells`."""
        cells = cells_of_request(read_body(request, MoveSerializer).get("cells"))
        trial, answer = trials.try_move(self.read(), cells)
        return self.respond(trial, told_of(answer))


class TrialHintView(TrialView):
    @extend_schema(request=HintSerializer, responses={200: HintAnswerSerializer} | REFUSALS)
    def post(self, request: Request) -> Response:
        """Request a hint: the first cell, or the whole word."""
        wanted = read_body(request, HintSerializer)
        trial, game, word, cells = trials.show_word(self.read(), wanted["item"], wanted["kind"])
        hint = {
            "kind": wanted["kind"],
            "cells": cells,
            "tiles": word.tiles[: len(cells)],
        }
        return self.respond(trial, hint | progress_after(game, word))


class TrialFinishView(TrialView):
    @extend_schema(request=None, responses=PlayStateSerializer)
    def post(self, request: Request) -> Response:
        """Finish the game and return it; words that were not found are shown."""
        trial = trials.finish(self.read())
        return self.respond(trial, selectors.state_of(trials.game_of(trial)))
