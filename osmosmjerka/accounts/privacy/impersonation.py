"""Look at a student's pages as the student sees them, without being able to change anything."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from osmosmjerka.accounts import access
from osmosmjerka.middleware import Handler

KEY = "view_as"
_READING = {"GET", "HEAD", "OPTIONS"}


class ImpersonationMiddleware:
    """Show the student's pages to a teacher who asked for it: read only, and the page says so.

    Whether the teacher may is asked at each request. What a page would write as it is read (a
    session of play that begins) is taken back, so that looking leaves no trace in what is learned.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        pk = request.session.get(KEY)
        if pk is None or request.path in {reverse("view-as-stop"), reverse("logout")}:
            return self.get_response(request)
        student = access.students(request.user, "view as").filter(pk=pk).first()
        if student is None:
            del request.session[KEY]
            return self.get_response(request)
        if request.method not in _READING:
            return HttpResponse(
                _("You are only viewing these pages. Nothing was changed."),
                status=403,
                content_type="text/plain",
            )
        request.viewed_by = request.user  # type: ignore[attr-defined]  # said on every page
        request.user = student
        with transaction.atomic():
            response = self.get_response(request)
            transaction.set_rollback(True)
        return response
