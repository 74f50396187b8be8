from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import get_language, gettext, pgettext
from django.utils.translation import gettext_lazy as _

from osmosmjerka.web import edit_conflicts
from vocab.formats.rows import FormatError, Parsed
from vocab.imports.forms import PlayingRulesField, language_names
from vocab.lists import pasted
from vocab.lists import services as list_services
from vocab.lists.samples import sample_languages
from vocab.lists.services import check_lengths, tidy_tags
from vocab.models import VocabularyList
from vocab.sentences import said
from vocab.text import (
    KNOWN_LANGUAGES,
    OTHER_LANGUAGES,
    has_digraphs,
    language_name,
    normal_form,
    splits_syllables,
)

# What vocab.formats.separators recognises; docs/teach/lists.md says it too.
_HOW_TO_PASTE = _(
    "One word per line: the word, then a tab, comma, semicolon, colon or vertical bar, or a dash, "
    "equals sign or arrow with spaces around it, then its translation."
)


def language_choices() -> list[tuple[str, str | Promise]]:
    """Return the languages that are taught at schools, named in the reader's language."""
    return [("", _("Choose a language")), *language_names([*KNOWN_LANGUAGES, *OTHER_LANGUAGES])]


class SamplesForm(forms.Form):
    translation_language = forms.ChoiceField(
        label=_("Language of the translations"), choices=lambda: language_names(sample_languages())
    )


