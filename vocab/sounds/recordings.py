"""Sounds that no engine made: a teacher's uploads and recordings, and files of imports."""

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
    """Check a teacher's own sound, encode it anew, and let it be heard for this entry.

    Raises ValidationError with the reason when it is no sound that can be used.
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
    """Say whether entries of the list came with a sound file."""
    return vocabulary_list.entries.exclude(audio="").exists()


def take_files(
    vocabulary_list: VocabularyList,
    entries: Iterable[int] | None = None,
    *,
    report: Callable[[int], None] = lambda _percent: None,
) -> int:
    """Let entries be heard as in the files that they were imported with; return how many.

    Checked and encoded anew like uploads; that a file cannot be used is remembered with the
    reason. What a teacher chose for an entry stays. *report* is told the per cent now and then.
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
        # Named by the file, whose name is made of its bytes: a copied list shares the sound.
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
    """Write the sound into the cache; return what it is called there."""
    return voices.cache().put(SoundKey(sound.engine, name, "", "1"), sound).stem


def _fields(entry: Entry, file: str) -> dict[str, Any]:
    return {
        "language": entry.vocabulary_list.language,
        "text": voices.text_of(entry.term) or "",
        "engine": Pronunciation.Engine.RECORDING,
        "voice": "",
        "state": Pronunciation.State.READY,
        "file": file,
    }
