"""Find a game by the code that somebody types; who guesses codes has to wait."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest
from rest_framework.request import Request

from puzzles import wrong_tokens
from puzzles.live import selectors
from puzzles.models import LiveGame

MOST_WRONG_CODES = 10


def game_by_code(request: HttpRequest | Request, code: str) -> LiveGame | None:
    """Return the game with this code, or None.

    Raises TooManyWrong after ten wrong codes in a minute; see `wrong_tokens.find`.
    """
    look = partial(selectors.open_game, code)
    return wrong_tokens.find(request, "live", look, most=MOST_WRONG_CODES)