class PastedLines(forms.Form):
    """A form with pasted lines, read as in their preview; their value is a `Parsed`, or None."""

    lines = forms.CharField(
        label=_("Words"),
        required=False,
        # An Arabic list is written from the right, whatever the page's language.
        widget=forms.Textarea(attrs={"dir": "auto"}),
        help_text=format_lazy(
            "{} {}", _HOW_TO_PASTE, _("Leave this empty to choose a file in the next step.")
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
        # Who is quicker than the preview, or has no scripts, gets what it would have suggested.
        parsed, language = wanted.get("lines"), wanted.get("language", "")
        wanted["playing_rules"] = (
            []
            if parsed is None
            else pasted.rules_of(parsed, language, cast("QueryDict", self.data))
        )
        return wanted

    def clean_accents(self) -> str:
        return self.cleaned_data["accents"] or VocabularyList.Accents.WARN

    def clean_title(self) -> str:
        title = normal_form(self.cleaned_data["title"])
        if not 1 <= len(title) <= 200:
            raise ValidationError(_("The title needs 1 to 200 visible characters."))
        return title


_FIRST = "translation_language"
_MORE = re.compile(r"translation_language_[1-9]\d?")


def _place_of(number: int) -> str:
    """Return the field of the language of translations in a place, counted from 0."""
    return f"{_FIRST}_{number}" if number else _FIRST


_BETWEEN_TAGS = re.compile(r"[,;،؛、，；\n]")


class ListSettingsForm(forms.ModelForm[VocabularyList]):
    """A list's settings; only those that were changed are saved, see web.edit_conflicts."""

    language = forms.ChoiceField(
        label=_("Language of the words"),
        help_text=_(
            "A new language applies to the grid, the answers and the sounds. Existing puzzles and "
            "what students have learned do not change."
        ),
    )
    # The first; a list with more has a numbered field for each.
    translation_language = forms.ChoiceField(
        label=_("Language of the translations"),
        help_text=_(
            "Changes only the language name of the existing translations; it does not translate "
            "them."
        ),
    )
    add_language = forms.ChoiceField(
        label=_("Add a language"),
        required=False,
        help_text=_("Words can then have translations in this language, too."),
    )
    tag_names = forms.CharField(
        label=_("Tags"),
        required=False,
        max_length=2000,
        help_text=_("Separated by commas, for example: grade 5, unit 3. They help you find lists."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    playing_rules = PlayingRulesField()

    class Meta:
        model = VocabularyList
        fields = [
            "title",
            "description",
            "tag_names",
            "language",
            "translation_language",
            "add_language",
            "visibility",
            "uses_digraphs",
            "accents",
            "playing_rules",
        ]

    field_order = Meta.fields

    def __init__(self, data: QueryDict | None = None, *, instance: VocabularyList) -> None:
        super().__init__(data, instance=instance)
        self.vocabulary_list = instance
        self.initial = {**self.initial, **self._values_of(instance)}
        self._offer_languages()
        if not has_digraphs(instance.language):
            del self.fields["uses_digraphs"]
        elif splits_syllables(instance.language):
            squares = self.fields["uses_digraphs"]
            squares.label = gettext("A syllable takes one square")
            squares.help_text = gettext("Otherwise each letter of 닭 or बिल्ली takes one square.")
        edit_conflicts.remember(self)

    def clean_tag_names(self) -> str:
        text: str = self.cleaned_data["tag_names"]
        return ", ".join(tidy_tags(_BETWEEN_TAGS.split(text)))

    def _offer_languages(self) -> None:
        """Let each field of a language offer all of them, and add those of more translations."""
        own = self.vocabulary_list.translation_languages or ["und"]
        used = list_services.languages_in_use(self.vocabulary_list)
        more = [name for name in self.data if _MORE.fullmatch(name)]
        count = max([len(own), *(int(name.removeprefix(_FIRST + "_")) + 1 for name in more)])
        first = self.fields[_FIRST]
        language, added = self.fields["language"], self.fields["add_language"]
        assert isinstance(language, forms.ChoiceField)  # noqa: S101  (declared above)
        assert isinstance(added, forms.ChoiceField)  # noqa: S101  (declared above)
        known = [*KNOWN_LANGUAGES, *OTHER_LANGUAGES]
        language.choices = language_names(dict.fromkeys([*known, self.initial["language"]]))
        added.choices = [("", pgettext("language", "None")), *language_names(known)]
        names = language_names(dict.fromkeys([*known, *own]))
        for number in range(count):
            tag = own[number] if number < len(own) else ""
            name = _place_of(number)
            is_removable = not tag or (len(own) > 1 and tag not in used)
            # Somebody may have added a language since the form was shown, or removed one.
            is_asked = not number or not self.is_bound or self.add_initial_prefix(name) in self.data
            field = self.fields[name] = forms.ChoiceField(
                label=first.label,
                help_text=first.help_text,
                required=is_asked and not is_removable,
                initial=tag,
                choices=names,
            )
            if len(own) > 1 and tag:
                shown = {"language": language_name(tag, get_language() or "en")}
                field.label = gettext("Language of the translations (%(language)s)") % shown
            if is_removable:
                # Translators: a choice instead of a language of a list.
                field.choices = [("", _("Remove: no word has a translation in it")), *names]
            self.initial[name] = tag
        order = list(self.Meta.fields)
        place = order.index(_FIRST)
        order[place : place + 1] = [_place_of(number) for number in range(count)]
        self.order_fields(order)

    def _values_of(self, vocabulary_list: VocabularyList) -> dict[str, Any]:
        """Return what the form shows of a list."""
        plain = (
            "title", "description", "language", "visibility", "uses_digraphs", "accents",
            "playing_rules",
        )  # fmt: skip
        values = {name: getattr(vocabulary_list, name) for name in plain}
        languages = dict.fromkeys(self._places(), "")
        languages |= {
            _place_of(number): tag
            for number, tag in enumerate(vocabulary_list.translation_languages or ["und"])
        }
        return values | {
            **languages,
            "add_language": "",
            "tag_names": ", ".join(vocabulary_list.tags),
        }

    def _places(self) -> list[str]:
        """Return the names of the fields of the languages of translations, in their order."""
        return [name for name in self.fields if name == _FIRST or _MORE.fullmatch(name)]

    def changes(self) -> dict[str, Any]:
        """Return the fields of the list that were changed; its languages by place, in one list."""
        values = edit_conflicts.changes(self)
        places, added = self._places_shown(), values.pop("add_language", "")
        own = {name: values.pop(name) for name in self._places() if name in values}
        # A field that was not sent, by a program, is no wish to remove its language.
        own = {name: tag for name, tag in own.items() if name in places and name in self.data}
        if own or added:
            languages = [own.get(name, tag) for name, tag in places.items()]
            values["translation_languages"] = [*languages, *([added] if added else [])]
        return self._with_tags(values)

    def shown(self) -> dict[str, Any] | None:
        """Return the fields of the list as they were shown; None if that is not known."""
        values = edit_conflicts.seen(self)
        if values is None:
            return None
        for name in (*self._places(), "add_language"):
            values.pop(name, None)
        values["translation_languages"] = [*self._places_shown().values()]
        return self._with_tags(values)

    def _places_shown(self) -> dict[str, str]:
        """Return the fields of languages as the form was shown, and what they said."""
        shown = edit_conflicts.seen(self) or self.initial
        has_none = not self.vocabulary_list.translation_languages
        return {
            name: tag
            for name in self._places()
            if (tag := shown.get(name)) and not (has_none and tag == "und")
        }

    def show_both(self, now: VocabularyList, fields: Collection[str]) -> list[edit_conflicts.Clash]:
        """Show what somebody else changed, beside the sender's changes; return what clashes."""
        languages = set(self._places()) & set(self.changed_data)
        names = {"translation_languages": languages, "tags": {"tag_names"}}
        own = {shown for name in fields for shown in names.get(name, {name})}
        return edit_conflicts.show_both(self, self._values_of(now), own)

    @property
    def is_relabelled(self) -> bool:
        """Whether a language that words or translations are in is called another one now."""
        changed = {"language", *self._places()} & set(self.changed_data)
        return any(self.cleaned_data[name] for name in changed)

    @staticmethod
    def _with_tags(values: dict[str, Any]) -> dict[str, Any]:
        if "tag_names" in values:
            names: str = values.pop("tag_names")
            values["tags"] = [tag for tag in names.split(", ") if tag]
        return values


class AddLinesForm(PastedLines):
    lines = forms.CharField(
        label=_("More words"),
        widget=forms.Textarea(attrs={"dir": "auto"}),
        help_text=_HOW_TO_PASTE,
    )

    def __init__(self, *args: Any, vocabulary_list: VocabularyList, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.vocabulary_list = vocabulary_list

    def languages(self) -> Sequence[str]:
        return self.vocabulary_list.languages
