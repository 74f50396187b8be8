"""Google Translate's voices. gTTS builds the requests; this module sends them.

gTTS 2.5.4 itself sends without certificate checks and without a timeout, and takes a page of HTML
for silence. This is the only module that imports it.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import random
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from gtts import gTTS
from gtts.lang import tts_langs

from vocab.message import message, messages, one_after_another
from vocab.speech import mp3
from vocab.speech.engine import (
    CannotSpeak,
    CircuitOpen,
    NotASound,
    ServiceFailed,
    Sound,
    spoken_form,
)
from vocab.speech.http import Answer, Exchange, NoUseRetrying, TooSlow, seconds_to_wait
from vocab.text import canonical_language
from vocab.text.languages import primary

BASE_URL = "https://translate.google.{tld}"
MAX_ATTEMPTS = 5
_SLOW = 3.0  # seconds after which nobody should wait for another failure

_PATH = "/_/TranslateWebserverUi/data/batchexecute"
# Content types that may hold the answer; a page of HTML never does.
_CONTENT_TYPES = {"application/json", "application/javascript", "text/javascript", "text/plain"}

# Languages for which Google uses another tag.
_LANGUAGES = {
    "cnr": "sr",
    "he": "iw",
    "jv": "jw",
    "nb": "no",
    "nn": "no",
    "fil": "tl",
    "zh-hans": "zh-CN",
    "zh-hant": "zh-TW",
    "zh-sg": "zh-CN",
    "zh-hk": "yue",
    "zh-mo": "yue",
}
# In gTTS, the country of the host determines the accent, if a language has several.
_ACCENTS = {
    "en-au": "com.au",
    "en-ca": "ca",
    "en-gb": "co.uk",
    "en-ie": "ie",
    "en-in": "co.in",
    "en-ng": "com.ng",
    "en-us": "com",
    "en-za": "co.za",
    "es-es": "es",
    "es-mx": "com.mx",
    "pt-br": "com.br",
    "pt-pt": "pt",
    "fr-fr": "fr",
    "fr-ca": "ca",
}


class Pace(Protocol):
    """Decides when the next request may be sent."""

    def take(self, *, patience: float) -> float | None:
        """Return the seconds until the next turn, or None if they exceed *patience*."""
        ...


class Breaker(Protocol):
    """Holds back requests to a service that is down."""

    failures: int

    @property
    def is_open(self) -> bool: ...
    def enter(self) -> float: ...
    def succeeded(self) -> None: ...
    def failed(self, *, is_slow: bool = False) -> None: ...


class Gtts:
    """The preferred voice, if the network allows it.

    Only the words themselves leave the server.
    """

    name = "gtts"

    def __init__(
        self,
        *,
        base_url: str = BASE_URL,
        circuit: Breaker,
        bucket: Pace,
        exchange: Exchange | None = None,
        attempts: int = 3,
        patience: float = 45.0,
        first_pause: float = 0.5,
        sleep: Callable[[float], None] = time.sleep,
        rng: random.Random | None = None,
    ) -> None:
        """Take the parts that settings and tests replace.

        *base_url* may be a school's proxy; "{tld}" in it is replaced by the accent's country.
        *attempts* (at most MAX_ATTEMPTS) and *patience*, in seconds, limit one call of `speak`;
        pauses between attempts start at *first_pause* seconds and double, each drawn between half
        and all of that.
        """
        self.base_url = base_url.rstrip("/")
        self.circuit = circuit
        self._exchange = exchange or Exchange()
        self._bucket = bucket
        self._attempts = min(attempts, MAX_ATTEMPTS)
        self._patience = patience
        self._first_pause = first_pause
        self._sleep = sleep
        self._rng = rng or random.Random()

    def supports(self, language: str) -> bool:
        """Return whether Google has a voice for *language*; never raises, sends no request."""
        return self._find(language) is not None

    def voice(self, language: str) -> str:
        """Return Google's tag and accent, such as "en@co.uk"; raise CannotSpeak if none exists."""
        code, tld = self._code_and_tld(language)
        return f"{code}@{tld}"

    def accents(self, language: str) -> tuple[str, ...]:
        """Return the tags of the accents available for *language*; () if there is only one."""
        own = f"{primary(language)}-"
        return tuple(canonical_language(tag) for tag in _ACCENTS if tag.startswith(own))

    def speak(self, text: str, language: str, *, slow: bool = False) -> Sound:
        """Return *text* as a sound.

        Raises CannotSpeak if the service has none for it, CircuitOpen while the service is left
        alone, and ServiceFailed if it does not deliver one within the attempts and the patience.
        """
        code, tld = self._code_and_tld(language)
        text = spoken_form(text, max_characters=gTTS.GOOGLE_TTS_MAX_CHARS)
        bodies = gTTS(text, lang=code, slow=slow, lang_check=False).get_bodies()
        if len(bodies) != 1:
            raise CannotSpeak(message("“{text}…” is too long. Shorten it.", text=text[:30]))
        url = self.base_url.replace("{tld}", tld) + _PATH
        frames = self._ask_until_answered(url, bodies[0], text)
        return Sound(frames.data, frames.seconds, self.name, self.voice(language))

    def _ask_until_answered(self, url: str, body: str, text: str) -> mp3.Frames:
        ends_at = time.monotonic() + self._patience
        for tried in range(1, self._attempts + 1):
            try:
                return self._ask(url, body, text, ends_at)
            except (CircuitOpen, NoUseRetrying):
                raise
            except ServiceFailed as error:
                pause = error.retry_after
                if pause is None:
                    longest = self._first_pause * 2 ** (tried - 1)
                    pause = self._rng.uniform(longest / 2, longest)
                is_last = tried == self._attempts or self.circuit.is_open
                if is_last or time.monotonic() + pause > ends_at:
                    raise
                self._sleep(pause)
        raise AssertionError("The last attempt returns or raises.")

    def _ask(self, url: str, body: str, text: str, ends_at: float) -> mp3.Frames:
        """Send one request when its turn comes, and report the result to the circuit."""
        wait = self._bucket.take(patience=ends_at - time.monotonic())
        if wait is None:
            raise NoUseRetrying(
                message("Too many words are waiting for Google Translate. Try again later.")
            )
        if wait:
            self._sleep(wait)
        closed_for = self.circuit.enter()
        if closed_for > 0:
            raise CircuitOpen(
                one_after_another(
                    [
                        messages(
                            "Google Translate failed {count} time in a row.",
                            "Google Translate failed {count} times in a row.",
                            self.circuit.failures,
                        ),
                        messages(
                            "The next attempt is in {count} second.",
                            "The next attempt is in {count} seconds.",
                            math.ceil(closed_for),
                        ),
                    ]
                ),
                retry_after=closed_for,
            )
        began = time.monotonic()
        try:
            frames = _sound_in(self._exchange.post(url, body, gTTS.GOOGLE_TTS_HEADERS), text)
        except CannotSpeak:
            self.circuit.succeeded()  # it answered, even if only to refuse
            raise
        except BaseException as error:
            # Looking up a host's name has no limit of its own.
            is_slow = isinstance(error, TooSlow) or time.monotonic() - began > _SLOW
            self.circuit.failed(is_slow=is_slow)
            raise
        self.circuit.succeeded()
        return frames

    def _code_and_tld(self, language: str) -> tuple[str, str]:
        found = self._find(language)
        if found is None:
            raise CannotSpeak(
                message(
                    "There is no voice for the language “{language}”.",
                    language=language,
                )
            )
        return found

    @staticmethod
    @lru_cache(maxsize=512)  # asked for every word of a page; its answer is part of gTTS
    def _find(language: str) -> tuple[str, str] | None:
        try:
            tag = canonical_language(language).lower()
        except ValueError:
            return None
        known = {code.lower(): code for code in tts_langs()}
        subtags = tag.split("-")
        accent = _ACCENTS.get(f"{subtags[0]}-{subtags[-1]}", "com")
        for length in range(len(subtags), 0, -1):
            shorter = "-".join(subtags[:length])
            code = _LANGUAGES.get(shorter, shorter).lower()
            if code in known:
                return known[code], accent
        return None


