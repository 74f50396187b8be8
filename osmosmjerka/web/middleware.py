"""For every request: an id in the logs, HTTPS, a limit of size."""

from __future__ import annotations

import re
import uuid

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from osmosmjerka.web.problems import problem
from osmosmjerka.web.requests import (
    KILOBYTE,
    LARGEST_BODY,
    MEGABYTE,
    Handler,
    current_request_id,
    is_for_program,
)
from osmosmjerka.web.views import bad_request

_ACCEPTABLE_ID = re.compile(r"^[A-Za-z0-9._-]{8,64}$")


class RequestIdMiddleware:
    """Give each request an id, or take the proxy's, and return it as X-Request-ID."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _ACCEPTABLE_ID.match(given) else uuid.uuid4().hex
        # Not reset at the end: Django logs a refused request after its middleware has run.
        current_request_id.set(request_id)
        response = self.get_response(request)
        response["X-Request-ID"] = request_id
        return response


class HttpsOnlyForProgramsMiddleware:
    """Refuse requests to the API over plain HTTP, where pages are redirected to HTTPS.

    A program that follows a redirect works on, and nobody notices that its password or token is
    sent in the clear each time.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and not request.is_secure() and is_for_program(request):
            told = _("Use HTTPS. Replace the password or token that you sent in the clear.")
            return problem(403, told, "https_required")
        return self.get_response(request)


# What the body of a request may hold, by the beginning of its path; the first that fits counts.
# What strangers may send is short, because reading, normalizing and hashing it costs time.
_LIMITS: tuple[tuple[re.Pattern[str], int], ...] = (
    (
        re.compile(r"/(login|password|card|join|c|s|p|setup|signup|invitations|language|logout)/"),
        16 * KILOBYTE,
    ),
    (re.compile(r"/api/token/"), 16 * KILOBYTE),
    (re.compile(r"/api/(play|practice|review|todo|progress|shared|trial)/"), 64 * KILOBYTE),
    (re.compile(r"/api/lists/[^/]+/import/"), LARGEST_BODY),
    (re.compile(r"/api/entries/[^/]+/(sounds/own|picture)/"), 20 * MEGABYTE),
    (re.compile(r"/api/schools/[^/]+/rosters/"), 6 * MEGABYTE),
    (re.compile(r"/api/"), MEGABYTE),
)


class BodyLimitMiddleware:
    """Refuse a request that says that its body is too large for its address, before reading it.

    Files in forms have limits of their own, and other forms that of DATA_UPLOAD_MAX_MEMORY_SIZE.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _size_of(request) > limit_of(request.path_info):
            # Not raised: Django would log each with a traceback, as an attacker may like.
            return bad_request(request, RequestDataTooBig())
        return self.get_response(request)


def limit_of(path: str) -> int:
    """Return how many bytes the body of a request to *path* may have."""
    limits = (most for beginning, most in _LIMITS if beginning.match(path))
    return next(limits, LARGEST_BODY)


def _size_of(request: HttpRequest) -> int:
    """Return the size of the body. A body without a size is not read: Django takes it for empty."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0
