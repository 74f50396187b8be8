"""Sounds not made by an engine: teachers' uploads and recordings, and imported files."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F

from vocab.message import message, packed
from vocab.models import Entry, Pronunciation, VocabularyList
from vocab.sentences import said
from vocab.sounds import voices
from vocab.speech.cache import SoundKey
from vocab.speech.engine import NotASound, Sound
from vocab.speech.recordings import MAX_BYTES, recorded_sound

_NORMAL = Pronunciation.Speed.NORMAL


def keep_recording(*, entry: Entry, data: bytes, speed: str, is_recorded: bool) -> Pronunciation:
    """Check a teacher's own sound, encode it again, and use it for this entry.

    Raises ValidationError with the reason if it is not a usable sound.
    """
    try:
        sound = recorded_sound(data)
        file = _keep(sound, uuid.uuid4().hex)
    except NotASound as error:
        raise ValidationError(said(error.message)) from error
    origin = Pronunciation.Origin.RECORDED if is_recorded else Pronunciation.Origin.UPLOADED
    with transaction.atomic():
        row, _created = Pronunciation.objects.update_or_create(
            entry=entry,
            speed=speed,
            defaults=_fields(entry, file)
            | {"origin": origin, "seconds": sound.seconds, "reason": "", "source": ""},
        )
        voices.hear_anew(entry.vocabulary_list)
    return row


def has_files(vocabulary_list: VocabularyList) -> bool:
    """Return whether any entry of the list came with a sound file."""
    return vocabulary_list.entries.exclude(audio="").exists()


def take_files(
    vocabulary_list: VocabularyList,
    entries: Iterable[int] | None = None,
    *,
    report: Callable[[int], None] = lambda _percent: None,
) -> int:
    """Use imported sound files as the sounds of their entries; return how many.

    Files are checked and encoded again, like uploads; if a file cannot be used, the reason is
    stored. A teacher's choice for an entry is kept. *report* is called from time to time with the
    percentage.
    """
    of_files = Pronunciation.objects.filter(
        entry__vocabulary_list=vocabulary_list, origin=Pronunciation.Origin.FILE
    )
    of_files.exclude(source=F("entry__audio")).delete()
    waiting = vocabulary_list.entries.exclude(audio="").exclude(pronunciations__speed=_NORMAL)
    if entries is not None:
        waiting = waiting.filter(pk__in=entries)
    taken, total = 0, len(waiting)
    for number, entry in enumerate(waiting):
        if number % 50 == 0:
            report(100 * number // total)
        taken += _take_file(entry)
    if taken:
        voices.hear_anew(vocabulary_list)
    return taken


def _take_file(entry: Entry) -> bool:
    name = entry.audio.name or ""
    try:
        sound = recorded_sound(_bytes_of(name))
    except NotASound as error:
        fields = _fields(entry, "") | {
            "state": Pronunciation.State.NONE,
            "reason": packed(error.message),
        }
    else:
        # Named after the file, whose name depends on its bytes, so that copied lists share the
        # sound.
        fields = _fields(entry, _keep(sound, name)) | {"seconds": sound.seconds}
    fields |= {"origin": Pronunciation.Origin.FILE, "source": name}
    Pronunciation.objects.get_or_create(entry=entry, speed=_NORMAL, defaults=fields)
    return bool(fields["state"] == Pronunciation.State.READY)


def _bytes_of(name: str) -> bytes:
    try:
        with default_storage.open(name) as file:
            data: bytes = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise NotASound(message("The imported file no longer exists.")) from error
    return data


def _keep(sound: Sound, name: str) -> str:
    """Write the sound to the cache; return its name there."""
    return voices.cache().put(SoundKey(sound.engine, name, "", "1"), sound).stem


def _fields(entry: Entry, file: str) -> dict[str, Any]:
    return {
        "language": entry.vocabulary_list.language,
        "text": voices.text_of(voices.said_of(entry)) or "",
        "engine": Pronunciation.Engine.RECORDING,
        "voice": "",
        "state": Pronunciation.State.READY,
        "file": file,
    }
