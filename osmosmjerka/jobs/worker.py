"""What runs in every worker beside the jobs: the sweeper and the heartbeat.

The embedded worker (threads of `manage.py serve`) and separate Celery workers both start it, so
that no extra scheduler process can be forgotten.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from celery import signals
from django.conf import settings
from django.db import close_old_connections, connection
from django.utils import timezone

from osmosmjerka.jobs import clock, ledger, runs, sending, sweeper
from osmosmjerka.jobs.models import Job, WorkerHeartbeat
from osmosmjerka.web.outages import outage_of

logger = logging.getLogger(__name__)

# Queues by name, with the number of threads that the embedded worker gives each. Long searches and
# the sounds of long lists have their own queues, so that they never delay what a class waits for.
QUEUES = {"default": 2, "search": 1, "sound": 1}

POLL = 1.0  # seconds between two looks of an idle thread for jobs of other processes
# When a worker is told to stop, what it began may still end within this; the rest is handed back.
GRACE = 1.0  # seconds
FORGOTTEN_AFTER = timedelta(hours=1)  # a worker of which nothing was heard


def heard_since() -> datetime:
    """Return the time since when a worker that lives has been heard of."""
    return clock.now() - timedelta(seconds=max(15, 5 * settings.JOB_SWEEP_SECONDS))


class Caretaker(threading.Thread):
    """Sweep the ledger and record this worker's heartbeat, every few seconds.

    In the end, hand back the jobs that this worker still runs.
    """

    def __init__(self, slots: dict[str, int]) -> None:
        """*slots* says how many jobs of each queue this worker runs at once."""
        super().__init__(name="job-caretaker", daemon=True)
        self._slots = slots
        self._stopped = threading.Event()
        self._asked_on: date | None = None

    def run(self) -> None:
        while True:
            self._attempt(self._care)
            if self._stopped.wait(settings.JOB_SWEEP_SECONDS):
                break
        self._attempt(self._leave)
        connection.close()

    def _attempt(self, do: Callable[[], None]) -> None:
        try:
            do()
        except Exception:  # the database may be away for a while; keep running
            logger.exception("The sweep failed and will be repeated")
            connection.close()

    def _care(self) -> None:
        now = clock.now()
        WorkerHeartbeat.objects.update_or_create(
            name=runs.WORKER, defaults={"seen_at": now, "slots": self._slots}
        )
        if requeued := sweeper.sweep():
            logger.info("Queued %s job(s) again", requeued)
        if self._asked_on != timezone.localdate(now):
            WorkerHeartbeat.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()
            ledger.enqueue_daily()
            self._asked_on = timezone.localdate(now)

    def _leave(self) -> None:
        WorkerHeartbeat.objects.filter(name=runs.WORKER).delete()
        running = Job.objects.filter(state=Job.State.RUNNING, worker=runs.WORKER)
        ends = time.monotonic() + GRACE
        while time.monotonic() < ends and running.exists():
            time.sleep(0.05)
        if handed_back := sweeper.hand_back(runs.WORKER):
            logger.info("Handed back %s job(s)", handed_back)

    def begin_to_stop(self) -> None:
        self._stopped.set()

    def stop(self) -> None:
        self.begin_to_stop()
        if self.is_alive():
            self.join(timeout=5)


class EmbeddedWorker:
    """Threads of this process that run the jobs of all queues, and the caretaker."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, args=[queue], name=f"{queue}-jobs", daemon=True)
            for queue, count in QUEUES.items()
            for _number in range(count)
        ]
        self._caretaker = Caretaker(QUEUES)

    def start(self) -> None:
        # The caretaker first: who is told to stop before all threads are there has to hand back
        # what the others have begun.
        for thread in [self._caretaker, *self._threads]:
            thread.start()

    def stop(self) -> None:
        """Stop, also in the middle of `start`."""
        self._stopped.set()
        for queue in QUEUES:
            sending.waiting[queue].set()
        self._caretaker.stop()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=GRACE)

    def _work(self, queue: str) -> None:
        rung = sending.waiting[queue]
        while not self._stopped.is_set():
            rung.clear()
            if not self._run_next(queue):
                rung.wait(POLL)
        connection.close()

    def _run_next(self, queue: str) -> bool:
        try:
            return ledger.run_next(queue)
        except Exception as error:
            if outage_of(error) is None:  # else the caretaker says it, too
                logger.exception("No job of the queue %s could be begun", queue)
            return False
        finally:
            close_old_connections()


_caretaker: Caretaker | None = None


@signals.setup_logging.connect
def _on_setup_logging(**_kwargs: Any) -> None:
    """Leave logging as LOG_LEVEL sets it: Celery would hide everything below a warning."""


@signals.celeryd_init.connect
def _on_init(instance: Any, **_kwargs: Any) -> None:
    """If lines are read by a program, print no banner."""
    if settings.LOG_FORMAT == "json":
        instance.quiet = True


@signals.worker_ready.connect
def _on_worker_ready(sender: Any, **_kwargs: Any) -> None:
    global _caretaker
    worker = sender.controller  # the signal is sent by the worker's consumer
    queues = worker.app.amqp.queues.consume_from
    if _caretaker is not None:  # the signal comes again when the broker is back
        return
    _caretaker = Caretaker(dict.fromkeys(queues, worker.concurrency))
    _caretaker.start()
    atexit.register(_caretaker.stop)


@signals.worker_shutting_down.connect
def _on_worker_shutting_down(**_kwargs: Any) -> None:
    """Begin to hand back jobs, while Celery waits for those that run: they find out and end."""
    if _caretaker is not None:
        _caretaker.begin_to_stop()
