"""Log in with the school's account: to the service and back; one's own connections."""

from __future__ import annotations

import logging
import secrets
from datetime import timedelta
from typing import Any, TypedDict
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import LogoutView
from django.core import signing
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.auth import doors, login_log, two_factor
from osmosmjerka.accounts.auth.forms import refuse_other_password
from osmosmjerka.accounts.auth.views import PasswordLogin, admit_student
from osmosmjerka.accounts.models import IdentityProvider, User
from osmosmjerka.accounts.sign_on import client, services
from osmosmjerka.accounts.sign_on.services import SignOnRefused
from osmosmjerka.web.requests import page_in
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, signed_in

logger = logging.getLogger(__name__)

ASKED = f"{settings.COOKIE_PREFIX}sign-on"
# The service that was used in this browser last. It names no person.
REMEMBERED = f"{settings.COOKIE_PREFIX}sign-on-last"
_WITHIN = timedelta(minutes=10)
# In a session: the service by which its owner came in; that they may connect another account.
_CAME_BY, _MAY_CONNECT = "sign_on", "sign_on_connects"


class Asked(TypedDict):
    """What the browser keeps in a signed cookie, while its person is at the service."""

    provider: int
    state: str
    nonce: str
    verifier: str
    next: str
    invitation: str
    person: int | None
    """Who connects their account; None: somebody logs in."""


class LogIn(PasswordLogin):
    """The login page, with the buttons of sign-in services."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        offered = services.offered(self.request.COOKIES.get(REMEMBERED, ""))
        context = super().get_context_data(**kwargs)
        # The page that was asked for comes with the button, too.
        query = urlencode({"next": context["next"]}) if context["next"] else ""
        return context | {"providers": offered, "next_query": query}


@never_cache
@require_safe
def begin(request: HttpRequest, provider: int) -> HttpResponse:
    """Send the browser to the service. A link leads here, as a form may not lead to other sites."""
    found = _provider(provider)
    asked: Asked = {
        "provider": found.number,
        "state": secrets.token_urlsafe(24),
        "nonce": secrets.token_urlsafe(24),
        "verifier": secrets.token_urlsafe(48),
        "next": page_in(request.GET),
        "invitation": request.GET.get("invitation", "")[:100],
        "person": _connecting(request, found),
    }
    try:
        address = client.address(
            found,
            back=back_address(request, found),
            state=asked["state"],
            nonce=asked["nonce"],
            verifier=asked["verifier"],
        )
    except client.ProviderAway as error:
        return _away(request, found, error)
    response = HttpResponseRedirect(address)
    response.set_cookie(
        ASKED,
        signing.dumps(asked, salt=ASKED),
        max_age=_WITHIN,
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",  # the service sends the browser back by a link
    )
    return response


@never_cache
@require_safe
def back(request: HttpRequest, provider: int) -> HttpResponse:
    """Let in who comes back from the service, or connect their account."""
    found = _provider(provider)
    asked = _asked(request, found)
    if asked is None:
        return _refused(
            request, found, _("This took too long, or began in another browser. Try again.")
        )
    if "error" in request.GET:  # RFC 6749, 4.1.2.1
        return _refused(request, found, _("The service did not say who you are. Try again."))
    try:
        claims = client.claims_of(
            found,
            code=request.GET.get("code", "")[:4000],
            back=back_address(request, found),
            nonce=asked["nonce"],
            verifier=asked["verifier"],
        )
        if asked["person"] is not None:
            return _connect(request, found, claims, asked["person"])
        is_known = found.identities.filter(subject=claims["sub"]).exists()
        person = services.person_of(found, claims, invitation=asked["invitation"])
    except client.ProviderAway as error:
        return _away(request, found, error)
    except client.TokenRefused as error:
        logger.warning("A sign-in service’s answer was refused: %s", error)
        return _refused(request, found, _("The answer of the service is not right. Try again."))
    except SignOnRefused as refusal:
        return _refused(request, found, str(refusal))
    response = _let_in(request, found, person, asked["next"] or reverse("home"))
    if not is_known:
        told = _(
            "Your school account is now connected with the account of %(name)s. If this is not "
            "you, log out and tell your school admin."
        )
        messages.info(request, told % {"name": person})
    return response


def _let_in(
    request: HttpRequest, provider: IdentityProvider, person: User, target: str
) -> HttpResponse:
    if person.is_teacher and two_factor.is_wanted(person):
        if request.user.is_authenticated:
            request.session.flush()
        response = two_factor.ask(request, person, target)
    else:
        admit_student(request, person)
        response = redirect(target)
    request.session[_CAME_BY] = provider.number
    response.delete_cookie(ASKED, samesite="Lax")
    response.set_cookie(
        REMEMBERED,
        str(provider.number),
        max_age=timedelta(days=365),
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",
    )
    return response


class LogOut(LogoutView):
    """Log out here; who came by a service is shown the way to its own log-out as well."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        came_by = request.session.get(_CAME_BY)
        response = super().post(request, *args, **kwargs)
        found = services.provider_of(came_by) if isinstance(came_by, int) else None
        return response if found is None else _ended(request, found)


