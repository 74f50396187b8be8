"""Forms for schools and their teachers."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts import languages
from osmosmjerka.accounts.auth import lockout
from osmosmjerka.accounts.fields import DisplayNameField, clean_username
from osmosmjerka.accounts.models import School, User
from osmosmjerka.accounts.schools import setup
from osmosmjerka.accounts.schools.services import (
    LONGEST_KEPT,
    RECALL_TARGETS,
    clean_time_zone,
)
from osmosmjerka.i18n.numbers import percent


class BrowsersTimeZone(forms.CharField):
    """The browser's time zone, told by a script: the school's settings can change it."""

    def __init__(self) -> None:
        super().__init__(
            max_length=64, required=False, widget=forms.HiddenInput({"data-time-zone": ""})
        )

    def clean(self, value: Any) -> str:
        """Leave out what is no time zone: its sender did not write it."""
        return value if value in available_timezones() else ""


class SchoolForm(forms.ModelForm[School]):
    """A school's settings, for its admin and the site admin."""

    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("The language of each browser")), *languages.own_names()],
        required=False,
        help_text=_("For everyone in the school who has not chosen a language in the menu."),
    )

    time_zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        required=False,
    )
    recall_target = forms.TypedChoiceField(
        label=_("Recall target"),
        choices=lambda: [(target, percent(round(100 * target))) for target in RECALL_TARGETS],
        coerce=float,
        required=False,
    )

    class Meta:
        model = School
        fields = [
            "name",
            "language",
            "time_zone",
            "recall_target",
            "retention_days",
            "allows_parent_links",
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kept = School._meta.get_field("retention_days").formfield(max_value=LONGEST_KEPT)
        assert kept is not None  # noqa: S101  (for the type checker)
        self.fields["retention_days"] = kept
        self.fields["time_zone"].help_text = _(
            "For example Europe/Zagreb. Leave empty for the time zone of this site (%(zone)s). "
            "A day of study begins at 4 in the morning."
        ) % {"zone": settings.TIME_ZONE}
        usual = School._meta.get_field("recall_target").get_default()
        self.fields["recall_target"].initial = usual  # of a new school: the first choice is lower
        self.fields["recall_target"].help_text = _(
            "A word is due for review when the chance of recalling it falls to this value. A "
            "higher target means more reviews; %(target)s is recommended."
        ) % {"target": percent(round(100 * usual))}

    def clean_time_zone(self) -> str:
        return clean_time_zone(self.cleaned_data["time_zone"])

    def clean_recall_target(self) -> float:
        return float(self.cleaned_data["recall_target"] or self.instance.recall_target)


class FoundSchoolForm(forms.Form):
    # Not "name": sent twice, it would be taken for the name of a class.
    school_name = forms.CharField(label=_("School"), max_length=200)


class TeacherForm(forms.Form):
    """A teacher's account."""

    display_name = DisplayNameField(label=_("Display name"), max_length=80)
    username = forms.CharField(
        label=_("Username"), max_length=150, validators=[User.username_validator]
    )
    email = forms.EmailField(
        label=_("E-mail"), required=False, help_text=_("Only used to reset a forgotten password.")
    )
    password = forms.CharField(
        label=_("Password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        max_length=200,
        help_text=_("At least 8 characters, not only digits, and not a common password."),
    )

    def clean_username(self) -> str:
        return clean_username(self.cleaned_data["username"])

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        validate_password(password, User(username=self.cleaned_data.get("username", "")))
        return password


class SignUpForm(TeacherForm):
    school_name = forms.CharField(label=_("School"), max_length=200, required=False)
    time_zone = BrowsersTimeZone()


class SiteForm(TeacherForm):
    """The first site admin, school and class; for the page and the command."""

    school_name = forms.CharField(label=_("School"), max_length=200)
    class_name = forms.CharField(label=_("First class"), max_length=100)
    language = forms.ChoiceField(
        label=_("Language"),
        choices=languages.own_names(),
        help_text=_("For everyone in the school who has not chosen a language in the menu."),
    )
    time_zone = forms.CharField(label=_("Time zone"), max_length=64, required=False)

    def clean_time_zone(self) -> str:
        return clean_time_zone(self.cleaned_data["time_zone"])


class SetUpForm(SiteForm):
    """The same for the browser, with the setup code."""

    code = forms.CharField(
        label=_("Setup code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )

    time_zone = BrowsersTimeZone()

    field_order = ("code",)

    def clean_code(self) -> str:
        """Check the code before anything else is told."""
        given = str(self.cleaned_data["code"])
        try:
            if setup.is_code(given):
                return given
        except lockout.AccountLocked:
            raise forms.ValidationError(
                _(
                    "Too many failed attempts. Wait a few minutes, or run “manage.py setup_site "
                    "--show-code” on the server to try again immediately."
                ),
                code="locked",
            ) from None
        raise forms.ValidationError(_("This setup code is not correct."))

    def full_clean(self) -> None:
        """Tell whoever does not know the code nothing about accounts."""
        super().full_clean()
        if "code" in self.errors:
            for name in self.errors.keys() - {"code"}:
                del self.errors[name]
