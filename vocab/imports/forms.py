"""Forms for importing a file or a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from osmosmjerka.db.collation import sort_key
from osmosmjerka.i18n import code_pages
from vocab.formats import IMPORTS, OPTIONS
from vocab.formats.columns import UNNAMED
from vocab.formats.repairs import REPAIRS
from vocab.formats.separators import GAP
from vocab.models import Import
from vocab.sentences import lazily_said, lazy_label_of
from vocab.text import KNOWN_LANGUAGES, OTHER_LANGUAGES, language_name
from vocab.text.playing import RULES
from vocab.text_fields import TEXT_FIELDS

Choices = list[tuple[str, str | Promise]]

DELIMITERS: Choices = [
    # Translators: the character between columns.
    ("\t", _("Tab")),
    (",", _("Comma")),
    (";", _("Semicolon")),
    ("|", _("Vertical bar |")),
    (" - ", _("Dash with spaces")),
    (": ", _("Colon and space")),
    (" = ", _("Equals sign with spaces")),
    (GAP, _("Two or more spaces")),
]
ROW_SEPARATORS: Choices = [
    ("\n", _("New line")),
    ("\n\n", _("Empty line")),
    (";", _("Semicolon")),
    ("|", _("Vertical bar |")),
]
FIELD_NAMES: Choices = [
    ("term", _("Word")),
    ("translation", _("Translation")),
    *((field.name, lazy_label_of(field)) for field in TEXT_FIELDS),
    ("image", _("Picture")),
    ("audio", _("Sound")),
    ("tags", _("Tags")),
    ("language", _("Language")),
    ("id", _("ID")),
    ("extra", _("Keep as an extra column")),
    # Translators: what is done with a column of a file.
    ("ignore", _("Skip")),
]


def language_names(tags: Iterable[str]) -> list[tuple[str, str]]:
    """Return languages with their names in the reader's language, in alphabetical order."""
    shown_in, key = get_language() or "en", sort_key()
    names = [(tag, language_name(tag, shown_in)) for tag in tags]
    return sorted(names, key=lambda choice: key(choice[1]))


def field_name(field: str) -> str:
    """Return the name of a field of a word in the reader's language, and of its language."""
    name, _colon, tag = field.partition(":")
    shown = str(dict(FIELD_NAMES).get(name, name))
    if name == "translation" and tag:
        language = {"language": _name_of(tag)}
        return gettext("Translation (%(language)s)") % language
    return f"{shown} ({tag})" if tag else shown


def _name_of(tag: str) -> str:
    """Return a language's name; of what is no tag, as a file may have it, the text itself."""
    try:
        return language_name(tag, get_language() or "en")
    except ValueError:
        return tag


def column_field(field: str, languages: Sequence[str]) -> str:
    """Return a column's field as it is offered: a translation in the first language names none."""
    return "translation" if languages and field == f"translation:{languages[0]}" else field


def column_name(field: str, languages: Sequence[str]) -> str:
    """Return what a column contains; a translation has a language, even if its field has none."""
    is_first = field == "translation" and languages and languages[0] != "und"
    return field_name(f"translation:{languages[0]}" if is_first else field)


def column_choices(languages: Sequence[str], current: str = "") -> Choices:
    """Return what a column of a file for a list may contain.

    Translations in the list's *languages* stand beside the word, and those in all others at the
    end: a column may bring a language that the list does not have yet.
    """
    known = [tag for tag, _name in language_names([*KNOWN_LANGUAGES, *OTHER_LANGUAGES])]
    fields = [f"translation:{tag}" for tag in languages[1:]]
    if current.startswith("translation:") and current not in fields:
        fields.append(current)
    others = [f"translation:{tag}" for tag in known if tag not in languages]
    choices: Choices = []
    for field, name in FIELD_NAMES:
        if field == "translation":
            choices += [(one, column_name(one, languages)) for one in (field, *fields)]
        else:
            choices.append((field, name))
    return [*choices, *((one, field_name(one)) for one in others if one not in fields)]


_RULES: dict[str, str | Promise] = {
    "articles": _("Articles: “der Hund” becomes HUND"),
    "brackets": _("Brackets: “Bank (Park)” becomes BANK"),
    "notes": _("Endings and grammar notes: “Schule, -n” becomes SCHULE"),
    "alternatives": _("Alternatives: “Auto/Wagen” becomes AUTO, and both answers are right"),
}


class PlayingRulesField(forms.MultipleChoiceField):
    """The rules for what of a list's words is left out of the grid."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("Leave out of the grid"),
            choices=[(rule, _RULES[rule]) for rule in RULES],
            widget=forms.CheckboxSelectMultiple,
            required=False,
            **kwargs,
        )


class RepairsField(forms.MultipleChoiceField):
    """Repairs of pasted text; their value is as `vocab.formats.delimited` takes it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("Repairs"),
            choices=[(name, lazily_said(repair.label)) for name, repair in REPAIRS.items()],
            widget=forms.CheckboxSelectMultiple,
            required=False,
            **kwargs,
        )

    def clean(self, value: Any) -> str:
        return " ".join(super().clean(value))


