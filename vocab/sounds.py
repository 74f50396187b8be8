"""Make the sounds of lists in the background, and what a teacher changes of them.

eSpeak NG speaks all words of a list first, in a second or two. Then, where it may, Google's voice
says each anew; while the service is away, the job waits and tries again. A job whose arguments
have `anew` makes the sounds of these speeds again, even those that are there.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from vocab import own_sounds, pronunciation
from vocab.message import packed
from vocab.models import Entry, Pronunciation, VocabularyList
from vocab.speech.cache import SoundKey
from vocab.speech.engine import CannotSpeak, Engine, ServiceFailed, SpeechError

RENDER = "vocab.render_sounds"
IMPROVE = "vocab.improve_sounds"
REMAKE = "vocab.remake_sound"
QUEUE = "sound"

_BATCH = 50  # sounds rendered between two writes to the database
_TURN_SECONDS = 120.0  # after which a list whose sounds come slowly lets others in
_SHORTEST_WAIT, _LONGEST_WAIT = 60.0, 3600.0  # seconds until a service that failed is asked again
_READY, _WAITING, _NONE = (
    Pronunciation.State.READY,
    Pronunciation.State.WAITING,
    Pronunciation.State.NONE,
)
_ESPEAK = Pronunciation.Engine.ESPEAK
_SPEEDS = (Pronunciation.Speed.NORMAL, Pronunciation.Speed.SLOW)


def request_sounds(*, vocabulary_list: VocabularyList) -> Job | None:
    """Ask for the sounds that the list lacks, once a version of it; None when none can be had."""
    can_speak = pronunciation.engines_for(vocabulary_list.spoken_language)
    if not can_speak and not own_sounds.has_files(vocabulary_list):
        return None
    # Read anew: what the caller holds may be older than what was written.
    changed_at = VocabularyList.objects.values_list("updated_at", flat=True).get(
        pk=vocabulary_list.pk
    )
    return ledger.enqueue(
        RENDER,
        key=f"{_keys(RENDER, vocabulary_list)}{changed_at.isoformat()}",
        arguments={"list": vocabulary_list.pk},
        owner=vocabulary_list.owner,
        queue=QUEUE,
    )


def request_all_anew(
    *, vocabulary_list: VocabularyList, person: User, speeds: Sequence[str] = _SPEEDS
) -> Job:
    """Have all sounds of the list made again; what is there is heard meanwhile.

    Asked again while that job is waiting or running, it is the same job. Raises ValidationError
    when nobody here speaks the language.
    """
    if not pronunciation.engines_for(vocabulary_list.spoken_language):
        raise ValidationError(_("No voice here speaks the language of this list."))
    for job in Job.objects.filter(
        key__startswith=_keys(RENDER, vocabulary_list),
        state__in=[Job.State.QUEUED, Job.State.RUNNING],
    ):
        if job.arguments.get("anew") == list(speeds):
            return job
    return ledger.enqueue(
        RENDER,
        key=f"{_keys(RENDER, vocabulary_list)}{uuid.uuid4().hex}",
        arguments={
            "list": vocabulary_list.pk,
            "anew": list(speeds),
            "since": timezone.now().isoformat(),
        },
        owner=person,
        queue=QUEUE,
    )


@transaction.atomic
def choose_voice(
    *, vocabulary_list: VocabularyList, engine: str, accent: str, is_spoken_slowly: bool
) -> VocabularyList:
    """Have the whole list spoken by *engine* ("" for the best) in *accent* ("" for the usual).

    Raises ValidationError when the engine is off, or neither speaks so.
    """
    vocabulary_list = VocabularyList.objects.select_for_update().get(pk=vocabulary_list.pk)
    language = vocabulary_list.language
    engines = pronunciation.engines_for(language)
    if engine and engine not in {one.name for one in engines}:
        raise ValidationError(_("This voice is turned off, or does not speak the language."))
    if accent and accent not in pronunciation.accents_of(language, engine):
        raise ValidationError(_("This voice does not have that accent."))
    if accent != vocabulary_list.accent:
        Pronunciation.objects.filter(
            entry__vocabulary_list=vocabulary_list, origin=Pronunciation.Origin.CHOSEN
        ).update(language=accent or language, state=_WAITING)
    vocabulary_list.voice_engine = engine
    vocabulary_list.accent = accent
    vocabulary_list.is_spoken_slowly = is_spoken_slowly
    vocabulary_list.sounds_version += 1
    vocabulary_list.save()
    request_sounds(vocabulary_list=vocabulary_list)
    return vocabulary_list


def jobs_of(vocabulary_list: VocabularyList) -> tuple[Job | None, Job | None]:
    """Return the last jobs that make and that improve the list's sounds."""
    making, improving = (
        Job.objects.filter(key__startswith=_keys(kind, vocabulary_list)).first()
        for kind in (RENDER, IMPROVE)
    )
    return making, improving


