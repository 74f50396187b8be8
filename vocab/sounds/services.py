"""Request the sounds of lists, and choose their voices."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from vocab.models import BulkEdit, Entry, Pronunciation, VocabularyList
from vocab.sounds import recordings, voices

RENDER = "vocab.render_sounds"
IMPROVE = "vocab.improve_sounds"
REMAKE = "vocab.remake_sound"
QUEUE = "sound"

_WAITING = Pronunciation.State.WAITING
SPEEDS = (Pronunciation.Speed.NORMAL, Pronunciation.Speed.SLOW)


def request_sounds(*, vocabulary_list: VocabularyList) -> Job | None:
    """Request the list's missing sounds, once per version of it; None if no voice is available."""
    can_speak = voices.engines_for(vocabulary_list.spoken_language)
    if not can_speak and not recordings.has_files(vocabulary_list):
        return None
    # Read again: the caller's instance may be older than the row.
    changed_at = VocabularyList.everything.values_list("updated_at", flat=True).get(
        pk=vocabulary_list.pk
    )
    return ledger.enqueue(
        RENDER,
        key=f"{job_keys(RENDER, vocabulary_list)}{changed_at.isoformat()}",
        arguments={"list": vocabulary_list.pk},
        owner=vocabulary_list.owner,
        subject=vocabulary_list,
        queue=QUEUE,
    )


def request_all_anew(
    *, vocabulary_list: VocabularyList, person: User, speeds: Sequence[str] = SPEEDS
) -> Job:
    """Create all sounds of the list again; meanwhile the existing ones are played.

    If such a job is queued or running, return it. Raises ValidationError if no voice is available
    for the language.
    """
    if not voices.engines_for(vocabulary_list.spoken_language):
        raise ValidationError(_("No voice is available for the language of this list."))
    for job in ledger.jobs_about(vocabulary_list, RENDER).filter(state__in=ledger.UNFINISHED):
        if job.arguments.get("anew") == list(speeds):
            return job
    return ledger.enqueue(
        RENDER,
        key=f"{job_keys(RENDER, vocabulary_list)}{uuid.uuid4().hex}",
        arguments={
            "list": vocabulary_list.pk,
            "anew": list(speeds),
            "since": timezone.now().isoformat(),
        },
        owner=person,
        subject=vocabulary_list,
        queue=QUEUE,
    )


@transaction.atomic
def choose_voice(
    *, vocabulary_list: VocabularyList, engine: str, accent: str, is_spoken_slowly: bool
) -> VocabularyList:
    """Let *engine* ("" for the best) speak the whole list in *accent* ("" for the default).

    Raises ValidationError if the engine is turned off, or does not support the language or accent.
    """
    vocabulary_list = VocabularyList.everything.select_for_update().get(pk=vocabulary_list.pk)
    language = vocabulary_list.language
    engines = voices.engines_for(language)
    if engine and engine not in {one.name for one in engines}:
        raise ValidationError(_("This voice is turned off or does not support the language."))
    if accent and accent not in voices.accents_of(language, engine):
        raise ValidationError(_("This voice does not have that accent."))
    if accent != vocabulary_list.accent:
        Pronunciation.objects.filter(
            entry__vocabulary_list=vocabulary_list, origin=Pronunciation.Origin.CHOSEN
        ).update(language=accent or language, state=_WAITING)
    vocabulary_list.voice_engine = engine
    vocabulary_list.accent = accent
    vocabulary_list.is_spoken_slowly = is_spoken_slowly
    vocabulary_list.sounds_version += 1
    vocabulary_list.save(
        update_fields=["voice_engine", "accent", "is_spoken_slowly", "sounds_version", "updated_at"]
    )
    request_sounds(vocabulary_list=vocabulary_list)
    return vocabulary_list


def follow_language(*, vocabulary_list: VocabularyList) -> None:
    """Let the list be spoken in the language that it has now; teachers' recordings stay.

    The accent was one of the old language; so was the voice, if it cannot speak the new one.
    """
    language = vocabulary_list.language
    chosen = Pronunciation.objects.filter(entry__vocabulary_list=vocabulary_list)
    chosen.filter(origin=Pronunciation.Origin.CHOSEN).update(language=language, state=_WAITING)
    vocabulary_list.accent = ""
    if vocabulary_list.voice_engine not in {one.name for one in voices.engines_for(language)}:
        vocabulary_list.voice_engine = ""
    vocabulary_list.sounds_version += 1
    vocabulary_list.save(update_fields=["accent", "voice_engine", "sounds_version"])


