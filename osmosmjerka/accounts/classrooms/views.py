"""Pages about classes and their members."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts import access
from osmosmjerka.accounts import people as services
from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.bin.views import tell_of_bin
from osmosmjerka.accounts.classrooms import joining, roster_imports
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.classrooms.forms import (
    ClassroomForm,
    ClassroomSettingsForm,
    LastDayForm,
    TeacherForm,
)
from osmosmjerka.accounts.classrooms.requests import (
    classroom_for,
    door_address,
    managed_classroom,
    running_classroom,
)
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.accounts.schools.forms import FoundSchoolForm
from osmosmjerka.accounts.schools.services import found_school
from osmosmjerka.accounts.selectors import (
    by_name,
    lately_in_classes,
    members_by_name,
    number_of_students,
    told_apart,
)
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required


@teacher_required
@require_safe
def classroom_list(request: SignedInRequest) -> HttpResponse:
    # Django drops the model's default order from aggregate queries.
    seen = classrooms(request.user, "see").annotate(students=number_of_students())
    shown = told_apart(seen.select_related("school").order_by(Alphabetical("name"), "pk"))
    current = [one for one in shown if one.archived_at is None]
    lately = lately_in_classes(classrooms(request.user, "see progress"), timezone.now())
    return render(
        request,
        "accounts/classrooms/classroom_list.html",
        {
            "classrooms": current,
            "cards": [(one, lately.get(one.pk)) for one in current],
            "archived": [one for one in shown if one.archived_at is not None],
        },
    )


@teacher_required
@require_http_methods(["GET", "POST"])
def classroom_new(request: SignedInRequest) -> HttpResponse:
    if request.user.school is None:
        return _school_first(request)
    form = ClassroomForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        classroom = services.create_classroom(name=form.cleaned_data["name"], owner=request.user)
        return redirect("classroom-people", classroom.pk)
    return render(request, "accounts/classrooms/classroom_new.html", {"form": form})


def _school_first(request: SignedInRequest) -> HttpResponse:
    """Ask a site admin without a school for its name; tell other people without one whom to ask."""
    form = None
    if access.may_found_school(request.user):
        form = FoundSchoolForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            found_school(name=form.cleaned_data["school_name"], person=request.user)
            return redirect("classroom-new")
    return render(request, "accounts/schools/school_new.html", {"form": form})


@teacher_required
@require_safe
def people(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the members of a class, their cards, and how others join."""
    classroom = classroom_for(request, "see progress", pk)
    with timezone.override(classroom.school.zone):  # the days of cards and logins are those there
        shown = _people_of(request, classroom)
        return render(request, "accounts/classrooms/people.html", shown)


def _people_of(request: SignedInRequest, classroom: Classroom) -> dict[str, Any]:
    memberships = members_by_name(classroom.memberships.select_related("user__card"))
    students = [m for m in memberships if m.role == Membership.Role.STUDENT]
    may = access.classroom_actions(request.user, classroom)
    may_manage, may_archive = "manage people" in may, "archive" in may
    is_running = classroom.archived_at is None
    never = [m for m in students if m.user.last_login is None]
    is_narrowed = request.GET.get("show") == "never" and bool(never)
    return {
        "classroom": classroom,
        "students": never if is_narrowed else students,
        "never": len(never),
        "have_cards": any(hasattr(m.user, "card") for m in never),
        "is_narrowed": is_narrowed,
        "teachers": [m for m in memberships if m.role != Membership.Role.STUDENT],
        "today": classroom.school.today(),
        "roles": classes.TEACHERS,
        "teacher_form": TeacherForm(classroom=classroom) if may_archive and is_running else None,
        "without_card": sum(not hasattr(m.user, "card") for m in students),
        "may_manage": may_manage,
        "may_archive": may_archive,
        "may_delete": "delete" in may,
        "invitations": invitations.still_open().filter(classroom=classroom) if may_archive else (),
        "reached": set(
            access.students(request.user, "reset card")
            .filter(memberships__classroom=classroom)
            .values_list("pk", flat=True)
        ),
        "others": _others(request.user, classroom) if may_manage else (),
        "form": ClassroomSettingsForm(instance=classroom),
        "door": door_address(request, classroom),
        "waiting": joining.waiting(classroom) if may_manage else (),
        "recent": sorted(joining.recent(classroom), key=by_name()) if may_manage else (),
        "rosters": roster_imports.undoable(classroom).annotate(students=Count("lines"))
        if may_manage
        else (),
        "endings": retention.show_endings(request.user, Classroom.objects.filter(pk=classroom.pk)),
        "erased_at": retention.erased_at(classroom),
    }


