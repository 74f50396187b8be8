"""Forms in which teachers choose the voices of words."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from osmosmjerka.db.collation import sort_key
from vocab.models import Entry, Pronunciation, VocabularyList
from vocab.sounds import voices
from vocab.speech.recordings import MAX_BYTES
from vocab.text import language_name


def _engine_choices(vocabulary_list: VocabularyList) -> list[tuple[str, str]]:
    engines = voices.engines_for(vocabulary_list.spoken_language)
    return [(engine.name, str(Pronunciation.Engine(engine.name).label)) for engine in engines]


def _offer(field: forms.Field, usual: Any, choices: list[tuple[str, str]]) -> None:
    assert isinstance(field, forms.ChoiceField)  # noqa: S101  (for the type checker)
    field.choices = [("", usual), *choices]


class VoiceForm(forms.Form):
    """The voice of a whole list."""

    engine = forms.ChoiceField(
        label=_("Voice"),
        required=False,
        help_text=_("Until the chosen voice is ready, the built-in voice is used."),
    )
    accent = forms.ChoiceField(label=pgettext_lazy("voice", "Accent"), required=False)
    is_spoken_slowly = forms.BooleanField(
        label=_("Speak slowly"),
        required=False,
        help_text=_("Students always hear words spoken slowly, from the first time."),
    )

    def __init__(self, *args: Any, vocabulary_list: VocabularyList, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "engine": vocabulary_list.voice_engine,
            "accent": vocabulary_list.accent,
            "is_spoken_slowly": vocabulary_list.is_spoken_slowly,
        }
        super().__init__(*args, **kwargs)
        _offer(self.fields["engine"], _("Best available"), _engine_choices(vocabulary_list))
        shown_in, language, key = get_language() or "en", vocabulary_list.language, sort_key()
        accents = [
            (tag, f"{language_name(tag, shown_in)} · {', '.join(_voices_with(tag, language))}")
            for tag in voices.accents_of(language)
        ]
        if accents:
            accents.sort(key=lambda accent: key(accent[1]))
            # Translators: the usual accent of a voice.
            _offer(self.fields["accent"], pgettext_lazy("voice", "Default"), accents)
        else:
            del self.fields["accent"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        return {"accent": ""} | cleaned


def _voices_with(tag: str, language: str) -> list[str]:
    return [
        str(Pronunciation.Engine(engine.name).label)
        for engine in voices.engines_for(language)
        if tag in engine.accents(language)
    ]


class SpeedsForm(forms.Form):
    """Which sounds of a list to create again: one speed, or all."""

    speeds = forms.ChoiceField(choices=[("", "all"), *Pronunciation.Speed.choices], required=False)

    def clean_speeds(self) -> list[str]:
        wanted: str = self.cleaned_data["speeds"]
        return [wanted] if wanted else list(Pronunciation.Speed.values)


class EngineForm(forms.Form):
    """The voice of one word."""

    engine = forms.ChoiceField(label=_("Voice"), required=False)

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = _engine_choices(entry.vocabulary_list)
        _offer(self.fields["engine"], _("Best available"), choices)
        chosen = entry.pronunciations.filter(origin=Pronunciation.Origin.CHOSEN).first()
        if chosen is not None:
            self.initial["engine"] = chosen.engine


class RecordingForm(forms.Form):
    """A teacher's own sound of one word."""

    sound = forms.FileField(
        label=_("Sound file"),
        help_text=_("WAV, MP3, Ogg or FLAC, up to 15 seconds."),
        widget=forms.FileInput(attrs={"accept": "audio/*"}),
    )
    speed = forms.ChoiceField(label=_("Speed"), choices=Pronunciation.Speed.choices)
    is_recorded = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def clean_sound(self) -> Any:
        sound = self.cleaned_data["sound"]
        if sound.size > MAX_BYTES:
            raise ValidationError(
                _("The file is larger than %(limit)s MB.") % {"limit": MAX_BYTES // 2**20}
            )
        return sound
