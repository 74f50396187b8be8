"""Forms to assign a puzzle to a class and to change an assignment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.models import ModelChoiceIterator
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.selectors import by_name
from puzzles.kinds import KINDS
from puzzles.models import Assignment
from vocab.models import Entry


class AssignForm(forms.Form):
    classroom = forms.ModelChoiceField(
        label=_("Assign to class"),
        queryset=Classroom.objects.none(),
        empty_label=_("Choose a class"),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["classroom"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  (for the type checker)
        field.queryset = classrooms(person, "assign").filter(archived_at=None)


class SeveralField(forms.ModelMultipleChoiceField[Any]):
    """A multiple choice that rejects numbers too large for a database column."""

    def clean(self, value: Any) -> Any:
        for each in value or ():
            if not (str(each).isdecimal() and len(str(each)) < 19):
                raise forms.ValidationError(
                    self.error_messages["invalid_choice"], "invalid_choice", {"value": each}
                )
        return super().clean(value)


class StudentsByName(ModelChoiceIterator[User]):
    """The students of a class as choices."""

    def __iter__(self) -> Iterator[tuple[Any, str]]:
        for student in sorted(self.queryset, key=by_name()):
            yield self.choice(student)


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
        labels = {"chosen_students": _("Only for these students")}
        field_classes = {"chosen_students": SeveralField}
        widgets = {
            name: forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
            for name in ("opens_at", "due_at", "closes_at")
        } | {"chosen_students": forms.CheckboxSelectMultiple}

    pinned = SeveralField(
        label=_("Words for everyone"), queryset=Entry.objects.none(), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assignment = self.instance
        students, pinned = self.fields["chosen_students"], self.fields["pinned"]
        assert isinstance(students, forms.ModelMultipleChoiceField)  # noqa: S101  (for the checker)
        assert isinstance(pinned, forms.ModelMultipleChoiceField)  # noqa: S101  (for the checker)
        students.iterator = StudentsByName
        students.queryset = User.objects.filter(
            memberships__classroom=assignment.classroom,
            memberships__role=Membership.Role.STUDENT,
            deleted_at=None,
        )
        pinned.queryset = assignment.puzzle.vocabulary_list.entries.all()
        pinned.initial = assignment.pinned


class PuzzleForm(forms.Form):
    """The kind of puzzle and the class. The settings of the kind are a separate form beside it."""

    kind = forms.ChoiceField(
        label=_("Type"),
        choices=[(kind.slug, kind.name) for kind in KINDS.values()],
        widget=forms.RadioSelect,
    )
    title = forms.CharField(label=_("Title"), max_length=200, required=False)
    classroom = forms.ModelChoiceField(
        label=_("Assign to class"),
        queryset=Classroom.objects.none(),
        required=False,
        empty_label=_("Do not assign yet"),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["classroom"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  (for the type checker)
        field.queryset = classrooms(person, "assign").filter(archived_at=None)
