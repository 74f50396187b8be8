"""One thread of a web process answers, and others while a request takes long: under gunicorn.

The embedded server: test_embedded.py.
"""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from osmosmjerka.server import threads as turns
from osmosmjerka.server.gunicorn_worker import Threads
from osmosmjerka.server.threads import Turns
from tests.jobs.test_kill import free_port, stop
from tests.services import is_listening, wait_until

# Answers with the name of the thread; /wait says so in a file, and waits until there is another.
GUNICORN = """
import pathlib, threading, time
from gunicorn.app.base import BaseApplication
from osmosmjerka.server import threads as turns
turns.LONG = {long}

def application(environ, start_response):
    name = threading.current_thread().name.encode()
    if environ["PATH_INFO"] == "/wait":
        pathlib.Path("waits").touch()
        while not pathlib.Path("goes on").exists():
            time.sleep(0.01)
    start_response("200 OK", [("Content-Length", str(len(name)))])
    return [name]

class Site(BaseApplication):
    def load_config(self):
        self.cfg.set("worker_class", "osmosmjerka.server.gunicorn_worker.PatientWorker")
        self.cfg.set("threads", 2)
        self.cfg.set("bind", "127.0.0.1:{port}")
        self.cfg.set("control_socket_disable", True)

    def load(self):
        return application

Site().run()
"""


@pytest.fixture
def gunicorn(tmp_path):
    """Start gunicorn; return a function that asks for a path."""
    processes = []

    def start(long):
        port = free_port()
        process = subprocess.Popen(
            [sys.executable, "-c", GUNICORN.format(long=long, port=port)],
            cwd=tmp_path,
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        processes.append(process)
        wait_until(lambda: is_listening(int(port)) or process.poll() is not None)
        return lambda path: requests.get(f"http://127.0.0.1:{port}/{path}", timeout=30).text

    yield start
    for process in processes:
        stop(process)


def test_a_long_request_keeps_nobody_waiting(gunicorn, tmp_path):
    ask = gunicorn(long=turns.LONG)
    with ThreadPoolExecutor() as pool:
        slow = pool.submit(ask, "wait")
        wait_until((tmp_path / "waits").exists)
        quick = {ask("now") for _time in range(3)}
        (tmp_path / "goes on").touch()
        assert slow.result() not in quick


def test_one_thread_answers_as_long_as_no_request_takes_long(gunicorn):
    ask = gunicorn(long=60)
    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(ask, ["now"] * 60))) == 1


def test_helpers_do_what_waits_only_while_the_first_is_busy_for_long(monkeypatch):
    threads = Threads(2)
    may_go_on = threading.Event()
    monkeypatch.setattr(turns, "LONG", 60)
    slow, quick = threads.submit(may_go_on.wait, 30), threads.submit(threading.current_thread)
    wait_until(lambda: threads._turns._began)
    threads.look_after()
    assert not quick.done()
    monkeypatch.setattr(turns, "LONG", -1)
    threads.look_after()
    helper = quick.result(timeout=30)
    may_go_on.set()
    assert slow.result(timeout=30)
    assert threads.submit(threading.current_thread).result(timeout=30) != helper
    threads.shutdown()


def test_an_error_reaches_whoever_waits_for_it():
    threads = Threads(2)
    failed = threads.submit(int, "x")
    assert isinstance(failed.exception(timeout=30), ValueError)
    threads.shutdown()


def test_help_is_for_those_who_wait_and_no_more_than_there_are_threads(monkeypatch):
    monkeypatch.setattr(turns, "LONG", -1)
    some = Turns(threads=2)
    assert not some.take_help()  # the first thread takes what comes
    at_work = []
    may_go_on = threading.Event()

    def work():
        with some.taken():
            at_work.append(threading.get_ident())
            may_go_on.wait(30)

    workers = [threading.Thread(target=work) for _number in range(2)]
    for number, worker in enumerate(workers, 1):
        worker.start()
        wait_until(lambda number=number: len(at_work) == number)
        assert some.take_help() is (number == 1)
    may_go_on.set()
    for worker in workers:
        worker.join()
    assert not some.take_help()


def test_a_helper_that_is_done_helps_again_at_once(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(turns, "monotonic", lambda: clock[0])
    some = Turns(threads=4)

    def answer_something():
        with some.taken():
            pass

    with some.taken():  # by this thread, and for long
        clock[0] = turns.LONG * 2
        for _time in range(5):
            assert some.take_help()
            assert not some.take_help()  # until it has begun
            helper = threading.Thread(target=answer_something)
            helper.start()
            helper.join()
