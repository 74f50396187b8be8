"""Workers that are told to stop, killed, or whose clocks are wrong, and services that hang."""

from __future__ import annotations

import json
import signal
import time

import pytest

from tests.jobs.test_kill import (
    ENQUEUE,
    JOBS,
    embedded,
    killed_in_the_end,
    production,
    serve,
    stop,
)
from tests.outages import worker
from tests.services import wait_until
from tests.vocab.speech.google_server import GoogleServer

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kill")]
__all__ = ["embedded", "production"]

MAKE = """
from osmosmjerka.accounts.models import School, User
from osmosmjerka.accounts.people import create_person
from puzzles.making.services import request_puzzle
from vocab.imports.pasting import parse_pasted
from vocab.lists.services import create_list

name = "t%d" % User.objects.count()
school = School.objects.create(name=name)
teacher = create_person(username=name, display_name="T", role="teacher", school=school)
rows = parse_pasted(open("puzzles/demo/animals-hr-en.tsv", encoding="utf-8").read()).rows
words = create_list(
    owner=teacher, title="l", language="hr", translation_languages=["en"], rows=rows
)
"""
LONG = """
request_puzzle(
    vocabulary_list=words, kind="crossword", created_by=teacher, settings={"seconds": %d}
)
"""
QUICK = """
request_puzzle(vocabulary_list=words, kind="word-search", created_by=teacher)
"""
JOB = """
import json
from osmosmjerka.jobs.models import Job
print(json.dumps(Job.objects.filter(kind="puzzles.generate").values(
    "state", "worker", "attempts", "deaths", "error"
).order_by("created_at").last()))
"""


def job_of(site):
    return json.loads(site.run(JOB))


def running(site, *, instead_of=""):
    """Wait until a worker, another than before, runs the job; return its name."""

    def found():
        job = job_of(site)
        return job["state"] == "running" and job["worker"] != instead_of and job["worker"]

    return wait_until(found)


# ---- stopped ----


@pytest.mark.thorough  # ten seconds of real time are its promise
def test_a_worker_that_stops_hands_a_long_job_to_another_within_seconds(production):
    first = worker(production)
    try:
        production.run(MAKE + LONG % 60)
        name = running(production)
        second = worker(production)
        wait_until(lambda: production.run(HEARTBEATS).strip() == "2")
        began = time.monotonic()
        first.send_signal(signal.SIGTERM)
        running(production, instead_of=name)
        assert time.monotonic() - began < 10
        job = job_of(production)
        assert (job["attempts"], job["deaths"]) == (1, 0)
        first.wait(20)
    finally:
        stop(first)
        stop(second)


HEARTBEATS = """
from osmosmjerka.jobs.models import WorkerHeartbeat
print(WorkerHeartbeat.objects.count())
"""


# The server waits to be told to stop in the middle of its start: some threads of the worker run,
# and others do not.
HALF_STARTED = """
import threading
start = threading.Thread.start

def start_and_wait(thread):
    start(thread)
    if thread.name == "search-jobs":
        threading.Event().wait()

threading.Thread.start = start_and_wait
"""


def test_a_server_that_stops_hands_its_long_job_back_at_once(embedded):
    embedded.run(MAKE + LONG % 60)
    for before in ("", HALF_STARTED):
        with killed_in_the_end(serve(embedded, before)) as process:
            running(embedded)
            process.send_signal(signal.SIGTERM)
            process.wait(20)
            job = job_of(embedded)
            assert (job["state"], job["attempts"], job["deaths"]) == ("queued", 0, 0), before


# ---- killed ----


@pytest.mark.thorough
def test_a_long_job_that_is_under_way_at_five_deaths_is_done_in_the_end(embedded):
    embedded.run(MAKE + LONG % 4)
    for death in range(5):
        with killed_in_the_end(serve(embedded)):
            wait_until(lambda death=death: job_of(embedded)["state"] == "running")
    with killed_in_the_end(serve(embedded)):
        wait_until(lambda: job_of(embedded)["state"] == "done")
    assert job_of(embedded)["attempts"] == 1


DEADLY = """
import os, signal
from osmosmjerka.jobs import ledger, sweeper
sweeper.MAX_DEATHS = 3
handler = ledger._handlers["puzzles.generate"]

def kill(run):
    os.kill(os.getpid(), signal.SIGKILL)

ledger._handlers["puzzles.generate"] = ledger.Handler(
    kill, handler.time_limit, handler.when_failed
)
"""


