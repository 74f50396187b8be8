"""The interface of speech engines, the sounds they make, and their errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import regex

from vocab.message import message, messages
from vocab.text import normal_form
from vocab.text.languages import primary, script_of

MAX_CHARACTERS = 200

_SPEAKABLE = regex.compile(r"[\p{L}\p{N}]")
_TRANSCRIBED = regex.compile(r"\p{Latin}")


# Scripts besides Latin that a voice reads, if the tag's own script does not tell. Letters of others
# are spelled out ("Cyrillic pe") or called "Chinese letter", which teaches nothing.
_SCRIPTS = {
    "ja": ["Hira", "Kana"],
    "ko": ["Hang"],
    "zh": ["Hani"],
    "cmn": ["Hani"],
    "yue": ["Hani"],
    "hak": ["Hani"],
    "bs": ["Cyrl"],
    "cnr": ["Cyrl"],
    "hr": ["Cyrl"],
    "sr": ["Cyrl"],
    "uz": ["Cyrl"],
}
_ALWAYS = ["Latn", "Zyyy", "Zinh"]  # Zyyy and Zinh: digits, punctuation, marks of any script


class SpeechError(Exception):
    """A sound could not be created.

    `message` is a sentence for people, made by `vocab.message.message`.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class CannotSpeak(SpeechError):
    """The engine has no sound for this text or language, now or later."""


class NotASound(SpeechError):
    """Bytes that should be a sound are not one, or are incomplete."""


class ServiceFailed(SpeechError):
    """The service cannot be reached, refuses, or returns an invalid response.

    *retry_after* is the number of seconds after which to try again, if known.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class CircuitOpen(ServiceFailed):
    """The service failed several times in a row and is left alone for a while."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound: a checked MP3, its length, and its origin."""

    mp3: bytes
    seconds: float
    engine: str
    voice: str


class Engine(Protocol):
    """The interface of an engine. Engines may be called from several threads at once."""

    @property
    def name(self) -> str:
        """The engine's name, part of the cache key."""
        ...

    def supports(self, language: str) -> bool:
        """Return whether the engine has a voice for the BCP-47 tag *language*."""
        ...

    def voice(self, language: str) -> str:
        """Return the name of the voice for *language*; raise CannotSpeak if there is none."""
        ...

    def accents(self, language: str) -> tuple[str, ...]:
        """Return the tags of the accents available for *language*; () if there is only one."""
        ...

    def speak(self, text: str, language: str, *, slow: bool = False) -> Sound:
        """Return *text* as a sound; raise a SpeechError."""
        ...


def spoken_form(term: str, *, max_characters: int = MAX_CHARACTERS) -> str:
    """Return *term* as engines and caches use it: in normal form, without control characters.

    Raises CannotSpeak if there is neither a letter nor a digit, or more than *max_characters*.
    """
    text = normal_form(term)
    if not _SPEAKABLE.search(text):
        raise CannotSpeak(
            message("“{text}” has no letters or digits, so it cannot be pronounced.", text=text)
        )
    if len(text) > max_characters:
        raise CannotSpeak(
            messages(
                "“{text}…” has {count} character; at most {most} can be spoken. Shorten it.",
                "“{text}…” has {count} characters; at most {most} can be spoken. Shorten it.",
                len(text),
                text=text[:30],
                most=max_characters,
            )
        )
    return text


def foreign_letter(text: str, language: str) -> str:
    """Return the first letter of *text* that the offline voice of *language* cannot read, or ""."""
    found = _foreign_letters(language).search(text)
    return found[0] if found else ""


def is_readable(reading: str, language: str) -> bool:
    """Return whether all letters of *reading* are of the language's own script.

    A voice spells out or mispronounces what is transcribed into Latin letters.
    """
    return (
        bool(_SPEAKABLE.search(reading))
        and not foreign_letter(reading, language)
        and not _TRANSCRIBED.search(reading)
    )


def _scripts_read(language: str) -> list[str]:
    own = _SCRIPTS.get(primary(language), [])
    return [*_ALWAYS, *own, script_of(language), script_of(primary(language))]


@lru_cache(maxsize=256)
def _foreign_letters(language: str) -> regex.Pattern[str]:
    """Return a pattern for letters that the voice for *language* does not read."""
    return regex.compile("[^" + "".join(map(_property, _scripts_read(language))) + "]")


def _property(script: str) -> str:
    """Return the pattern of a script's letters, "" for mixtures of scripts such as Jpan."""
    pattern = rf"\p{{Script={script}}}"
    try:
        regex.compile(pattern)
    except regex.error:
        return ""
    return pattern
