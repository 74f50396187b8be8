"""Forms to assign a puzzle to classes and to change an assignment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.forms.models import ModelChoiceIterator
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.accounts.selectors import by_name
from osmosmjerka.web.requests import ids_in
from puzzles.kinds import KINDS, Kind
from puzzles.models import Assignment
from vocab.models import Entry


class SeveralField(forms.ModelMultipleChoiceField[Any]):
    """A multiple choice that rejects numbers too large for a database column."""

    def clean(self, value: Any) -> Any:
        for each in value or ():
            if not ids_in([str(each)]):
                raise forms.ValidationError(
                    self.error_messages["invalid_choice"], "invalid_choice", {"value": each}
                )
        return super().clean(value)


class StudentsByName(ModelChoiceIterator[User]):
    """The students of a class as choices."""

    def __iter__(self) -> Iterator[tuple[Any, str]]:
        for student in sorted(self.queryset, key=by_name()):
            yield self.choice(student)


def choose_among(
    form: forms.BaseForm,
    name: str,
    rows: QuerySet[Any],
    iterator: type[ModelChoiceIterator[Any]] = ModelChoiceIterator,
) -> None:
    """Let a field of a form choose among these rows only."""
    field = form.fields[name]
    assert isinstance(field, SeveralField)  # noqa: S101  (for the type checker)
    field.iterator, field.queryset = iterator, rows


# The names of an assignment's fields, the same on every form and page.
LABELS = {
    "is_draft": pgettext_lazy("assignment", "Draft"),
    "opens_at": pgettext_lazy("assignment", "Opens"),
    "due_at": _("Due date"),
    "closes_at": pgettext_lazy("assignment", "Closes"),
    "attempts": _("Attempts"),
    "counting": _("Which attempt counts"),
    "is_adaptive": _("Personalise for each student"),
    "chosen_students": _("Only for these students"),
    "pinned": _("Words for everyone"),
}
OPENS_HELP, CLOSES_HELP = _("Leave empty to open it now."), _("Leave empty to never close it.")
WHEN = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


class AssignmentForm(forms.ModelForm[Assignment]):
    """The dates of an assignment, its students, and whether each gets their own puzzle."""

    class Meta:
        model = Assignment
        fields = [
            "is_draft",
            "opens_at",
            "due_at",
            "closes_at",
            "attempts",
            "counting",
            "is_adaptive",
            "chosen_students",
        ]
        labels = LABELS
        help_texts = {
            "is_draft": _("Students do not see a draft."),
            "opens_at": OPENS_HELP,
            "closes_at": CLOSES_HELP,
        }
        field_classes = {"chosen_students": SeveralField}
        widgets = dict.fromkeys(("opens_at", "due_at", "closes_at"), WHEN) | {
            "chosen_students": forms.CheckboxSelectMultiple
        }

    pinned = SeveralField(label=LABELS["pinned"], queryset=Entry.objects.none(), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assignment = self.instance
        students = User.objects.filter(
            memberships__classroom=assignment.classroom,
            memberships__role=Membership.Role.STUDENT,
            deleted_at=None,
        )
        choose_among(self, "chosen_students", students, StudentsByName)
        choose_among(self, "pinned", assignment.puzzle.vocabulary_list.entries.all())
        self.fields["pinned"].initial = assignment.pinned
        kind = KINDS[assignment.puzzle.kind]
        self.fields["is_adaptive"].help_text = only_for_all(kind, assignment.puzzle.settings)


def only_for_all(kind: Kind, settings: Mapping[str, Any]) -> str:
    """Return which settings a puzzle of a student's own words would not have, or ""."""
    usual, fields = kind.default_settings(), kind.settings_form.base_fields
    left_out = [
        str(fields[name].label)
        for name in kind.settings_for_all
        if settings.get(name) and settings[name] != usual[name]
    ]
    if not left_out:
        return ""
    return gettext("Not available in personalised puzzles: %(settings)s.") % {
        "settings": ", ".join(left_out)
    }
