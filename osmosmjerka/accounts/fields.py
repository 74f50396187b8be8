"""Form fields for people: display names and usernames."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

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


# Characters of a student's password.
SHORTEST_OF_STUDENTS, LONGEST_OF_STUDENTS = 6, 100

# What is tried first on a site like this one, in its languages. With digits and signs around it,
# such as “Teacher2026!”, it is refused as well. docs/security/controls.md lists it.
WORDS_OF_THE_SITE = frozenset({
    "osmosmjerka", "wordsearch", "puzzle", "vocabulary",
    "admin", "administrator", "student", "teacher", "school", "password", "welcome",
    "učenik", "nastavnik", "škola", "lozinka", "rječnik", "križaljka",
    "uczeń", "nauczyciel", "szkoła", "hasło", "słownik", "krzyżówka", "wykreślanka",
    "schüler", "lehrer", "lehrkraft", "schule", "passwort", "wörterbuch", "kreuzworträtsel",
    "طالب", "معلم", "مدرسة", "قاموس",
})  # fmt: skip


class CommonPasswordValidator(password_validation.CommonPasswordValidator):
    """Refuse common passwords, and those made of a word of the site or of the school's name."""

    def validate(self, password: str, user: User | None = None) -> None:
        super().validate(password, user)
        school = getattr(user, "school", None)
        names = WORDS_OF_THE_SITE | ({school.name} if school else set())
        if _letters_of(password) in set(map(_letters_of, names)) - {""}:
            raise ValidationError(self.get_error_message(), code="password_too_common")


def _letters_of(text: str) -> str:
    return "".join(letter for letter in codes.folded(text) if letter.isalpha())


def _rule_of_student_passwords() -> str:
    return ngettext(
        "At least %(count)s character, and not a common password.",
        "At least %(count)s characters, and not a common password.",
        SHORTEST_OF_STUDENTS,
    ) % {"count": SHORTEST_OF_STUDENTS}


def check_student_password(password: str) -> None:
    """Raise `ValidationError` for a password that no student may have."""
    if not SHORTEST_OF_STUDENTS <= len(password) <= LONGEST_OF_STUDENTS:
        raise ValidationError(_rule_of_student_passwords())
    CommonPasswordValidator().validate(password)


class StudentPasswordField(forms.CharField):
    """A password that a teacher gives a student, or a student chooses: short enough for the young.

    Guessing is slowed down by accounts.auth.lockout, but the commonest passwords come first.
    """

    def __init__(self, **options: Any) -> None:
        given: dict[str, Any] = {
            "label": _("Password"),
            "min_length": SHORTEST_OF_STUDENTS,
            "max_length": LONGEST_OF_STUDENTS,
            # Lazy: in the language of who reads the form.
            "help_text": lazy(_rule_of_student_passwords, str)(),
        }
        super().__init__(**given | options)

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value:
            check_student_password(value)


class DisplayNameField(forms.CharField):
    """A display name, without invisible characters and direction overrides."""

    def to_python(self, value: object) -> str:
        return codes.visible(" ".join((super().to_python(value) or "").split()))
