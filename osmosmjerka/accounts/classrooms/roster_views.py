"""Pages that add students from names or a file: preview, add, undo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.classrooms import roster_imports
from osmosmjerka.accounts.classrooms.forms import RosterForm
from osmosmjerka.accounts.classrooms.requests import class_roster, id_of, running_classroom
from osmosmjerka.accounts.models import RosterImport
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


# How many lines have these outcomes.
_OUTCOMES = {
    ("new",): ngettext_lazy("%(count)s new student", "%(count)s new students", "count"),
    ("returning",): ngettext_lazy(
        "%(count)s student with an account joins this class",
        "%(count)s students with accounts join this class",
        "count",
    ),
    ("changed",): ngettext_lazy("%(count)s new name", "%(count)s new names", "count"),
    ("known",): ngettext_lazy(
        "%(count)s student already in this class",
        "%(count)s students already in this class",
        "count",
    ),
    ("alike",): ngettext_lazy(
        "%(count)s name that a student of this class already has",
        "%(count)s names that students of this class already have",
        "count",
    ),
    ("repeated",): ngettext_lazy(
        "%(count)s line that repeats another one",
        "%(count)s lines that repeat another one",
        "count",
    ),
    ("refused", "foreign"): ngettext_lazy(
        "%(count)s line skipped", "%(count)s lines skipped", "count"
    ),
}


@teacher_required
@require_http_methods(["GET", "POST"])
def roster(request: SignedInRequest, pk: int) -> HttpResponse:
    """Read names for a whole class from a paste or a file; the preview then says what they do."""
    classroom = running_classroom(request, pk)
    is_sent = request.method == "POST"
    form = RosterForm(request.POST, request.FILES) if is_sent else RosterForm()
    if is_sent and form.is_valid():
        read = form.cleaned_data["roster"]
        made = roster_imports.begin(classroom=classroom, roster=read, actor=request.user)
        for warning in read.warnings:
            messages.warning(request, warning)
        return redirect("roster-preview", classroom.pk, made.pk)
    return render(
        request, "accounts/classrooms/roster.html", {"form": form, "classroom": classroom}
    )


@teacher_required
@require_safe
def preview(request: SignedInRequest, pk: int, roster_pk: int) -> HttpResponse:
    """Show what adding the names would do, line by line."""
    found = class_roster(request, pk, roster_pk)
    if found.state != RosterImport.State.WAITING:
        return redirect("classroom-people", pk)
    must_choose = bool(found.file_classes) and not found.file_class
    shown = roster_imports.preview(roster=found, actor=request.user)
    context = {
        "classroom": found.classroom,
        "roster": found,
        "must_choose": must_choose,
        "file_classes": sorted(found.file_classes.items(), key=lambda each: each[1]),
        "preview": shown,
        "counts": sentences({"new": 0} | shown.counts, _OUTCOMES),
    }
    return render(request, "accounts/classrooms/roster_preview.html", context)


@teacher_required
@require_POST
def choose_class(request: SignedInRequest, pk: int, roster_pk: int) -> HttpResponse:
    found = class_roster(request, pk, roster_pk)
    with refusal_as_message(request):
        roster_imports.choose_class(roster=found, chosen=request.POST.get("class", ""))
    return redirect("roster-preview", pk, roster_pk)


@teacher_required
@require_POST
def add(request: SignedInRequest, pk: int, roster_pk: int) -> HttpResponse:
    """Do what the preview says; if the class has changed since, show it again."""
    found = class_roster(request, pk, roster_pk)
    choices = {
        id_of(name.removeprefix("line-")): str(value)
        for name, value in request.POST.items()
        if name.startswith("line-")
    }
    try:
        made = roster_imports.add(
            roster=found, actor=request.user, mark=request.POST.get("mark", ""), choices=choices
        )
    except roster_imports.PreviewChanged:
        messages.warning(
            request, _("The class has changed since this preview was shown. Check it again.")
        )
        return redirect("roster-preview", pk, roster_pk)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("roster-preview", pk, roster_pk)
    if made:
        said = ngettext("%(count)s student added.", "%(count)s students added.", len(made))
        said %= {"count": len(made)}
        said += " " + _("Now print their login cards.")
    else:
        said = _("Nobody was added, because nobody in this file is new.")
    messages.success(request, said)
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def discard(request: SignedInRequest, pk: int, roster_pk: int) -> HttpResponse:
    roster_imports.discard(roster=class_roster(request, pk, roster_pk))
    return redirect("roster", pk)


@teacher_required
@require_POST
def undo(request: SignedInRequest, pk: int, roster_pk: int) -> HttpResponse:
    found = class_roster(request, pk, roster_pk)
    with refusal_as_message(request):
        tell_of_removal(request, roster_imports.undo(roster=found, actor=request.user))
    return redirect("classroom-people", pk)


def tell_of_removal(request: HttpRequest, done: roster_imports.Undone) -> None:
    """Tell what became of the students who were removed."""
    count = done.deleted + len(done.taken_out)
    said = ngettext("%(count)s student removed.", "%(count)s students removed.", count)
    messages.success(request, said % {"count": count})
    for names, sentence in (
        (
            done.taken_out,
            _("Removed from this class only, because their accounts have been used: %(names)s."),
        ),
        (done.elsewhere, _("No longer in this class, so nothing was changed: %(names)s.")),
        (done.renamed, _("Changed back to their old names: %(names)s.")),
    ):
        if names:
            # “Ema H.” ends with a full stop, and so do the sentences.
            messages.info(request, sentence % {"names": ", ".join(names).removesuffix(".")})


def sentences(counts: Mapping[str, int], words: Mapping[tuple[str, ...], StrPromise]) -> list[str]:
    """Return in words how many there are of each type in *counts*, in the order of *words*."""
    return [
        sentence % {"count": sum(counts.get(kind, 0) for kind in kinds)}
        for kinds, sentence in words.items()
        if not counts.keys().isdisjoint(kinds)
    ]
