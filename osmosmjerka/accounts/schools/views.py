"""Pages about schools: sign-up, invitations, settings, the activity log."""

from __future__ import annotations

from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts import access, languages
from osmosmjerka.accounts.auth import two_factor
from osmosmjerka.accounts.models import Classroom, Invitation, School, User
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.accounts.schools import activity, invitations, teachers
from osmosmjerka.accounts.schools import services as school_services
from osmosmjerka.accounts.schools.forms import SchoolForm, SignUpForm, TeacherForm
from osmosmjerka.accounts.selectors import by_name, without_class
from osmosmjerka.accounts.webhooks import services as webhooks
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Let a teacher sign up alone, if the site allows it."""
    if settings.REGISTRATION != "open" or request.user.is_authenticated:
        raise Http404
    form = SignUpForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        person = invitations.sign_up(**form.cleaned_data)
        login(request, person)
        return redirect("home")
    return render(request, "accounts/schools/sign_up.html", {"form": form})


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation with a new account or with the one that is logged in."""
    found = invitations.open_invitation(token)
    person = request.user if isinstance(request.user, User) else None
    # "closed" means closed to new accounts; existing teachers can still be invited to a class.
    takes_new = settings.REGISTRATION != "closed"
    if found is None or not (takes_new or found.classroom):
        raise Http404
    languages.speak_for_school(request, found.school)
    is_new = request.method == "POST" and not person and takes_new
    form = TeacherForm(request.POST if is_new else None)
    try:
        if person is not None and request.method == "POST":
            invitations.accept(invitation=found, person=person)
            return redirect("home")
        if form.is_valid():
            made = invitations.accept_as_new(invitation=found, **form.cleaned_data)
            login(request, made)
            return redirect("home")
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    context = {
        "form": form,
        "invitation": found,
        "takes_new": takes_new,
        "invited": urlencode({"invitation": token}),
    }
    return render(request, "accounts/schools/invitation.html", context)


