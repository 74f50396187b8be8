"""A worker of gunicorn with threads, which refuses requests that waited too long; and its log."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from time import monotonic
from typing import Any

from dotenv import dotenv_values
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.workers.gthread import TConn, ThreadWorker
from pythonjsonlogger.json import JsonFormatter

from osmosmjerka import paths
from osmosmjerka.monitoring import logs
from osmosmjerka.server import threads as turns
from osmosmjerka.server.threads import Turns
from osmosmjerka.web.overload import Patience
from osmosmjerka.web.requests import RequestIdFilter

_ENV_FILE = paths.SITE / ".env"


class Threads(Executor):
    """The threads of a process: the first does what is submitted, and helpers if it takes long."""

    def __init__(self, threads: int) -> None:
        self._turns = Turns(threads)
        self._first = ThreadPoolExecutor(1)
        self._helpers = ThreadPoolExecutor(threads)
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()

    def submit(self, function: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, partial(function, *args, **options)))
        self._first.submit(self._do_next)
        return future

    def _do_next(self) -> None:
        """Do what has waited longest, unless another thread has taken it."""
        try:
            future, call = self._waiting.popleft()
        except IndexError:
            return
        with self._turns.taken():
            try:
                future.set_result(call())
            except BaseException as error:  # as ThreadPoolExecutor does
                future.set_exception(error)

    def look_after(self) -> None:
        """Let a helper do something if the others are busy for long."""
        if self._waiting and self._turns.take_help():
            self._helpers.submit(self._do_next)

    @property
    def does_wait(self) -> bool:
        return bool(self._waiting)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for threads in (self._first, self._helpers):
            threads.shutdown(wait, cancel_futures=cancel_futures)


class PatientWorker(ThreadWorker):  # type: ignore[misc]  # a library without types
    tpool: Threads

    def init_process(self) -> None:
        self.patience = Patience()
        try:
            super().init_process()
        except Exception:
            # Gunicorn would do the same, and print the error once more, past the log.
            self.log.exception("Exception in worker process")
            sys.exit(-1 if self.booted else Arbiter.WORKER_BOOT_ERROR)

    def get_thread_pool(self) -> Threads:
        return Threads(self.cfg.threads)

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Do what the main loop does in each round, and look after those who wait."""
        self.tpool.look_after()
        most = turns.LONG / 2 if self.tpool.does_wait else timeout
        super().wait_for_and_dispatch_events(min(timeout, most))

    def enqueue_req(self, conn: TConn) -> None:
        conn.queued_at = monotonic()
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> Any:
        self.patience.begin(monotonic() - conn.queued_at)
        return super().handle(conn)


class Log(Logger):  # type: ignore[misc]
    """Gunicorn's own lines in the form that LOG_FORMAT names."""

    def setup(self, cfg: Any) -> None:
        """Set up the log, also of the process that starts the others and knows no settings.

        If it read Django's settings, workers that are started by a reload would not read them anew.
        """
        super().setup(cfg)
        given = os.environ.get("LOG_FORMAT") or dotenv_values(_ENV_FILE).get("LOG_FORMAT")
        if given != "json":
            return
        form = JsonFormatter(logs.FORMATTERS["json"]["format"], logs.TIME, style="{")
        for log in (self.error_log, self.access_log):
            for handler in log.handlers:
                handler.setFormatter(form)
                handler.addFilter(RequestIdFilter())
