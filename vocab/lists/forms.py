from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from osmosmjerka.collation import sort_key
from vocab.formats.rows import FormatError, Parsed
from vocab.imports.forms import PlayingRulesField
from vocab.lists import pasted
from vocab.lists.samples import sample_languages
from vocab.lists.services import check_lengths
from vocab.models import VocabularyList
from vocab.sentences import said
from vocab.text import KNOWN_LANGUAGES, OTHER_LANGUAGES, language_name, normal_form


def language_choices() -> list[tuple[str, str | Promise]]:
    """Return the languages that are taught at schools, named in the reader's language."""
    return [("", _("Choose a language")), *_named([*KNOWN_LANGUAGES, *OTHER_LANGUAGES])]


def _named(tags: Sequence[str]) -> list[tuple[str, str]]:
    """Return languages with their names in the reader's language, in alphabetical order."""
    shown_in, key = get_language() or "en", sort_key()
    names = [(tag, language_name(tag, shown_in)) for tag in tags]
    return sorted(names, key=lambda choice: key(choice[1]))


class SamplesForm(forms.Form):
    translation_language = forms.ChoiceField(
        label=_("Language of the translations"), choices=lambda: _named(sample_languages())
    )


class PastedLines(forms.Form):
    """A form with pasted lines, read as in their preview; their value is a `Parsed`, or None."""

    lines = forms.CharField(
        label=_("Words"),
        required=False,
        widget=forms.Textarea,
        help_text=_(
            "One word per line: the word, then a tab, comma or semicolon, then its "
            "translation. Leave this empty to choose a file in the next step."
        ),
    )

    def languages(self) -> Sequence[str]:
        """Return the languages of the list, that of its words first."""
        raise NotImplementedError

    def clean_lines(self) -> Parsed | None:
        text: str = self.cleaned_data["lines"]
        if not text:
            return None
        try:
            parsed = pasted.read(text, self.data, self.languages())
        except FormatError as error:
            raise ValidationError(said(error)) from error
        errors = [problem for problem in parsed.problems if problem.severity == "error"]
        if errors:
            raise ValidationError(
                [
                    _("Line %(line)s: %(message)s")
                    % {"line": problem.line, "message": said(problem)}
                    for problem in errors
                ]
            )
        for row in parsed.rows:
            check_lengths(row)
        if not parsed.rows:
            raise ValidationError(_("Paste at least one line: a word, a tab, and its translation."))
        return parsed


class VocabularyListForm(PastedLines, forms.ModelForm[VocabularyList]):
    language = forms.ChoiceField(label=_("Language of the words"), choices=language_choices)
    translation_language = forms.ChoiceField(
        label=_("Language of the translations"), choices=language_choices
    )
    accents = forms.ChoiceField(
        label=_("Accents in answers"),
        choices=VocabularyList.Accents.choices,
        initial=VocabularyList.Accents.WARN,
        required=False,
        help_text=_("What happens when a student types macka instead of mačka."),
    )
    playing_rules = PlayingRulesField()

    class Meta:
        model = VocabularyList
        fields = ["title", "language", "translation_language", "visibility", "accents", "lines"]

    def languages(self) -> Sequence[str]:
        wanted = self.cleaned_data
        return [wanted.get("language", ""), wanted.get("translation_language", "")]

    def clean(self) -> dict[str, Any]:
        wanted = super().clean() or {}
        if wanted.get("lines") is None:
            wanted["playing_rules"] = []
        return wanted

    def clean_accents(self) -> str:
        return self.cleaned_data["accents"] or VocabularyList.Accents.WARN

    def clean_title(self) -> str:
        title = normal_form(self.cleaned_data["title"])
        if not 1 <= len(title) <= 200:
            raise ValidationError(_("The title needs 1 to 200 visible characters."))
        return title


class AddLinesForm(PastedLines):
    lines = forms.CharField(
        label=_("More words"),
        widget=forms.Textarea,
        help_text=_(
            "One word per line: the word, then a tab, comma or semicolon, then its translation."
        ),
    )

    def __init__(self, *args: Any, vocabulary_list: VocabularyList, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.vocabulary_list = vocabulary_list

    def languages(self) -> Sequence[str]:
        return self.vocabulary_list.languages