@teacher_required
@require_http_methods(["GET", "POST"])
def school(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a school to its admin: its members, and how long archived classes are kept."""
    shown = get_object_or_404(access.schools(request.user, "administer"), pk=pk)
    form = SchoolForm(request.POST if request.method == "POST" else None, instance=shown)
    if form.is_valid():
        school_services.update_school(school=shown, actor=request.user, changed=form.changed_data)
        request.user.refresh_from_db(fields=["school"])
        languages.speak_to(request.user)  # as the next page, on which the message stands
        messages.success(request, _("Saved."))
        return redirect("school", pk)
    colleagues = sorted(shown.people.exclude(role=User.Role.STUDENT), key=by_name())
    return render(
        request,
        "accounts/schools/school.html",
        {
            "school": shown,
            "endings": retention.show_endings(request.user, Classroom.objects.filter(school=shown)),
            "form": form,
            "has_webhooks": webhooks.is_offered(),
            "teachers": colleagues,
            "invitations": invitations.still_open().filter(school=shown),
            "roles": [r for r in User.Role.choices if r[0] in invitations.SCHOOL_ROLES],
            "changeable": set(
                access.teachers(request.user, "change role")
                .filter(school=shown)
                .values_list("pk", flat=True)
            ),
            "without_class": sorted(
                without_class(shown.people.filter(role=User.Role.STUDENT, is_active=True)),
                key=by_name(),
            ),
            "second_steps": set(
                access.teachers(request.user, "reset second step")
                .filter(two_factor.having(), school=shown)
                .values_list("pk", flat=True)
            ),
        },
    )


@teacher_required
@require_POST
def school_invite(request: SignedInRequest, pk: int) -> HttpResponse:
    shown = get_object_or_404(access.schools(request.user, "administer"), pk=pk)
    return _invite(request, shown, back=reverse("school", args=[pk]))


@teacher_required
@require_POST
def class_invite(request: SignedInRequest, pk: int) -> HttpResponse:
    """Create a link that invites a teacher to the class."""
    shown = get_object_or_404(access.classrooms(request.user, "archive"), pk=pk)
    return _invite(request, shown.school, shown, back=reverse("classroom-people", args=[pk]))


def _invite(
    request: SignedInRequest, school: School, classroom: Classroom | None = None, *, back: str
) -> HttpResponse:
    """Show the link of a new invitation, or say on the page *back* why there can be none."""
    role = request.POST.get("role", "")
    try:
        _made, token = invitations.invite(
            school=school, classroom=classroom, role=role, actor=request.user
        )
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect(back)
    address = request.build_absolute_uri(reverse("invitation", args=[token]))
    return render(request, "accounts/schools/invited.html", {"address": address, "back": back})


@teacher_required
@require_POST
def second_step_reset(request: SignedInRequest, pk: int, teacher: int) -> HttpResponse:
    """Reset two-step verification for a teacher who lost the app and all backup codes."""
    person = _teacher(request, "reset second step", pk, teacher)
    if two_factor.reset(person=person, actor=request.user):
        messages.success(
            request,
            _(
                "Two-step verification is now off for %(teacher)s. They log in with their "
                "password only and can turn it on again."
            )
            % {"teacher": person},
        )
    return redirect("school", pk)


@teacher_required
@require_POST
def close(request: SignedInRequest, pk: int, teacher: int) -> HttpResponse:
    """Close the account of a teacher who left."""
    person = _teacher(request, "close account", pk, teacher)
    with refusal_as_message(request):
        teachers.close_account(person=person, actor=request.user)
        messages.success(
            request,
            _("The account of %(teacher)s is deactivated. Their lists and classes are kept.")
            % {"teacher": person},
        )
    return redirect("school", pk)


@teacher_required
@require_POST
def school_role(request: SignedInRequest, pk: int, teacher: int) -> HttpResponse:
    person = _teacher(request, "change role", pk, teacher)
    with refusal_as_message(request):
        teachers.set_school_role(
            person=person, role=request.POST.get("role", ""), actor=request.user
        )
        messages.success(request, _("Saved."))
    return redirect("school", pk)


@teacher_required
@require_POST
def open_again(request: SignedInRequest, pk: int, teacher: int) -> HttpResponse:
    person = _teacher(request, "close account", pk, teacher)
    teachers.open_account(person=person, actor=request.user)
    messages.success(
        request, _("The account of %(teacher)s is active again.") % {"teacher": person}
    )
    return redirect("school", pk)


def _teacher(request: SignedInRequest, action: access.TeacherAction, school: int, pk: int) -> User:
    shown = get_object_or_404(access.schools(request.user, "administer"), pk=school)
    return get_object_or_404(access.teachers(request.user, action).filter(school=shown), pk=pk)


@teacher_required
@require_POST
def school_withdraw(request: SignedInRequest, pk: int, invitation: int) -> HttpResponse:
    shown = get_object_or_404(access.schools(request.user, "administer"), pk=pk)
    _withdraw(request, shown.invitations.all(), invitation)
    return redirect("school", pk)


@teacher_required
@require_POST
def class_withdraw(request: SignedInRequest, pk: int, invitation: int) -> HttpResponse:
    shown = get_object_or_404(access.classrooms(request.user, "archive"), pk=pk)
    _withdraw(request, shown.invitations.all(), invitation)
    return redirect("classroom-people", pk)


def _withdraw(request: SignedInRequest, among: QuerySet[Invitation], pk: int) -> None:
    found = get_object_or_404(among.select_related("school"), pk=pk)
    if invitations.withdraw(invitation=found, actor=request.user):
        messages.success(request, _("The invitation was cancelled. Its link no longer works."))
    else:
        messages.info(request, _("This invitation is no longer valid."))


@teacher_required
@require_safe
def log(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the school's activity log to its admin."""
    shown = get_object_or_404(access.schools(request.user, "administer"), pk=pk)
    page = Paginator(shown.audit_entries.all(), 100).get_page(request.GET.get("page"))
    entries = list(page.object_list)
    return render(
        request,
        "accounts/schools/log.html",
        {"school": shown, "page": page, "lines": activity.lines_of(entries)},
    )
