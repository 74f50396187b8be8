from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.classrooms import tables
from osmosmjerka.accounts.classrooms.roster import parse_file, parse_roster
from osmosmjerka.accounts.classrooms.services import TEACHERS
from osmosmjerka.accounts.fields import DisplayNameField, StudentPasswordField, clean_username
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.people import clean_display_name
from osmosmjerka.accounts.selectors import by_name, colleagues_of
from osmosmjerka.i18n import code_pages


class ClassroomForm(forms.ModelForm[Classroom]):
    class Meta:
        model = Classroom
        fields = ["name"]


class ClassroomSettingsForm(forms.ModelForm[Classroom]):
    card_language = forms.ChoiceField(
        label=_("Language of the login cards"),
        choices=settings.LANGUAGES,
        help_text=_(
            "The words on newly printed cards are in this language, so that students can type them."
        ),
    )

    class Meta:
        model = Classroom
        fields = ["name", "words_a_day", "is_join_open", "uses_pictures", "card_language"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["card_language"] = self.instance.language_of_cards
        self.fields["words_a_day"].required = False

    def clean(self) -> dict[str, Any]:
        """Leave the number of words as it is if the field is empty."""
        wanted = super().clean() or {}
        return {name: value for name, value in wanted.items() if value is not None}


class LastDayForm(forms.Form):
    """A role in a class, and its last day."""

    role = forms.ChoiceField(label=_("Role"), choices=TEACHERS)
    until = forms.DateField(
        label=_("Last day"),
        required=False,
        help_text=_("Leave empty for no last day."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def checked(self) -> dict[str, Any]:
        """Return what was entered; raises ValidationError with all that is wrong with it."""
        if not self.is_valid():
            raise ValidationError([why for some in self.errors.values() for why in some])
        return self.cleaned_data


class TeacherForm(LastDayForm):
    """A colleague of the school who is to teach the class too, or to stand in for some days."""

    teacher = forms.ModelChoiceField(
        label=_("Teacher"), queryset=User.objects.none(), empty_label=None
    )
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[
            (
                Membership.Role.SUBSTITUTE.value,
                _("Substitute: sees and prints everything, changes nothing"),
            ),
            (
                Membership.Role.CO_TEACHER.value,
                _("Co-teacher: teaches, assigns and manages students as you do"),
            ),
        ],
    )

    field_order = ("teacher", "role", "until")

    def __init__(self, *args: Any, classroom: Classroom, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        teacher = self.fields["teacher"]
        assert isinstance(teacher, forms.ModelChoiceField)  # noqa: S101  (for the checker)
        teacher.queryset = colleagues_of(classroom)
        self.colleagues = sorted(teacher.queryset, key=by_name())
        # Colleagues may have the same name, so their usernames are shown too.
        teacher.choices = [(one.pk, f"{one} · {one.username}") for one in self.colleagues]
        self.fields["until"].widget.attrs["min"] = classroom.school.today().isoformat()


class RenameForm(forms.Form):
    """The name that a teacher gives a student."""

    display_name = DisplayNameField(
        label=_("Display name"),
        max_length=80,
        help_text=_("A first name or nickname is enough."),
    )


class StudentForm(RenameForm):
    """A student's account: display name, username and password. No e-mail address."""

    username = forms.CharField(
        label=_("Username"), max_length=150, validators=[User.username_validator]
    )
    password = StudentPasswordField()

    def clean_username(self) -> str:
        return clean_username(self.cleaned_data["username"])


class StudentPasswordForm(forms.Form):
    """A new password for a student, shown while it is typed: the teacher tells it to them."""

    password = StudentPasswordField(
        label=_("New password"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class RosterForm(forms.Form):
    """Names for a whole class: pasted, or a file of one of the known types."""

    names = forms.CharField(
        label=_("Names"),
        required=False,
        max_length=tables.MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=_("One student per line. A first name or nickname is enough."),
    )
    file = forms.FileField(
        label=_("Or choose a file"),
        required=False,
        help_text=_(
            "CSV or Excel (.xlsx) with a column of names, OneRoster (users.csv or the ZIP file), "
            "or an export from Kolibri or Moodle."
        ),
    )
    shorten = forms.BooleanField(
        label=_("Shorten surnames to their first letter"),
        required=False,
        initial=True,
        help_text=_(
            "“Ana Horvat” becomes “Ana H.”: the full surname is not saved. The preview shows both."
        ),
    )

    order = forms.ChoiceField(
        label=_("Order of names"),
        required=False,
        choices=[
            ("", _("Detect from the names")),
            ("given", _("Given name first: Ana Horvat")),
            ("family", _("Surname first: Horvat Ana")),
        ],
        help_text=_("Used if no column says which name is the surname."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        encodings = code_pages.choices(get_language() or "en")
        # Translators: the encoding of a file.
        self.fields["encoding"] = forms.ChoiceField(
            label=_("Encoding"),
            required=False,
            choices=[("", _("Detect from the file")), *encodings],
            help_text=_("For text and CSV files. Choose one if letters look wrong in the preview."),
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        file, text = cleaned.get("file"), cleaned.get("names", "")
        if not file and not text.strip():
            raise ValidationError(_("Paste the names or choose a file."))
        chosen: dict[str, Any] = {"shorten": cleaned["shorten"], "order": cleaned["order"]}
        if file:
            data = file.read(tables.MAX_FILE + 1)
            roster = parse_file(data, encoding=cleaned["encoding"], **chosen)
        else:
            roster = parse_roster(text, **chosen)
        if not roster.names:
            raise ValidationError(
                [
                    # Translators: %(problem)s is a whole sentence.
                    _("Line %(line)s: %(problem)s") % {"line": p.number, "problem": p.problem}
                    for p in roster.problems[:10]
                ]
                or _("Paste the names or choose a file.")
            )
        cleaned["roster"] = roster
        return cleaned


class JoinForm(forms.Form):
    display_name = DisplayNameField(
        label=_("Your name in this class"),
        max_length=80,
        help_text=_("A first name or nickname is enough."),
    )

    def clean_display_name(self) -> str:
        return clean_display_name(str(self.cleaned_data["display_name"]))
