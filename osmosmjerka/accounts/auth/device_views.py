"""Pages on which people see where they are logged in, and which programs may act for them."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.auth import devices, tokens
from osmosmjerka.accounts.auth.forms import ApiTokenForm
from osmosmjerka.web.views import SignedInRequest, signed_in


@signed_in
@require_safe
def overview(request: SignedInRequest) -> HttpResponse:
    """Show where one is logged in, and one's own API tokens."""
    return _page(request, ApiTokenForm(request=request, person=request.user))


@signed_in
@require_POST
def end(request: SignedInRequest, pk: str) -> HttpResponse:
    """Log out one device; if it is this one, go to the login page."""
    session = get_object_or_404(request.user.browser_sessions.select_related("user__school"), pk=pk)
    devices.end(session=session)
    messages.success(request, _("The device was logged out."))
    return redirect("devices")


@signed_in
@require_POST
def end_everywhere(request: SignedInRequest) -> HttpResponse:
    """Log out on every device, this one included."""
    devices.end_everywhere(person=request.user)
    logout(request)
    messages.success(request, _("You are logged out on all devices. All API tokens are revoked."))
    return redirect("login")


@sensitive_post_parameters("password")
@signed_in
@require_POST
def token_new(request: SignedInRequest) -> HttpResponse:
    """Create an API token and show it once."""
    form = ApiTokenForm(request.POST, request=request, person=request.user)
    made = ""
    if form.is_valid():
        wanted = form.cleaned_data
        try:
            _token, made = tokens.create(
                person=request.user,
                name=wanted["name"],
                scope=wanted["scope"],
                days=int(wanted["days"]),
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            form = ApiTokenForm(request=request, person=request.user)
    return _page(request, form, made=made)


@signed_in
@require_POST
def token_revoke(request: SignedInRequest, pk: int) -> HttpResponse:
    own = request.user.api_tokens.select_related("user__school")
    tokens.revoke(token=get_object_or_404(own, pk=pk))
    messages.success(request, _("The token was revoked. It no longer works."))
    return redirect("devices")


def _page(request: SignedInRequest, form: ApiTokenForm, *, made: str = "") -> HttpResponse:
    if getattr(request, "viewed_by", None):  # where a student logs in concerns no teacher
        raise Http404
    return render(
        request,
        "accounts/auth/devices.html",
        {
            "devices": devices.of_person(request.user, request.session.session_key),
            "tokens": tokens.of_person(request.user),
            "form": form if request.user.has_usable_password() else None,
            "made": made,
        },
    )
