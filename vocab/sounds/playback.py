"""Choose which sound of a term is played, and serve it.

The teacher's choice for the entry comes first, then the voice chosen for the list, then Google's,
then eSpeak NG's, which is created on demand if there is none yet.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse

from osmosmjerka.web.views import kept_file
from vocab.models import Entry, Pronunciation, VocabularyList
from vocab.sounds import voices
from vocab.speech.cache import SoundFile, SoundKey
from vocab.speech.engine import CannotSpeak
from vocab.speech.mp3 import padded

# The number of bytes in the sound of a long word, spoken slowly.
LONG_WORD = 16_384
_BEST_LAST = [Pronunciation.Engine.ESPEAK, Pronunciation.Engine.GTTS]


def is_speakable(language: str, entry_id: int | None = None) -> bool:
    """Return whether a word of *language* has a sound, even if only the entry's own."""
    return bool(voices.engines_for(language)) or bool(recorded([entry_id]))


def speakable(entries: Iterable[Entry]) -> list[Entry]:
    """Return those of some entries that have a sound, in at most one query."""
    entries = list(entries)
    languages = {entry.vocabulary_list.language for entry in entries}
    spoken = {language for language in languages if voices.engines_for(language)}
    silent = [entry.pk for entry in entries if entry.vocabulary_list.language not in spoken]
    own = recorded(silent) if silent else set()
    return [one for one in entries if one.vocabulary_list.language in spoken or one.pk in own]


def recorded(entry_ids: Iterable[int | None]) -> set[int | None]:
    """Return those of some entries that have a recording of their own."""
    ready = Pronunciation.objects.filter(
        entry__in=[pk for pk in entry_ids if pk is not None],
        state=Pronunciation.State.READY,
        engine=Pronunciation.Engine.RECORDING,
    )
    return set(ready.values_list("entry", flat=True))


def count_silent(vocabulary_list: VocabularyList) -> int:
    """Return how many of the list's words no voice could say so far, nor a recording."""
    spoken = Pronunciation.objects.filter(
        entry=None,
        language=vocabulary_list.spoken_language,
        speed=Pronunciation.Speed.NORMAL,
    )
    failed = set(
        spoken.filter(state=Pronunciation.State.NONE)
        .exclude(text__in=spoken.filter(state=Pronunciation.State.READY).values("text"))
        .values_list("text", flat=True)
    )
    entries = vocabulary_list.entries.order_by().only(*voices.SAID)
    said = {entry.pk: voices.text_of(voices.said_of(entry)) for entry in entries}
    silent = [pk for pk, text in said.items() if text is None or text in failed]
    return len(silent) - len(recorded(silent))


def heard(
    entries: Iterable[Entry],
    vocabulary_list: VocabularyList,
    *,
    speed: str = Pronunciation.Speed.NORMAL,
) -> dict[int, Pronunciation]:
    """Return the sound to play for each entry that has one, by the entry's primary key."""
    texts = {entry.pk: voices.text_of(voices.said_of(entry)) for entry in entries}
    sounds = _sounds_of(vocabulary_list, texts.keys(), texts.values())
    ready = sounds.filter(speed=speed, state=Pronunciation.State.READY)
    own: dict[int, Pronunciation] = {}
    common: dict[str, Pronunciation] = {}
    for sound in sorted(ready, key=lambda sound: _rank(sound, vocabulary_list)):
        if sound.entry_id is None:
            common[sound.text] = sound
        elif not _is_outdated(sound, texts[sound.entry_id]):
            own[sound.entry_id] = sound
    best = {pk: own.get(pk) or common.get(text or "") for pk, text in texts.items()}
    return {pk: sound for pk, sound in best.items() if sound is not None}


def known(entry: Entry) -> list[Pronunciation]:
    """Return every sound of the entry: normal ones first, the best of each speed last."""
    vocabulary_list = entry.vocabulary_list
    text = voices.text_of(voices.said_of(entry))
    sounds = _sounds_of(vocabulary_list, [entry.pk], [text])
    return sorted(sounds, key=lambda sound: (sound.speed, *_rank(sound, vocabulary_list)))


def sound_of(
    term: str, vocabulary_list: VocabularyList, *, slow: bool = False, entry_id: int | None = None
) -> SoundFile:
    """Return the file of the term's sound; create it now if there is none.

    Raises SpeechError if the term cannot be spoken.
    """
    sounds, text, language = voices.cache(), voices.text_of(term), vocabulary_list.spoken_language
    ready = _sounds_of(vocabulary_list, [entry_id], [text]).filter(
        speed=Pronunciation.Speed.SLOW if slow else Pronunciation.Speed.NORMAL,
        state=Pronunciation.State.READY,
    )
    for sound in sorted(ready, key=lambda sound: _rank(sound, vocabulary_list), reverse=True):
        file = sounds.named(sound.file)
        if not _is_outdated(sound, text) and file.exists():
            return file
    speaker = voices.espeak()
    try:
        key = SoundKey(speaker.name, speaker.voice(language), language, term, slow)
        return sounds.find(key) or sounds.put(key, speaker.speak(term, language, slow=slow))
    except CannotSpeak:
        if not slow or entry_id is None:
            raise
        # Only the teacher has recorded it, at normal speed: better that than silence.
        return sound_of(term, vocabulary_list, entry_id=entry_id)


def largest_file(
    terms: Iterable[str], entry_ids: Iterable[int | None], vocabulary_list: VocabularyList
) -> int:
    """Return the size in bytes of these words' largest sound, normal or slow.

    It is at least the size of a word spoken on demand, before the list's sounds exist.
    """
    ready = _sounds_of(vocabulary_list, entry_ids, map(voices.text_of, terms)).filter(
        state=Pronunciation.State.READY
    )
    sounds = voices.cache()
    files = (sounds.named(name) for name in ready.values_list("file", flat=True))
    return max((LONG_WORD, *(file.size() for file in files)))


def _sounds_of(
    vocabulary_list: VocabularyList,
    entry_ids: Iterable[int | None],
    texts: Iterable[str | None],
) -> QuerySet[Pronunciation]:
    """Return the entries' own sounds, and those of the texts, which all lists share."""
    own = Q(entry__in=[pk for pk in entry_ids if pk is not None])
    common = Q(
        entry=None,
        language=vocabulary_list.spoken_language,
        text__in=[text for text in texts if text],
    )
    return Pronunciation.objects.filter(own | common)


def _is_outdated(sound: Pronunciation, text: str | None) -> bool:
    """Return whether the term has changed since an engine spoke this entry's own sound."""
    return sound.origin == Pronunciation.Origin.CHOSEN and sound.text != text


def _rank(sound: Pronunciation, vocabulary_list: VocabularyList) -> tuple[bool, bool, int]:
    if sound.entry_id is not None:
        return True, False, 0
    is_wanted = sound.engine == vocabulary_list.voice_engine
    return False, is_wanted, _BEST_LAST.index(Pronunciation.Engine(sound.engine))


def sound_response(request: HttpRequest, file: SoundFile, *, size: int = 0) -> HttpResponse:
    """Return a sound that may be cached for a year, whole or the requested range.

    It is padded to at least *size* bytes.
    """
    data = file.read()
    return kept_file(request, padded(data, size) if len(data) < size else data, "audio/mpeg")