def _ended(request: HttpRequest, provider: IdentityProvider) -> HttpResponse:
    """Say that one is logged out, and lead to the log-out of the service (RP-Initiated Logout)."""
    try:
        address = client.end_address(provider, back=request.build_absolute_uri(reverse("login")))
    except client.ProviderAway:
        address = ""
    context = {"provider": provider, "address": address}
    return render(request, "accounts/sign_on/ended.html", context)


@signed_in
@require_safe
def own(request: SignedInRequest) -> HttpResponse:
    """Show with which school accounts one's account is connected, and could be."""
    identities = request.user.identities.select_related("provider")
    known = {identity.provider_id for identity in identities}
    others = [one for one in doors.services_for(request.user) if one.pk not in known]
    context = {"identities": identities, "others": others}
    return render(request, "accounts/sign_on/own.html", context)


@sensitive_post_parameters("password")
@signed_in
@require_POST
def connect(request: SignedInRequest, provider: int) -> HttpResponse:
    """Let the person connect a school account, which outlives the session: ask for the password."""
    person = request.user
    found = next((one for one in doors.services_for(person) if one.number == provider), None)
    if found is None:
        raise Http404
    if person.has_usable_password():
        try:
            refuse_other_password(request, person, request.POST.get("password", ""))
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
            return redirect("sign-on-own")
    request.session[_MAY_CONNECT] = {"provider": found.number, "at": timezone.now().timestamp()}
    return render(request, "accounts/sign_on/connect.html", {"provider": found})


@signed_in
@require_POST
def disconnect(request: SignedInRequest, identity: int) -> HttpResponse:
    found = get_object_or_404(request.user.identities, pk=identity)
    with refusal_as_message(request):
        services.disconnect(identity=found, actor=request.user)
        messages.success(request, _("The school account is no longer connected."))
    return redirect("sign-on-own")


def back_address(request: HttpRequest, provider: IdentityProvider) -> str:
    """Return the address to which a service returns; its admin has to enter it there."""
    return request.build_absolute_uri(reverse("sign-on-back", args=[provider.number]))


def _connecting(request: HttpRequest, provider: IdentityProvider) -> int | None:
    """Return who has just asked to connect a school account in this session."""
    if not request.user.is_authenticated:
        return None
    allowed = request.session.pop(_MAY_CONNECT, None)
    if allowed is None or allowed["provider"] != provider.number:
        return None
    is_recent = timezone.now().timestamp() - allowed["at"] < _WITHIN.total_seconds()
    return request.user.pk if is_recent else None


def _connect(
    request: HttpRequest, provider: IdentityProvider, claims: services.Claims, person: int
) -> HttpResponse:
    if not isinstance(request.user, User) or request.user.pk != person:
        raise SignOnRefused(_("Somebody else is logged in now. Log in again, then connect."))
    services.connect(provider=provider, claims=claims, person=request.user)
    messages.success(request, _("You can now log in with %(name)s.") % {"name": provider.name})
    response = redirect("sign-on-own")
    response.delete_cookie(ASKED, samesite="Lax")
    return response


def _asked(request: HttpRequest, provider: IdentityProvider) -> Asked | None:
    """Return what this browser asked of the service, if it is what comes back (RFC 6749, 10.12)."""
    try:
        asked: Asked = signing.loads(request.COOKIES.get(ASKED, ""), salt=ASKED, max_age=_WITHIN)
    except signing.BadSignature:
        return None
    is_same = constant_time_compare(asked["state"], request.GET.get("state", ""))
    if not is_same or asked["provider"] != provider.number:
        return None
    # It holds once for all processes that share a cache (`CACHE_URL`).
    return asked if cache.add(f"sign-on:used:{asked['state']}", True, _WITHIN.seconds) else None


def _provider(pk: int) -> IdentityProvider:
    found = services.provider_of(pk)
    if found is None:
        raise Http404
    return found


def _away(
    request: HttpRequest, provider: IdentityProvider, error: client.ProviderAway
) -> HttpResponse:
    logger.warning("A sign-in service cannot be used: %s", error)
    return _refused(
        request,
        provider,
        _("The service does not answer at the moment. Log in another way, or try again later."),
        status=503,
    )


def _refused(
    request: HttpRequest, provider: IdentityProvider, reason: str, *, status: int = 403
) -> HttpResponse:
    login_log.refused(request, "school account")
    context = {"reason": reason, "provider": provider}
    response = render(request, "accounts/sign_on/refused.html", context, status=status)
    response.delete_cookie(ASKED, samesite="Lax")
    return response
