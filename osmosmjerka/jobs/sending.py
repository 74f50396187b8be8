"""Tell the workers that a job waits: through the broker, or without one in this process.

What is sent is a ticket for a queue. One that is lost does no harm: the sweeper sends others.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import defaultdict

from django.conf import settings

from osmosmjerka.celery import app

logger = logging.getLogger(__name__)

RUN = "osmosmjerka.jobs.run"  # the Celery task's name
# A broker that was away is left alone for so many seconds, so that few requests wait for it.
PAUSE = 10.0
_away_until = 0.0  # by time.monotonic; 0 if the broker took the last ticket


# Without a broker: set when a job of the queue may wait, for the threads that wait for one.
waiting: defaultdict[str, threading.Event] = defaultdict(threading.Event)


def is_without_broker() -> bool:
    """Return whether `manage.py serve` does the jobs itself."""
    return settings.CELERY_BROKER_URL.startswith("memory://")


def send(queue: str) -> None:
    """Send a ticket for *queue*; what the broker does not take is left to the sweeper."""
    global _away_until
    if is_without_broker():
        waiting[queue].set()
        return
    if time.monotonic() < _away_until:
        return
    try:
        app.send_task(RUN, (queue,), queue=queue, retry=False, ignore_result=True)
    except Exception as error:  # any error of the broker's client
        if not _away_until:
            logger.warning("The broker takes no jobs; they are sent when it does: %s", error)
        _away_until = time.monotonic() + PAUSE
    else:
        if _away_until:
            logger.warning("The broker takes jobs again.")
        _away_until = 0.0
