"""With LOG_FORMAT=json each line is one object, whichever program writes it."""

import json
import os
import signal
import socket
import urllib.error

import pytest

from tests.jobs.test_kill import embedded, production
from tests.services import wait_until
from tests.site.test_error_reports import FAIL_A_JOB, FAILING
from tests.site.test_metrics import PLACEMENTS, Running, of

pytestmark = pytest.mark.thorough  # that errors of processes are reported: test_error_reports
__all__ = ["embedded", "production"]

LOUD = """
import threading, warnings
warnings.warn("an old way of doing it", UserWarning)
threading.Thread(target=lambda: 1 / 0).start()
"""


# Celery and gunicorn write these past all loggers: as they stop, and why an application is broken.
PAST_LOGGERS = {"", "worker: Warm shutdown (MainProcess)", "it is broken"}


def lines(site):
    told = (site.data_dir / "log.txt").read_text().splitlines()
    return [line for line in told if line not in PAST_LOGGERS]


def objects(site):
    """Return what was logged; each line must be an object with the usual keys."""
    found = [json.loads(line) for line in lines(site)]
    for one in found:
        assert {"asctime", "levelname", "name", "message", "request_id"} <= set(one), one
    return found


def told(site, part):
    return [one for one in objects(site) if part in one["message"] + one["name"]]


def fail(running):
    headers = {
        "Authorization": f"Token {running.told['secret']}",
        "X-Request-ID": "request-0001",
    }
    body = {"attempt": "00000000-0000-4000-8000-000000000001", "cells": [[0, 0], [0, 1]]}
    with pytest.raises(urllib.error.HTTPError):
        running.ask(f"/api/play/{running.told['code']}/attempts/", headers, body)


def open_game(running):
    wait_until(lambda: json.loads(running.site.run(PLACEMENTS)))  # until there is one
    as_student = {"Authorization": f"Token {running.told['secret']}"}
    path = f"/api/play/{running.told['code']}/"
    running.ask(path, as_student)
    with pytest.raises(urllib.error.HTTPError):  # whatever a query holds, it is not logged
        running.ask(f"{path}?next=/secret/&q=hidden", as_student)


def speak_badly(port):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.sendall(b"nonsense\r\n\r\n")
        connection.recv(100)


def test_all_lines_of_serve_are_objects(embedded):
    embedded.environment |= {"LOG_FORMAT": "json", "LOG_REQUESTS": "true"}
    running = Running(embedded, FAILING + LOUD).serve()
    try:
        fail(running)
        speak_badly(running.port)
        open_game(running)
        embedded.run(FAIL_A_JOB)
        wait_until(lambda: any("Job failing" in line for line in lines(embedded)))
    finally:
        os.kill(running.processes[-1].pid, signal.SIGTERM)
        running.processes[-1].wait(20)
        running.close()
    [error] = [one for one in objects(embedded) if one["name"] == "django.request"
               and one["levelname"] == "ERROR"]  # fmt: skip
    assert "Traceback" in error["exc_info"] and error["request_id"] == "request-0001"
    [job] = told(embedded, "Job failing")
    assert "Traceback" in job["exc_info"] and job["kind"] == "failing"
    assert told(embedded, "an old way of doing it")
    assert "ZeroDivisionError" in told(embedded, "stopped a thread")[0]["exc_info"]
    assert told(embedded, "Osmosmjerka runs at") and told(embedded, "Stopped.")
    requests = [one for one in objects(embedded) if one["name"] == "osmosmjerka.requests"]
    asked = {(one["method"], one["route"], one["status"]) for one in requests}
    assert {("POST", "api:play-attempts", 500), ("GET", "api:play", 200)} <= asked
    assert all(0 < one["ms"] < 60_000 for one in requests)
    assert "request" not in error  # whose text has the address with the query
    text = json.dumps(requests, ensure_ascii=False)
    assert of([running.told["code"], "hidden", "next", "secret", "/"], text) == []


def test_in_text_they_are_lines_for_people(embedded):
    """The control: the objects come from the setting; and requests are logged only if wanted."""
    running = Running(embedded).serve()
    try:
        open_game(running)
    finally:
        running.close()
    with pytest.raises(json.JSONDecodeError):
        objects(embedded)
    assert not [line for line in lines(embedded) if "osmosmjerka.requests" in line]


@pytest.mark.xdist_group("kill")
def test_all_lines_of_gunicorn_and_celery_are_objects(production):
    production.environment |= {"LOG_FORMAT": "json"}
    running = Running(production)
    try:
        running.serve_with_several_processes()
        running.play(1)
        speak_badly(running.port)
        (production.data_dir / "broken.py").write_text("raise RuntimeError('it is broken')")
        broken = production.start(
            "-m", "gunicorn", "broken", f"--pythonpath={production.data_dir}", "--bind=127.0.0.1:0"
        )
        wait_until(lambda: broken.poll() is not None)
        for process in reversed(running.processes):
            os.kill(process.pid, signal.SIGTERM)
            process.wait(30)
    finally:
        running.close()
    assert told(production, "Starting gunicorn")
    [error] = told(production, "Exception in worker process")
    assert "Traceback" in error["exc_info"]
    assert told(production, "Job puzzles.generate")
