"""Personal pages are not cached, and say whose they are: tablets are shared."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.accounts.models import User
from osmosmjerka.web.requests import Handler


class PrivatePagesMiddleware:
    """Forbid caching of what logged-in people see, and tell the service worker whose page it is.

    The back button must not show the previous student's page, and the worker deletes what it has
    kept for one student as soon as a page is another's, or nobody's.
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
    person = request.user
    if not isinstance(person, User) or not person.is_student or hasattr(request, "viewed_by"):
        return "nobody"
    return name_on_device(person.pk)
