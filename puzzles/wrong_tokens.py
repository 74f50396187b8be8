"""Find something by a code or a token that somebody sends; who guesses has to wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.request import Request

Found = TypeVar("Found")

WITHIN = 60  # seconds


class TooManyWrong(Exception):
    """Too many wrong codes came from one person or address within a minute."""


def find(
    request: HttpRequest | Request, purpose: str, look: Callable[[], Found | None], *, most: int
) -> Found | None:
    """Return what *look* finds, or None.

    Raises TooManyWrong after *most* times without a find in a minute: of a person who is logged in,
    or else of an address, since a whole class has one.
    """
    who = request.user.pk if request.user.is_authenticated else request.META.get("REMOTE_ADDR", "")
    key = f"{purpose}.wrong.{who}"
    if cache.get(key, 0) >= most:
        raise TooManyWrong
    found = look()
    if found is None:
        cache.add(key, 0, WITHIN)
        cache.incr(key)
    return found
