"""Answer devices that ask whether their game has changed: hundreds a second in a school.

The middleware stands above the session, so that such a request costs no query in most cases: the
device is known by its signed cookie, and the state is kept for a moment. All others go on.
"""

from __future__ import annotations

import re
import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from osmosmjerka.web.requests import Handler
from puzzles.live import selectors, services
from puzzles.live.state import LiveState
from puzzles.live.tokens import player_in

_PATH = re.compile(r"/api/live/([A-Z0-9]{6})/state/")
ASK_AFTER = "X-Ask-After"  # ms


class PollingMiddleware:
    """Answer a player's device that asks for the state of its game."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = _PATH.fullmatch(request.path_info) if request.method == "GET" else None
        player = asked and player_in(request, asked[1])
        if not asked or not player:
            return self.get_response(request)
        state = selectors.current(asked[1])
        if state is not None and player not in state.players:
            selectors.forget(asked[1])  # what is kept may be from before they joined
            state = selectors.current(asked[1])
        return self.get_response(request) if state is None else answer(request, state, player)


def answer(request: HttpRequest, state: LiveState, player: uuid.UUID) -> HttpResponse:
    """Return what a player's device asks for: 204 if nothing has changed since `since`."""
    after = selectors.ask_after()
    who = state.players.get(player)
    if who is None:
        return _sent(JsonResponse({"state": "removed", "version": state.game.version}), after)
    services.note_here(who, timezone.now())
    given = request.GET.get("since", "0")
    since = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
    if since == state.game.version:
        return _sent(HttpResponse(status=204), after)
    told: dict[str, Any] = selectors.told_to(state, who, since, timezone.now())
    return _sent(JsonResponse(told | {"ask_after": after}), after)


def _sent(response: HttpResponse, after: int) -> HttpResponse:
    # Above CommonMiddleware nothing else sets the length; without it, servers close the connection.
    response["Content-Length"] = str(len(response.content))
    response["Cache-Control"] = "no-store"
    response[ASK_AFTER] = str(after)
    return response
