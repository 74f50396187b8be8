"""What happens if more requests come than can be answered: some are refused, the others go on.

A request waits until a thread is free. The server measures how long, and asks `Patience` whether
that was too long. The middleware then refuses the request with status 503 before it costs anything.
The servers that measure are in osmosmjerka/server/.
"""

from __future__ import annotations

import logging
import secrets
from contextvars import ContextVar
from functools import cache
from time import monotonic

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import get_language_from_request
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from osmosmjerka.web.problems import problem
from osmosmjerka.web.requests import Handler, is_for_program

logger = logging.getLogger(__name__)

# A class that opens a page together is a burst: its requests wait some seconds, and all are
# answered. If requests have been waiting as long without a pause, more come than can be answered.
# Then a long queue helps nobody, because each request waits in it and no more are answered.
BURST = 5.0  # seconds
OVERLOAD = 1.0
PAUSE = 0.1

_BUSY = _("Too many people are using this site right now. Try again in a moment.")

# Set by the server for the request that this thread begins.
is_late: ContextVar[bool] = ContextVar("is_late", default=False)


class Patience:
    """How long a request may wait; one object for all requests of a process."""

    def __init__(self) -> None:
        self._paused_at = monotonic()
        self._is_refusing = False

    def covers(self, waited: float) -> bool:
        """Return whether a request that has waited that many seconds is still to be answered."""
        is_burst = monotonic() - self._paused_at < BURST
        is_covered = waited < (BURST if is_burst else OVERLOAD)
        if not is_covered and not self._is_refusing:
            self._is_refusing = True
            logger.warning("Too many requests: those that wait too long are refused.")
        return is_covered

    def begin(self, waited: float) -> None:
        """Note that a thread begins a request that has waited that many seconds."""
        is_late.set(not self.covers(waited))
        if waited < PAUSE:
            self._paused_at = monotonic()
            if self._is_refusing:
                self._is_refusing = False
                logger.warning("All requests are answered again.")


class OverloadMiddleware:
    """Refuse requests that are late, except what is cheap and others depend on.

    A health check asks whether the process responds. Without its static files, a page that has just
    been answered would be useless. /readyz is refused, so that a load balancer asks elsewhere.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_late.get() or request.path_info.startswith(("/healthz", settings.STATIC_URL)):
            return self.get_response(request)
        return refusal(request)


def refusal(request: HttpRequest) -> HttpResponse:
    """Return 503, and log nothing: `Patience` logs when it begins and when it ends."""
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