class ImportForm(forms.Form):
    """A file, or a pasted text."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        help_text=_(
            "CSV or other text, spreadsheet (.xlsx, .ods), HTML table, Anki text or package."
        ),
        widget=forms.ClearableFileInput(
            attrs={"accept": ",".join(sorted({s for f in IMPORTS.values() for s in f.suffixes}))}
        ),
    )
    text = forms.CharField(
        label=_("Or paste"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("From a spreadsheet, from Quizlet, or typed in."),
    )

    def clean(self) -> dict[str, Any]:
        wanted: dict[str, Any] = super().clean() or {}
        if not wanted.get("file") and not wanted.get("text", "").strip() and not self.errors:
            raise ValidationError(gettext("Choose a file or paste some text."))
        return wanted


class ReadingForm(forms.Form):
    """How a file is read: shows the guess, for changes. Has only the settings of its format."""

    def __init__(self, *args: Any, import_: Import, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.import_ = import_
        known = import_.settings
        options = IMPORTS[known["format"]].options if "format" in known else ()
        if "delimiter" in options:
            self._ask("delimiter", _("Separator between word and translation"), DELIMITERS)
            self.fields["own_delimiter"] = forms.CharField(
                label=_("Other separator"), required=False, strip=False, max_length=10
            )
        if "row_separator" in options:
            self._ask("row_separator", _("Separator between words"), ROW_SEPARATORS)
            self.fields["own_row_separator"] = forms.CharField(
                label=_("Other separator between words"),
                required=False,
                strip=False,
                max_length=10,
            )
        if "encoding" in options and not import_.is_pasted:
            self._ask("encoding", _("Encoding"), [*code_pages.choices(get_language() or "en")])
        if "sheet" in options:
            self.fields["sheet"] = forms.CharField(
                # Translators: of a spreadsheet.
                label=_("Sheet"),
                required=False,
                initial=known.get("sheet"),
                max_length=100,
            )
        for name, label in (
            ("has_header", _("The first line contains column names")),
            ("html", _("The fields contain HTML")),
            ("mixed", _("Some lines may use a different separator")),
        ):
            if name in options:
                self.fields[name] = forms.BooleanField(
                    label=label, required=False, initial=known.get(name, False)
                )
        if "repair" in options:
            self.fields["repair"] = RepairsField(initial=str(known.get("repair", "")).split())
        languages = import_.vocabulary_list.translation_languages
        for number, (header, read_as) in enumerate(import_.columns):
            field = column_field(read_as, languages)
            self.fields[f"column_{number}"] = forms.ChoiceField(
                label=shown_header(header),
                choices=column_choices(languages, field),
                initial=field,
            )
        if import_.playing_rules is not None:
            self.fields["playing_rules"] = PlayingRulesField(initial=import_.playing_rules)
        self.fields["policy"] = forms.ChoiceField(
            label=_("If a word is already in the list"),
            choices=Import.Policy.choices,
            initial=import_.policy,
        )

    def _ask(self, name: str, label: Any, choices: Choices) -> None:
        known = self.import_.settings.get(name)
        if known is not None and known not in dict(choices):
            choices = [*choices, (known, repr(known))]
        # Form fields strip tabs and line ends; use their positions instead.
        self.fields[name] = forms.TypedChoiceField(
            label=label,
            choices=[(str(place), shown) for place, (_value, shown) in enumerate(choices)],
            coerce=lambda place: choices[int(place)][0],
            initial=str([value for value, _shown in choices].index(known)) if known else "0",
        )

    def guess(self) -> list[str]:
        """Return labels of how the file is read, for a quick check."""
        known = self.import_.settings
        said = []
        for name in ("delimiter", "row_separator", "encoding"):
            field = self.fields.get(name)
            if isinstance(field, forms.TypedChoiceField) and known.get(name, "\n") != "\n":
                said.append(str(dict(field.choices)[field.initial]))  # type: ignore[arg-type]
        if "sheet" in known:
            said.append(str(known["sheet"]))
        said += [
            str(self.fields[name].label)
            for name in ("has_header", "html")
            if name in self.fields and known.get(name)
        ]
        made = str(known.get("repair", "")).split()
        return said + [str(lazily_said(REPAIRS[name].label)) for name in made]

    def column_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("column_")]

    def setting_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if not name.startswith("column_")]

    def reading(self) -> tuple[dict[str, Any], dict[str, str] | None]:
        """Return the settings for the parser, and the columns if they still fit the file.

        With other settings, a file may have other columns, which are then guessed again.
        """
        wanted = self.cleaned_data
        before = dict(self.import_.settings)
        settings = dict(before)
        for name, value in wanted.items():
            # What is off or empty, and was not set before, need not be said.
            if name in OPTIONS and (value or (name in before and name != "sheet")):
                settings[name] = value
        for name in ("delimiter", "row_separator"):
            if own := wanted.get(f"own_{name}"):
                # In Quizlet's notation, because a line end cannot be typed into a field.
                settings[name] = own.replace("\\n", "\n").replace("\\t", "\t")
        if settings != before:
            return settings, None
        columns = {
            header: wanted[f"column_{number}"]
            for number, (header, _field) in enumerate(self.import_.columns)
        }
        return settings, columns


def shown_header(header: str) -> str:
    """Return a column's name, in the page's language if the file does not name the column."""
    note_type, unnamed, number = header.rpartition(UNNAMED)
    if not unnamed or not number.isdigit() or (note_type and not note_type.endswith(": ")):
        return header
    return note_type + gettext("Column %(number)s") % {"number": number}