@pytest.mark.thorough
def test_a_job_that_kills_its_workers_ends_with_a_sentence(production):
    """The control: Celery starts another process for each that dies."""
    with killed_in_the_end(worker(production, DEADLY)):
        production.run(MAKE + QUICK)
        wait_until(lambda: job_of(production)["state"] == "failed")
    assert "stopped 3 times in the middle of this job" in job_of(production)["error"]


# ---- with wrong clocks ----

WRONG = """
import time_machine
from datetime import datetime, timedelta, timezone
time_machine.travel(datetime.now(timezone.utc) + timedelta(seconds={}), tick=True).start()
"""
OWN_CLOCKS = """
from django.utils import timezone as own
from osmosmjerka.jobs import clock
clock.now = own.now
"""
TAKEN_AWAY = """
from django.db.models import Sum
from osmosmjerka.jobs.models import Job
print(Job.objects.aggregate(n=Sum("deaths"))["n"])
"""


HOUR = 3600


def with_wrong_clocks(site, *offsets, before="", is_enough):
    """Let workers whose clocks are so many seconds wrong do jobs until *is_enough*."""
    for _number in range(3):  # long enough for the other to see it run
        site.run(MAKE + LONG % 3)
    workers = [worker(site, WRONG.format(offset) + before) for offset in offsets]
    try:
        site.run(ENQUEUE)
        wait_until(is_enough)
    finally:
        for process in workers:
            stop(process)


def taken_away(site):
    """Return how often a job was taken from the worker that ran it."""
    return int(site.run(TAKEN_AWAY))


@pytest.mark.thorough
def test_workers_with_clocks_an_hour_wrong_do_all_jobs_once(production):
    with_wrong_clocks(
        production, HOUR, -HOUR, is_enough=lambda: production.report()["done"] == JOBS + 3
    )
    assert taken_away(production) == 0
    report = production.report()
    assert report["jobs"] == report["done"] == report["ready"] == JOBS + 3


@pytest.mark.thorough
def test_by_their_own_clocks_one_would_rob_the_other(production):
    """The control."""
    with_wrong_clocks(
        production, HOUR, 0, before=OWN_CLOCKS, is_enough=lambda: taken_away(production) > 0
    )


# ---- a service that hangs ----

SOON = """
from vocab.sounds import render, voices
voices.GTTS_REST = render._SHORTEST_WAIT = 3.0
"""
PATIENT = """
from vocab.sounds import voices
from vocab.speech.http import Exchange, Limits
voices._CountedExchange.__init__ = lambda self: Exchange.__init__(self, limits=Limits(60, 60, 60))
"""
BETTER = """
from vocab.models import Pronunciation
print(Pronunciation.objects.filter(engine="gtts", state="ready").count())
"""
IMPROVING = """
from osmosmjerka.jobs.models import Job
print(Job.objects.filter(kind="vocab.improve_sounds", state="running").count())
"""


@pytest.fixture
def google():
    server = GoogleServer(host="127.0.0.1")
    yield server
    server.close()


@pytest.fixture
def speaking(production, google):
    production.environment |= {
        "OSMOSMJERKA_GTTS": "true",
        "OSMOSMJERKA_GTTS_URL": google.url,
        "no_proxy": "127.0.0.1",
    }
    return production


def seconds_for_a_puzzle(site):
    """Ask for a quick puzzle while sounds wait; return how long it takes."""
    began = time.monotonic()
    site.run(MAKE + QUICK)
    wait_until(lambda: job_of(site)["state"] == "done")
    return time.monotonic() - began


@pytest.mark.thorough
def test_while_google_hangs_puzzles_are_made_and_later_all_sounds_get_better(speaking, google):
    google.fault = "hang"
    workers = [worker(speaking, SOON + PATIENT, queues=queue) for queue in ("default", "sound")]
    try:
        for _list in range(3):
            speaking.run(MAKE)
        wait_until(lambda: google.asked)
        seconds_for_a_puzzle(speaking)
        assert int(speaking.run(IMPROVING)) > 0  # it still waits for Google
        google.fault = ""
        wait_until(lambda: int(speaking.run(BETTER)) > 3)
    finally:
        for process in workers:
            stop(process)
