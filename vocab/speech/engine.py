"""The interface of speech engines, the sounds they make, and their errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import regex

from vocab.message import message, messages
from vocab.text import normal_form

MAX_CHARACTERS = 200

_SPEAKABLE = regex.compile(r"[\p{L}\p{N}]")


class SpeechError(Exception):
    """A sound could not be created. If *permanent*, trying again will not help.

    `message` is a sentence for people, made by `vocab.message.message`.
    """

    permanent = False

    def __init__(self, message: str, *, permanent: bool | None = None) -> None:
        super().__init__(message)
        self.message = message
        if permanent is not None:
            self.permanent = permanent


class CannotSpeak(SpeechError):
    """The engine has no sound for this text or language, now or later."""

    permanent = True


class NotASound(SpeechError):
    """Bytes that should be a sound are not one, or are incomplete."""


class ServiceFailed(SpeechError):
    """The service cannot be reached, refuses, or returns an invalid response.

    *retry_after* is the number of seconds after which to try again, if known.
    """

    def __init__(
        self, message: str, *, permanent: bool | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, permanent=permanent)
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


def spoken_form(text: str, *, max_characters: int = MAX_CHARACTERS) -> str:
    """Return *text* as engines and caches use it: in normal form, without control characters.

    Raises CannotSpeak if it has neither a letter nor a digit, or more than *max_characters*.
    """
    text = normal_form(text)
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