def jobs_of(vocabulary_list: VocabularyList) -> tuple[Job | None, Job | None]:
    """Return the last jobs that create and that improve the list's sounds."""
    making, improving = (
        ledger.jobs_about(vocabulary_list, kind).first() for kind in (RENDER, IMPROVE)
    )
    return making, improving


def request_remake(*, entry: Entry, speed: str, person: User, engine: str | None = None) -> Job:
    """Create the entry's sound again with *engine*; until then another sound is played.

    The default is the engine that the teacher chose, or the best for the language. Raises
    ValidationError if there is none.
    """
    if engine is None:
        chosen = entry.pronunciations.filter(origin=Pronunciation.Origin.CHOSEN).first()
        able = voices.engines_of(entry.vocabulary_list)
        if not able or voices.text_of(voices.said_of(entry)) is None:
            raise ValidationError(_("No voice can pronounce this word. Record it yourself."))
        engine = chosen.engine if chosen is not None else able[-1].name
    return ledger.enqueue(
        REMAKE,
        key=f"{REMAKE}:{entry.pk}:{uuid.uuid4().hex}",
        arguments={"entry": entry.pk, "speed": speed, "engine": engine},
        owner=person,
        subject=entry,
        queue=QUEUE,
    )


@transaction.atomic
def choose_engine(*, entry: Entry, engine: str, person: User) -> None:
    """Let *engine* speak the entry; "" removes the choice and any recording.

    Raises ValidationError if the engine is turned off or does not support the language.
    """
    language = entry.vocabulary_list.spoken_language
    if engine:
        speaker = voices.engine_named(engine)
        if speaker is None or not speaker.supports(language):
            raise ValidationError(_("This voice is turned off or does not support the language."))
        if voices.text_of(voices.said_of(entry)) is None:
            raise ValidationError(
                _("This word has no letters or digits, so it cannot be pronounced.")
            )
    _note_recordings(entry, person)
    Pronunciation.objects.filter(entry=entry).delete()
    if engine:
        for speed in SPEEDS:
            Pronunciation.objects.create(
                entry=entry,
                language=language,
                text=voices.text_of(voices.said_of(entry)) or "",
                speed=speed,
                engine=engine,
                origin=Pronunciation.Origin.CHOSEN,
                state=_WAITING,
            )
            request_remake(entry=entry, speed=speed, engine=engine, person=person)
    else:
        recordings.take_files(entry.vocabulary_list, [entry.pk])
    voices.hear_anew(entry.vocabulary_list)


def job_keys(kind: str, vocabulary_list: VocabularyList) -> str:
    """Return the beginning of the keys of the list's jobs."""
    return f"{kind}:{vocabulary_list.pk}:"


# What is stored of a recording, to bring it back.
_RECORDED = ("language", "text", "speed", "engine", "voice", "origin", "file", "source", "seconds")


def _note_recordings(entry: Entry, person: User) -> None:
    """Note a teacher's own sounds of *entry*, which are about to be removed."""
    own = Pronunciation.objects.filter(
        entry=entry, engine=Pronunciation.Engine.RECORDING, state=Pronunciation.State.READY
    )
    rows = list(own.values(*_RECORDED))
    if rows:
        BulkEdit.objects.create(
            vocabulary_list=entry.vocabulary_list,
            created_by=person,
            action=BulkEdit.Action.RECORDING,
            count=1,
            undo={"entry": entry.pk, "recordings": rows},
        )


def return_recordings(edit: BulkEdit) -> int:
    """Let an entry be heard again by the recordings that *edit* removed; return 1 or 0.

    A recording made since for the same speed stays.
    """
    entry = Entry.objects.filter(pk=edit.undo["entry"]).first()
    if entry is None:
        return 0
    own = Pronunciation.objects.filter(entry=entry)
    newer = set(own.filter(engine=Pronunciation.Engine.RECORDING).values_list("speed", flat=True))
    back = [row for row in edit.undo["recordings"] if row["speed"] not in newer]
    own.filter(speed__in=[row["speed"] for row in back]).delete()
    Pronunciation.objects.bulk_create(Pronunciation(entry=entry, **row) for row in back)
    voices.hear_anew(entry.vocabulary_list)
    return int(bool(back))
