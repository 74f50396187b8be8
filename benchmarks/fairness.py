"""Measure how long others wait while a hundred long crosswords of one teacher are queued.

    python -m benchmarks.fairness [--jobs 100] [--seconds 60] [--rounds 3] [--celery]

One teacher asks for many crosswords of a minute each. Then a colleague asks for a crossword and a
student for practice, as both do on the pages; printed are the seconds until each is ready. The
background work is done by a process of its own: the embedded worker on SQLite, or with --celery
two Celery workers, as the README starts them, on the database of DATABASE_URL (PostgreSQL, which
this empties) and the broker of CELERY_BROKER_URL. The baseline, in the same run, is the same with
turns switched off: jobs run in the order of their messages, and searches do not give way. As it
would wait for more than an hour, it is left after --patience seconds. Exits with status 1 if
somebody waits longer with turns than they should: 10 seconds for the crossword, 5 for the practice.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

LONGEST = {"crossword of a colleague": 10.0, "practice of a student": 5.0}

_WITHOUT_TURNS = """
from osmosmjerka.jobs import ledger
ledger.run_next = ledger.run_job
ledger.JobRun.is_awaited = lambda run: False
"""
_EMBEDDED = """
import signal, threading
from osmosmjerka.jobs.worker import EmbeddedWorker
worker = EmbeddedWorker()
worker.start()
signal.signal(signal.SIGTERM, lambda *_: stopped.set())
stopped = threading.Event()
stopped.wait()
worker.stop()
"""
_CELERY = """
from osmosmjerka.celery import app
app.worker_main(["worker", "-Q", {queues!r}, "-c", {slots!r}, "-n", {queues!r} + "@%h",
    "--loglevel", "ERROR", "--without-gossip", "--without-mingle"])
"""


def main() -> int:
    """Run the benchmark; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--patience", type=float, default=60)
    parser.add_argument("--celery", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "osmosmjerka.settings",
            "OSMOSMJERKA_DATA_DIR": data,
            "OSMOSMJERKA_GTTS": "false",
            "LOG_LEVEL": "ERROR",
        }
        if not options.celery:
            os.environ["DATABASE_URL"] = f"sqlite:///{data}/fairness.sqlite3"
            os.environ.pop("CELERY_BROKER_URL", None)
        return _measure(options)


def _measure(options: argparse.Namespace) -> int:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    status = 0
    for name, before in (("turns", ""), ("no turns (baseline)", _WITHOUT_TURNS)):
        call_command("flush", interactive=False, verbosity=0)
        waits = _waits(options, before, rounds=options.rounds if not before else 1)
        for what, seconds in waits.items():
            told = ", ".join("more" if one is None else f"{one:.1f}" for one in seconds)
            print(f"{name:<22} {what:<26} {told} s")
            known = [one for one in seconds if one is not None]
            is_late = len(known) < len(seconds) or median(known) > LONGEST[what]
            if not before and is_late:
                print(f"{'':22} more than {LONGEST[what]} s")
                status = 1
    return status


def _waits(
    options: argparse.Namespace, before: str, *, rounds: int
) -> dict[str, list[float | None]]:
    """Return for each wish how long it took each time; None if it was not ready in time."""
    from osmosmjerka.accounts import people
    from osmosmjerka.accounts.models import Membership, School, User
    from puzzles.kinds.crossword import Crossword
    from puzzles.making import services as making
    from vocab.imports.pasting import parse_pasted
    from vocab.lists.services import create_list

    school = School.objects.create(name="Benchmark")

    def person(name: str, role: str) -> User:
        return people.create_person(
            username=name, display_name=name, role=role, school=school, password=None
        )

    busy, colleague = person("busy", "teacher"), person("colleague", "teacher")
    demo = Path("puzzles/demo/animals-hr-en.tsv")
    rows = parse_pasted(demo.read_text(encoding="utf-8")).rows
    words = create_list(
        owner=busy,
        title="l",
        language="hr",
        translation_languages=["en"],
        rows=rows,
        visibility="school",
    )
    classroom = people.create_classroom(name="6b", owner=colleague)

    def crossword(asker: User, seconds: float) -> Any:
        return making.request_puzzle(
            vocabulary_list=words,
            kind=Crossword.slug,
            created_by=asker,
            settings={"words": min(100, len(rows)), "seconds": seconds},
        )

    making.MOST_IN_PREPARATION = options.jobs + 1  # the quota is not what is measured
    with ExitStack() as stack:
        for program in _programs(options):
            setup = "import django\ndjango.setup()\n"
            process = subprocess.Popen([sys.executable, "-c", setup + before + program])
            stack.callback(_stop, process)
        _until(_is_worker_alive, 60)
        for _number in range(options.jobs):
            crossword(busy, options.seconds)
        _until(lambda: _is_running(busy), 60)
        waits: dict[str, list[float | None]] = {what: [] for what in LONGEST}
        for number in range(rounds):
            student = person(f"student{number}", "student")
            people.join_classroom(classroom=classroom, person=student, role=Membership.Role.STUDENT)
            for what, asker in zip(LONGEST, (colleague, student), strict=True):
                began = time.monotonic()
                puzzle = crossword(asker, 1)
                is_ready = _until(partial(_is_ready, puzzle), options.patience)
                waits[what].append(time.monotonic() - began if is_ready else None)
                time.sleep(1)
    return waits


def _programs(options: argparse.Namespace) -> list[str]:
    if not options.celery:
        return [_EMBEDDED]
    return [
        _CELERY.format(queues="default,sound", slots="2"),
        _CELERY.format(queues="search", slots="1"),
    ]


def _is_worker_alive() -> bool:
    from osmosmjerka.jobs import turns

    return turns.slots_of("search") > 0


def _is_running(person: Any) -> bool:
    from osmosmjerka.jobs.models import Job

    return Job.objects.filter(owner=person, state=Job.State.RUNNING, queue="search").exists()


def _is_ready(puzzle: Any) -> bool:
    puzzle.refresh_from_db(fields=["state"])
    return bool(puzzle.state == puzzle.State.READY)


def _until(is_so: Callable[[], bool], seconds: float) -> bool:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if is_so():
            return True
        time.sleep(0.05)
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:  # a search of a minute is not interrupted
        process.kill()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
