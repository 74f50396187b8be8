"""Helpers for views: who may call a view, and how files are served.

What a person may use within a view is decided by the access modules.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import RequestDataTooBig, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.http import content_disposition_header, url_has_allowed_host_and_scheme
from django.utils.translation import get_language_from_request
from django.utils.translation import gettext as _
from django.views import defaults

from osmosmjerka.web.outages import refusal_after
from osmosmjerka.web.problems import problem
from osmosmjerka.web.requests import is_for_program

if TYPE_CHECKING:
    from osmosmjerka.accounts.models import User

Parameters = ParamSpec("Parameters")
_RANGE = re.compile(r"^bytes=([0-9]{0,12})-([0-9]{0,12})$")


class SignedInRequest(HttpRequest):
    """A request with a known user, for the type checker."""

    user: User


def admin_login(request: HttpRequest) -> HttpResponse:
    """Redirect the admin's login to the common one, with its lock and two-step verification."""
    if request.user.is_authenticated:
        raise Http404
    return redirect_to_login(request.GET.get("next", reverse("admin:index")))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return a page for an invalid or too large request, in the visitor's language.

    An invalid host name is rejected before the language is determined.
    """
    status = 413 if isinstance(exception, RequestDataTooBig) else 400
    language = getattr(request, "LANGUAGE_CODE", "") or get_language_from_request(request)
    with translation.override(language):
        if not is_for_program(request):
            return render(request, f"{status}.html", status=status)
        if status == 413:
            return too_large()
        return problem(400, _("This request could not be read"), "bad_request")


def too_large() -> HttpResponse:
    """Return an error of the API for a body that is too large."""
    told = _("The request is too large. Send less data at once.")
    return problem(413, told, "too_large")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return a page for a URL that does not exist; for a program, JSON."""
    if is_for_program(request):
        return problem(404, _("Not found."), "not_found")
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return a page for an error of ours, or for an outage; for a program, JSON."""
    if refused := refusal_after(request, sys.exception()):
        return refused
    if is_for_program(request):
        return problem(500, _("Something went wrong on our side"), "server_error")
    return defaults.server_error(request)


def form_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return a page for a form without the visitor's own token, or of somebody logged out.

    Nothing that was typed is lost: who is logged in can send it again, who is not can copy it.
    """
    typed = _typed(request)
    context: dict[str, object] = {"path": request.get_full_path(), "fields": typed}
    if not request.user.is_authenticated:
        query = QueryDict(mutable=True)
        query["next"] = _came_from(request)
        context |= {
            "login_url": f"{reverse('login')}?{query.urlencode(safe='/')}",
            "texts": [value for _name, value in typed if len(value) >= LONG or "\n" in value],
        }
    return render(request, "403_csrf.html", context, status=403)


def _came_from(request: HttpRequest) -> str:
    """Return the path of the page of this site that sent a form, or "/"."""
    try:
        sender = urlsplit(request.headers.get("Referer", ""))
    except ValueError:
        return "/"
    is_safe = sender.netloc == request.get_host() and url_has_allowed_host_and_scheme(
        sender.path, allowed_hosts=None
    )
    return sender.path if is_safe else "/"


LONG = 40  # characters that nobody likes to type again
_SECRET = re.compile(r"pass|token|secret|code|words|picture", re.IGNORECASE)


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of a form, only if a page of this site sent it, and if none is secret."""
    own = f"{request.scheme}://{request.get_host()}"
    if request.headers.get("Origin") != own or request.FILES:
        return []
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        if name != "csrfmiddlewaretoken"
        for value in values
    ]
    return [] if any(_SECRET.search(name) for name, _value in fields) else fields


def signed_in(
    view: Callable[Concatenate[SignedInRequest, Parameters], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Parameters], HttpResponse]:
    """Redirect to the login page unless the user is logged in; keep what a form holds."""
    checked = login_required(view)

    def for_known_users(
        request: HttpRequest, /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> HttpResponse:
        is_form = request.method == "POST" and not request.headers.get("HX-Request")
        if is_form and not request.user.is_authenticated and _typed(request):
            return form_refused(request)
        return checked(request, *args, **kwargs)  # type: ignore[arg-type]  # narrows the user

    return wraps(view)(for_known_users)


def _only_for(
    view: Callable[Concatenate[SignedInRequest, Parameters], HttpResponse],
    may_see: Callable[[User], bool],
) -> Callable[Concatenate[HttpRequest, Parameters], HttpResponse]:
    """Allow some users. For everybody else who is logged in, the page does not exist."""

    def only_these(
        request: SignedInRequest, /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> HttpResponse:
        if not may_see(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    return wraps(view)(signed_in(only_these))


def teacher_required(
    view: Callable[Concatenate[SignedInRequest, Parameters], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Parameters], HttpResponse]:
    """Allow teachers and admins. For students, the page does not exist."""
    return _only_for(view, lambda user: user.is_teacher)


def student_required(
    view: Callable[Concatenate[SignedInRequest, Parameters], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Parameters], HttpResponse]:
    """Allow students. For teachers, the page does not exist."""
    return _only_for(view, lambda user: user.is_student)


def site_admin_required(
    view: Callable[Concatenate[SignedInRequest, Parameters], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Parameters], HttpResponse]:
    """Allow site admins. For everybody else who is logged in, the page does not exist."""
    return _only_for(view, lambda user: user.is_superuser)


@contextmanager
def refusal_as_message(request: HttpRequest, level: int = messages.ERROR) -> Iterator[None]:
    """Tell the person in a message why a service refuses what they want."""
    try:
        yield
    except ValidationError as error:
        messages.add_message(request, level, " ".join(error.messages))


# What the name of a file may not contain on some system.
_NOT_IN_NAMES = re.compile(r"[\\/*?:<>|\"\x00-\x1f\x7f]")


def download(data: bytes, content_type: str, name: str) -> HttpResponse:
    """Return a file for download; in its name, what some systems do not allow becomes a space."""
    clean = " ".join(_NOT_IN_NAMES.sub(" ", name).split())
    headers = {"Content-Disposition": content_disposition_header(True, clean) or ""}
    return HttpResponse(data, content_type=content_type, headers=headers)


def kept_file(request: HttpRequest, data: bytes, content_type: str) -> HttpResponse:
    """Return a file that may be cached for a year, whole or the requested range.

    Its URL must change with its content. Apple devices request ranges and play nothing without
    them.
    """
    response = HttpResponse(data, content_type=content_type)
    wanted = _RANGE.match(request.headers.get("Range", ""))
    if wanted and any(wanted.groups()):
        first, last = wanted.groups()
        start = int(first) if first else max(0, len(data) - int(last))
        end = min(int(last), len(data) - 1) if first and last else len(data) - 1
        if start > end:
            return HttpResponse(status=416, headers={"Content-Range": f"bytes */{len(data)}"})
        response = HttpResponse(data[start : end + 1], status=206, content_type=content_type)
        response["Content-Range"] = f"bytes {start}-{end}/{len(data)}"
    response["Accept-Ranges"] = "bytes"
    response["Cache-Control"] = "private, max-age=31536000, immutable"
    return response
