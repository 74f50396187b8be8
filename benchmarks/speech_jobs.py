"""Create the sounds of a list through the job queue; report sounds per second and its cost.

    python -m benchmarks.speech_jobs [folder with finder-words.txt] [--words 1000] [--language en]

The baseline is the engine called directly for the same words in the same run, with each sound
stored in a cache as in `benchmarks.speech`. Both create each word at normal and slow speed, so
1000 words are 2000 sounds. The time of the queue includes everything: saving the list, the ledger,
the message, the embedded worker's claim, rows and files. The database is a new one in a temporary
folder, by default SQLite; CPU is that of this process only, without the library's process.
Every file is checked afterwards; exits with status 1 if one is missing or is not a sound.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path


def main() -> int:
    """Run the benchmark; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--words", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--language", default="en")
    options = parser.parse_args()
    folder = options.folder or Path(os.environ.get("OSMOSMJERKA_BENCH", "../shared/bench"))
    words = (folder / "finder-words.txt").read_text(encoding="utf-8").split()[: options.words]
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "osmosmjerka.settings",
            "OSMOSMJERKA_DATA_DIR": data,
            "OSMOSMJERKA_GTTS": "false",
            "LOG_LEVEL": "ERROR",
        }
        return _measure(words, options.language, options.rounds)


def _measure(words: list[str], language: str, rounds: int) -> int:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from benchmarks.speech import is_heard
    from osmosmjerka.accounts.models import School, User
    from osmosmjerka.accounts.people import create_person
    from osmosmjerka.jobs.models import Job
    from osmosmjerka.jobs.worker import EmbeddedWorker
    from vocab.formats.rows import Row
    from vocab.lists.services import create_list
    from vocab.models import Pronunciation
    from vocab.sounds import voices
    from vocab.speech.cache import SoundCache, SoundKey

    call_command("migrate", verbosity=0)
    school = School.objects.create(name="Benchmark")
    teacher = create_person(
        username="t", display_name="T", role=User.Role.TEACHER, school=school, password=None
    )
    rows = [Row(line=line, term=word) for line, word in enumerate(words, start=1)]
    engine = voices.espeak()
    voice = engine.voice(language)
    worker = EmbeddedWorker()
    worker.start()
    bad = 0
    try:
        for number in range(1, rounds + 1):
            with tempfile.TemporaryDirectory() as root:
                cache = SoundCache(root, secret="benchmark")  # noqa: S106 - guards nothing here
                started, cpu = time.perf_counter(), time.process_time()
                for is_slow in (False, True):
                    for word in words:
                        sound = engine.speak(word, language, slow=is_slow)
                        cache.put(SoundKey(engine.name, voice, language, word, is_slow), sound)
                direct, direct_cpu = time.perf_counter() - started, time.process_time() - cpu

            settings.MEDIA_ROOT = Path(settings.DATA_DIR) / f"media-{number}"
            Pronunciation.objects.all().delete()
            started, cpu = time.perf_counter(), time.process_time()
            create_list(
                owner=teacher,
                title=f"Round {number}",
                language=language,
                translation_languages=["en"],
                rows=rows,
            )
            saved = time.perf_counter() - started
            job = Job.objects.latest("created_at")
            while not job.is_finished:
                time.sleep(0.02)
                job.refresh_from_db()
            queued, queued_cpu = time.perf_counter() - started, time.process_time() - cpu
            if job.finished_at is None or job.started_at is None:
                raise SystemExit(f"The job ended as {job.state}: {job.error}")
            working = (job.finished_at - job.started_at).total_seconds()

            files = sorted(Path(settings.MEDIA_ROOT).rglob("*.mp3"))
            sounds = Pronunciation.objects.filter(state=Pronunciation.State.READY).count()
            bad += sum(not is_heard(path) for path in files)
            bad += abs(len(files) - 2 * len(words)) + abs(sounds - 2 * len(words))
            print(
                f"round {number}: {len(files)} sounds   "
                f"direct {len(files) / direct:5.0f} a second ({direct:.2f} s)   "
                f"through the queue {len(files) / queued:5.0f} a second ({queued:.2f} s: "
                f"{saved:.2f} s to save the list, {queued - saved - working:.2f} s to be claimed, "
                f"{working:.2f} s of work)   overhead {100 * (queued / direct - 1):+.1f} %; "
                f"CPU {direct_cpu:.2f} s and {queued_cpu:.2f} s"
            )
    finally:
        worker.stop()
    print(f"{bad} sounds missing, silent or too long")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
