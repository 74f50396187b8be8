"""Pages on which teachers manage the accounts of their students."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts import access
from osmosmjerka.accounts import people as services
from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.classrooms.forms import (
    PupilForm,
    RenameForm,
)
from osmosmjerka.accounts.classrooms.requests import (
    id_of,
    ids_of,
    managed_classroom,
    running_classroom,
)
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.http import SignedInRequest, teacher_required


@teacher_required
@require_http_methods(["GET", "POST"])
def pupil_new(request: SignedInRequest, pk: int) -> HttpResponse:
    classroom = running_classroom(request, pk)
    form = PupilForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        pupil = services.create_pupil(classroom=classroom, actor=request.user, **form.cleaned_data)
        messages.success(request, _("%(pupil)s is in the class.") % {"pupil": pupil})
        return redirect("classroom-people", classroom.pk)
    return render(request, "accounts/pupil_new.html", {"form": form, "classroom": classroom})


@teacher_required
@require_POST
def pupils_move(request: SignedInRequest, pk: int) -> HttpResponse:
    """Move the chosen pupils to another class that the teacher manages."""
    origin = managed_classroom(request, pk)
    target = get_object_or_404(
        classrooms(request.user, "manage people").filter(archived_at=None),
        pk=id_of(request.POST.get("classroom")),
    )
    chosen = User.objects.filter(pk__in=ids_of(request.POST.getlist("pupil")))
    try:
        moved = classes.move_pupils(pupils=chosen, origin=origin, target=target, actor=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(
            request,
            ngettext("%(count)s pupil moved.", "%(count)s pupils moved.", moved) % {"count": moved},
        )
    return redirect("classroom-people", pk)


@teacher_required
@require_safe
def pupil(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show one pupil's account and what can be done with it."""
    shown = get_object_or_404(access.pupils(request.user, "rename"), pk=pk)
    seen = classrooms(request.user, "see progress")
    managed = classrooms(request.user, "manage people")
    return render(
        request,
        "accounts/pupil.html",
        {
            "pupil": shown,
            "classrooms": seen.filter(memberships__user=shown),
            "managed": managed.filter(memberships__user=shown, archived_at=None).first(),
            "places": shown.memberships.filter(
                role=Membership.Role.STUDENT, classroom__in=managed
            ).select_related("classroom"),
            "others": managed.filter(archived_at=None, school=shown.school_id).exclude(
                memberships__user=shown
            ),
            "card": getattr(shown, "card", None),
            "is_whole": access.pupils(request.user, "erase").filter(pk=pk).exists(),
            "form": RenameForm(initial={"display_name": shown.display_name}),
        },
    )


@teacher_required
@require_POST
def pupil_classes(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put a pupil into one more class."""
    shown = get_object_or_404(access.pupils(request.user, "add to class"), pk=pk)
    target = get_object_or_404(
        classrooms(request.user, "manage people").filter(archived_at=None),
        pk=id_of(request.POST.get("classroom")),
    )
    try:
        classes.add_to_class(pupil=shown, classroom=target, actor=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("%(pupil)s is in the class.") % {"pupil": shown})
    return redirect("pupil", pk)


@teacher_required
@require_POST
def pupil_rename(request: SignedInRequest, pk: int) -> HttpResponse:
    pupil = get_object_or_404(access.pupils(request.user, "rename"), pk=pk)
    form = RenameForm(request.POST)
    if form.is_valid():
        classes.rename_pupil(
            pupil=pupil, actor=request.user, display_name=form.cleaned_data["display_name"]
        )
        messages.success(request, _("Kept."))
    else:
        messages.error(request, _("Write a name with letters."))
    return redirect("pupil", pk)


@teacher_required
@require_POST
def pupil_merge(request: SignedInRequest, pk: int) -> HttpResponse:
    """Make one account of two; the other is named by its log-in name."""
    reached = access.pupils(request.user, "merge")
    kept = get_object_or_404(reached, pk=pk)
    gone = reached.exclude(pk=pk).filter(username=request.POST.get("username", "").strip()).first()
    if gone is None:
        messages.error(request, _("You have no other pupil with this log-in name."))
    else:
        privacy.merge_pupils(kept=kept, gone=gone, actor=request.user)
        messages.success(request, _("The two accounts are one now."))
    return redirect("pupil", pk)
