"""A worker of gunicorn with threads, which refuses requests that waited too long; and its log."""

from __future__ import annotations

import os
import sys
from time import monotonic
from typing import Any

from dotenv import dotenv_values
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.workers.gthread import TConn, ThreadWorker
from pythonjsonlogger.json import JsonFormatter

from osmosmjerka import logs, places
from osmosmjerka.middleware import RequestIdFilter
from osmosmjerka.overload import Patience

_ENV_FILE = places.SITE / ".env"


class PatientWorker(ThreadWorker):  # type: ignore[misc]  # a library without types
    def init_process(self) -> None:
        self.patience = Patience()
        try:
            super().init_process()
        except Exception:
            # Gunicorn would do the same, and print the error once more, past the log.
            self.log.exception("Exception in worker process")
            sys.exit(-1 if self.booted else Arbiter.WORKER_BOOT_ERROR)

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
