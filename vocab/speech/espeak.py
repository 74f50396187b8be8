"""eSpeak NG: about a hundred languages, offline and immediate. The only user of its library."""

from __future__ import annotations

import regex

from vocab.message import message, messages
from vocab.speech import mp3
from vocab.speech.engine import (
    CannotSpeak,
    Sound,
    SpeechError,
    foreign_letter,
    spoken_form,
)
from vocab.speech.espeak_ng import NORMAL_RATE, SLOW_RATE, EspeakFailed
from vocab.speech.espeak_process import EspeakBroke, speaker
from vocab.text import canonical_language
from vocab.text.languages import primary

MAX_SECONDS = 30.0

# Languages, or their nearest relatives, that have another name in eSpeak.
_VOICE_NAMES = {
    "no": "nb",
    "nn": "nb",
    "cnr": "sr",
    "zh-tw": "cmn",
    "zh-hk": "yue",
    "zh-mo": "yue",
    "en-ca": "en-us",
    "en-ph": "en-us",
    "prs": "fa",
    "jv": "id",
    "su": "id",
    "tl": "id",
    "fil": "id",
    "gl": "pt",
}
# Languages with the accents of several countries.
_ACCENTS = {
    "en": ("en-GB", "en-US"),
    "es": ("es-ES", "es-MX"),
    "fr": ("fr-FR", "fr-BE", "fr-CH"),
    "pt": ("pt-BR", "pt-PT"),
}
# American Spanish, for every region except Spain.
_AMERICAN_SPANISH = "es-419"


# Hebrew with points. The voice spells points out (“shin qamats”) unless they come in the order
# in which its dictionary has them, and o and u unless they have a vav, as in full spelling.
_POINTED = regex.compile(r"(?P<letter>[א-ת])(?P<points>[\u05B0-\u05C7]+)")
_POINTS_IN_ORDER = "\u05c1\u05c2\u05bc"  # the dots of shin and sin, dagesh; then the vowels
_HOLAM, _QUBUTS, _METEG = "\u05b9", "\u05bb", "\u05bd"
_FULL_SPELLING = {_HOLAM: "ו\u05b9", _QUBUTS: "ו\u05bc"}
_AYIN_PATAH_YOD = regex.compile("(?<=ע\u05b7י)[\u05b0\u05b4]")


class Espeak:
    """The offline engine. All instances share one process with the library."""

    name = "espeak"

    def supports(self, language: str) -> bool:
        """Return whether there is a voice for *language*; never raises."""
        try:
            return self._find_voice(language) is not None
        except EspeakFailed:
            return False

    def voice(self, language: str) -> str:
        """Return the voice's identifier for *language*; raise CannotSpeak if there is none."""
        try:
            voice = self._find_voice(language)
        except EspeakFailed as error:
            raise _as_speech_error(error) from error
        if voice is None:
            raise CannotSpeak(
                message("There is no voice for the language “{language}”.", language=language)
            )
        return voice

    def accents(self, language: str) -> tuple[str, ...]:
        """Return the tags of the accents available for *language*; () if there is only one."""
        return _ACCENTS.get(primary(language), ())

    def speak(self, text: str, language: str, *, slow: bool = False) -> Sound:
        """Return *text* as a sound; raise CannotSpeak, or SpeechError if the library fails."""
        # Not until somebody speaks: this is a tenth of what a process needs to start.
        import numpy as np

        from vocab.speech.levels import levelled

        voice = self.voice(language)
        text = self._readable(text, language)
        library, rate = speaker(), SLOW_RATE if slow else NORMAL_RATE
        try:
            pcm, was_cut = library.samples(text, voice, rate, MAX_SECONDS)
        except EspeakFailed as error:
            raise _as_speech_error(error) from error
        if was_cut:
            raise CannotSpeak(
                messages(
                    "“{text}…” takes more than {count} second to say. Shorten it.",
                    "“{text}…” takes more than {count} seconds to say. Shorten it.",
                    round(MAX_SECONDS),
                    text=text[:30],
                )
            )
        wave = np.frombuffer(pcm, dtype="<i2").astype(np.float32) / np.float32(32768)
        samples = levelled(wave, library.sample_rate)
        if samples is None:
            raise CannotSpeak(
                message(
                    "The built-in voice has no sound for “{text}”. Record the word yourself.",
                    text=text,
                )
            )
        return Sound(
            mp3=mp3.encoded(samples.tobytes(), library.sample_rate),
            seconds=len(samples) / library.sample_rate,
            engine=self.name,
            voice=voice,
        )

    def phonemes(self, text: str, language: str) -> str:
        """Return the pronunciation of *text* in eSpeak's notation; raise a SpeechError."""
        voice = self.voice(language)
        text = self._readable(text, language)
        try:
            return speaker().phonemes(text, voice)
        except EspeakFailed as error:
            raise _as_speech_error(error) from error

    def _readable(self, text: str, language: str) -> str:
        text = _with_points_in_order(spoken_form(text))
        foreign = foreign_letter(text, language)
        if foreign:
            raise CannotSpeak(
                message(
                    "The built-in voice cannot read “{letter}” in “{text}”. Correct the word, or "
                    "record it yourself.",
                    letter=foreign,
                    text=text,
                )
            )
        return text

    @staticmethod
    def _find_voice(language: str) -> str | None:
        try:
            tag = canonical_language(language).lower()
        except ValueError:
            return None
        voices = speaker().voices
        if tag.startswith("es-") and tag != "es-es":
            tag = _AMERICAN_SPANISH
        subtags = tag.split("-")
        for length in range(len(subtags), 0, -1):
            shorter = "-".join(subtags[:length])
            voice = voices.get(_VOICE_NAMES.get(shorter, shorter))
            if voice is not None:
                return voice
        return None


def _with_points_in_order(text: str) -> str:
    """Return *text* with Hebrew points as the voice's dictionary expects them."""
    return _AYIN_PATAH_YOD.sub("", _POINTED.sub(_letter_with_points, text))


def _letter_with_points(found: regex.Match[str]) -> str:
    letter, points = found["letter"], found["points"].replace(_METEG, "")
    order = [point for point in _POINTS_IN_ORDER if point in points]
    if letter == "ש":
        order = order[:1]  # a dagesh does not change how it sounds
    vowels = [point for point in points if point not in _POINTS_IN_ORDER]
    if letter != "ו":
        vowels = [_FULL_SPELLING.get(vowel, vowel) for vowel in vowels]
    return "".join([letter, *order, *vowels])


def _as_speech_error(error: EspeakFailed) -> SpeechError:
    """Return a permanent error about the text if the library crashed on it."""
    kind = CannotSpeak if isinstance(error, EspeakBroke) else SpeechError
    return kind(error.args[0])
