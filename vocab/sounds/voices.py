"""The engines available here, what they say for a term, and the cache of sounds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain

from django.conf import settings
from django.db.models import F

from osmosmjerka.jobs.outside import SharedCircuit, SharedPace
from osmosmjerka.monitoring import metrics
from osmosmjerka.storage.media import media
from vocab.models import Entry, Pronunciation, VocabularyList
from vocab.speech.cache import SoundCache
from vocab.speech.engine import (
    CannotSpeak,
    Engine,
    foreign_letter,
    is_readable,
    spoken_form,
)
from vocab.speech.espeak import Espeak
from vocab.speech.google import Gtts
from vocab.speech.http import Answer, Exchange, TooSlow
from vocab.text import reading_of

# Requests to Google: the average per second, and the maximum at once.
GTTS_RATE, GTTS_BURST = 1.0, 5
GTTS_REST = 50.0  # seconds for which it is left alone when it is down


@lru_cache(maxsize=1)
def espeak() -> Espeak:
    """Return the offline engine of this process."""
    return Espeak()


class _CountedExchange(Exchange):
    """Requests to Google that are counted by what came of them."""

    def post(self, url: str, body: str, headers: Mapping[str, str]) -> Answer:
        outcome = "failed"
        try:
            answer = super().post(url, body, headers)
            outcome = "answered" if answer.status == 200 else "refused"
        except TooSlow:
            outcome = "timed_out"
            raise
        finally:
            metrics.sound_requests.labels("google", outcome).inc()
        return answer


@lru_cache(maxsize=1)
def _gtts(base_url: str) -> Gtts:
    return Gtts(
        base_url=base_url,
        bucket=SharedPace("gtts", rate=GTTS_RATE, burst=GTTS_BURST),
        circuit=SharedCircuit("gtts", rest=GTTS_REST),
        exchange=_CountedExchange(),
    )


def gtts() -> Gtts | None:
    """Return Google's voice, or None if the setting turns it off.

    Its rate limit and its circuit apply to all processes of the site together.
    """
    return _gtts(settings.GTTS_URL) if settings.GTTS_ENABLED else None


def engine_named(name: str) -> Engine | None:
    """Return the engine, or None if it is turned off."""
    return espeak() if name == Pronunciation.Engine.ESPEAK else gtts()


def engines_for(language: str) -> list[Engine]:
    """Return the engines that speak *language* here, the preferred one last."""
    engines: list[Engine | None] = [espeak(), gtts()]
    return [engine for engine in engines if engine is not None and engine.supports(language)]


def engines_of(vocabulary_list: VocabularyList) -> list[Engine]:
    """Return the engines that may speak the list, the preferred one last."""
    engines = engines_for(vocabulary_list.spoken_language)
    if vocabulary_list.voice_engine == Pronunciation.Engine.ESPEAK:
        return [engine for engine in engines if engine.name == Pronunciation.Engine.ESPEAK]
    return engines


def accents_of(language: str, engine: str = "") -> list[str]:
    """Return the accents of *language* that can be chosen, of one engine or of all."""
    of_engines = (
        one.accents(language) for one in engines_for(language) if engine in ("", one.name)
    )
    return sorted(set(chain.from_iterable(of_engines)))


def hear_anew(vocabulary_list: VocabularyList) -> None:
    """Change the URLs of the list's sounds, so that browsers do not play cached ones."""
    VocabularyList.objects.filter(pk=vocabulary_list.pk).update(
        sounds_version=F("sounds_version") + 1
    )


def cache() -> SoundCache:
    """Return the cache of sounds."""
    return SoundCache(media(), secret=settings.SECRET_KEY)


# The fields of an entry that determine what is said.
SAID = ("term", "answers", "pronunciation")


def said_of(entry: Entry) -> str:
    """Return what a voice says of an entry: its played form, or the reading of what it cannot read.

    A Japanese word in kanji is said by its kana, in a column of their own or in brackets.
    """
    reading, language = (
        entry.pronunciation or reading_of(entry.term),
        entry.vocabulary_list.language,
    )
    is_needed = reading and foreign_letter(entry.played, language)
    return reading if is_needed and is_readable(reading, language) else entry.played


def text_of(term: str) -> str | None:
    """Return what is spoken for *term*, or None if there is nothing to speak."""
    try:
        return spoken_form(term)
    except CannotSpeak:
        return None