def render_sounds(run: ledger.JobRun) -> None:
    """Take sounds from files, then let eSpeak NG say the list's words, normally and slowly."""
    vocabulary_list = _current_list(run)
    if vocabulary_list is None:
        return
    made = own_sounds.take_files(
        vocabulary_list, report=lambda percent: run.report(percent, _("Reading the files' sounds"))
    )
    engine, language = pronunciation.espeak(), vocabulary_list.spoken_language
    if engine.supports(language):
        missing = _missing(vocabulary_list, engine, run)
        for start in range(0, len(missing), _BATCH):
            run.report(100 * start // len(missing), _("Making the sounds"))
            rows = [
                _render(engine, text, language, speed, is_anew=speed in _anew(run))
                for text, speed in missing[start : start + _BATCH]
            ]
            _store(rows)
            made += sum(row.state == _READY for row in rows)
        _fill_choices(vocabulary_list, engine)
    better = pronunciation.gtts()
    with run.finishing(made=made):
        if _anew(run):
            pronunciation.hear_anew(vocabulary_list)
        if better is not None and better.supports(language) and _texts(vocabulary_list, better):
            ledger.enqueue(
                IMPROVE,
                key=f"{_keys(IMPROVE, vocabulary_list)}{run.job.pk}",
                arguments=run.arguments,
                owner=vocabulary_list.owner,
                queue=QUEUE,
            )


def improve_sounds(run: ledger.JobRun) -> None:
    """Fetch Google's voice for the words that lack it; wait while the service is away."""
    vocabulary_list, engine = _current_list(run), pronunciation.gtts()
    if vocabulary_list is None or engine is None:
        return
    language = vocabulary_list.spoken_language
    missing = _missing(vocabulary_list, engine, run)
    ends_at, made = time.monotonic() + _TURN_SECONDS, 0
    failure: ServiceFailed | None = None
    for number, (text, speed) in enumerate(missing):
        run.report(100 * number // len(missing), _("Fetching better voices"))
        if time.monotonic() > ends_at:
            break
        try:
            row = _render(engine, text, language, speed, is_anew=speed in _anew(run))
        except ServiceFailed as error:
            failure = error
            break
        _store([row])
        made += row.state == _READY
    else:
        with run.finishing(made=made):
            _fill_choices(vocabulary_list, engine)
            pronunciation.hear_anew(vocabulary_list)
        return
    if made:
        _fill_choices(vocabulary_list, engine)
        pronunciation.hear_anew(vocabulary_list)
    if failure is None:
        run.retry_later(0, _("Other lists come first; this one goes on by itself."))
    else:
        run.retry_later(_wait_after(failure, run.job), packed(failure.message))


def request_remake(*, entry: Entry, speed: str, person: User, engine: str | None = None) -> Job:
    """Have the entry's sound made anew by *engine*; another sound is heard until it is there.

    Without an engine: by the one that the teacher chose, or the best for the language. Raises
    ValidationError when there is none.
    """
    if engine is None:
        chosen = entry.pronunciations.filter(origin=Pronunciation.Origin.CHOSEN).first()
        able = pronunciation.engines_of(entry.vocabulary_list)
        if not able or pronunciation.text_of(entry.term) is None:
            raise ValidationError(_("No voice here can say this word. Record it yourself."))
        engine = chosen.engine if chosen is not None else able[-1].name
    return ledger.enqueue(
        REMAKE,
        key=f"{REMAKE}:{entry.pk}:{uuid.uuid4().hex}",
        arguments={"entry": entry.pk, "speed": speed, "engine": engine},
        owner=person,
        queue=QUEUE,
    )


def remake_sound(run: ledger.JobRun) -> None:
    """Make one sound anew, whatever was there; wait while a service is away."""
    entry = (
        Entry.objects.select_related("vocabulary_list").filter(pk=run.arguments["entry"]).first()
    )
    engine = pronunciation.engine_named(run.arguments["engine"])
    text = pronunciation.text_of(entry.term) if entry else None
    if entry is None or engine is None or text is None:
        return
    language, speed = entry.vocabulary_list.spoken_language, run.arguments["speed"]
    try:
        row = _render(engine, text, language, speed, is_anew=True)
    except ServiceFailed as error:
        run.retry_later(_wait_after(error, run.job), packed(error.message))
        return
    with run.finishing(state=row.state):
        _store([row])
        _fill_choices(entry.vocabulary_list, engine)
        pronunciation.hear_anew(entry.vocabulary_list)


@transaction.atomic
def choose_engine(*, entry: Entry, engine: str, person: User) -> None:
    """Have the entry spoken by *engine*; "" gives the choice, and a recording, back.

    Raises ValidationError when the engine is off or has no voice for the language.
    """
    language = entry.vocabulary_list.spoken_language
    if engine:
        speaker = pronunciation.engine_named(engine)
        if speaker is None or not speaker.supports(language):
            raise ValidationError(_("This voice is turned off, or does not speak the language."))
        if pronunciation.text_of(entry.term) is None:
            raise ValidationError(
                _("This word has no letter or digit, so there is nothing to say.")
            )
    Pronunciation.objects.filter(entry=entry).delete()
    if engine:
        for speed in _SPEEDS:
            Pronunciation.objects.create(
                entry=entry,
                language=language,
                text=pronunciation.text_of(entry.term) or "",
                speed=speed,
                engine=engine,
                origin=Pronunciation.Origin.CHOSEN,
                state=_WAITING,
            )
            request_remake(entry=entry, speed=speed, engine=engine, person=person)
    else:
        own_sounds.take_files(entry.vocabulary_list, [entry.pk])
    pronunciation.hear_anew(entry.vocabulary_list)


def _current_list(run: ledger.JobRun) -> VocabularyList | None:
    """Return the job's list, None where it is gone or a later job does it."""
    vocabulary_list = VocabularyList.objects.filter(pk=run.arguments["list"]).first()
    if vocabulary_list is None or _anew(run):
        return vocabulary_list
    later = Job.objects.filter(
        key__startswith=_keys(run.job.kind, vocabulary_list), created_at__gt=run.job.created_at
    )
    return None if later.exists() else vocabulary_list


def _anew(run: ledger.JobRun) -> list[str]:
    """Return the speeds whose sounds the job makes even where they are there."""
    speeds: list[str] = run.arguments.get("anew", [])
    return speeds


def _keys(kind: str, vocabulary_list: VocabularyList) -> str:
    """Return how the keys of the list's jobs begin."""
    return f"{kind}:{vocabulary_list.pk}:"


def _missing(
    vocabulary_list: VocabularyList, engine: Engine, run: ledger.JobRun
) -> list[tuple[str, str]]:
    """Return (text, speed) of what the engine has not said, all normal ones first."""
    sounds, texts, anew = pronunciation.cache(), _texts(vocabulary_list, engine), _anew(run)
    since = datetime.fromisoformat(run.arguments["since"]) if anew else None
    known = {
        (sound.text, sound.speed)
        for sound in Pronunciation.objects.filter(
            entry=None, language=vocabulary_list.spoken_language, engine=engine.name
        ).iterator()
        if sound.text in texts
        and (sound.state == _NONE or sounds.named(sound.file).is_file())
        # Made by an earlier try of this job, it is not made a third time.
        and (since is None or sound.speed not in anew or sound.updated_at >= since)
    }
    return [(text, speed) for speed in _SPEEDS for text in texts if (text, speed) not in known]


def _texts(vocabulary_list: VocabularyList, engine: Engine) -> dict[str, None]:
    """Return in the list's order what the engine is to say: all, or what was chosen for it.

    eSpeak NG says all, for what another engine says comes later.
    """
    entries = vocabulary_list.entries.all()
    if engine.name != _ESPEAK and vocabulary_list.voice_engine not in ("", engine.name):
        entries = entries.filter(
            pronunciations__origin=Pronunciation.Origin.CHOSEN, pronunciations__engine=engine.name
        )
    terms = entries.values_list("term", flat=True).iterator()
    return dict.fromkeys(text for text in map(pronunciation.text_of, terms) if text is not None)


def _fill_choices(vocabulary_list: VocabularyList, engine: Engine) -> None:
    """Give what was chosen for single entries the sounds that the engine has made."""
    choices = Pronunciation.objects.filter(
        entry__vocabulary_list=vocabulary_list,
        origin=Pronunciation.Origin.CHOSEN,
        engine=engine.name,
    ).select_related("entry")
    texts = {
        choice.pk: pronunciation.text_of(choice.entry.term) or ""
        for choice in choices
        if choice.entry is not None
    }
    made = {
        (sound.text, sound.speed): sound
        for sound in Pronunciation.objects.filter(
            entry=None,
            language=vocabulary_list.spoken_language,
            engine=engine.name,
            text__in=set(texts.values()),
        )
    }
    for choice in choices:
        sound = made.get((texts[choice.pk], choice.speed))
        if sound is not None:
            for name in ("language", "text", "voice", "state", "reason", "file", "seconds"):
                setattr(choice, name, getattr(sound, name))
            choice.save()


def _render(
    engine: Engine, text: str, language: str, speed: str, *, is_anew: bool = False
) -> Pronunciation:
    """Return the sound, its file in the cache, or the reason why there can be none.

    Raises ServiceFailed when there may be one later.
    """
    row = Pronunciation(language=language, text=text, speed=speed, engine=engine.name)
    is_slow = speed == Pronunciation.Speed.SLOW
    try:
        row.voice = engine.voice(language)
        sounds = pronunciation.cache()
        key = SoundKey(engine.name, row.voice, language, text, is_slow)
        row.file = sounds.name(key)
        if is_anew or sounds.find(key) is None:
            sound = engine.speak(text, language, slow=is_slow)
            sounds.put(key, sound)
            row.seconds = sound.seconds
    except ServiceFailed:
        raise
    except SpeechError as error:
        if not error.permanent and not isinstance(error, CannotSpeak):
            raise
        row.state, row.reason, row.file = _NONE, packed(error.message), ""
    return row


def _store(rows: list[Pronunciation]) -> None:
    """Write sounds of all lists' common stock in the place of what was there."""
    with transaction.atomic():
        for speed in _SPEEDS:
            texts = [row.text for row in rows if row.speed == speed]
            if texts:
                Pronunciation.objects.filter(
                    entry=None,
                    language=rows[0].language,
                    engine=rows[0].engine,
                    speed=speed,
                    text__in=texts,
                ).delete()
        Pronunciation.objects.bulk_create(rows, ignore_conflicts=True)


def _wait_after(error: ServiceFailed, job: Job) -> float:
    """Return for how many seconds a service that failed is left alone: as long as it has been."""
    age = (timezone.now() - job.created_at).total_seconds()
    return max(error.retry_after or 0.0, min(max(_SHORTEST_WAIT, age), _LONGEST_WAIT))
