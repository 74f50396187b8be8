"""What runs in every worker beside the jobs: the sweeper and the heartbeat.

The embedded worker (threads in the supervising process) and separate Celery workers both start it,
so that no extra scheduler process can be forgotten.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable
from typing import Any

from celery import Celery, signals
from celery.apps import worker as celery_program
from celery.worker import WorkController
from celery.worker.consumer import Consumer
from django.conf import settings
from django.db import connection
from django.utils import timezone

from osmosmjerka import logs
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.clock import now as clock_now
from osmosmjerka.jobs.models import WorkerHeartbeat

logger = logging.getLogger(__name__)

# Queues by name, with the number of threads that the embedded worker gives each. Long searches and
# the sounds of long lists have their own queues, so that they never delay what a class waits for.
QUEUES = {"default": 2, "search": 1, "sound": 1}


class Caretaker(threading.Thread):
    """Sweep the ledger and record this worker's heartbeat, every few seconds."""

    def __init__(self, slots: dict[str, int]) -> None:
        """*slots* says how many jobs of each queue this worker runs at once."""
        super().__init__(name="job-caretaker", daemon=True)
        self._slots = slots
        self._stopped = threading.Event()
        self._name = f"{socket.gethostname()}:{os.getpid()}"

    def run(self) -> None:
        is_first = True
        asked_on = None
        while True:
            try:
                WorkerHeartbeat.objects.update_or_create(
                    name=self._name, defaults={"seen_at": clock_now(), "slots": self._slots}
                )
                requeued = ledger.sweep(everything=is_first)
                if requeued and not is_first:
                    logger.info("Queued %s job(s) again", requeued)
                is_first = False
                if asked_on != timezone.localdate():
                    ledger.enqueue_daily()
                    asked_on = timezone.localdate()
            except Exception:  # the database may be away for a while; keep running
                logger.exception("The sweep failed and will be repeated")
                connection.close()
            if self._stopped.wait(settings.JOB_SWEEP_SECONDS):
                WorkerHeartbeat.objects.filter(name=self._name).delete()
                connection.close()
                return

    def stop(self) -> None:
        self._stopped.set()
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
    _caretaker = Caretaker(dict.fromkeys(queues, worker.concurrency))
    _caretaker.start()


@signals.worker_shutting_down.connect
def _on_worker_shutting_down(**_kwargs: Any) -> None:
    if _caretaker is not None:
        _caretaker.stop()
