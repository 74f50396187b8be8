"""Pages that import a whole school from a OneRoster file: preview, import, undo, invite."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.classrooms import roster_imports, school_file, school_imports
from osmosmjerka.accounts.classrooms.requests import administered_school, school_roster
from osmosmjerka.accounts.classrooms.roster_views import sentences
from osmosmjerka.accounts.classrooms.school_plan import Options, by_class
from osmosmjerka.accounts.models import RosterImport
from osmosmjerka.jobs import ledger
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required

State = RosterImport.State
# Problems, and accounts that were recognised, on one page.
_SHOWN = 300


# How many changes of these types there are.
_CHANGES = {
    ("new_class",): ngettext_lazy("%(count)s new class", "%(count)s new classes", "count"),
    ("same_class",): ngettext_lazy(
        "%(count)s class recognised by its name",
        "%(count)s classes recognised by their names",
        "count",
    ),
    ("renamed_class",): ngettext_lazy(
        "%(count)s class renamed", "%(count)s classes renamed", "count"
    ),
    ("closed_class",): ngettext_lazy(
        "%(count)s class archived", "%(count)s classes archived", "count"
    ),
    ("student_created",): ngettext_lazy("%(count)s new student", "%(count)s new students", "count"),
    ("student_known", "teacher_known"): ngettext_lazy(
        "%(count)s existing account recognised",
        "%(count)s existing accounts recognised",
        "count",
    ),
    ("student_moved",): ngettext_lazy(
        "%(count)s student moves to another class",
        "%(count)s students move to other classes",
        "count",
    ),
    ("student_joined",): ngettext_lazy(
        "%(count)s place in a class for a student with an account",
        "%(count)s places in classes for students with accounts",
        "count",
    ),
    ("student_left",): ngettext_lazy(
        "%(count)s place of a student in a class ends",
        "%(count)s places of students in classes end",
        "count",
    ),
    ("binned",): ngettext_lazy(
        "%(count)s student who left the school goes into the bin",
        "%(count)s students who left the school go into the bin",
        "count",
    ),
    ("renamed",): ngettext_lazy("%(count)s new name", "%(count)s new names", "count"),
    ("teacher_joined",): ngettext_lazy(
        "%(count)s class gets a teacher", "%(count)s classes get a teacher", "count"
    ),
    ("teacher_left",): ngettext_lazy(
        "%(count)s class loses a teacher", "%(count)s classes lose a teacher", "count"
    ),
    ("invite",): ngettext_lazy(
        "%(count)s teacher to invite", "%(count)s teachers to invite", "count"
    ),
}


class SchoolFileForm(forms.Form):
    """A OneRoster file of the whole school, and what to do with it."""

    file = forms.FileField(
        label=gettext_lazy("OneRoster file"),
        help_text=gettext_lazy(
            "The ZIP file that your school’s program exports (OneRoster 1.1 or 1.2, CSV): "
            "everything, or only what has changed."
        ),
    )
    shorten = forms.BooleanField(
        label=gettext_lazy("Shorten surnames to their first letter"),
        required=False,
        initial=True,
        help_text=gettext_lazy("“Ana Horvat” becomes “Ana H.”: the full surname is not saved."),
    )
    renames = forms.BooleanField(
        label=gettext_lazy("Change students’ names to those in the file"),
        required=False,
        help_text=gettext_lazy("Otherwise students keep the names that they have here."),
    )
    ends_missing = forms.BooleanField(
        label=gettext_lazy("End memberships that are not in the file"),
        required=False,
        help_text=gettext_lazy(
            "Only for people and classes that an earlier file brought. Classes that are not in the "
            "file are archived. Accounts are kept."
        ),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file = cleaned.get("file")
        if file is None:
            return cleaned
        try:
            cleaned["read"] = school_file.read(
                file.read(school_file.MAX_FILE + 1), shorten=cleaned["shorten"]
            )
        except ValidationError as error:
            self.add_error("file", error)
        return cleaned


@teacher_required
@require_http_methods(["GET", "POST"])
def upload(request: SignedInRequest, pk: int) -> HttpResponse:
    """Read a file of the whole school; the preview then says what it does."""
    school = administered_school(request, pk)
    is_sent = request.method == "POST"
    form = SchoolFileForm(request.POST, request.FILES) if is_sent else SchoolFileForm()
    if is_sent and form.is_valid():
        wanted = form.cleaned_data
        made = school_imports.begin(
            school=school,
            file=wanted["read"],
            actor=request.user,
            options=Options(wanted["ends_missing"], wanted["renames"]),
        )
        return redirect("school-roster", school.pk, made.pk)
    context = {
        "form": form,
        "school": school,
        "to_invite": school_imports.to_invite(school),
        "last": school_imports.undoable(school).first(),
    }
    return render(request, "accounts/classrooms/school_roster.html", context)


@teacher_required
@require_safe
def detail(request: SignedInRequest, pk: int, roster_pk: int) -> HttpResponse:
    """Show what importing a file would do, how far the import is, or what it did."""
    found = school_roster(request, pk, roster_pk)
    context: dict[str, Any] = {"school": found.school, "roster": found, "shown": _SHOWN}
    if found.state == State.WAITING:
        made = school_imports.preview(found)
        if found.mark not in {"", made.mark}:
            messages.warning(
                request, _("The school has changed since this preview was shown. Check it again.")
            )
        context |= {
            "plan": made,
            "counts": sentences(made.counts, _CHANGES),
            "classes": by_class(made),
            "recognised": [change for change in made.changes if change.did == "known"],
        }
        return render(request, "accounts/classrooms/school_roster_preview.html", context)
    return render(
        request, "accounts/classrooms/school_roster_done.html", context | _progress(found)
    )


@teacher_required
@require_safe
def progress(request: SignedInRequest, pk: int, roster_pk: int) -> HttpResponse:
    """Return the fragment with an import's progress; it polls until the import is finished."""
    found = school_roster(request, pk, roster_pk)
    context = {"school": found.school, "roster": found, **_progress(found)}
    response = render(request, "accounts/classrooms/_school_roster_progress.html", context)
    if found.state not in {State.ADDING, State.UNDOING}:
        response["HX-Refresh"] = "true"
    return response


