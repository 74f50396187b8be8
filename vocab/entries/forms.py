"""Forms for one entry and for bulk edits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from osmosmjerka.web import edit_conflicts
from vocab import access, text_fields
from vocab.entries import bulk
from vocab.entries import selectors as entries_selectors
from vocab.formats.columns import join_list, split_list
from vocab.formats.rows import Row
from vocab.models import Entry, VocabularyList
from vocab.rows import convert
from vocab.sentences import label_of
from vocab.text import is_known_language, language_name


class EntryForm(forms.Form):
    """An entry's texts: translations are separated by semicolons, tags by commas.

    An entry's form sends along what it showed; see osmosmjerka.web.edit_conflicts.
    """

    term = forms.CharField(label=_("Word"), max_length=text_fields.LONGEST_TERM)
    tags = forms.CharField(label=_("Tags"), required=False)
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        vocabulary_list: VocabularyList,
        entry: Entry | None = None,
        **kwargs: Any,
    ) -> None:
        self.row = convert.row_of(entry) if entry else Row(term="")
        sent = kwargs.get("data") or (args[0] if args else None) or {}
        self.languages = list(
            dict.fromkeys(
                (
                    *vocabulary_list.translation_languages,
                    *self.row.translations,
                    # Shown before somebody changed the list's languages; what is in it counts.
                    *sorted(_languages_sent(sent)),
                )
            )
        )
        kwargs.setdefault("auto_id", f"entry-{entry.pk if entry else 'new'}-%s")
        initial = {name: getattr(self.row, name) for name in text_fields.NAMES}
        initial |= {"term": self.row.term, "tags": join_list(self.row.tags, commas=True)}
        initial |= {
            _field_of(tag): join_list(self.row.translations.get(tag, ())) for tag in self.languages
        }
        initial |= {"version": entry.version if entry else 0}
        kwargs["initial"] = initial
        super().__init__(*args, **kwargs)
        for field in text_fields.TEXT_FIELDS:
            self.fields[field.name] = forms.CharField(
                label=label_of(field), max_length=field.max_length, required=False
            )
        self.fields["playing_form"].help_text = gettext(
            "Only if the grid should contain something other than what the list’s settings say."
        )
        self.fields["term"].widget.attrs |= {"lang": vocabulary_list.language, "dir": "auto"}
        for tag in self.languages:
            self.fields[_field_of(tag)] = forms.CharField(
                label=gettext("Translation (%(language)s)")
                % {"language": language_name(tag, get_language() or "en")},
                required=False,
                widget=forms.TextInput(attrs={"lang": tag, "dir": "auto"}),
            )
        first = ["term", *map(_field_of, self.languages), "part_of_speech", "tags"]
        last = "playing_form"
        others = (name for name in self.fields if name not in {*first, last})
        self.order_fields([*first, *others, last])
        if entry is not None:
            edit_conflicts.remember(self)
            self.fields["version"].show_hidden_initial = False

    def as_row(self) -> Row:
        """Return the entry as in the form; fields that are not in the form keep their values."""
        return self._row_of(self.cleaned_data)

    def shown_row(self) -> Row | None:
        """Return the entry as the form showed it; None if that is not known."""
        values = edit_conflicts.seen(self)
        return None if values is None else self._row_of(values)

    def show_both(self, now: EntryForm, fields: Collection[str]) -> list[edit_conflicts.Clash]:
        """Show what somebody else changed, beside the sender's changes; return what clashes.

        *now* is the form of the entry as it is now, *fields* are named as by `plan.differences`;
        if there are none, it is not known what the sender saw: then all that differs clashes.
        """
        both = {
            _field_of(name.removeprefix("translation:")) if ":" in name else name for name in fields
        }
        if not fields:
            both = {
                name
                for name in self.changed_data
                if (self.cleaned_data.get(name) or "") != (now.initial.get(name) or "")
            }
        return edit_conflicts.show_both(self, now.initial, both)

    def _row_of(self, wanted: Mapping[str, Any]) -> Row:
        translations = {
            tag: texts for tag in self.languages if (texts := split_list(wanted[_field_of(tag)]))
        }
        return replace(
            self.row,
            term=wanted["term"],
            translations=translations,
            tags=split_list(wanted["tags"], commas=True),
            **{name: wanted[name] for name in text_fields.NAMES},
        )


def _field_of(tag: str) -> str:
    """Return the field of the translations in a language."""
    return f"translation_{tag}"


def _languages_sent(sent: Iterable[str]) -> set[str]:
    fields = (name.removeprefix("initial-") for name in sent)
    tags = {name.removeprefix("translation_") for name in fields if name.startswith("translation_")}
    return {tag for tag in tags if tag == "und" or is_known_language(tag)}


class BulkForm(forms.Form):
    """A bulk edit of the selected entries, or of all that the search found."""

    action = forms.ChoiceField(choices=[(action.value, action.label) for action in bulk.MANY])
    entries = forms.TypedMultipleChoiceField(coerce=int, required=False)
    everything = forms.BooleanField(required=False)
    query = forms.CharField(required=False, max_length=2000)
    tag = forms.CharField(required=False, max_length=text_fields.LONGEST_TAG)
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
