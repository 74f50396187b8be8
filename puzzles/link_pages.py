"""What pages behind a link share: nobody but who has the link learns of them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from puzzles import wrong_tokens


def closed(response: HttpResponse) -> HttpResponse:
    """Keep a page from search engines, from caches, and its address from other sites.

    Not `no-referrer`: then browsers send no origin with forms, which would be refused.
    """
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "same-origin"
    response.setdefault("Cache-Control", "no-store, private")
    return response


def ended(request: HttpRequest, *, is_for_teachers: bool = False) -> HttpResponse:
    """Return the page of a link that shows nothing, whatever the reason.

    With *is_for_teachers*, it says that students open no links here, whether the link works or not.
    """
    told = {"is_for_teachers": is_for_teachers}
    return closed(render(request, "puzzles/link_ended.html", told, status=404))


def too_many_wrong(request: HttpRequest) -> HttpResponse:
    """Return the page for who opened too many wrong links."""
    response = render(request, "puzzles/link_ended.html", {"is_too_fast": True}, status=429)
    response["Retry-After"] = str(wrong_tokens.WITHIN)
    return closed(response)
