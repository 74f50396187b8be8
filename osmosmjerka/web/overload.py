"""Refusing a request with status 503, before it costs anything."""

from __future__ import annotations

import secrets
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import get_language_from_request
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from osmosmjerka.web.problems import problem
from osmosmjerka.web.requests import is_for_program

_BUSY = _("Too many people are using this site right now. Try again in a moment.")


def refusal(request: HttpRequest) -> HttpResponse:
    """Return 503 because too many requests are under way."""
    # Not all at the same moment.
    return unavailable(request, "503.html", _BUSY, wait=3 + secrets.randbelow(6))


def unavailable(
    request: HttpRequest, template: str, told: StrOrPromise, *, wait: int, said: str = ""
) -> HttpResponse:
    """Return 503, without database and session: the language is the browser's.

    A program is *told* why; people get the page *template*, with what the site's keeper *said*.
    """
    language = get_language_from_request(request)
    response: HttpResponse
    if is_for_program(request):
        with translation.override(language):
            response = problem(503, said or told, "unavailable")
    else:
        response = HttpResponse(_page(template, language, said), status=503)
    # Without its length, waitress would close the connection, and the next try need another one.
    response["Content-Length"] = str(len(response.content))
    response["Retry-After"] = str(wait)
    response["Cache-Control"] = "no-store"
    return response


@cache
def _page(template: str, language: str, said: str) -> str:
    with translation.override(language):
        return render_to_string(template, {"said": said})
