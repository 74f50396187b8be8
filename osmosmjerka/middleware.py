"""For every request: an id in the logs, HTTPS, a limit of size, no caching of personal pages."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from osmosmjerka.problems import problem

Handler = Callable[[HttpRequest], HttpResponse]

current_request_id: ContextVar[str] = ContextVar("request_id", default="-")
_ACCEPTABLE_ID = re.compile(r"^[A-Za-z0-9._-]{8,64}$")


class RequestIdFilter(logging.Filter):
    """Add the id of the current request to each log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id.get()
        return True


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
        # Imported here, because logging loads this module before there are models.
        from osmosmjerka.http import is_for_program

        if settings.SECURE_SSL_REDIRECT and not request.is_secure() and is_for_program(request):
            told = _("Use HTTPS. Replace the password or token that you sent in the clear.")
            return problem(403, told, "https_required")
        return self.get_response(request)


KILOBYTE = 1024
MEGABYTE = 1024 * KILOBYTE
# The largest file that is read, see vocab.formats.sandbox, and the rest of its form.
LARGEST_BODY = 301_000_000
# What the body of a request may hold, by the beginning of its path; the first that fits counts.
# What strangers may send is short, because reading, normalizing and hashing it costs time.
_LIMITS: tuple[tuple[re.Pattern[str], int], ...] = (
    (
        re.compile(r"/(login|password|card|join|c|setup|signup|invitations|language|logout)/"),
        16 * KILOBYTE,
    ),
    (re.compile(r"/api/token/"), 16 * KILOBYTE),
    (re.compile(r"/api/(play|practice|review|todo|progress)/"), 64 * KILOBYTE),
    (re.compile(r"/api/lists/[^/]+/import/"), LARGEST_BODY),
    (re.compile(r"/api/entries/[^/]+/(sounds/own|picture)/"), 20 * MEGABYTE),
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
            # Imported here, because logging loads this module before there are models.
            from osmosmjerka.http import bad_request

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


class PrivatePagesMiddleware:
    """Forbid caching of what logged-in people see, and tell the service worker whose page it is.

    Tablets are shared: the back button must not show the previous student's page, and the worker
    deletes what it has kept for one student as soon as a page is another's, or nobody's.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.user.is_authenticated and not response.has_header("Cache-Control"):
            response["Cache-Control"] = "no-store, private"
        if response.get("Content-Type", "").startswith("text/html"):
            response["X-Player"] = _player(request)
        response.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(self), payment=()"
        )
        return response


def _player(request: HttpRequest) -> str:
    """Return whose page it is: a student's id on their devices, else "nobody"."""
    # Imported here, because logging loads this module before there are models.
    from osmosmjerka.accounts.codes import name_on_device
    from osmosmjerka.accounts.models import User

    person = request.user
    if not isinstance(person, User) or not person.is_student or hasattr(request, "viewed_by"):
        return "nobody"
    return name_on_device(person.pk)
