"""The cookie by which a device is known as a player's: signed, so that no query is needed."""

from __future__ import annotations

import uuid

from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from osmosmjerka.accounts.codes import keyed_hash, name_on_device
from puzzles.models import LivePlayer

_LASTS = 12 * 60 * 60  # seconds
_SALT = "osmosmjerka.live"


def cookie_of(code: str) -> str:
    """Return the name of a game's cookie."""
    return f"live-{code}"


def player_in(request: HttpRequest, code: str) -> uuid.UUID | None:
    """Return the id of the player that the device's cookie names, or None."""
    try:
        text = signing.loads(
            request.COOKIES.get(cookie_of(code), ""), salt=f"{_SALT}.{code}", max_age=_LASTS
        )
    except signing.BadSignature:
        return None
    return uuid.UUID(text)


def value_of(player: LivePlayer) -> str:
    """Return what the player's cookie holds."""
    return signing.dumps(str(player.pk), salt=f"{_SALT}.{player.game.code}")


def remember(response: HttpResponseBase, request: HttpRequest, player: LivePlayer) -> None:
    """Let the device that gets the response play for this player."""
    response.set_cookie(
        cookie_of(player.game.code),
        value_of(player),
        max_age=_LASTS,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def forget(response: HttpResponseBase, code: str) -> None:
    """Delete the game's cookie from the device that gets the response."""
    response.delete_cookie(cookie_of(code), samesite="Lax")


def player_on_device(player: LivePlayer) -> str:
    """Return the id that the page stores with a player's answers, so as not to send another's."""
    if player.student_id is not None:
        return name_on_device(player.student_id)
    return keyed_hash("device", str(player.pk))[:32]
