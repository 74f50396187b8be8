"""Optional two-step verification for teachers: a code from an app, checked by django-otp.

django-otp was chosen over allauth's MFA: it adds a step to the existing login, whereas allauth
brings its own login, which counts attempts by address. django-otp throttles guesses per device.
"""

from __future__ import annotations

import time
from typing import Any

import segno
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_otp import match_token, user_has_device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from osmosmjerka.accounts import audit, languages, mail
from osmosmjerka.accounts.auth import login_log
from osmosmjerka.accounts.auth.forms import refuse_other_password
from osmosmjerka.accounts.models import User
from osmosmjerka.web.views import SignedInRequest, teacher_required

_PENDING = "second_step"
_SECONDS = 300
_SPARE_CODES = 8
_LETTER = "a second step was removed"


def is_wanted(person: User) -> bool:
    """Return whether *person* has set up two-step verification."""
    return bool(user_has_device(person))


def is_right(person: User, code: str) -> bool:
    """Return whether *code* is from the person's app or an unused backup code; use it up."""
    code = code.replace(" ", "")[:20]
    return bool(code) and match_token(person, code) is not None


def ask(request: HttpRequest, person: User, target: str) -> HttpResponse:
    """Remember that the password was right, and ask for the code; nobody is logged in yet."""
    request.session.cycle_key()
    request.session[_PENDING] = {
        "person": person.pk,
        "stamp": person.get_session_auth_hash(),  # if the password changes meanwhile, start again
        "at": time.time(),
        "next": target,
    }
    return redirect("login-code")


@sensitive_post_parameters("code")
@never_cache
@require_http_methods(["GET", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Check the code after a correct password."""
    pending: dict[str, Any] | None = request.session.get(_PENDING)
    if pending is None or time.time() - pending["at"] > _SECONDS:
        return redirect("login")
    person = User.objects.filter(pk=pending["person"], is_active=True).first()
    if person is None or pending["stamp"] != person.get_session_auth_hash():
        return redirect("login")
    is_wrong = False
    if request.method == "POST":
        if is_right(person, request.POST.get("code", "")):
            del request.session[_PENDING]
            login(request, person)
            return redirect(pending["next"])
        login_log.refused(request, "second step", account=person.pk)
        is_wrong = True
    return render(request, "accounts/auth/second_step_code.html", {"is_wrong": is_wrong})


@sensitive_post_parameters("code", "password")
@teacher_required
@require_http_methods(["GET", "POST"])
def settings_page(request: SignedInRequest) -> HttpResponse:
    """Set up or remove two-step verification; both require a valid code.

    Setting it up requires the password as well, so that nobody can lock out a teacher who left a
    page open.
    """
    person = request.user
    given = request.POST.get("code", "")
    if request.method == "POST" and is_wanted(person):
        if is_right(person, given):
            _remove(person, actor=person, action="removed second step")
            update_session_auth_hash(request, person)
            messages.success(request, _("Two-step verification is off."))
        else:
            messages.error(request, _("This code is not correct. Enter a new one from your app."))
        return redirect("second-step")
    if is_wanted(person):
        return render(request, "accounts/auth/second_step.html", {"is_set": True})
    device, _is_new = TOTPDevice.objects.get_or_create(
        user=person, confirmed=False, defaults={"name": "app"}
    )
    if request.method == "POST":
        try:
            refuse_other_password(request, person, request.POST.get("password", ""))
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
            return redirect("second-step")
        if given.isascii() and given.isdigit() and device.verify_token(int(given)):
            spare = _confirm(person, device)
            update_session_auth_hash(request, person)
            return render(
                request, "accounts/auth/second_step.html", {"is_set": True, "spare": spare}
            )
        messages.error(request, _("This code is not correct. Enter a new one from your app."))
        return redirect("second-step")
    picture = segno.make(device.config_url).svg_inline(scale=4, border=2, omitsize=True)
    return render(
        request,
        "accounts/auth/second_step.html",
        {"picture": picture, "address": device.config_url},
    )


@transaction.atomic
def _confirm(person: User, device: TOTPDevice) -> list[str]:
    """Turn on two-step verification; return the backup codes, which are shown only now.

    Sessions and API tokens that were opened without a code end.
    """
    device.confirmed = True
    device.save()
    spares = StaticDevice.objects.create(user=person, name="spare codes")
    spare = [StaticToken.random_token() for _index in range(_SPARE_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=spares, token=each) for each in spare)
    person.end_access()
    audit.record(person, "set second step", person)
    return spare


def having() -> Q:
    """Return the query condition for people who have set up two-step verification."""
    return Q(totpdevice__confirmed=True) | Q(staticdevice__confirmed=True)


@transaction.atomic
def reset(*, person: User, actor: User) -> bool:
    """Remove a teacher's two-step verification after its loss; return whether there was any.

    The password is still required. The teacher gets an e-mail: if they did not ask for this, they
    have lost half of what kept others out.
    """
    if not is_wanted(person):
        return False
    _remove(person, actor=actor, action="reset second step")
    if person.email:
        mail.enqueue(_LETTER, reader=person, actor=actor.pk)
    return True


@mail.writes(_LETTER)
def _write_removed(*, reader: int, actor: int) -> EmailMessage | None:
    person = User.objects.select_related("school").filter(pk=reader).exclude(email="").first()
    if person is None:
        return None
    # Whose account was deleted meanwhile acted for the school.
    who = User.objects.filter(pk=actor).first() or person.school or "Osmosmjerka"
    with languages.speaking_to(person):
        text = _(
            "%(actor)s turned off two-step verification for your account %(name)s. From now "
            "on, your password alone is enough to log in. Turn it on again in your account "
            "settings. If you did not ask for this, change your password and contact your "
            "school."
        ) % {"actor": who, "name": person.username}
        subject = _("Two-step verification was turned off for your account")
    return EmailMessage(subject, text, to=[person.email])


@transaction.atomic
def _remove(person: User, *, actor: User, action: audit.Action) -> None:
    TOTPDevice.objects.filter(user=person).delete()
    StaticDevice.objects.filter(user=person).delete()
    person.end_access()  # whoever has the lost device may be logged in
    audit.record(actor, action, person)
