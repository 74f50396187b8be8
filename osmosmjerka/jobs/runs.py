"""One attempt at a job: claim it, report, store results, give way, and say how it ended."""

from __future__ import annotations

import logging
import os
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from osmosmjerka.jobs import clock, sending, turns
from osmosmjerka.jobs.models import Job
from osmosmjerka.monitoring import metrics

logger = logging.getLogger("osmosmjerka.jobs.ledger")  # as operators know it

# Seconds between two looks whether somebody else waits for a running job to give way.
SECONDS_BETWEEN_LOOKS = 0.3
# The processes that Celery forks later are part of the worker that loads this.
WORKER = f"{socket.gethostname()}:{os.getpid()}"


class LeaseLost(Exception):
    """Another worker runs the job now, or it was cancelled; this attempt must change nothing."""


class Outcome(StrEnum):
    """How a run of a job ended, as the log says it."""

    DONE = "done"
    RETRY_LATER = "retry later"  # put back by its handler, or failed with attempts left
    YIELDED = "yielded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TAKEN_OVER = "taken over"
    INTERRUPTED = "interrupted"  # by an outage


@dataclass
class JobRun:
    """One attempt at a job, passed to its handler."""

    job: Job
    lease: uuid.UUID
    # Set once the job is stored as done, or put back on purpose: nothing is left to write.
    outcome: Outcome | None = field(default=None, init=False)
    _turn_began: float = field(default_factory=time.monotonic, init=False)
    _looked: float = field(default=0.0, init=False)
    _is_awaited: bool = field(default=False, init=False)

    @property
    def arguments(self) -> dict[str, Any]:
        return self.job.arguments

    @property
    def so_far(self) -> dict[str, Any]:
        """What an earlier turn of the job passed to `yield_turn`."""
        return self.job.result

    def held(self) -> QuerySet[Job]:
        """Return the job's row as long as this attempt holds it, else nothing."""
        return Job.objects.filter(pk=self.job.pk, state=Job.State.RUNNING, lease=self.lease)

    def change(self, **values: Any) -> None:
        """Update the job's row; raise LeaseLost if the job is no longer ours."""
        if not self.held().update(**values):
            raise LeaseLost(str(self.job.pk))

    def report(self, progress: int, message: str = "") -> None:
        """Publish the progress in percent; raise LeaseLost if the job is no longer ours."""
        self.change(progress=progress, message=message)

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Store partial results in one transaction, only if the job is still ours.

        Locking the row first makes a second worker wait and then find that it is too late.
        """
        with transaction.atomic():
            if not self.held().select_for_update().exists():
                raise LeaseLost(str(self.job.pk))
            yield

    @contextmanager
    def finishing(self, **result: Any) -> Iterator[None]:
        """Store the results and mark the job done, in one transaction as in `holding`."""
        done = {"state": Job.State.DONE, "result": result, "progress": 100, "error": ""}
        with self.holding():
            yield
            # Changes nothing if that deleted the job's subject, and so cancelled the job.
            self.held().update(finished_at=clock.now(), **done)
        self.outcome = Outcome.DONE

    def is_awaited(self) -> bool:
        """Return whether another person's job should have the turn; cheap, to be asked often.

        False until the job has had a turn's time. Raises LeaseLost if the job is no longer ours.
        """
        at = time.monotonic()
        if not self._is_awaited and at > self._looked + SECONDS_BETWEEN_LOOKS:
            self._looked = at
            if not self.held().exists():
                raise LeaseLost(str(self.job.pk))
            had_its_turn = at > self._turn_began + turns.TURN.total_seconds()
            self._is_awaited = had_its_turn and turns.is_anothers(self.job)
        return self._is_awaited

    def yield_turn(self, so_far: dict[str, Any] | None = None) -> bool:
        """Put the job back if another one waits in its queue; return whether one does.

        For long work that runs in slices, so that nobody waits for all of it. The job keeps its
        place among its owner's, unless only these wait. The next turn finds *so_far*.
        """
        waiting = Job.objects.filter(queue=self.job.queue, state=Job.State.QUEUED)
        if not waiting.exclude(pk=self.job.pk).exists():
            self._turn_began, self._is_awaited = time.monotonic(), False  # another turn begins
            return False
        self.put_aside(
            ready_at=self.job.ready_at if turns.is_anothers(self.job) else clock.now(),
            **({} if so_far is None else {"result": so_far}),
        )
        self.outcome = Outcome.YIELDED
        sending.send(self.job.queue)
        return True

    def retry_later(self, seconds: float, message: str = "") -> None:
        """Put the job back, to run again after *seconds*; the attempt is not counted.

        For work that waits for an external service. Raises LeaseLost if the job is no longer ours.
        """
        self.put_aside(message=message, ready_at=clock.now() + timedelta(seconds=seconds))
        self.outcome = Outcome.RETRY_LATER

    def put_aside(self, **values: Any) -> None:
        """Queue the job again without counting the attempt."""
        self.change(state=Job.State.QUEUED, attempts=F("attempts") - 1, deaths=0, **values)

    def outcome_elsewhere(self) -> Outcome:
        """Return how the run ended, which no longer holds its job."""
        if self.outcome is not None:
            return self.outcome
        # If the row is gone, so is the object it was for, which is as good as cancelled.
        state = Job.objects.filter(pk=self.job.pk).values_list("state", flat=True).first()
        is_cancelled = state in {Job.State.CANCELLED, None}
        return Outcome.CANCELLED if is_cancelled else Outcome.TAKEN_OVER


def claim(job_id: uuid.UUID) -> JobRun | None:
    """Claim the job for this worker if it is queued; only one worker can."""
    now, lease = clock.now(), uuid.uuid4()
    won = Job.objects.filter(pk=job_id, state=Job.State.QUEUED).update(
        state=Job.State.RUNNING,
        lease=lease,
        lease_until=now + timedelta(seconds=settings.JOB_LEASE_SECONDS),
        started_at=now,
        worker=WORKER,
        attempts=F("attempts") + 1,
        progress=0,
        message="",
    )
    return JobRun(Job.objects.get(pk=job_id), lease) if won else None


def told(error: Exception) -> str:
    """Return what the ledger and the log say of an error."""
    return f"{type(error).__name__}: {error}"[:2000]


def log_end(job: Job, outcome: Outcome, seconds: float, fault: Exception | str | None) -> None:
    """Log how a run of *job* ended, with the traceback unless the job will be retried."""
    metrics.job_runs.labels(job.kind, outcome.value).inc()
    metrics.job_seconds.labels(job.kind).observe(seconds)
    is_last = outcome not in {Outcome.RETRY_LATER, Outcome.INTERRUPTED}
    error = told(fault) if isinstance(fault, Exception) else fault or ""
    fields = {
        "job": str(job.pk),
        "kind": job.kind,
        "attempt": job.attempts,
        "seconds": round(seconds, 3),
        "outcome": outcome.value,
    }
    logger.log(
        logging.INFO if fault is None else logging.ERROR if is_last else logging.WARNING,
        "Job %(kind)s %(job)s, attempt %(attempt)s: %(outcome)s after %(seconds).2f s%(why)s",
        fields | {"why": f" ({error})" if error else ""},
        exc_info=fault if is_last and isinstance(fault, Exception) else None,
        extra=fields | ({"error": error} if error else {}),
    )
