"""View a student's pages as the student sees them, without changing anything."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from osmosmjerka.accounts import access
from osmosmjerka.web.problems import problem
from osmosmjerka.web.requests import Handler, is_for_program

KEY = "view_as"
_READING = {"GET", "HEAD", "OPTIONS"}


class ImpersonationMiddleware:
    """Show a student's pages to a teacher, read-only; every page says so.

    The permission is checked at each request. Whatever a page would write when viewed (such as a
    new play session) is rolled back, so that viewing leaves no trace in the student's progress.
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
            told = _("You are only viewing these pages. Nothing was changed.")
            if is_for_program(request):
                return problem(403, told, "only_viewing")
            return HttpResponse(told, status=403, content_type="text/plain; charset=utf-8")
        request.viewed_by = request.user  # type: ignore[attr-defined]  # every page shows it
        request.user = student
        with transaction.atomic():
            response = self.get_response(request)
            transaction.set_rollback(True)
        return response
