"""Pages to export personal data, delete it, and view pages as a student."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from osmosmjerka.accounts import access, audit
from osmosmjerka.accounts.auth import doors
from osmosmjerka.accounts.bin.views import tell_of_bin
from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.accounts.privacy.impersonation import KEY as VIEW_AS
from osmosmjerka.web.views import SignedInRequest, download, signed_in, teacher_required


@teacher_required
@require_POST
def student_export(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return all data of a student, for teachers who manage every class of theirs."""
    shown = get_object_or_404(access.students(request.user, "export"), pk=pk)
    return _export(shown, request.user)


@signed_in
@require_http_methods(["GET", "POST"])
def own_data(request: SignedInRequest) -> HttpResponse:
    """Show people what data is stored about them, and export it."""
    if request.method == "POST":
        return _export(request.user, request.user)
    context = {
        "record_store": settings.XAPI_URL,
        "has_sign_in_service": bool(doors.services_for(request.user)),
    }
    return render(request, "accounts/privacy/own_data.html", context)


def _export(person: User, actor: User) -> HttpResponse:
    data = privacy.export_person(person=person, actor=actor)
    return download(data, "application/zip", f"data-{person.pk}.zip")


@teacher_required
@require_POST
def student_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put a student into the bin."""
    shown = get_object_or_404(access.students(request.user, "erase"), pk=pk)
    privacy.delete_student(person=shown, actor=request.user)
    # Without the name, because messages may be stored in the session for a while.
    tell_of_bin(request, _("The account is now in the bin."), undo=("students", shown.pk))
    return redirect("classroom-list")


@teacher_required
@require_POST
def view_as(request: SignedInRequest, pk: int) -> HttpResponse:
    """Start viewing the site as a student."""
    shown = get_object_or_404(access.students(request.user, "view as"), pk=pk)
    audit.record(request.user, "viewed as", shown)
    request.session[VIEW_AS] = shown.pk
    return redirect("home")


@signed_in
@require_POST
def view_as_stop(request: SignedInRequest) -> HttpResponse:
    pk = request.session.pop(VIEW_AS, None)
    return redirect("home") if pk is None else redirect("student", pk)
