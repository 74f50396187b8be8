"""Pages on which teachers manage the accounts of their students."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts import access
from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.auth import passwords
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.classrooms.forms import (
    RenameForm,
    StudentForm,
    StudentPasswordForm,
)
from osmosmjerka.accounts.classrooms.requests import (
    id_of,
    ids_of,
    managed_classroom,
    running_classroom,
)
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required


@teacher_required
@require_http_methods(["GET", "POST"])
def student_new(request: SignedInRequest, pk: int) -> HttpResponse:
    classroom = running_classroom(request, pk)
    form = StudentForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusal_as_message(request):
            student = classes.create_student(
                classroom=classroom, actor=request.user, **form.cleaned_data
            )
            said = _("%(student)s was added to the class.") % {"student": student}
            messages.success(request, said)
            return redirect("classroom-people", classroom.pk)
    return render(
        request, "accounts/classrooms/student_new.html", {"form": form, "classroom": classroom}
    )


@teacher_required
@require_POST
def students_move(request: SignedInRequest, pk: int) -> HttpResponse:
    """Move the selected students to another class that the teacher manages."""
    origin = managed_classroom(request, pk)
    target = running_classroom(request, id_of(request.POST.get("classroom")))
    chosen = User.objects.filter(pk__in=ids_of(request.POST.getlist("student")))
    with refusal_as_message(request):
        moved = classes.move_students(
            students=chosen, origin=origin, target=target, actor=request.user
        )
        messages.success(
            request,
            ngettext("%(count)s student moved.", "%(count)s students moved.", moved)
            % {"count": moved},
        )
    return redirect("classroom-people", pk)


@teacher_required
@require_safe
def student(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show one student's account and the actions on it."""
    shown = get_object_or_404(access.students(request.user, "rename"), pk=pk)
    seen = classrooms(request.user, "see progress")
    managed = classrooms(request.user, "manage people")
    return render(
        request,
        "accounts/classrooms/student.html",
        {
            "student": shown,
            "classrooms": seen.filter(memberships__user=shown),
            "managed": managed.filter(memberships__user=shown, archived_at=None).first(),
            "places": shown.memberships.filter(role=Membership.Role.STUDENT, classroom__in=managed)
            .select_related("classroom")
            .order_by("classroom"),
            "others": managed.filter(archived_at=None, school=shown.school_id).exclude(
                memberships__user=shown
            ),
            "card": getattr(shown, "card", None),
            "is_whole": access.students(request.user, "erase").filter(pk=pk).exists(),
            "form": RenameForm(initial={"display_name": shown.display_name}),
            "password_form": StudentPasswordForm(),
        },
    )


@sensitive_post_parameters("password")
@teacher_required
@require_POST
def student_password(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give a student a new password."""
    shown = get_object_or_404(access.students(request.user, "reset card"), pk=pk)
    with refusal_as_message(request):
        passwords.set_for_student(
            student=shown, password=request.POST.get("password", "").strip(), actor=request.user
        )
        messages.success(request, _("%(student)s has a new password.") % {"student": shown})
    return redirect("student", pk)


@teacher_required
@require_POST
def student_password_remove(request: SignedInRequest, pk: int) -> HttpResponse:
    shown = get_object_or_404(access.students(request.user, "reset card"), pk=pk)
    passwords.remove_from_student(student=shown, actor=request.user)
    messages.success(
        request,
        _("The password of %(student)s was removed. Only a login card works now.")
        % {"student": shown},
    )
    return redirect("student", pk)


@teacher_required
@require_POST
def student_classes(request: SignedInRequest, pk: int) -> HttpResponse:
    """Add a student to one more class."""
    shown = get_object_or_404(access.students(request.user, "add to class"), pk=pk)
    target = running_classroom(request, id_of(request.POST.get("classroom")))
    with refusal_as_message(request):
        classes.add_to_class(student=shown, classroom=target, actor=request.user)
        messages.success(request, _("%(student)s was added to the class.") % {"student": shown})
    return redirect("student", pk)


@teacher_required
@require_POST
def student_rename(request: SignedInRequest, pk: int) -> HttpResponse:
    student = get_object_or_404(access.students(request.user, "rename"), pk=pk)
    with refusal_as_message(request):
        classes.rename_student(
            student=student,
            actor=request.user,
            display_name=request.POST.get("display_name", ""),
        )
        messages.success(request, _("Saved."))
    return redirect("student", pk)


@teacher_required
@require_POST
def student_merge(request: SignedInRequest, pk: int) -> HttpResponse:
    """Merge two accounts of a student; the other account is entered by its username."""
    reached = access.students(request.user, "merge")
    kept = get_object_or_404(reached, pk=pk)
    gone = reached.exclude(pk=pk).filter(username=request.POST.get("username", "").strip()).first()
    if gone is None:
        messages.error(request, _("You have no other student with this username."))
    else:
        privacy.merge_students(kept=kept, gone=gone, actor=request.user)
        messages.success(request, _("The two accounts were merged."))
    return redirect("student", pk)
