"""Open a link; what has ended, was never there or is not for this person looks the same."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest
from rest_framework.request import Request

from puzzles import wrong_tokens
from puzzles.models import ShareLink
from puzzles.sharing import services

# Links are opened, not typed, so a class on one address sends few that are wrong.
MOST_WRONG = 30


class LinkEnded(Exception):
    """The link shows nothing to this person."""


def open_link(request: HttpRequest | Request, token: str) -> ShareLink:
    """Return the link with this token.

    Raises LinkEnded, and TooManyWrong after thirty wrong tokens in a minute; see
    `wrong_tokens.find`. A link that has ended is no wrong one.
    """
    if not services.may_open(request.user):
        raise LinkEnded
    look = partial(services.stored, token)
    link = wrong_tokens.find(request, "shared", look, most=MOST_WRONG)
    if link is None or not services.is_working(link):
        raise LinkEnded
    return link
