from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts import codes, tries
from osmosmjerka.accounts.models import Classroom, School, User
from osmosmjerka.accounts.roster import Roster, parse_roster
from osmosmjerka.accounts.selectors import decoded

LONGEST_KEPT = 3650  # days


class ClassroomForm(forms.ModelForm[Classroom]):
    class Meta:
        model = Classroom
        fields = ["name"]


class ClassroomSettingsForm(forms.ModelForm[Classroom]):
    card_language = forms.ChoiceField(
        label=_("Language of the login cards"),
        choices=settings.LANGUAGES,
        help_text=_("Cards that are printed from now on have words that pupils can type in it."),
    )

    class Meta:
        model = Classroom
        fields = ["name", "is_join_open", "uses_pictures", "card_language"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["card_language"] = self.instance.language_of_cards


def _free_username(given: str) -> str:
    """Return a log-in name as it is kept: full-width letters become plain ones, some several."""
    username = User.normalize_username(given)
    if len(username) > 150:
        raise ValidationError(_("This log-in name is too long. Choose another."))
    if User.objects.filter(username__iexact=username).exists():
        raise ValidationError(_("This log-in name is taken. Choose another."))
    return username


class ShownNameField(forms.CharField):
    """A name as others read it: nothing in it is invisible or turns text around."""

    def to_python(self, value: object) -> str:
        return codes.visible(" ".join((super().to_python(value) or "").split()))


class PupilForm(forms.Form):
    """A pupil's account: a shown name, a log-in name, a password. No e-mail is asked for."""

    display_name = ShownNameField(
        label=_("Shown name"),
        max_length=80,
        help_text=_("A first name or nickname is enough."),
    )
    username = forms.CharField(
        label=_("Log-in name"), max_length=150, validators=[User.username_validator]
    )
    password = forms.CharField(label=_("Password"), min_length=6, max_length=100)

    def clean_username(self) -> str:
        return _free_username(self.cleaned_data["username"])


class RosterForm(forms.Form):
    """Names of a whole class: pasted, or a CSV file of one of the known kinds."""

    names = forms.CharField(
        label=_("Names"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=_("One pupil a line. Nicknames are best: nothing else is asked for."),
    )
    file = forms.FileField(
        label=_("Or a file"),
        required=False,
        help_text=_("CSV with a column of names, OneRoster’s users.csv, or Kolibri’s export."),
    )
    shorten = forms.BooleanField(
        label=_("Keep only the first letter of family names"), required=False, initial=True
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        text = cleaned.get("names", "")
        if cleaned.get("file"):
            if cleaned["file"].size > 2_000_000:
                raise ValidationError(_("The file is larger than 2 MB: is it a list of names?"))
            text = decoded(cleaned["file"].read())
        if not text.strip():
            raise ValidationError(_("Paste the names, or choose a file."))
        roster: Roster = parse_roster(text, shorten=cleaned.get("shorten", False))
        if roster.problems and not roster.names:
            raise ValidationError(
                [
                    _("Line %(line)s: %(problem)s") % {"line": p.line, "problem": p.message}
                    for p in roster.problems[:10]
                ]
            )
        cleaned["roster"] = roster
        return cleaned


class JoinForm(forms.Form):
    display_name = ShownNameField(
        label=_("Your name in this class"),
        max_length=80,
        help_text=_("A first name or nickname is enough."),
    )

    def clean_display_name(self) -> str:
        name = str(self.cleaned_data["display_name"])
        if not any(letter.isalnum() for letter in name):
            raise ValidationError(_("Write a name with letters."))
        return name


class RenameForm(JoinForm):
    """The name that a teacher gives a pupil."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["display_name"].label = _("Shown name")


class TeachersPasswordResetForm(PasswordResetForm):
    """Mail a link to teachers with this address. Pupils have no address; theirs is a new card."""

    def get_users(self, email: str) -> Any:
        try:
            tries.begin(tries.key_of("reset", email.casefold()))
        except tries.AccountLocked:  # nobody's letter-box is filled; the links that came still work
            return []
        return [person for person in super().get_users(email) if person.is_teacher]


def _refuse_other_password(request: HttpRequest, person: User, given: str) -> None:
    """Judge a password as a log-in does: who passes by an open page cannot guess it."""
    if authenticate(request, username=person.username, password=given) != person:
        locked = getattr(request, "account_locked", None)
        raise ValidationError(str(locked or _("This is not your password.")))


class OwnPasswordForm(PasswordChangeForm):
    """A new password for who knows the old one."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        given = str(self.cleaned_data["old_password"])
        _refuse_other_password(self.request, self.user, given)
        return given


class OwnAccountForm(forms.Form):
    """What a teacher changes of the own account; the address can set a new password."""

    display_name = ShownNameField(label=_("Shown name"), max_length=80)
    email = forms.EmailField(
        label=_("E-mail"), required=False, help_text=_("Only to set a forgotten password anew.")
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


class SchoolForm(forms.ModelForm[School]):
    """A school, as its admin and the site's admin change it."""

    class Meta:
        model = School
        fields = ["name", "retention_days"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A class of a school that keeps them for ever ends beyond the calendar.
        kept = School._meta.get_field("retention_days").formfield(max_value=LONGEST_KEPT)
        assert kept is not None  # noqa: S101  (for the type checker)
        self.fields["retention_days"] = kept


class TeacherForm(forms.Form):
    """A teacher's account."""

    display_name = ShownNameField(label=_("Shown name"), max_length=80)
    username = forms.CharField(
        label=_("Log-in name"), max_length=150, validators=[User.username_validator]
    )
    email = forms.EmailField(
        label=_("E-mail"), required=False, help_text=_("Only to set a forgotten password anew.")
    )
    password = forms.CharField(
        label=_("Password"),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        max_length=200,
    )

    def clean_username(self) -> str:
        return _free_username(self.cleaned_data["username"])

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        validate_password(password, User(username=self.cleaned_data.get("username", "")))
        return password


class SignUpForm(TeacherForm):
    school_name = forms.CharField(label=_("School"), max_length=200, required=False)
