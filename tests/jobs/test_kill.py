"""kill -9 in the middle of 20 jobs: after a restart all 20 are ready, exactly once.

Real processes: the supervising process with its SQLite file, and Celery workers on Redis and
PostgreSQL. The control runs the same with the sweeper off, and loses jobs. Daily only the
first of them is killed: what differs between the brokers is not who takes the jobs up again.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from tests.databases import ROOT, migrated_file, new_postgresql
from tests.services import is_listening, missing

JOBS = 20
REDIS = "redis://127.0.0.1:6379/1"

# One after another: they share a Redis database and want the processors.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kill")]

SETUP = "import django; django.setup()\n"

# Programs one after another in one process: Django takes seconds to start.
CONSOLE = (
    SETUP
    + """
import contextlib, io, json, sys
for line in sys.stdin:
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(json.loads(line), {})
    print(json.dumps(told.getvalue()), flush=True)
"""
)

MIGRATE = "from django.core.management import call_command; call_command('migrate', verbosity=0)"

ENQUEUE = f"""
from osmosmjerka.accounts.models import School, User
from osmosmjerka.accounts.people import create_person
from puzzles.making.services import request_puzzle
from vocab.imports.pasting import parse_pasted
from vocab.lists.services import create_list

school = School.objects.create(name="s")
teacher = create_person(username="t", display_name="T", role="teacher", school=school)
rows = parse_pasted(open("puzzles/demo/animals-hr-en.tsv", encoding="utf-8").read()).rows
words = create_list(
    owner=teacher, title="l", language="hr", translation_languages=["en"], rows=rows
)
kinds = [("crossword", dict(seconds=0.1)), ("finder", dict()), ("word-search", dict())]
for number in range({JOBS}):
    kind, settings = kinds[number % 3]
    request_puzzle(
        vocabulary_list=words, kind=kind, created_by=teacher, seed=number, settings=settings
    )
"""

REPORT = """
import json
from django.db.models import Count
from django.utils import timezone
from osmosmjerka.jobs.models import Job
from puzzles.models import Puzzle
puzzles = Puzzle.objects.annotate(size=Count("placements"))
jobs = Job.objects.filter(kind="puzzles.generate")  # not what a worker does every day
print(json.dumps({
    "jobs": jobs.count(),
    "done": jobs.filter(state="done").count(),
    "running": jobs.filter(state="running").count(),
    "leased": jobs.filter(state="running", lease_until__gt=timezone.now()).count(),
    "tried_again": jobs.filter(attempts__gt=1).count(),
    "ready": puzzles.filter(state="ready", size__gt=5, size__lte=15).count(),
    "reasons": sorted(set(puzzles.exclude(reason="").values_list("reason", flat=True))),
}))
"""

# In the middle of the jobs, however quick they are done: the process kills itself, with all its
# children, as its sixth begins. Its other threads and processes are then somewhere in theirs.
KILLED_IN_THE_MIDDLE = """
import dataclasses, os, signal
from osmosmjerka.jobs import ledger

begun, handler = [], ledger._handlers["puzzles.generate"]

def kill_at_the_sixth(run):
    begun.append(run)
    if len(begun) >= 6:
        os.killpg(0, signal.SIGKILL)
    handler.run(run)

ledger._handlers["puzzles.generate"] = dataclasses.replace(handler, run=kill_at_the_sixth)
"""

# Each round leaves a dot, by which it is seen that it was there.
WITHOUT_SWEEPER = """
from pathlib import Path
from django.conf import settings
from osmosmjerka.jobs import sweeper

def sweep():
    with Path(settings.DATA_DIR, "rounds").open("a") as rounds:
        rounds.write(".")
    return 0

