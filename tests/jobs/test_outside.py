"""Somebody else's service is asked slowly, and left alone while it is down, by all processes."""

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from osmosmjerka.jobs.outside import SharedCircuit, SharedPace
from tests.databases import ROOT, migrated_file, new_postgresql
from tests.vocab.speech.google_server import GoogleServer

pytestmark = pytest.mark.database


class Clock:
    def __init__(self):
        self.now = timezone.now()

    def __call__(self):
        return self.now

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def two_paces(db, clock):
    """The same service's pace, as two processes see it."""
    return [SharedPace("radio", rate=2, burst=3, clock=clock) for _process in range(2)]


def test_a_burst_goes_out_at_once_and_the_rest_at_the_rate(two_paces):
    waits = [two_paces[turn % 2].take(patience=9) for turn in range(6)]
    assert waits == pytest.approx([0, 0, 0, 0.5, 1, 1.5])


def test_who_has_no_patience_takes_no_turn(two_paces):
    one, other = two_paces
    for _turn in range(3):
        one.take(patience=0)
    assert one.take(patience=0.1) is None
    assert other.take(patience=1) == pytest.approx(0.5)


def test_what_was_not_used_is_not_saved_up_beyond_a_burst(two_paces, clock):
    two_paces[0].take(patience=0)
    clock.wait(3600)
    waits = [two_paces[turn % 2].take(patience=9) for turn in range(4)]
    assert waits == pytest.approx([0, 0, 0, 0.5])


@pytest.fixture
def two_circuits(db, clock):
    return [SharedCircuit("radio", failures=3, rest=60, clock=clock) for _process in range(2)]


def test_failures_of_all_processes_open_the_circuit_for_all(two_circuits, clock):
    one, other = two_circuits
    for circuit in (one, other, one):
        assert circuit.enter() == 0
        circuit.failed()
    assert one.is_open
    assert other.is_open
    clock.wait(10)
    assert one.enter() == other.enter() == pytest.approx(50)


def test_after_the_rest_one_process_tries_and_its_success_closes_it(two_circuits, clock):
    one, other = two_circuits
    for _time in range(3):
        one.failed()
    clock.wait(61)
    assert other.enter() == 0
    assert one.enter() > 0
    other.succeeded()
    assert not one.is_open
    assert one.enter() == other.enter() == 0


def test_a_failed_attempt_rests_again_and_a_process_that_died_blocks_nobody(two_circuits, clock):
    one, other = two_circuits
    for _time in range(3):
        one.failed()
    clock.wait(61)
    assert one.enter() == 0
    one.failed()
    assert other.enter() == pytest.approx(60)
    clock.wait(61)
    assert one.enter() == 0  # and is never heard of again
    clock.wait(61)
    assert other.enter() == 0


def test_a_success_between_failures_counts_from_the_start(two_circuits):
    one, other = two_circuits
    for circuit in (one, other):
        circuit.failed()
    other.succeeded()
    one.failed()
    assert not one.is_open


# ---- two real processes ----

SPEAK = """
import django; django.setup()
import json
from vocab.sounds import voices
from vocab.speech.engine import ServiceFailed
voices.GTTS_RATE, voices.GTTS_BURST = 1 / 86400, 6  # a burst, then one a day
{control}
voice, spoken = voices.gtts(), 0
print("ready", flush=True)
input()
for word in ["kuća", "kruh", "more", "nebo", "list", "riba"]:
    try:
        voice.speak(word, "hr")
        spoken += 1
    except ServiceFailed:
        pass
print(json.dumps(spoken))
"""
CONTROL = """
from vocab.speech.google import Gtts
from tests.vocab.speech.pacing import Circuit, TokenBucket
own = Gtts(
    base_url="{url}", circuit=Circuit(), bucket=TokenBucket(rate=1 / 86400, burst=6)
)
voices.gtts = lambda: own
"""


def processes_ask(environment, control=""):
    """Let two processes say six words each at the same time; return how many each got."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SPEAK.format(control=control)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _number in range(2)
    ]
    for process in running:
        assert process.stdout.readline() == "ready\n"
    for process in running:
        process.stdin.write("go\n")
        process.stdin.flush()
    return [json.loads(process.communicate()[0]) for process in running]


@pytest.fixture
def google():
    server = GoogleServer(host="127.0.0.1")
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgres"])
def environment(request, tmp_path, google):
    """A migrated site of its own, as its processes see it."""
    variables = {}
    if request.param == "sqlite":
        Path(tmp_path, "osmosmjerka.sqlite3").write_bytes(migrated_file())
    else:
        variables["DATABASE_URL"] = new_postgresql()
    environment = {
        name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}
    } | {
        "DJANGO_SETTINGS_MODULE": "osmosmjerka.settings",
        "OSMOSMJERKA_DATA_DIR": str(tmp_path),
        "OSMOSMJERKA_GTTS_URL": google.url,
        "no_proxy": "127.0.0.1",
        **variables,
    }
    return environment


@pytest.mark.thorough
@pytest.mark.xdist_group("kill")
def test_two_processes_share_the_rate_at_which_google_is_asked(environment, google):
    assert sum(processes_ask(environment)) == 6
    assert len(google.requests) == 6


@pytest.mark.thorough
@pytest.mark.xdist_group("kill")
def test_with_a_rate_each_two_processes_ask_twice_as_much(environment, google):
    """The control: the pace that one process keeps for itself."""
    assert processes_ask(environment, CONTROL.format(url=google.url)) == [6, 6]
    assert len(google.requests) == 12
