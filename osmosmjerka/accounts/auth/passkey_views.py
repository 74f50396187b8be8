"""Pages and small JSON responses for creating passkeys and logging in with them."""

from __future__ import annotations

import json
import time
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.auth import doors, login_log, passkeys
from osmosmjerka.accounts.auth.forms import refuse_other_password
from osmosmjerka.accounts.codes import keyed_hash
from osmosmjerka.web.outages import NO_DATA, outage_of
from osmosmjerka.web.views import SignedInRequest, teacher_required

_ASKED = "passkey"
# Anybody may ask for the challenge of a log-in. It is kept in a signed cookie, as a session would
# leave a row for everybody who asks.
_COOKIE = f"{settings.COOKIE_PREFIX}passkey_challenge"
_SECONDS = 300


@teacher_required
@require_safe
def overview(request: SignedInRequest) -> HttpResponse:
    """Show one's own passkeys."""
    return render(
        request, "accounts/auth/passkeys.html", {"passkeys": passkeys.of_person(request.user)}
    )


@sensitive_variables("password")
@teacher_required
@require_POST
def new_options(request: SignedInRequest) -> HttpResponse:
    """Return the options for a new passkey. It outlives the session, so ask for the password."""
    person, password = request.user, _json(request).get("password")
    try:
        refuse_other_password(request, person, password if isinstance(password, str) else "")
        options, state = passkeys.begin_registration(person=person, host=request.get_host())
    except ValidationError as error:
        return _refused(" ".join(error.messages))
    _remember(request, state)
    return JsonResponse(options)


@teacher_required
@require_POST
def new(request: SignedInRequest) -> HttpResponse:
    """Save the passkey that the browser created."""
    given, state = _json(request), _asked(request)
    name = given.get("name")
    try:
        passkeys.register(
            person=request.user,
            name=" ".join(name.split()) if isinstance(name, str) else "",
            state=state,
            response=given.get("credential", {}),
            host=request.get_host(),
        )
    except passkeys.PasskeyRefused:
        return _refused(_("The passkey could not be saved. Try again."))
    messages.success(request, _("You can now log in with this passkey."))
    return JsonResponse({"next": resolve_url("passkeys")}, status=201)


@teacher_required
@require_POST
def remove(request: SignedInRequest, pk: int) -> HttpResponse:
    passkey = get_object_or_404(request.user.passkeys.select_related("user"), pk=pk)
    passkeys.remove(passkey=passkey)
    update_session_auth_hash(request, passkey.user)
    messages.success(request, _("The passkey was removed. Delete it from your device too."))
    return redirect("passkeys")


@never_cache
@require_POST
def login_options(request: HttpRequest) -> HttpResponse:
    """Return the options for logging in with any passkey of this site."""
    options, state = passkeys.begin_login(host=request.get_host())
    response = JsonResponse(options)
    response.set_signed_cookie(
        _COOKIE,
        json.dumps(state),
        salt=_COOKIE,
        max_age=_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
    return response


@never_cache
@require_POST
def log_in(request: HttpRequest) -> HttpResponse:
    """Log in the owner of the passkey. A passkey satisfies two-step verification as well."""
    given = _json(request)
    try:
        state = _challenge(request)
    except Exception as error:  # each cache's client has its own
        if outage_of(error) is None:
            raise
        return _refused(str(NO_DATA))
    try:
        person = passkeys.person_of(
            state=state, response=given.get("credential", {}), host=request.get_host()
        )
    except passkeys.PasskeyRefused:
        login_log.refused(request, "passkey")
        return _refused(_("This passkey does not belong to any account here. Log in another way."))
    if (service := doors.only_door_of(person)) is not None:
        return JsonResponse({"next": resolve_url("sign-on", service.pk)})
    if request.user.is_authenticated:
        request.session.flush()
    login(request, person)
    return JsonResponse({"next": _target(request, given.get("next"))})


def _challenge(request: HttpRequest) -> passkeys.State:
    """Return the state of the log-in's challenge, which holds for minutes and for this browser.

    It holds once for all processes that share a cache (`CACHE_URL`).
    """
    try:
        text = request.get_signed_cookie(_COOKIE, salt=_COOKIE, max_age=_SECONDS) or ""
    except (KeyError, BadSignature):
        text = None
    if text is None:
        return {}
    is_first = cache.add(f"passkey:{keyed_hash('passkey.challenge', text)}", True, _SECONDS)
    state: passkeys.State = json.loads(text)
    return state if is_first else {}


def _target(request: HttpRequest, wanted: object) -> str:
    is_here = isinstance(wanted, str) and url_has_allowed_host_and_scheme(
        wanted, {request.get_host()}, require_https=request.is_secure()
    )
    return str(wanted) if is_here else resolve_url(settings.LOGIN_REDIRECT_URL)


def _json(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object that was sent, or an empty one for anything else."""
    try:
        given = json.loads(request.body)
        json.dumps(given, ensure_ascii=False).encode()  # fails for a lone surrogate
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


def _remember(request: HttpRequest, state: passkeys.State) -> None:
    request.session[_ASKED] = {"state": state, "at": time.time()}


def _asked(request: HttpRequest) -> passkeys.State:
    """Return the state of the last challenge and forget it: an answer cannot be sent twice."""
    asked: dict[str, Any] = request.session.pop(_ASKED, {"state": {}, "at": 0})
    state: passkeys.State = asked["state"]
    return state if time.time() - asked["at"] < _SECONDS else {}


def _refused(why: str) -> HttpResponse:
    return JsonResponse({"detail": why}, status=400)
