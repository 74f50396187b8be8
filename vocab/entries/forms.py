"""Forms for one entry and for bulk edits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from vocab import access
from vocab.entries import bulk
from vocab.entries import selectors as entries_selectors
from vocab.formats.columns import join_list, split_list
from vocab.formats.rows import Row
from vocab.models import Entry, VocabularyList
from vocab.rows import convert
from vocab.text import language_name


class EntryForm(forms.Form):
    """An entry's texts: translations are separated by semicolons, tags by commas."""

    term = forms.CharField(label=_("Word"), max_length=300)
    playing_form = forms.CharField(
        label=_("Playing form"),
        max_length=300,
        required=False,
        help_text=_("Only if the grid should contain something else than the list’s settings say."),
    )
    part_of_speech = forms.CharField(label=_("Part of speech"), max_length=60, required=False)
    tags = forms.CharField(label=_("Tags"), required=False)
    pronunciation = forms.CharField(label=_("Pronunciation"), max_length=300, required=False)
    example = forms.CharField(label=_("Example"), required=False)
    example_translation = forms.CharField(label=_("Translation of the example"), required=False)
    hint = forms.CharField(label=pgettext_lazy("word", "Hint"), required=False)
    note = forms.CharField(label=_("Note"), required=False)
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    _texts = (
        "playing_form",
        "part_of_speech",
        "pronunciation",
        "example",
        "example_translation",
        "hint",
        "note",
    )

    def __init__(
        self,
        *args: Any,
        vocabulary_list: VocabularyList,
        entry: Entry | None = None,
        **kwargs: Any,
    ) -> None:
        self.row = convert.row_of(entry) if entry else Row(term="")
        self.languages = list(
            dict.fromkeys((*vocabulary_list.translation_languages, *self.row.translations))
        )
        kwargs.setdefault("auto_id", f"entry-{entry.pk if entry else 'new'}-%s")
        initial = {name: getattr(self.row, name) for name in self._texts}
        initial |= {"term": self.row.term, "tags": join_list(self.row.tags, commas=True)}
        initial |= {"version": entry.version if entry else 0}
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
        self.fields["term"].widget.attrs |= {"lang": vocabulary_list.language, "dir": "auto"}
        for number, tag in enumerate(self.languages):
            self.fields[f"translation_{number}"] = forms.CharField(
                label=gettext("Translation (%(language)s)")
                % {"language": language_name(tag, get_language() or "en")},
                required=False,
                initial=join_list(self.row.translations.get(tag, ())),
                widget=forms.TextInput(attrs={"lang": tag, "dir": "auto"}),
            )
        first = ["term", *(name for name in self.fields if name.startswith("translation_"))]
        last = "playing_form"
        others = (name for name in self.fields if name not in {*first, last})
        self.order_fields([*first, *others, last])

    def as_row(self) -> Row:
        """Return the entry as in the form; fields that are not in the form keep their values."""
        wanted = self.cleaned_data
        translations = {
            tag: texts
            for number, tag in enumerate(self.languages)
            if (texts := split_list(wanted[f"translation_{number}"]))
        }
        return replace(
            self.row,
            term=wanted["term"],
            translations=translations,
            tags=split_list(wanted["tags"], commas=True),
            **{name: wanted[name] for name in self._texts},
        )


class BulkForm(forms.Form):
    """A bulk edit of the selected entries, or of all that the search found."""

    action = forms.ChoiceField(choices=[(action.value, action.label) for action in bulk.MANY])
    entries = forms.TypedMultipleChoiceField(coerce=int, required=False)
    everything = forms.BooleanField(required=False)
    query = forms.CharField(required=False, max_length=2000)
    tag = forms.CharField(required=False, max_length=60)
    target = forms.ModelChoiceField(VocabularyList.objects.none(), required=False)

    def __init__(self, *args: Any, vocabulary_list: VocabularyList, person: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.vocabulary_list = vocabulary_list
        self.fields["entries"].valid_value = str.isdecimal  # type: ignore[attr-defined]
        self.fields["target"].queryset = access.vocabulary_lists(  # type: ignore[attr-defined]
            person, "edit"
        ).exclude(pk=vocabulary_list.pk)

    def clean(self) -> dict[str, Any]:
        wanted = super().clean() or {}
        if not wanted.get("everything") and not wanted.get("entries"):
            raise ValidationError(gettext("Select at least one word, then choose what to do."))
        return wanted

    def chosen(self) -> bulk.Chosen:
        """Return the entries to change: the selected ones, or all that the search found."""
        wanted = self.cleaned_data
        if wanted["everything"]:
            asked = entries_selectors.asked_for(QueryDict(wanted["query"]))
            return entries_selectors.find_entries(self.vocabulary_list, **asked)
        return set(wanted["entries"])
