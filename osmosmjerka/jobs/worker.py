"""What runs in every worker beside the jobs: the sweeper and the heartbeat.

The embedded worker (threads in the supervising process) and separate Celery workers both start it,
so that no extra scheduler process can be forgotten.
"""

from __future__ import annotations

import atexit
import logging
import socket
import threading
import time
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

from celery import Celery, signals
from celery.apps import worker as celery_program
from celery.worker import WorkController
from celery.worker.consumer import Consumer
from django.conf import settings
from django.db import connection
from django.utils import timezone

from osmosmjerka.jobs import ledger, turns
from osmosmjerka.jobs.clock import now as clock_now
from osmosmjerka.jobs.models import Job, WorkerHeartbeat
from osmosmjerka.monitoring import logs

logger = logging.getLogger(__name__)

# Queues by name, with the number of threads that the embedded worker gives each. Long searches and
# the sounds of long lists have their own queues, so that they never delay what a class waits for.
QUEUES = {"default": 2, "search": 1, "sound": 1}


# When a worker is told to stop, what it began may still end within this; the rest is handed back.
GRACE = 1.0  # seconds
FORGOTTEN_AFTER = timedelta(hours=1)  # a worker of which nothing was heard


class Caretaker(threading.Thread):
    """Sweep the ledger and record this worker's heartbeat, every few seconds.

    In the end, hand back the jobs that this worker still runs.
    """

    def __init__(self, slots: dict[str, int]) -> None:
        """*slots* says how many jobs of each queue this worker runs at once."""
        super().__init__(name="job-caretaker", daemon=True)
        self._slots = slots
        self._stopped = threading.Event()
        self._worker = turns.this_worker()
        self._is_first = True
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
        now = clock_now()
        WorkerHeartbeat.objects.update_or_create(
            name=self._worker, defaults={"seen_at": now, "slots": self._slots}
        )
        requeued = ledger.sweep(everything=self._is_first)
        if requeued and not self._is_first:
            logger.info("Queued %s job(s) again", requeued)
        if self._is_first:
            WorkerHeartbeat.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()
        self._is_first = False
        if self._asked_on != timezone.localdate(now):
            ledger.enqueue_daily()
            self._asked_on = timezone.localdate(now)

    def _leave(self) -> None:
        WorkerHeartbeat.objects.filter(name=self._worker).delete()
        running = Job.objects.filter(state=Job.State.RUNNING, worker=self._worker)
        ends = time.monotonic() + GRACE
        while time.monotonic() < ends and running.exists():
            time.sleep(0.05)
        if handed_back := ledger.hand_back(self._worker):
            logger.info("Handed back %s job(s)", handed_back)

    def begin_to_stop(self) -> None:
        self._stopped.set()

    def stop(self) -> None:
        self.begin_to_stop()
        self.join(timeout=5)


class PromptConsumer(Consumer):
    """A consumer of memory:// that acknowledges a message as soon as its job has ended.

    Celery does so only between two waits for messages. While all threads of a queue are taken, no
    message comes, and a wait lasts two seconds: each thread would run one job, however short, in
    two seconds.
    """

    def call_soon(self, p: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        """Call *p* now, in the thread of the job; a kombu channel allows that for this purpose."""
        p(*args, **kwargs)


class EmbeddedWorker:
    """Celery workers as threads of this process, one per queue, and the caretaker."""

    def __init__(self) -> None:
        self._workers: list[WorkController] = [
            _app_for(queue).WorkController(
                hostname=f"{queue}@{socket.gethostname()}",
                concurrency=threads,
                pool_cls="threads",
                consumer_cls=PromptConsumer,
                queues=[queue],
                without_gossip=True,
                without_mingle=True,
                without_heartbeat=True,
                loglevel="WARNING",
            )
            for queue, threads in QUEUES.items()
        ]
        self._caretaker = Caretaker(QUEUES)

    def start(self) -> None:
        for worker in self._workers:
            threading.Thread(target=worker.start, name="job-worker", daemon=True).start()
        self._caretaker.start()

    def stop(self) -> None:
        # What is handed back must not be taken by the next free thread.
        with turns.closed():
            self._caretaker.stop()
            for worker in self._workers:
                worker.stop()


def _app_for(queue: str) -> Celery:
    """Return a Celery application for one embedded worker.

    The consumed queues are stored in the application, so two workers cannot share one.
    """
    worker_app = Celery(f"osmosmjerka.{queue}", set_as_current=False)
    worker_app.config_from_object("django.conf:settings", namespace="CELERY")
    worker_app.autodiscover_tasks(["osmosmjerka.jobs"])
    return worker_app


_caretaker: Caretaker | None = None


@signals.setup_logging.connect
def _on_setup_logging(**_kwargs: Any) -> None:
    """Leave logging as LOG_LEVEL sets it: Celery would hide everything below a warning."""


@signals.celeryd_init.connect
def _on_init(instance: Any, **_kwargs: Any) -> None:
    """If lines are read by a program, print no banner, and say as an object that it stops."""
    if settings.LOG_FORMAT == "json":
        instance.quiet = True
        # It writes past all loggers, because it is called in a signal handler.
        celery_program.safe_say = logs.say  # type: ignore[attr-defined]


@signals.worker_ready.connect
def _on_worker_ready(sender: Any, **_kwargs: Any) -> None:
    global _caretaker
    worker = sender.controller  # the signal is sent by the worker's consumer
    queues = worker.app.amqp.queues.consume_from
    if _caretaker is not None:  # the signal comes again when the broker is back
        return
    _caretaker = Caretaker(dict.fromkeys([*queues, turns.SHARED], worker.concurrency))
    _caretaker.start()
    atexit.register(_caretaker.stop)


@signals.worker_process_init.connect
def _on_worker_process_init(**_kwargs: Any) -> None:
    turns.belong_to_parent()


@signals.worker_shutting_down.connect
def _on_worker_shutting_down(**_kwargs: Any) -> None:
    """Begin to hand back jobs, while Celery waits for those that run: they find out and end."""
    if _caretaker is not None:
        _caretaker.begin_to_stop()
