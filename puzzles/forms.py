from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom, Membership, User
from puzzles.kinds import KINDS
from puzzles.kinds.crossword import CrosswordForm
from puzzles.models import Assignment
from vocab.models import Entry

# What one search may ask of a worker: its memory and time follow from these.
MOST_WORDS = 200
LARGEST_BOARD = 40


class PuzzleForm(forms.Form):
    """Which kind, for which class. The kind's own settings are a form of their own beside it."""

    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[(kind.slug, kind.name) for kind in KINDS.values()],
        widget=forms.RadioSelect,
    )
    title = forms.CharField(label=_("Title"), max_length=200, required=False)
    classroom = forms.ModelChoiceField(
        label=_("For the class"),
        queryset=Classroom.objects.none(),
        required=False,
        empty_label=_("No class yet"),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["classroom"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  (for the type checker)
        field.queryset = classrooms(person, "assign").filter(archived_at=None)


class SearchForm(CrosswordForm):
    """What a teacher wants of a crossword whose search they watch."""

    field_order = ["words", "seconds", "rows", "cols", "symmetric", "clue"]
    words = forms.IntegerField(
        label=_("Number of words"),
        min_value=2,
        max_value=MOST_WORDS,
        initial=20,
        required=False,
        help_text=_("From a larger list the search chooses those that cross well."),
    )
    seconds = forms.FloatField(
        label=_("Seconds to search"), min_value=1, max_value=300, initial=30, required=False
    )
    rows = forms.IntegerField(
        label=_("Rows"),
        min_value=3,
        max_value=LARGEST_BOARD,
        required=False,
        help_text=_("Empty: as many as the words need."),
    )
    cols = forms.IntegerField(
        label=_("Columns"), min_value=3, max_value=LARGEST_BOARD, required=False
    )
    symmetric = forms.BooleanField(
        label=_("Symmetric"),
        required=False,
        help_text=_("It looks the same upside down; fewer words find a place."),
    )
    pinned = forms.TypedMultipleChoiceField(
        label=_("Words that must be in"), coerce=int, required=False
    )
    banned = forms.TypedMultipleChoiceField(
        label=_("Words that must not be in"), coerce=int, required=False
    )

    def __init__(self, *args: Any, entries: Iterable[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(entry.pk, entry.term) for entry in entries]
        for name in ("pinned", "banned"):
            field = self.fields[name]
            assert isinstance(field, forms.TypedMultipleChoiceField)  # noqa: S101  (for the checker)
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        wanted = super().clean() or {}
        terms = dict(self.fields["pinned"].choices)  # type: ignore[attr-defined]
        pinned = wanted.get("pinned") or []
        for pk in set(pinned) & set(wanted.get("banned") or []):
            self.add_error(
                "pinned", _("“%(word)s” cannot both be in and not be in.") % {"word": terms[pk]}
            )
        if len(pinned) > (wanted.get("words") or MOST_WORDS):
            self.add_error("words", _("More words than that must be in."))
        rows, cols = wanted.get("rows"), wanted.get("cols")
        if wanted.get("symmetric") and rows and cols and not (rows % 2 or cols % 2):
            self.add_error(
                "rows",
                _("A symmetric crossword needs a middle: an odd number of rows or of columns."),
            )
        return wanted


class AssignForm(forms.Form):
    classroom = forms.ModelChoiceField(label=_("For the class"), queryset=Classroom.objects.none())

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["classroom"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  (for the type checker)
        field.queryset = classrooms(person, "assign").filter(archived_at=None)


class PracticeForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("Kind"), choices=[(kind.slug, kind.name) for kind in KINDS.values()]
    )


class SeveralField(forms.ModelMultipleChoiceField[Any]):
    """Some of what may be chosen; a number that no database holds is none of it."""

    def clean(self, value: Any) -> Any:
        for each in value or ():
            if not (str(each).isdecimal() and len(str(each)) < 19):
                raise forms.ValidationError(
                    self.error_messages["invalid_choice"], "invalid_choice", {"value": each}
                )
        return super().clean(value)


class AssignmentForm(forms.ModelForm[Assignment]):
    """When an assignment opens, is due and closes, who has it, and whether each has their own."""

    class Meta:
        model = Assignment
        fields = [
            "is_draft",
            "opens_at",
            "due_at",
            "closes_at",
            "tries",
            "counting",
            "is_adaptive",
            "chosen_pupils",
        ]
        labels = {"chosen_pupils": _("Only for")}
        field_classes = {"chosen_pupils": SeveralField}
        widgets = {
            name: forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
            for name in ("opens_at", "due_at", "closes_at")
        } | {"chosen_pupils": forms.CheckboxSelectMultiple}

    pinned = SeveralField(
        label=_("Words that everybody gets"), queryset=Entry.objects.none(), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        assignment = self.instance
        pupils, pinned = self.fields["chosen_pupils"], self.fields["pinned"]
        assert isinstance(pupils, forms.ModelMultipleChoiceField)  # noqa: S101  (for the checker)
        assert isinstance(pinned, forms.ModelMultipleChoiceField)  # noqa: S101  (for the checker)
        pupils.queryset = User.objects.filter(
            memberships__classroom=assignment.classroom,
            memberships__role=Membership.Role.STUDENT,
        ).order_by("display_name")
        pinned.queryset = assignment.puzzle.vocabulary_list.entries.all()
        pinned.initial = assignment.pinned
