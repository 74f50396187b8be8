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
    """Too many wrong codes came from this address within a minute."""


def game_by_code(request: HttpRequest | Request, code: str) -> LiveGame | None:
    """Return the game with this code, or None.

    Raises TooManyCodes for an address with ten wrong codes in a minute. A whole school may have one
    address, so right codes are never refused for long, and count for nothing.
    """
    key = f"live.wrong.{request.META.get('REMOTE_ADDR', '')}"
    if cache.get(key, 0) >= MOST_WRONG_CODES:
        raise TooManyCodes
    game = selectors.open_game(code)
    if game is None:
        cache.add(key, 0, WITHIN)
        cache.incr(key)
    return game
