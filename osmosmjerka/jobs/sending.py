"""Send the ids of jobs to the broker from a thread of its own, so that no request waits for it.

A broker that hangs accepts a connection and then says nothing; one that is refused is tried again
by its client for seconds. Here only the thread waits. What the broker does not take is kept and
sent as soon as it does, and what no longer fits is sent later by the sweeper.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time

from osmosmjerka.celery import app

logger = logging.getLogger(__name__)

RUN = "osmosmjerka.jobs.run"  # the Celery task's name
MOST_WAITING = 1000
PAUSE = 1.0  # seconds between two tries
AT_EXIT = 2.0  # how long a process that ends waits for what it has not sent


class Sender:
    """What waits to be sent, and the thread that sends it; it starts when there is something."""

    def __init__(self) -> None:
        self._queues: dict[str, str] = {}  # by id of a job, in the order of sending
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_sending = False
        self._is_refused = False

    def put(self, job_id: str, queue: str) -> None:
        """Send the id soon; never waits and never fails."""
        with self._changed:
            if len(self._queues) < MOST_WAITING:
                self._queues[job_id] = queue
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="job-sender", daemon=True)
                self._thread.start()
            self._changed.notify()

    def drain(self, seconds: float) -> bool:
        """Wait until everything is sent, at most so many seconds; return whether it is."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._queues and not self._is_sending, timeout=seconds
            )

    def _run(self) -> None:
        while True:
            with self._changed:
                self._is_sending = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._queues)
                job_id = next(iter(self._queues))
                queue = self._queues.pop(job_id)
                self._is_sending = True
            if not self._send(job_id, queue):
                with self._changed:
                    self._queues.setdefault(job_id, queue)
                time.sleep(PAUSE)

    def _send(self, job_id: str, queue: str) -> bool:
        try:
            app.send_task(RUN, (job_id,), queue=queue, retry=False, ignore_result=True)
        except Exception as error:  # any error of the broker's client
            if not self._is_refused:
                logger.warning("The broker takes no jobs; they are sent when it does: %s", error)
            self._is_refused = True
            return False
        if self._is_refused:
            logger.warning("The broker takes jobs again.")
        self._is_refused = False
        return True


sender = Sender()
# A process that is forked has no thread, and may have inherited a lock that nobody opens.
os.register_at_fork(after_in_child=sender.__init__)  # type: ignore[misc]
atexit.register(sender.drain, AT_EXIT)
