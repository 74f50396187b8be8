"""The cookie with a guest's game: signed, so that nobody can write one.

Guests can undo what they did by sending an older one, which harms nobody.
"""

from __future__ import annotations

from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from puzzles.guests import services as guests
from puzzles.guests.state import GuestState


def cookie_of(name: str) -> str:
    """Return the name of a game's cookie."""
    return f"guest-{name}"


def state_in(request: HttpRequest | Request, name: str) -> GuestState:
    """Return the game of a guest, as their cookie has it, or a new one."""
    cookie = cookie_of(name)
    try:
        stored = signing.loads(request.COOKIES.get(cookie, ""), salt=f"osmosmjerka.{cookie}")
    except signing.BadSignature:
        return guests.begin()
    return GuestState.of_json(stored)


def remember(
    response: HttpResponseBase, request: HttpRequest | Request, name: str, state: GuestState
) -> None:
    """Let the device that gets the response keep the game, until its browser is closed."""
    cookie = cookie_of(name)
    response.set_cookie(
        cookie,
        signing.dumps(state.as_json(), salt=f"osmosmjerka.{cookie}", compress=True),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def forget(response: HttpResponseBase, name: str) -> None:
    """Delete the game from the device that gets the response."""
    response.delete_cookie(cookie_of(name), samesite="Lax")
