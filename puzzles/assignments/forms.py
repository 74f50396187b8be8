"""Forms to assign a puzzle to a class and to change an assignment."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.forms.models import ModelChoiceIterator
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.selectors import by_name
from puzzles.kinds import KINDS
from puzzles.making import choice
from puzzles.models import Assignment
from vocab.entries.selectors import asked_for, parts_of_speech_of, tags_of
from vocab.models import Entry, VocabularyList


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


class WordsForm(forms.Form):
    """Which words of a list a puzzle is made of.

    What the page of the list passed on is kept: the words that were ticked there, and its search.
    """

    which = forms.ChoiceField(label=_("Words"), initial=choice.ALL, required=False)
    pinned = forms.TypedMultipleChoiceField(label=_("Words to include"), coerce=int, required=False)
    banned = forms.TypedMultipleChoiceField(label=_("Words to exclude"), coerce=int, required=False)
    ticked = forms.CharField(required=False, widget=forms.HiddenInput, max_length=200_000)
    query = forms.CharField(required=False, widget=forms.HiddenInput, max_length=2_000)

    def __init__(self, *args: Any, vocabulary_list: VocabularyList, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.vocabulary_list = vocabulary_list
        for name in ("pinned", "banned"):
            self.fields[name].valid_value = _is_id  # type: ignore[attr-defined]
        which = self.fields["which"]
        assert isinstance(which, forms.ChoiceField)  # noqa: S101  (for the checker)
        which.choices = list(self._choices())

    def _choices(self) -> Iterator[tuple[str, Any]]:
        yield choice.ALL, _("All words of the list")
        if self._value("ticked"):
            yield choice.TICKED, _("The words selected in the list")
        if self._value("query"):
            yield choice.FOUND, _("The words found in the list")
        yield choice.UNKNOWN, _("Words that the class does not know yet")
        yield choice.HARDEST, _("The hardest words of the class")
        yield choice.NEW, _("New words of the last seven days")
        for tag in tags_of(self.vocabulary_list):
            # Translators: %(tag)s is a tag of words, such as “animals”.
            yield choice.TAG + tag, gettext("Tag: %(tag)s") % {"tag": tag}
        for part in parts_of_speech_of(self.vocabulary_list):
            # Translators: %(part)s is a part of speech, such as “verb”.
            yield choice.PART_OF_SPEECH + part, gettext("Part of speech: %(part)s") % {"part": part}

    def _value(self, name: str) -> str:
        value = self.data.get(name) if self.is_bound else self.initial.get(name)
        return str(value or "")

    def entries(self, students: Collection[User]) -> QuerySet[Entry]:
        """Return the chosen entries, those to include among them, without those to exclude."""
        wanted = self.cleaned_data
        chosen = self._chosen(students).order_by()
        own = self.vocabulary_list.entries
        together = own.filter(Q(pk__in=chosen.values("pk")) | Q(pk__in=wanted["pinned"]))
        return together.exclude(pk__in=wanted["banned"])

    def note(self, students: Collection[User]) -> str:
        """Return what the teacher should know of the choice before any other words are added."""
        return choice.explained(
            self.vocabulary_list,
            self.cleaned_data["which"],
            students=students,
            is_empty=not self._chosen(students).exists(),
        )

    def _chosen(self, students: Collection[User]) -> QuerySet[Entry]:
        wanted = self.cleaned_data
        return choice.chosen(
            self.vocabulary_list,
            wanted["which"],
            students=students,
            ticked=[int(key) for key in wanted["ticked"].split(",") if _is_id(key)],
            found=asked_for(QueryDict(wanted["query"])),
        )

    def clean(self) -> dict[str, Any]:
        wanted = super().clean() or {}
        if set(wanted.get("pinned", ())) & set(wanted.get("banned", ())):
            self.add_error("pinned", _("A word cannot be both included and excluded."))
        return wanted


def _is_id(text: str) -> bool:
    return str(text).isdecimal() and len(str(text)) < 19
