"""Forms to assign a puzzle to classes and to change an assignment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.forms.models import ModelChoiceIterator
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.selectors import by_name
from osmosmjerka.web.requests import ids_in
from puzzles.kinds import KINDS, Kind
from puzzles.making import choice
from puzzles.models import Assignment
from vocab.entries.selectors import parts_of_speech_of, tags_of
from vocab.models import Entry, VocabularyList


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


# The names of an assignment's fields, the same on every form and page.
LABELS = {
    "is_draft": pgettext_lazy("assignment", "Draft"),
    "opens_at": pgettext_lazy("assignment", "Opens"),
    "due_at": _("Due date"),
    "closes_at": pgettext_lazy("assignment", "Closes"),
    "attempts": _("Attempts"),
    "counting": _("Which attempt counts"),
    "is_adaptive": _("Let each student play what suits them"),
    "chosen_students": _("Only for these students"),
    "pinned": _("Words for everyone"),
}
CLOSES_HELP = _("Empty: never.")
_WHEN = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


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
            "opens_at": _("Empty: now."),
            "closes_at": CLOSES_HELP,
        }
        field_classes = {"chosen_students": SeveralField}
        widgets = dict.fromkeys(("opens_at", "due_at", "closes_at"), _WHEN) | {
            "chosen_students": forms.CheckboxSelectMultiple
        }

    pinned = SeveralField(label=LABELS["pinned"], queryset=Entry.objects.none(), required=False)

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
        kind = KINDS[assignment.puzzle.kind]
        self.fields["is_adaptive"].help_text = only_for_all(kind, assignment.puzzle.settings)


SCREEN, PAPER = "screen", "paper"
SIZES = {"rows", "cols"}


_OF_A_NEW_PUZZLE = (
    *("use", "kind", "is_adaptive", "which", "number", "pinned", "title", "seed", "query"),
)


class NewForm(forms.Form):
    """What is assigned to whom and when: a puzzle that exists, or a new one of some words.

    Without a list, the puzzle exists. The settings of each type are forms beside it.
    """

    use = forms.ChoiceField(
        label=pgettext_lazy("assignment", "For"),
        choices=[(SCREEN, _("On screen")), (PAPER, _("On paper"))],
    )
    kind = forms.ChoiceField(
        label=_("Type"), choices=[(kind.slug, kind.name) for kind in KINDS.values()]
    )
    is_adaptive = forms.BooleanField(label=LABELS["is_adaptive"], required=False)
    which = forms.ChoiceField(label=pgettext_lazy("words", "Take"), required=False)
    number = forms.IntegerField(label=_("Number of words"), min_value=1, max_value=200)
    entries = SeveralField(label=_("Words"), queryset=Entry.objects.none(), required=False)
    pinned = SeveralField(label=LABELS["pinned"], queryset=Entry.objects.none(), required=False)
    title = forms.CharField(label=_("Title"), max_length=200, required=False)
    classroom = SeveralField(label=_("Classes"), queryset=Classroom.objects.none(), required=False)
    student = SeveralField(label=_("Students"), queryset=User.objects.none(), required=False)
    opens_at = forms.DateTimeField(
        label=LABELS["opens_at"], help_text=_("Empty: now."), required=False, widget=_WHEN
    )
    due_at = forms.DateTimeField(label=LABELS["due_at"], required=False, widget=_WHEN)
    closes_at = forms.DateTimeField(
        label=LABELS["closes_at"], help_text=CLOSES_HELP, required=False, widget=_WHEN
    )
    attempts = forms.IntegerField(label=LABELS["attempts"], min_value=1, max_value=50)
    counting = forms.ChoiceField(label=LABELS["counting"], choices=Assignment.Counting.choices)
    # Sent again by a second click, which must not create a second puzzle.
    seed = forms.IntegerField(min_value=0, max_value=2**62, widget=forms.HiddenInput)
    query = forms.CharField(required=False, widget=forms.HiddenInput, max_length=2_000)

    def __init__(
        self,
        *args: Any,
        vocabulary_list: VocabularyList | None,
        classes: Sequence[Classroom],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.is_new = vocabulary_list is not None
        if vocabulary_list is None:
            for name in _OF_A_NEW_PUZZLE:
                del self.fields[name]
        else:
            which, entries = self.fields["which"], self.fields["entries"]
            pinned = self.fields["pinned"]
            assert isinstance(which, forms.ChoiceField)  # noqa: S101  (for the checker)
            assert isinstance(entries, SeveralField)  # noqa: S101  (for the checker)
            which.choices = choices = list(self._choices(vocabulary_list))
            self.rules = {rule for rule, _label in choices}
            assert isinstance(pinned, SeveralField)  # noqa: S101  (for the checker)
            entries.queryset = pinned.queryset = vocabulary_list.entries.all()
        keys = [one.pk for one in classes]
        places = Membership.objects.filter(classroom__in=keys, role=Membership.Role.STUDENT)
        classroom, student = self.fields["classroom"], self.fields["student"]
        assert isinstance(classroom, SeveralField)  # noqa: S101  (for the checker)
        assert isinstance(student, SeveralField)  # noqa: S101  (for the checker)
        classroom.queryset = Classroom.objects.filter(pk__in=keys)
        student.queryset = User.objects.filter(pk__in=places.values("user"), deleted_at=None)

    def _choices(self, vocabulary_list: VocabularyList) -> Iterator[tuple[str, Any]]:
        yield choice.ALL, _("Any words of the list")
        yield choice.TICKED, _("The words selected below")
        if (self.data or self.initial).get("query"):
            yield choice.FOUND, _("The words found in the list")
        yield choice.UNKNOWN, _("Words that the class does not know yet")
        yield choice.HARDEST, _("The hardest words of the class")
        yield choice.NEW, _("New words of the last seven days")
        for tag in tags_of(vocabulary_list):
            # Translators: %(tag)s is a tag of words, such as “animals”.
            yield choice.TAG + tag, gettext("Tag: %(tag)s") % {"tag": tag}
        for part in parts_of_speech_of(vocabulary_list):
            # Translators: %(part)s is a part of speech, such as “verb”.
            yield choice.PART_OF_SPEECH + part, gettext("Part of speech: %(part)s") % {"part": part}

    def clean(self) -> dict[str, Any]:
        wanted = super().clean() or {}
        is_for_class = wanted.get("use", SCREEN) == SCREEN
        if is_for_class and not wanted.get("classroom") and "classroom" not in self.errors:
            self.add_error("classroom", gettext("Choose a class."))
        is_chosen = wanted.get("is_adaptive") and is_for_class
        if self.is_new and not is_chosen and not wanted.get("entries"):
            self.add_error("entries", gettext("Select at least one word."))
        return wanted


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
    return gettext("Not in students’ own puzzles: %(settings)s.") % {
        "settings": ", ".join(left_out)
    }


def settings_form(
    kind: Kind,
    sent: Mapping[str, Any] | None,
    old: Mapping[str, Any],
    files: MultiValueDict[str, Any] | None = None,
) -> forms.Form:
    """Return the form of a kind's settings without the number of words, which are selected.

    An empty size is one that fits the words.
    """
    form = kind.settings_form(sent, files, prefix=kind.slug, initial=dict(old))
    del form.fields["words"]
    for name in SIZES & form.fields.keys():
        form.fields[name].initial = None
        form.fields[name].help_text = gettext("Empty: as the words need it.")
    return form
