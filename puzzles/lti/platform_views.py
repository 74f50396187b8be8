"""Pages on which a school admin connects learning platforms."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.access import schools
from osmosmjerka.accounts.models import School
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles.lti import platforms
from puzzles.lti.forms import PlatformForm
from puzzles.models import LtiGrade, LtiPlatform

MOST_GRADES = 100


@teacher_required
@require_http_methods(["GET", "POST"])
def overview(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a school's platforms, and connect one by hand."""
    school = _school(request, pk)
    form = PlatformForm(
        request.POST if request.method == "POST" else None, instance=LtiPlatform(school=school)
    )
    if form.is_valid():
        try:
            platforms.connect(
                platform=form.instance,
                deployment_id=form.cleaned_data["deployment_id"],
                actor=request.user,
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Connected. Now test the connection."))
            return redirect("lti-platforms", pk)
    return _page(request, school, form)


@sensitive_variables("token")
@teacher_required
@require_POST
def invite(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show an address for dynamic registration once."""
    school = _school(request, pk)
    token = platforms.invite(school=school, actor=request.user)
    address = request.build_absolute_uri(reverse("lti-register", args=[token]))
    return _page(request, school, PlatformForm(), address)


@teacher_required
@require_POST
def test(request: SignedInRequest, pk: int, platform: int) -> HttpResponse:
    shown = _platform(request, pk, platform)
    problem = platforms.problem_of(shown)
    if problem:
        messages.error(request, problem)
    else:
        messages.success(request, _("The connection with %(name)s works.") % {"name": shown})
    return redirect("lti-platforms", pk)


@teacher_required
@require_POST
def switch(request: SignedInRequest, pk: int, platform: int) -> HttpResponse:
    shown = _platform(request, pk, platform)
    platforms.switch(platform=shown, is_on=not shown.is_on, actor=request.user)
    messages.success(request, _("Saved."))
    return redirect("lti-platforms", pk)


@teacher_required
@require_POST
def remove(request: SignedInRequest, pk: int, platform: int) -> HttpResponse:
    platforms.remove(platform=_platform(request, pk, platform), actor=request.user)
    messages.success(request, _("The learning platform was removed. Accounts and classes stay."))
    return redirect("lti-platforms", pk)


@teacher_required
@require_POST
def unlink(request: SignedInRequest, pk: int, linked: int) -> HttpResponse:
    found = get_object_or_404(platforms.linked_teachers(_school(request, pk)), pk=linked)
    platforms.unlink(linked=found, actor=request.user)
    messages.success(request, _("Saved."))
    return redirect("lti-platforms", pk)


@never_cache
@require_safe
def register(request: HttpRequest, token: str) -> HttpResponse:
    """Register this site at the platform whose admin pasted the address there.

    The platform opens it with a GET (Dynamic Registration 1.0, 3.3); it works once.
    """
    problem = ""
    try:
        platforms.register(
            token=token,
            configuration_url=request.GET.get("openid_configuration", "")[:1000],
            access=request.GET.get("registration_token", "")[:8000],
            site=addresses(request),
        )
    except ValidationError as error:
        problem = " ".join(error.messages)
    status = 400 if problem else 200
    return render(request, "puzzles/lti/registered.html", {"problem": problem}, status=status)


def addresses(request: HttpRequest) -> dict[str, str]:
    """Return the addresses of this site that a platform has to know."""
    names = {"home": "home", "login": "lti-login", "launch": "lti-launch", "keys": "lti-keys"}
    return {name: request.build_absolute_uri(reverse(view)) for name, view in names.items()}


def _page(
    request: SignedInRequest, school: School, form: PlatformForm, address: str = ""
) -> HttpResponse:
    own = addresses(request)
    refused = LtiGrade.objects.filter(
        link__course__deployment__platform__school=school, state=LtiGrade.State.REFUSED
    ).select_related("student", "link__assignment__puzzle", "link__course__deployment__platform")
    return render(
        request,
        "puzzles/lti/platforms.html",
        {
            "school": school,
            "platforms": school.lti_platforms.all(),
            "form": form,
            "address": address,
            "copied": [
                (_("Tool URL, target link URL, deep linking URL"), own["launch"]),
                (_("Initiate login URL"), own["login"]),
                (_("Redirection URI"), own["launch"]),
                (_("Public keyset URL"), own["keys"]),
            ],
            "linked": platforms.linked_teachers(school),
            "refused": refused[:MOST_GRADES],
        },
    )


def _school(request: SignedInRequest, pk: int) -> School:
    return get_object_or_404(schools(request.user, "administer"), pk=pk)


def _platform(request: SignedInRequest, school: int, pk: int) -> LtiPlatform:
    return get_object_or_404(LtiPlatform.objects.filter(school=_school(request, school)), pk=pk)
