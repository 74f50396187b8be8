"""For every request: an id in the logs, and no caching of personal pages."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

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


class PrivatePagesMiddleware:
    """Forbid caching of what logged-in people see.

    Tablets are shared: the back button must not show the previous student's page.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.user.is_authenticated and not response.has_header("Cache-Control"):
            response["Cache-Control"] = "no-store, private"
        response.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(self), payment=()"
        )
        return response
