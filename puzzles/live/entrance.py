"""Find a game by the code that somebody types; who guesses codes has to wait."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.request import Request

from puzzles.live import selectors
from puzzles.models import LiveGame

MOST_WRONG_CODES = 10
WITHIN = 60  # seconds


class TooManyCodes(Exception):
    """Too many wrong codes came from one person or address within a minute."""


def game_by_code(request: HttpRequest | Request, code: str) -> LiveGame | None:
    """Return the game with this code, or None.

    Raises TooManyCodes after ten wrong codes in a minute: of a person who is logged in, or else of
    an address, since a whole class has one.
    """
    who = request.user.pk if request.user.is_authenticated else request.META.get("REMOTE_ADDR", "")
    key = f"live.wrong.{who}"
    if cache.get(key, 0) >= MOST_WRONG_CODES:
        raise TooManyCodes
    game = selectors.open_game(code)
    if game is None:
        cache.add(key, 0, WITHIN)
        cache.incr(key)
    return game
