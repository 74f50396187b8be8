"""Form fields for people: display names and usernames."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts import codes
from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.people import is_username_taken


def clean_username(given: str) -> str:
    """Return a valid, free username in NFKC: full-width letters become plain ones, for example."""
    username = User.normalize_username(given)
    if len(username) > 150:
        raise ValidationError(_("This username is too long. Choose another one."))
    if is_username_taken(username):
        raise ValidationError(_("This username is already taken. Choose another one."))
    return username


class StudentPasswordField(forms.CharField):
    """A password that a teacher gives a student, or a student chooses: short enough for the young.

    Guessing is slowed down by accounts.auth.lockout.
    """

    def __init__(self, **options: Any) -> None:
        given: dict[str, Any] = {"label": _("Password"), "min_length": 6, "max_length": 100}
        super().__init__(**given | options)


class DisplayNameField(forms.CharField):
    """A display name, without invisible characters and direction overrides."""

    def to_python(self, value: object) -> str:
        return codes.visible(" ".join((super().to_python(value) or "").split()))