def _sound_in(answer: Answer, text: str) -> mp3.Frames:
    """Return the checked sound of *answer*; raise ServiceFailed, or CannotSpeak without one."""
    if answer.status != 200:
        sentence = (
            message(
                "Google Translate refused the request because there were too many. Try again later."
            )
            if answer.status == 429
            else message("Google Translate answered with status {status}.", status=answer.status)
        )
        wait = seconds_to_wait(answer.headers.get("Retry-After"))
        if answer.status == 429 or answer.status >= 500:
            raise ServiceFailed(sentence, retry_after=wait)
        raise NoUseRetrying(sentence, retry_after=wait)
    if answer.content_type not in _CONTENT_TYPES:
        raise ServiceFailed(
            message(
                "Google Translate sent “{type}” instead of a sound. A proxy or login page may be "
                "in the way.",
                type=answer.content_type or "?",
            )
        )
    encoded = _payload(answer.body)
    if encoded is None:
        raise CannotSpeak(
            message(
                "Google’s voice has no sound for “{text}”. Record the word yourself.", text=text
            )
        )
    try:
        return mp3.checked(base64.b64decode(encoded, validate=True))
    except (binascii.Error, NotASound) as error:
        why = error.message if isinstance(error, NotASound) else message("The sound is damaged.")
        raise ServiceFailed(
            message("Google Translate sent no sound for “{text}”: {why}", text=text, why=why)
        ) from error


def _payload(body: bytes) -> str | None:
    """Return the answer's sound in base64, or None if the service says that it has none.

    The body is a guard, `)]}'`, followed by blocks: a line with a length, and a JSON list whose
    items are ["wrb.fr", id of the call, JSON of its result, …].
    """
    for line in body.decode("utf-8", errors="replace").splitlines():
        if gTTS.GOOGLE_TTS_RPC not in line:
            continue
        try:
            for item in json.loads(line):
                if item[:2] == ["wrb.fr", gTTS.GOOGLE_TTS_RPC]:
                    result = json.loads(item[2]) if item[2] else None
                    return str(result[0]) if result and result[0] else None
        except (ValueError, TypeError, IndexError, KeyError) as error:
            raise ServiceFailed(
                message("The answer from Google Translate is incomplete or has a new format.")
            ) from error
    raise ServiceFailed(message("The answer from Google Translate is empty or has a new format."))
