"""Forms to change how one logs in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts import languages
from osmosmjerka.accounts.auth import lockout
from osmosmjerka.accounts.fields import DisplayNameField
from osmosmjerka.accounts.models import User


class TeachersPasswordResetForm(PasswordResetForm):
    """E-mail a link to teachers with this address. Students have no address but get a new card."""

    email = forms.EmailField(
        label=_("E-mail"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def get_users(self, email: str) -> Any:
        try:
            lockout.begin(lockout.key_of("reset", email.casefold()))
        except (
            lockout.AccountLocked
        ):  # don't flood anybody's mailbox; links sent earlier still work
            return []
        return [person for person in super().get_users(email) if person.is_teacher]

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Write in the account's language, because anybody may have requested the link."""
        page = languages.language_of_page()
        with languages.speaking_to(context["user"], otherwise=page):
            super().send_mail(subject_template_name, email_template_name, context, *args, **kwargs)


def _refuse_other_password(request: HttpRequest, person: User, given: str) -> None:
    """Check a password like a login, so that nobody can guess it on a page left open."""
    if authenticate(request, username=person.username, password=given) != person:
        locked = getattr(request, "account_locked", None)
        raise ValidationError(str(locked or _("This password is not correct.")))


class OwnPasswordForm(PasswordChangeForm):
    """Set a new password by entering the old one."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        given = str(self.cleaned_data["old_password"])
        _refuse_other_password(self.request, self.user, given)
        return given


class OwnAccountForm(forms.Form):
    """What teachers change in their own account. The e-mail address can set a new password."""

    display_name = DisplayNameField(label=_("Display name"), max_length=80)
    email = forms.EmailField(
        label=_("E-mail"), required=False, help_text=_("Only used to reset a forgotten password.")
    )
    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, request: HttpRequest, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request, self.person = request, person
        self.initial = {"display_name": person.display_name, "email": person.email}

    def clean_password(self) -> str:
        given = str(self.cleaned_data["password"])
        _refuse_other_password(self.request, self.person, given)
        return given
