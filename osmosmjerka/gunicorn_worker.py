"""A worker of gunicorn with threads, which refuses requests that waited too long."""

from __future__ import annotations

from time import monotonic
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from osmosmjerka.overload import Patience


class PatientWorker(ThreadWorker):  # type: ignore[misc]  # a library without types
    def init_process(self) -> None:
        self.patience = Patience()
        super().init_process()

    def enqueue_req(self, conn: TConn) -> None:
        conn.queued_at = monotonic()
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> Any:
        self.patience.begin(monotonic() - conn.queued_at)
        return super().handle(conn)
