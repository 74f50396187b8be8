"""The forms of the worksheet page: how it is printed, and sets of worksheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.accounts.models import Classroom
from osmosmjerka.accounts.selectors import told_apart
from puzzles.exports import Printing
from puzzles.kinds import Kind
from puzzles.models import WorksheetSet
from puzzles.worksheets.services import FOR_STUDENTS, MOST_VERSIONS

LONGEST_INSTRUCTION = 200
# A form sent whole says so: in a link, a box that is not named is as usual, not off.
WHOLE = "whole"
# What is about one puzzle or one school, and is not remembered for the next one.
_NOT_REMEMBERED = ("instruction",)

SHOWS = [
    ("usual", _("the default for this type of puzzle")),
    ("words", _("the words")),
    ("translations", _("translations")),
    ("definitions", _("hints or definitions")),
    ("examples", _("examples with a gap")),
    ("pictures", _("pictures")),
    ("none", pgettext_lazy("list of words", "nothing: no list")),
]
# A crossword's list is its clues: without them, or with its words, it is none.
_NOT_OF_CLUES = ("words", "none")


class PrintingForm(forms.Form):
    """How a worksheet is printed; what is missing or wrong in a link is as usual.

    *kind* limits what the list can show. *address* is where the puzzle is played, "" if it cannot
    be, and *school* the name of the person's school.
    """

    paper = forms.ChoiceField(
        label=pgettext_lazy("worksheet", "Paper"),
        choices=[("a4", "A4"), ("letter", pgettext_lazy("paper", "Letter"))],
        initial="a4",
        required=False,
    )
    per_page = forms.TypedChoiceField(
        label=_("Sheets per page"),
        choices=[(1, "1"), (2, "2"), (4, "4")],
        coerce=int,
        initial=1,
        required=False,
    )
    text = forms.ChoiceField(
        label=pgettext_lazy("worksheet", "Size"),
        choices=[
            ("auto", pgettext_lazy("text", "normal")),
            ("large", pgettext_lazy("text", "large print")),
            ("small", pgettext_lazy("text", "small")),
        ],
        initial="auto",
        required=False,
    )
    shows = forms.ChoiceField(
        label=_("The list shows"), choices=SHOWS, initial="usual", required=False
    )
    columns = forms.TypedChoiceField(
        label=_("Columns of the list"),
        choices=[
            (0, pgettext_lazy("columns", "as many as fit")), (1, "1"), (2, "2"), (3, "3"), (4, "4"),
        ],
        coerce=int,
        initial=0,
        required=False,
    )  # fmt: skip
    is_lowercase = forms.BooleanField(label=_("Small letters in the grid"), required=False)
    has_name = forms.BooleanField(label=_("A line for the name"), initial=True, required=False)
    has_class = forms.BooleanField(label=_("A line for the class"), required=False)
    has_date = forms.BooleanField(label=_("A line for the date"), initial=True, required=False)
    has_school = forms.BooleanField(label=_("The name of the school"), initial=True, required=False)
    has_address = forms.BooleanField(
        label=_("A QR code to play it"),
        help_text=_(
            "For students of a class to which the puzzle is assigned. Only on sheets with the same "
            "grid."
        ),
        required=False,
    )
    instruction = forms.CharField(
        label=_("Instruction"), max_length=LONGEST_INSTRUCTION, required=False
    )
    whole = forms.CharField(widget=forms.HiddenInput, initial="1", required=False)

    def __init__(self, data: Mapping[str, Any], *, kind: Kind, address: str, school: str) -> None:
        if not data.get(WHOLE):
            data = self._completed(data)
        choices = [one for one in SHOWS if kind.shows_letters or one[0] not in _NOT_OF_CLUES]
        if data.get("shows") not in dict(choices):
            # The person may have printed a puzzle of another type before, whose list shows more.
            data = {name: data[name] for name in data} | {"shows": "usual"}
        super().__init__(data)
        self.address, self.school = address, school
        shows = self.fields["shows"]
        assert isinstance(shows, forms.ChoiceField)  # noqa: S101  (for the type checker)
        shows.choices = choices
        if not kind.shows_letters:
            del self.fields["is_lowercase"]
        if not address:
            del self.fields["has_address"]
        if not school:
            del self.fields["has_school"]

    @classmethod
    def _completed(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the data of a link with the usual values of what it does not name."""
        usual = {name: field.initial for name, field in cls.base_fields.items() if field.initial}
        return usual | {name: data[name] for name in data}

    def printing(self) -> Printing:
        """Return what was asked for; what is wrong or missing is as usual."""
        given = self._given()
        address = self.address if given.pop("has_address", False) else ""
        school = self.school if given.pop("has_school", False) else ""
        return Printing(**given, address=address, school=school)

    def to_remember(self) -> dict[str, Any]:
        """Return what the person's next worksheet begins with."""
        return {name: value for name, value in self._given().items() if name not in _NOT_REMEMBERED}

    def query(self) -> str:
        """Return a query that asks for the same."""
        return urlencode(as_sent(self._given() | {WHOLE: "1"}))

    def _given(self) -> dict[str, Any]:
        self.is_valid()
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name != WHOLE and (value != "" or name == "instruction")
        }


def as_sent(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the options of a worksheet as a form sends them: a box only if it is ticked."""
    return [
        (name, "on" if value is True else str(value))
        for name, value in options.items()
        if value is not False
    ]


class SetForm(forms.Form):
    """A set of worksheets: for a class of the person's, or versions without names."""

    content = forms.ChoiceField(
        label=_("On the sheets"),
        choices=WorksheetSet.Content,
        initial=WorksheetSet.Content.VERSIONS,
        widget=forms.RadioSelect,
    )
    versions = forms.IntegerField(
        label=_("Number of versions"),
        min_value=2,
        max_value=MOST_VERSIONS,
        initial=2,
        required=False,
        error_messages=dict.fromkeys(
            ("min_value", "max_value", "invalid"),
            # Translators: of a worksheet.
            _("Choose from 2 to 6 versions."),
        ),
    )
    classroom = forms.ChoiceField(
        label=_("Class: one sheet for each student, with the student’s name"), required=False
    )
    # How they are printed: the query of a PrintingForm, as the preview on the page has it.
    printing = forms.CharField(widget=forms.HiddenInput, max_length=2000, required=False)

    def __init__(self, data: Any = None, *, classes: Iterable[Classroom], initial: Any = None):
        super().__init__(data, initial=initial)
        self.classes = told_apart(classes)
        self._classes = {str(one.pk): one for one in self.classes}
        if not self.classes:
            content = self.fields["content"]
            assert isinstance(content, forms.ChoiceField)  # noqa: S101  (for the type checker)
            content.choices = [
                one for one in WorksheetSet.Content.choices if one[0] not in FOR_STUDENTS
            ]
        field = self.fields["classroom"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (for the type checker)
        field.choices = [
            ("", _("no class: sheets without names")),
            *((key, str(one)) for key, one in self._classes.items()),
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("content") != WorksheetSet.Content.VERSIONS:
            # The field is not in view then.
            self.errors.pop("versions", None)
            cleaned["versions"] = None
        return cleaned

    def clean_classroom(self) -> Classroom | None:
        return self._classes.get(self.cleaned_data["classroom"])
