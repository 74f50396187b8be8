"""Forms to change how one logs in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from rest_framework.request import Request

from osmosmjerka.accounts.auth import lockout, reset, tokens
from osmosmjerka.accounts.fields import DisplayNameField, StudentPasswordField
from osmosmjerka.accounts.models import ApiToken, User


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

    def save(  # type: ignore[override]  # of Django's options, our page passes these
        self, *, request: HttpRequest, use_https: bool = False, **_options: Any
    ) -> None:
        """Let a background job do the rest, so that who waits learns nothing from how long."""
        reset.request_links(
            people=self.get_users(self.cleaned_data["email"]),
            site=f"{'https' if use_https else 'http'}://{request.get_host()}",
        )


def refuse_other_password(request: HttpRequest | Request, person: User, given: str) -> None:
    """Check a password like a login, so that nobody can guess it on a page left open."""
    if authenticate(request, username=person.username, password=given) != person:
        locked = getattr(request, "account_locked", None)
        raise ValidationError(str(locked or _("This password is not correct.")))


class OwnPasswordForm(PasswordChangeForm):
    """Set a new password by entering the old one."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        if self.user.is_student:
            for name in ("new_password1", "new_password2"):
                was = self.fields[name]
                self.fields[name] = StudentPasswordField(
                    label=was.label, strip=False, widget=was.widget
                )
            self.fields["new_password2"].help_text = was.help_text

    def validate_password_for_user(self, user: User, *args: Any, **kwargs: Any) -> None:
        """Ask of teachers what the site's validators ask; the rule of students is their field's."""
        if not user.is_student:
            super().validate_password_for_user(user, *args, **kwargs)

    def clean_old_password(self) -> str:
        given = str(self.cleaned_data["old_password"])
        refuse_other_password(self.request, self.user, given)
        return given


class WithPasswordForm(forms.Form):
    """What somebody who is logged in can do only with the own password, asked for at the end."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, request: HttpRequest, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request, self.person = request, person
        self.order_fields([name for name in self.fields if name != "password"])

    def clean_password(self) -> str:
        given = str(self.cleaned_data["password"])
        refuse_other_password(self.request, self.person, given)
        return given


class OwnAccountForm(WithPasswordForm):
    """What teachers change in their own account. The e-mail address can set a new password."""

    display_name = DisplayNameField(label=_("Display name"), max_length=80)
    email = forms.EmailField(
        label=_("E-mail"), required=False, help_text=_("Only used to reset a forgotten password.")
    )


class ReadingForm(forms.Form):
    """How pages look to the person who is logged in."""

    letters = forms.ChoiceField(
        label=_("Letters"),
        choices=User.Letters.choices,
        widget=forms.RadioSelect,
        help_text=_("Thicker at the bottom and more widely spaced. Also in puzzle grids."),
    )
    contrast = forms.ChoiceField(
        label=_("Contrast"),
        choices=User.Contrast.choices,
        widget=forms.RadioSelect,
        help_text=_("Darker text and lines; on a dark page, brighter ones."),
    )
    motion = forms.ChoiceField(
        label=_("Motion"),
        choices=User.Motion.choices,
        widget=forms.RadioSelect,
        help_text=_("No confetti, shaking or sliding."),
    )


class ApiTokenForm(WithPasswordForm):
    """A new API token. It outlives the session, so it takes the password."""

    name = forms.CharField(
        label=pgettext_lazy("API token", "Name"),
        max_length=60,
        help_text=_("What you use the token for, so that you can recognise it later."),
    )
    scope = forms.ChoiceField(label=_("Permissions"), choices=ApiToken.Scope.choices)
    days = forms.ChoiceField(
        label=_("Valid for"),
        choices=[
            (30, _("30 days")),
            (tokens.DEFAULT_DAYS, _("90 days")),
            (tokens.MOST_DAYS, _("1 year")),
        ],
        initial=tokens.DEFAULT_DAYS,
    )
