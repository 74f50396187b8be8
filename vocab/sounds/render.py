"""Create the sounds of lists in the background.

First eSpeak NG speaks all words of a list, in a second or two. Then, if allowed, Google's voice
speaks each one; while that service is away, the job waits and retries. A job with the argument
`anew` creates the sounds of these speeds again, even if they exist.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from osmosmjerka.jobs import clock, ledger
from osmosmjerka.jobs.models import Job
from vocab.message import message, packed
from vocab.models import Entry, Pronunciation, VocabularyList
from vocab.sounds import recordings, voices
from vocab.sounds.services import IMPROVE, QUEUE, REMAKE, SPEEDS, job_keys
from vocab.speech.cache import SoundKey
from vocab.speech.engine import CannotSpeak, CircuitOpen, Engine, ServiceFailed

logger = logging.getLogger(__name__)

_READY, _NONE = Pronunciation.State.READY, Pronunciation.State.NONE
_ESPEAK = Pronunciation.Engine.ESPEAK
_BATCH = 50  # sounds created between two writes to the database


_TURN_SECONDS = 120.0  # after this, a slow list lets others go first


# Seconds until a service that failed is tried again: by one job, and by the others.
_SHORTEST_WAIT, _LONGEST_WAIT = voices.GTTS_REST, 3600.0


def render_sounds(run: ledger.JobRun) -> None:
    """Take sounds from files, then let eSpeak NG speak the words, at normal and slow speed."""
    vocabulary_list = _current_list(run)
    if vocabulary_list is None:
        return
    made = recordings.take_files(
        vocabulary_list,
        report=lambda percent: run.report(percent, _("Importing sounds from files")),
    )
    engine, language = voices.espeak(), vocabulary_list.spoken_language
    if engine.supports(language):
        missing = _missing(vocabulary_list, engine, run)
        for start in range(0, len(missing), _BATCH):
            run.report(100 * start // len(missing), _("Creating the sounds"))
            rows = [
                _render(engine, text, language, speed, is_anew=speed in _anew(run))
                for text, speed in missing[start : start + _BATCH]
            ]
            _store(rows)
            if run.is_awaited() and run.yield_turn():
                return  # the next turn makes what is missing then
            made += sum(row.state == _READY for row in rows)
        _fill_choices(vocabulary_list, engine)
    better = voices.gtts()
    with run.finishing(made=made):
        if _anew(run):
            voices.hear_anew(vocabulary_list)
        if better is not None and better.supports(language) and _texts(vocabulary_list, better):
            ledger.enqueue(
                IMPROVE,
                key=f"{job_keys(IMPROVE, vocabulary_list)}{run.job.pk}",
                arguments=run.arguments,
                owner=vocabulary_list.owner,
                subject=vocabulary_list,
                queue=QUEUE,
            )


def improve_sounds(run: ledger.JobRun) -> None:
    """Download Google's voice for the words that lack it; wait while the service is away."""
    vocabulary_list, engine = _current_list(run), voices.gtts()
    if vocabulary_list is None or engine is None:
        return
    language = vocabulary_list.spoken_language
    missing = _missing(vocabulary_list, engine, run)
    ends_at, made = time.monotonic() + _TURN_SECONDS, 0
    failure: ServiceFailed | None = None
    for number, (text, speed) in enumerate(missing):
        run.report(100 * number // len(missing), _("Downloading better voices"))
        if time.monotonic() > ends_at or run.is_awaited():
            break
        try:
            row = _render(engine, text, language, speed, is_anew=speed in _anew(run))
        except ServiceFailed as error:
            failure = error
            break
        _store([row])
        made += row.state == _READY
        if number == 0:
            ledger.run_now(IMPROVE, REMAKE)
    else:
        with run.finishing(made=made):
            _fill_choices(vocabulary_list, engine)
            voices.hear_anew(vocabulary_list)
        return
    if made:
        _fill_choices(vocabulary_list, engine)
        voices.hear_anew(vocabulary_list)
    if failure is None:
        run.retry_later(0, _("Other lists are processed first. This one continues automatically."))
    else:
        run.retry_later(_wait_after(failure, run.job), _told(failure))


def remake_sound(run: ledger.JobRun) -> None:
    """Create one sound again, even if it exists; wait while a service is away."""
    entry = (
        Entry.objects.select_related("vocabulary_list").filter(pk=run.arguments["entry"]).first()
    )
    engine = voices.engine_named(run.arguments["engine"])
    text = voices.text_of(voices.said_of(entry)) if entry else None
    if entry is None or engine is None or text is None:
        return
    language, speed = entry.vocabulary_list.spoken_language, run.arguments["speed"]
    try:
        row = _render(engine, text, language, speed, is_anew=True)
    except ServiceFailed as error:
        run.retry_later(_wait_after(error, run.job), _told(error))
        return
    if engine.name != _ESPEAK:
        ledger.run_now(IMPROVE, REMAKE)
    with run.finishing(state=row.state):
        _store([row])
        _fill_choices(entry.vocabulary_list, engine)
        voices.hear_anew(entry.vocabulary_list)


def _current_list(run: ledger.JobRun) -> VocabularyList | None:
    """Return the job's list, or None if it is gone or a later job does the work."""
    vocabulary_list = VocabularyList.objects.filter(pk=run.arguments["list"]).first()
    if vocabulary_list is None or _anew(run):
        return vocabulary_list
    later = ledger.jobs_about(vocabulary_list, run.job.kind).filter(
        created_at__gt=run.job.created_at
    )
    return None if later.exists() else vocabulary_list


def _anew(run: ledger.JobRun) -> list[str]:
    """Return the speeds whose sounds the job creates again even if they exist."""
    speeds: list[str] = run.arguments.get("anew", [])
    return speeds


def _missing(
    vocabulary_list: VocabularyList, engine: Engine, run: ledger.JobRun
) -> list[tuple[str, str]]:
    """Return (text, speed) of what the engine has not spoken, normal speed first."""
    sounds, texts, anew = voices.cache(), _texts(vocabulary_list, engine), _anew(run)
    since = datetime.fromisoformat(run.arguments["since"]) if anew else None
    known = {
        (sound.text, sound.speed)
        for sound in Pronunciation.objects.filter(
            entry=None, language=vocabulary_list.spoken_language, engine=engine.name
        ).iterator()
        if sound.text in texts
        and (sound.state == _NONE or sounds.named(sound.file).exists())
        # Do not repeat sounds that an earlier attempt of this job created.
        and (since is None or sound.speed not in anew or sound.updated_at >= since)
    }
    return [(text, speed) for speed in SPEEDS for text in texts if (text, speed) not in known]


def _texts(vocabulary_list: VocabularyList, engine: Engine) -> dict[str, None]:
    """Return what the engine is to speak, in the list's order: everything, or single choices.

    eSpeak NG speaks everything, because the other engine's sounds come later.
    """
    entries = vocabulary_list.entries.all()
    if engine.name != _ESPEAK and vocabulary_list.voice_engine not in ("", engine.name):
        entries = entries.filter(
            pronunciations__origin=Pronunciation.Origin.CHOSEN, pronunciations__engine=engine.name
        )
    # All at once: a half-read query would stay open if saying a word needed another that failed.
    spoken = map(voices.said_of, entries.only(*voices.SAID))
    return dict.fromkeys(text for text in map(voices.text_of, spoken) if text is not None)


def _fill_choices(vocabulary_list: VocabularyList, engine: Engine) -> None:
    """Give entries with their own choice of engine the sounds that it has created."""
    choices = Pronunciation.objects.filter(
        entry__vocabulary_list=vocabulary_list,
        origin=Pronunciation.Origin.CHOSEN,
        engine=engine.name,
    ).select_related("entry__vocabulary_list")
    texts = {
        choice.pk: voices.text_of(voices.said_of(choice.entry)) or ""
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
    """Return the sound, with its file in the cache or with the reason why there is none.

    Raises SpeechError, such as ServiceFailed, if it may work later.
    """
    row = Pronunciation(language=language, text=text, speed=speed, engine=engine.name)
    is_slow = speed == Pronunciation.Speed.SLOW
    try:
        row.voice = engine.voice(language)
        sounds = voices.cache()
        key = SoundKey(engine.name, row.voice, language, text, is_slow)
        row.file = sounds.name(key)
        if is_anew or sounds.find(key) is None:
            sound = engine.speak(text, language, slow=is_slow)
            sounds.put(key, sound)
            row.seconds = sound.seconds
    except CannotSpeak as error:
        row.state, row.reason, row.file = _NONE, packed(error.message), ""
    return row


def _store(rows: list[Pronunciation]) -> None:
    """Save sounds that all lists share, replacing existing ones."""
    with transaction.atomic():
        for speed in SPEEDS:
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


def _told(failure: ServiceFailed) -> str:
    """Return what a failure means to teachers, to store it; the log says what happened.

    When the next attempt is, the job says: a number of seconds would soon be wrong.
    """
    logger.warning("A voice failed: %s", failure)
    return packed(
        message(
            "Google’s voice is not available at the moment. You do not need to do anything: it is "
            "tried again automatically."
        )
    )


def _wait_after(error: ServiceFailed, job: Job) -> float:
    """Return the seconds until a failed service is tried again.

    One job does so as soon as it may. The others wait as long as they have existed; the first that
    succeeds calls them.
    """
    now, told = clock.now(), error.retry_after or 0.0
    soon = told if isinstance(error, CircuitOpen) else max(told, _SHORTEST_WAIT)
    others = Job.objects.filter(
        kind__in=(IMPROVE, REMAKE),
        state__in=ledger.UNFINISHED,
        ready_at__lte=now + timedelta(seconds=_SHORTEST_WAIT),
    ).exclude(pk=job.pk)
    if not others.exists():
        return soon
    age = (now - job.created_at).total_seconds()
    return max(soon, min(age, _LONGEST_WAIT))
