"""Log in and out: by password or login card; reset and change passwords."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.views import (
    LoginView,
    PasswordResetConfirmView,
    PasswordResetView,
)
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from osmosmjerka.accounts import audit, people
from osmosmjerka.accounts.auth import cards, doors, lockout, login_log, two_factor
from osmosmjerka.accounts.auth.forms import (
    OwnAccountForm,
    OwnPasswordForm,
    ReadingForm,
    TeachersPasswordResetForm,
)
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.selectors import site_admins
from osmosmjerka.web.views import SignedInRequest, signed_in, teacher_required


class PasswordLogin(LoginView):
    """Log in by username and password, for teachers and for students who have one."""

    template_name = "accounts/auth/login.html"
    redirect_authenticated_user = True

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in, or ask for the code if two-step verification is set up."""
        person = form.get_user()
        if (service := doors.only_door_of(person)) is not None:
            # By a link: browsers let no form lead to another site, not even by a redirect.
            return render(self.request, "accounts/sign_on/only.html", {"provider": service})
        if two_factor.is_wanted(person):
            return two_factor.ask(self.request, person, self.get_success_url())
        return super().form_valid(form)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        context["locked"] = getattr(self.request, "account_locked", None)
        context["registration"] = settings.REGISTRATION
        context["is_being_set_up"] = not site_admins().exists()
        return context

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the form again; after too many failures say by status, too, when to come back."""
        response = super().form_invalid(form)
        locked = getattr(self.request, "account_locked", None)
        return lockout.asking_to_wait(response, locked) if locked else response


class TeachersPasswordReset(PasswordResetView):
    template_name = "accounts/auth/password_reset.html"
    form_class = TeachersPasswordResetForm


class NewPassword(PasswordResetConfirmView):
    template_name = "accounts/auth/password_new.html"

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password and lift the lock: the person who reads the e-mail is not guessing."""
        response = super().form_valid(form)
        audit.record(form.user, "changed password", form.user)
        lockout.lift(
            lockout.key_of_password(form.user.username),
            lockout.key_of("reset", form.user.email.casefold()),
        )
        return response


@sensitive_post_parameters("old_password", "new_password1", "new_password2")
@signed_in
@require_http_methods(["GET", "POST"])
def own_password(request: SignedInRequest) -> HttpResponse:
    """Change one's own password. This session continues; all others and API tokens end.

    Students without a password have a login card; for them, the page does not exist.
    """
    person = request.user
    if person.is_student and not person.has_usable_password():
        raise Http404
    sent = request.POST if request.method == "POST" else None
    form = OwnPasswordForm(person, sent, request=request)
    if not form.is_valid():
        return render(request, "accounts/auth/password_change.html", {"form": form})
    with transaction.atomic():
        form.save()
        audit.record(person, "changed password", person)
    update_session_auth_hash(request, person)
    messages.success(request, _("Your new password is set"))
    return redirect("own-password")


@sensitive_post_parameters("password")
@teacher_required
@require_http_methods(["GET", "POST"])
def own_account(request: SignedInRequest) -> HttpResponse:
    """Change one's own display name and e-mail address."""
    person = request.user
    sent = request.POST if request.method == "POST" else None
    now = {"display_name": person.display_name, "email": person.email}
    form = OwnAccountForm(sent, initial=now, request=request, person=person)
    if not form.is_valid():
        context = {"form": form, "has_sign_in_service": bool(doors.services_for(person))}
        return render(request, "accounts/auth/own_account.html", context)
    name, email = form.cleaned_data["display_name"], form.cleaned_data["email"]
    people.change_own_account(person=person, display_name=name, email=email)
    update_session_auth_hash(request, person)
    messages.success(request, _("Saved."))
    return redirect("own-account")


@signed_in
@require_http_methods(["GET", "POST"])
def own_reading(request: SignedInRequest) -> HttpResponse:
    """Choose how pages look to oneself: letters, contrast, motion."""
    person = request.user
    now = {field: getattr(person, field) for field in people.READING}
    form = ReadingForm(request.POST if request.method == "POST" else None, initial=now)
    if not form.is_valid():
        return render(request, "accounts/auth/own_reading.html", {"form": form})
    people.choose_reading(person=person, **form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect("own-reading")


def set_language(request: HttpRequest) -> HttpResponse:
    """Save the chosen language in the account, or in a cookie for visitors.

    Tablets are shared: one student's choice must not apply to the next one.
    """
    response = i18n.set_language(request)
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and language in dict(settings.LANGUAGES):
        people.choose_language(person=request.user, language=language)
        del response.cookies[settings.LANGUAGE_COOKIE_NAME]
    return response


def admit_student(request: HttpRequest, student: User, *, door: Classroom | None = None) -> None:
    """Log in a student: any previous person is logged out, and the session gets a new key."""
    if request.user.is_authenticated:
        request.session.flush()
    login(request, student)
    if door is not None:
        request.session["door"] = door.join_code


@sensitive_post_parameters("token")
@never_cache
@require_http_methods(["GET", "POST"])
def card(request: HttpRequest) -> HttpResponse:
    """Log in by a card's QR code. The token follows the #, so that no server logs it."""
    is_wrong = False
    if request.method == "POST":
        student = cards.person_of_token(request.POST.get("token", ""))
        if student is not None:
            admit_student(request, student)
            return redirect("home")
        login_log.refused(request, "card")
        is_wrong = True
    return render(request, "accounts/auth/card.html", {"is_wrong": is_wrong})