def _others(person: User, classroom: Classroom) -> list[Classroom]:
    """Return the classes to which *person* can move students of a class, told apart from it."""
    managed = classrooms(person, "manage people").filter(archived_at=None)
    among = told_apart(managed.filter(school=classroom.school_id).select_related("school"))
    return [one for one in among if one != classroom]


@teacher_required
@require_POST
def classroom_change(request: SignedInRequest, pk: int) -> HttpResponse:
    classroom = running_classroom(request, pk)
    form = ClassroomSettingsForm(request.POST, instance=classroom)
    if form.is_valid():
        classes.update_classroom(classroom=classroom, actor=request.user, **form.cleaned_data)
        messages.success(request, _("Saved."))
    elif "name" in form.errors:
        messages.error(request, _("Enter a name for the class."))
    else:
        wrong = [
            f"{form[name].label}: {' '.join(map(str, why))}" for name, why in form.errors.items()
        ]
        messages.error(request, " ".join(wrong))
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def classroom_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put a class into the bin."""
    classroom = classroom_for(request, "delete", pk)
    classes.delete_classroom(classroom=classroom, actor=request.user)
    text = _("The class “%(name)s” is now in the bin.") % {"name": classroom}
    tell_of_bin(request, text, undo=("classes", classroom.pk))
    return redirect("classroom-list")


@teacher_required
@require_POST
def join_code_reset(request: SignedInRequest, pk: int) -> HttpResponse:
    classes.reset_join_code(classroom=running_classroom(request, pk), actor=request.user)
    messages.success(request, _("The class has a new code. The old code no longer works."))
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def member_remove(request: SignedInRequest, pk: int, member: int) -> HttpResponse:
    classroom = managed_classroom(request, pk)
    membership = get_object_or_404(access.endable_places(request.user, classroom), pk=member)
    with refusal_as_message(request):
        classes.remove_member(membership=membership, actor=request.user)
        if membership.user == request.user:
            return redirect("classroom-list")
        if membership.role != Membership.Role.STUDENT:
            said = _(
                "%(teacher)s was removed, but still knows the class code. Joining is closed. To "
                "keep them off the login page of the class too, create a new class code."
            )
            messages.info(request, said % {"teacher": membership.user})
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def member_role(request: SignedInRequest, pk: int, member: int) -> HttpResponse:
    """Change a teacher's role in the class and its last day; for those who may archive it."""
    classroom = classroom_for(request, "archive", pk)
    membership = get_object_or_404(classroom.memberships, pk=member)
    with refusal_as_message(request):
        wanted = LastDayForm(request.POST).checked()
        classes.set_role(membership=membership, actor=request.user, **wanted)
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def teacher_add(request: SignedInRequest, pk: int) -> HttpResponse:
    """Add a colleague to the class, as a co-teacher or as a substitute."""
    classroom = classroom_for(request, "archive", pk)
    with refusal_as_message(request):
        wanted = TeacherForm(request.POST, classroom=classroom).checked()
        person = wanted.pop("teacher")
        classes.add_teacher(classroom=classroom, person=person, actor=request.user, **wanted)
        messages.success(request, _("%(teacher)s was added to the class.") % {"teacher": person})
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def classroom_archive(request: SignedInRequest, pk: int) -> HttpResponse:
    """Archive a class and, if a name is given, create the class for the next year from it."""
    classroom = get_object_or_404(
        classrooms(request.user, "archive").filter(archived_at=None), pk=pk
    )
    name = " ".join(request.POST.get("name", "").split())[:100]
    with refusal_as_message(request):
        if name:
            following = classes.start_next_year(classroom=classroom, name=name, actor=request.user)
            messages.success(request, _("%(class)s was created.") % {"class": following})
            return redirect("classroom-people", following.pk)
        classes.archive_classroom(classroom=classroom, actor=request.user)
        messages.success(request, _("The class was archived."))
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def classroom_restore(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take a class out of the archive."""
    classroom = classroom_for(request, "archive", pk)
    with refusal_as_message(request):
        classes.restore_archived(classroom=classroom, actor=request.user)
        told = _("The class was restored: students see its puzzles again. Nobody can join yet.")
        messages.success(request, told)
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def classroom_keep(request: SignedInRequest, pk: int) -> HttpResponse:
    """Keep an archived class for another retention period."""
    classroom = classroom_for(request, "archive", pk)
    with refusal_as_message(request):
        retention.keep_classroom(classroom=classroom, actor=request.user)
        day = date_format(timezone.localtime(retention.erased_at(classroom)))
        messages.success(
            request,
            _("%(class)s is kept until %(day)s.") % {"class": classroom, "day": day},
        )
    return redirect("classroom-people", pk)
