"""What a speech engine is, what it makes, and how it fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import regex

from vocab.message import message, messages
from vocab.text import normal_form

MAX_CHARACTERS = 200

_SPEAKABLE = regex.compile(r"[\p{L}\p{N}]")


class SpeechError(Exception):
    """A sound could not be made. *permanent* says that trying again will not help.

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
    """Bytes that should be a sound are not, or only a piece of one."""


class ServiceFailed(SpeechError):
    """The service cannot be reached, refuses, or answers nonsense.

    *retry_after* is the number of seconds after which the service may be asked again, where it
    is known.
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
    """A rendered sound: an MP3 that was checked, its length, and where it comes from."""

    mp3: bytes
    seconds: float
    engine: str
    voice: str


class Engine(Protocol):
    """One way to make a sound. Engines may be called from several threads at once."""

    @property
    def name(self) -> str:
        """The engine's name, part of the cache key."""
        ...

    def supports(self, language: str) -> bool:
        """Say whether the engine has a voice for the BCP-47 tag *language*."""
        ...

    def voice(self, language: str) -> str:
        """Return the name of the voice for *language*; raise CannotSpeak without one."""
        ...

    def accents(self, language: str) -> tuple[str, ...]:
        """Return the tags of the accents in which it speaks *language*; () if there is one."""
        ...

    def speak(self, text: str, language: str, *, slow: bool = False) -> Sound:
        """Return *text* as a sound; raise a SpeechError."""
        ...


def spoken_form(text: str, *, max_characters: int = MAX_CHARACTERS) -> str:
    """Return *text* as engines get it and caches know it: in normal form, without controls.

    Raises CannotSpeak when it has neither a letter nor a digit, or more than *max_characters*.
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
