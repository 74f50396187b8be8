"""Errors are reported to a service that speaks Sentry's protocol: what failed, and nobody's name.

The service is a real HTTP server on this machine.
"""

import gzip
import json
import os
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import osmosmjerka
from tests.jobs.test_kill import embedded, production
from tests.services import wait_until
from tests.site.test_metrics import Running, of

pytestmark = pytest.mark.slow
__all__ = ["embedded", "production"]

# A view and a job that fail with what children are called and answer, in the text of the error,
# in variables and in the log.
FAILING = """
import logging
from osmosmjerka.jobs import ledger
from puzzles.play import services


def fail_in_view(session, move_id, move, latency_ms, answered_at, sent_at):
    child, found, card = "Krunoslav", "krokodil", "zvonimira"
    logging.getLogger("puzzles").warning("%s found %s", child, found)
    raise ValueError(f"{child} of {card} wrote {found}: Key (username)=(krunoslav7) exists")

services._record_move = fail_in_view

def fail_in_job(run):
    list_of_words = ["krokodil", "Zvonimira"]
    raise RuntimeError(f"no place for {list_of_words}")

ledger.MAX_ATTEMPTS = 1
ledger._handlers["failing"] = ledger.Handler(fail_in_job, ledger.timedelta(minutes=1))
"""

# The control: what the library sends by itself.
UNSCRUBBED = """
import os, sentry_sdk
from sentry_sdk.integrations.django import DjangoIntegration
sentry_sdk.init(os.environ["SENTRY_DSN"], send_default_pii=True, integrations=[DjangoIntegration()])
"""

FAIL_A_JOB = """
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
ledger._handlers["failing"] = None
ledger.enqueue("failing", key="failing")
"""


class Service:
    """A server to which errors are reported."""

    def __init__(self):
        self.reports = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                service.reports.append((self.path, body.decode()))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_about):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://0123abcd@127.0.0.1:{self.server.server_port}/1"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def events(self):
        """Return the events that arrived, decoded."""
        found = []
        for path, body in self.reports:
            assert path == "/api/1/envelope/"
            lines = body.splitlines()
            for head, content in zip(lines[1::2], lines[2::2], strict=True):
                assert json.loads(head)["type"] == "event"
                found.append(json.loads(content))
        return found

    def text(self):
        return "\n".join(body for _path, body in self.reports)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def service():
    service = Service()
    yield service
    service.close()


def fail(running):
    """Let a view fail; return the status, and the seconds that the page took."""
    told = running.told
    headers = {"Authorization": f"Token {told['secret']}", "X-Request-ID": "request-0001"}
    body = {"attempt": "00000000-0000-4000-8000-000000000001", "cells": [[0, 0], [0, 1]]}
    began = time.monotonic()
    with pytest.raises(urllib.error.HTTPError) as error:
        running.ask(f"/api/play/{told['code']}/attempts/", headers, body)
    return error.value.code, time.monotonic() - began


def begin(site, address, before=FAILING):
    site.environment |= {"SENTRY_DSN": address} if address else {}
    return Running(site, before).serve()


def secrets(running):
    """Return what must not be told; a pattern of addresses, such as /api/play/{code}/, may be."""
    return [each for each in running.secrets(["krokodil"]) if each != "/api/"]


def test_errors_of_views_and_jobs_arrive_without_anything_about_people(embedded, service):
    running = begin(embedded, service.address)
    try:
        assert fail(running)[0] == 500
        running.site.run(FAIL_A_JOB)
        of_view, of_job = wait_until(
            lambda: len(service.events()) >= 2 and sorted(service.events(), key=in_job)
        )
    finally:
        running.close()
    assert of(secrets(running), service.text()) == []
    assert of_view["release"] == f"osmosmjerka@{osmosmjerka.__version__}"
    [error] = of_view["exception"]["values"]
    assert error["type"] == "ValueError"
    assert error["stacktrace"]["frames"][-1]["function"] == "fail_in_view"
    assert of_view["transaction"] == "/api/play/{code}/attempts/"
    assert of_view["tags"]["request_id"] == "request-0001"
    [error] = of_job["exception"]["values"]
    assert (error["type"], of_job["tags"]["job"]) == ("RuntimeError", "failing")
    assert error["stacktrace"]["frames"][-1]["lineno"]
    assert set(of_view) <= {
        "event_id", "timestamp", "platform", "level", "logger", "release", "sdk", "modules",
        "tags", "transaction", "contexts", "request", "exception", "environment", "server_name",
    }  # fmt: skip


def in_job(event):
    return "job" in event["tags"]


@pytest.mark.thorough
def test_by_itself_the_library_would_report_names_and_words(embedded, service):
    """The control."""
    running = begin(embedded, service.address, FAILING + UNSCRUBBED)
    try:
        fail(running)
        wait_until(service.events)
    finally:
        running.close()
    told = set(of(secrets(running), service.text()))
    assert {"zvonimir", "krunoslav", "krokodil", running.told["code"]} <= told


@pytest.mark.thorough
def test_without_the_variable_nothing_is_reported(embedded, service):
    running = begin(embedded, "")
    try:
        assert fail(running)[0] == 500
        # As it ends, the library sends what it still has.
        os.kill(running.processes[-1].pid, signal.SIGTERM)
        running.processes[-1].wait(60)
    finally:
        running.close()
    assert service.reports == []


@pytest.mark.thorough  # a second of real time is its promise
def test_a_service_that_hangs_or_is_away_delays_no_page(embedded):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(TimeoutError):  # the control: who asks it waits
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1)
        running = begin(embedded, f"http://0123abcd@127.0.0.1:{port}/1")
        try:
            took = [fail(running) for _time in range(20)]
            assert {status for status, _seconds in took} == {500}
            assert max(seconds for _status, seconds in took[1:]) < 1
            silent.close()  # and then nobody listens
            assert fail(running)[1] < 1
            began = time.monotonic()
            os.kill(running.processes[-1].pid, signal.SIGTERM)
            running.processes[-1].wait(20)
            assert time.monotonic() - began < 10
        finally:
            running.close()
