"""Forms to import a puzzle: the file, then its title."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from puzzles.imports.readers import SUFFIXES
from puzzles.imports.services import Preview
from vocab.lists.forms import language_choices
from vocab.text import normal_form


class PuzzleFileForm(forms.Form):
    """A puzzle of another program; its value is a `Preview`."""

    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,
        help_text=_("A crossword in ipuz, PUZ (Across Lite) or JPZ, or a word search in ipuz."),
        widget=forms.FileInput(attrs={"accept": ",".join(SUFFIXES)}),
    )

    def clean_file(self) -> Preview:
        return Preview.of_upload(self.cleaned_data["file"])


class ImportForm(forms.Form):
    """The title and languages of a puzzle that was read, which the page carries with it."""

    title = forms.CharField(
        label=_("Title"), max_length=200, widget=forms.TextInput(attrs={"dir": "auto"})
    )
    language = forms.ChoiceField(label=_("Language of the words"), choices=language_choices)
    translation_language = forms.ChoiceField(
        label=_("Language of the clues"), choices=language_choices
    )
    read = forms.CharField(widget=forms.HiddenInput)

    @property
    def wanted(self) -> dict[str, str]:
        """What was sent of the puzzle itself."""
        return {name: value for name, value in self.cleaned_data.items() if name != "read"}

    def clean_title(self) -> str:
        title = normal_form(self.cleaned_data["title"])
        if not title:
            raise ValidationError(_("Give the puzzle a title."))
        return title