def _progress(roster: RosterImport) -> dict[str, Any]:
    school = roster.school
    return {
        "job": ledger.jobs_about(roster).first(),
        "counts": sentences(roster.counts, _CHANGES),
        "is_undoable": school is not None
        and school_imports.undoable(school).filter(pk=roster.pk).exists(),
    }


@teacher_required
@require_POST
def add(request: SignedInRequest, pk: int, roster_pk: int) -> HttpResponse:
    """Begin to do what the preview says; if the school has changed since, show it again."""
    found = school_roster(request, pk, roster_pk)
    try:
        school_imports.request_import(
            roster=found, actor=request.user, mark=request.POST.get("mark", "")
        )
    except roster_imports.PreviewChanged:
        messages.warning(
            request, _("The school has changed since this preview was shown. Check it again.")
        )
    return redirect("school-roster", pk, roster_pk)


@teacher_required
@require_POST
def discard(request: SignedInRequest, pk: int, roster_pk: int) -> HttpResponse:
    roster_imports.discard(roster=school_roster(request, pk, roster_pk))
    return redirect("school-roster-new", pk)


@teacher_required
@require_POST
def undo(request: SignedInRequest, pk: int, roster_pk: int) -> HttpResponse:
    with refusal_as_message(request):
        school_imports.request_undo(
            roster=school_roster(request, pk, roster_pk), actor=request.user
        )
    return redirect("school-roster", pk, roster_pk)


@teacher_required
@require_POST
def invite(request: SignedInRequest, pk: int, roster_line: int) -> HttpResponse:
    """Make a link that invites a teacher of a file, who then gets the classes in it."""
    school = administered_school(request, pk)
    lines = school_imports.to_invite(school).select_related("roster__school")
    line = get_object_or_404(lines, pk=roster_line)
    token = school_imports.invite(line=line, actor=request.user)
    address = request.build_absolute_uri(reverse("invitation", args=[token]))
    return render(
        request,
        "accounts/schools/invited.html",
        {"address": address, "back": reverse("school-roster-new", args=[pk])},
    )