sweeper.sweep = sweep
"""


class Site:
    """A deployment of its own: its environment, its processes."""

    def __init__(self, data_dir, **variables):
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if name in {"PATH", "HOME", "LANG", "VIRTUAL_ENV"}
        } | {
            "DJANGO_SETTINGS_MODULE": "osmosmjerka.settings",
            "OSMOSMJERKA_DATA_DIR": str(data_dir),
            "JOB_LEASE_SECONDS": "2",
            "JOB_SWEEP_SECONDS": "0.3",
            "LOG_LEVEL": "ERROR",
            "OSMOSMJERKA_GTTS": "false",
            **variables,
        }
        self.data_dir = data_dir
        self.log = (data_dir / "log.txt").open("ab")
        self.console = None

    def run(self, program):
        """Run *program* in the console of this site; return what it printed."""
        if self.console is None:
            self.console = subprocess.Popen(
                [sys.executable, "-c", CONSOLE],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log,
                text=True,
            )
        self.console.stdin.write(json.dumps(program) + "\n")
        self.console.stdin.flush()
        told = self.console.stdout.readline()
        assert told, (self.data_dir / "log.txt").read_text()
        return json.loads(told)

    def close(self):
        if self.console is not None:
            self.console.communicate()
        self.log.close()

    def report(self):
        return json.loads(self.run(REPORT))

    def start(self, *arguments):
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            start_new_session=True,
            stdout=self.log,
            stderr=self.log,
        )

    def wait_until_killed(self, process):
        """Wait for the end of a process that was `KILLED_IN_THE_MIDDLE`."""
        assert process.wait(60) == -signal.SIGKILL, (self.data_dir / "log.txt").read_text()
        report = self.report()
        assert 0 < report["running"] <= JOBS - report["done"] < JOBS, report

    def wait_until(self, is_enough, seconds=60):
        deadline = time.monotonic() + seconds
        while not is_enough(report := self.report()):
            if time.monotonic() > deadline:
                pytest.fail(f"after {seconds} s still {report}")
            time.sleep(0.1)
        return report


def stop(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def killed_in_the_end(process):
    try:
        yield process
    finally:
        stop(process)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def serve(site, before=""):
    """Start the supervising process; *before* is run in it first."""
    program = (
        SETUP + before + "from django.core.management import call_command\n"
        f"call_command('serve', port={free_port()})"
    )
    return site.start("-c", program)


def on_sqlite(kind, folder):
    """Yield a *kind* of site with a migrated file of its own."""
    Path(folder, "osmosmjerka.sqlite3").write_bytes(migrated_file())
    lend_static_files(folder)
    site = kind(folder)
    yield site
    site.close()


def lend_static_files(folder):
    """Let a site use the static files that are collected already: collecting takes seconds."""
    Path(folder, "static").symlink_to(settings.STATIC_ROOT)


@pytest.fixture
def embedded(tmp_path):
    yield from on_sqlite(Site, tmp_path)


@pytest.fixture
def production(tmp_path):
    """A site on a PostgreSQL database of its own and an empty Redis."""
    import redis

    if not is_listening(6379):
        missing("Redis")
    redis.Redis.from_url(REDIS).flushdb()
    lend_static_files(tmp_path)
    site = Site(tmp_path, DATABASE_URL=new_postgresql(), CELERY_BROKER_URL=REDIS)
    yield site
    site.close()
    redis.Redis.from_url(REDIS).flushdb()


def assert_all_done_once(report):
    assert report["jobs"] == report["done"] == report["ready"] == JOBS, report


def test_the_supervising_process_is_killed_and_no_job_is_lost(embedded):
    embedded.run(ENQUEUE)
    with killed_in_the_end(serve(embedded, KILLED_IN_THE_MIDDLE)) as first:
        embedded.wait_until_killed(first)
    with killed_in_the_end(serve(embedded)):
        report = embedded.wait_until(lambda report: report["done"] == JOBS)
    assert_all_done_once(report)


@pytest.mark.thorough
def test_without_the_sweeper_the_supervising_process_loses_jobs(embedded):
    """Control: what the sweeper would hand out again stays undone."""
    embedded.run(ENQUEUE)
    with killed_in_the_end(serve(embedded, KILLED_IN_THE_MIDDLE)) as first:
        embedded.wait_until_killed(first)
    with killed_in_the_end(serve(embedded, WITHOUT_SWEEPER)):
        embedded.wait_until(lambda report: report["leased"] == 0)
        seen = rounds_of(embedded)
        report = embedded.wait_until(lambda _report: rounds_of(embedded) >= seen + 2)
    assert report["ready"] < JOBS


def rounds_of(site):
    """Return how often the process whose sweeper is off came to where it would sweep."""
    rounds = site.data_dir / "rounds"
    return len(rounds.read_text()) if rounds.exists() else 0


def worker(site, before="", queues="default,search,sound", slots=2):
    """Start a Celery worker; *before* is run in it first."""
    arguments = [
        "worker", "-Q", queues, "-c", str(slots), "--loglevel", "ERROR",
        "--without-gossip", "--without-mingle",
    ]  # fmt: skip
    program = f"from osmosmjerka.celery import app; app.worker_main({arguments!r})"
    return site.start("-c", f"{SETUP}{before}\n{program}")


@pytest.mark.thorough
def test_a_worker_on_redis_is_killed_and_no_job_is_lost(production):
    production.run(ENQUEUE)
    with killed_in_the_end(worker(production, KILLED_IN_THE_MIDDLE)) as first:
        production.wait_until_killed(first)
    with killed_in_the_end(worker(production)):
        report = production.wait_until(lambda report: report["done"] == JOBS)
    assert_all_done_once(report)
