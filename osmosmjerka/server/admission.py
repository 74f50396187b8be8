"""How requests get in: they are answered one by one, others wait, and too many are refused.

Threads that answer at once take turns, because Python has one interpreter lock, and each has its
own connection to the database. So a server has a thread for each request that waits, and this WSGI
middleware a few that answer: the others than the first are for requests that take long. It is the
same for waitress and for gunicorn.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.db import connections

from osmosmjerka.db.sign_of_life import database
from osmosmjerka.web.outages import REFUSAL, Outage

logger = logging.getLogger(__name__)

AT_ONCE = 4
# A class that opens a page together waits. If more are under way, more come than can be answered,
# and a long queue helps nobody: each waits in it, and no more are answered.
MOST = 200
# A server has threads for these, and for those that are refused meanwhile.
THREADS = MOST + 50
# Browsers keep theirs open. With database and files below the 1024 that a process may open.
CONNECTIONS = 800
TURN = 0.1  # seconds after which the next request need not wait for the one before it
LONG = 0.7  # seconds; then the database is asked for a sign of life

Answer = tuple[str, list[tuple[str, str]], Iterable[bytes]]


class Admission:
    """A WSGI application that lets *at_once* requests into another and at most *most* wait."""

    def __init__(
        self, application: WSGIApplication, *, at_once: int = AT_ONCE, most: int = MOST
    ) -> None:
        self._application, self._most = application, most
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="answers")
        self._turn = threading.Lock()
        self._under_way = 0
        self._is_refusing = False
        self._lock = threading.Lock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == "/healthz":  # whether the process responds, not whether it has time
            return self._application(environ, start_response)
        if database.is_away():
            return self._refuse(environ, start_response, Outage.DATABASE)
        # Without its static files, a page that has just been answered would be useless.
        if not self._begin(is_needed=path.startswith(settings.STATIC_URL)):
            return self._refuse(environ, start_response, Outage.BUSY)
        try:
            future = self._threads.submit(self._answer, environ)
            future.add_done_callback(_let_it_be_sent)
            while not wait([future], LONG).done:
                if database.is_missing():
                    future.cancel()
                    return self._refuse(environ, start_response, Outage.DATABASE)
            return _sent(future, start_response)
        finally:
            self._end()

    def _begin(self, *, is_needed: bool) -> bool:
        """Count a request; return whether it may wait for its turn."""
        with self._lock:
            may = is_needed or self._under_way < self._most
            self._under_way += may
            if not may and not self._is_refusing:
                self._is_refusing = True
                logger.warning("Too many requests: some are refused.")
            return may

    def _end(self) -> None:
        with self._lock:
            self._under_way -= 1
            if self._is_refusing and self._under_way < self._most // 2:
                self._is_refusing = False
                logger.warning("All requests are answered again.")

    def _answer(self, environ: WSGIEnvironment) -> Answer:
        begun: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], *_error: Any) -> Any:
            begun.append((status, headers))

        # Threads that answer at once take the interpreter lock from each other: four cost half as
        # much again.
        # But nobody waits for a request that takes long, such as a report.
        has_turn = self._turn.acquire(timeout=TURN)
        try:
            body = self._application(environ, start_response)
        finally:
            if has_turn:
                self._turn.release()
        return *begun[-1], body

    def _refuse(
        self, environ: WSGIEnvironment, start_response: StartResponse, why: Outage
    ) -> Iterable[bytes]:
        """Let the application refuse it, in the reader's language, without the database."""
        return self._application({**environ, REFUSAL: why}, start_response)


def _let_it_be_sent(_future: Future[Answer]) -> None:
    """Give the interpreter lock to the thread that sends, before the next request takes it."""
    time.sleep(0.0001)


def _sent(future: Future[Answer], start_response: StartResponse) -> Iterable[bytes]:
    status, headers, body = future.result()
    start_response(status, headers)
    return Streamed(body) if getattr(body, "streaming", False) else body


class Streamed:
    """A body that is made while it is sent, in the server's thread.

    What it reads is read over a connection of that thread, of which a server has many: the
    connection is closed at the end.
    """

    def __init__(self, body: Any) -> None:
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._body)

    def close(self) -> None:
        self._body.close()
        connections.close_all()
