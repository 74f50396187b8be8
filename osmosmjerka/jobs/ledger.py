"""Enqueue background jobs and run them under a lease.

A job is claimed by a conditional update that only one worker can win, and is finished only by the
worker that still holds the claim. So a ticket that is lost, duplicated or late does no harm, and a
worker that is killed loses nothing: its lease expires and the sweeper queues the row again. That is
no attempt of the job: only what the job itself raises, or a run that takes too long, counts as one.

A worker that gets a ticket runs the job whose turn it is. A job whose subject is deleted is
cancelled.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Model, QuerySet
from django.db.models.signals import post_delete
from django.utils import timezone, translation

from osmosmjerka.jobs import clock, sending, turns
from osmosmjerka.jobs.models import Job
from osmosmjerka.jobs.runs import JobRun, LeaseLost, Outcome, claim, log_end, told
from osmosmjerka.web.outages import outage_of

if TYPE_CHECKING:
    from osmosmjerka.accounts.models import User

__all__ = ["JobRun", "LeaseLost"]  # beside what is defined here

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True, slots=True)
class Handler:
    """The function that runs jobs of one kind, and its options."""

    run: Callable[[JobRun], None]
    time_limit: timedelta
    when_failed: Callable[[Job], None] | None = None
    when_retried: Callable[[Job], None] | None = None


_handlers: dict[str, Handler] = {}
_daily: list[str] = []


def handles(
    kind: str,
    *,
    time_limit: timedelta = timedelta(minutes=10),
    is_daily: bool = False,
    about: type[Model] | None = None,
    when_failed: Callable[[Job], None] | None = None,
    when_retried: Callable[[Job], None] | None = None,
) -> Callable[[Callable[[JobRun], None]], Callable[[JobRun], None]]:
    """Register the decorated function as the handler of jobs of *kind*.

    An attempt that takes longer than *time_limit* has failed, and another worker may take over. An
    *is_daily* job is enqueued once a day by any running worker. When a row of the model *about* is
    deleted, its jobs are cancelled at once. *when_failed* is called when the job has failed for
    good, to inform whatever waits for it, and *when_retried* if it is queued again after that.
    """
    if about is not None:
        post_delete.connect(_on_deleted, sender=about, dispatch_uid=f"jobs of {about._meta.label}")

    def register(run: Callable[[JobRun], None]) -> Callable[[JobRun], None]:
        _handlers[kind] = Handler(run, time_limit, when_failed, when_retried)
        if is_daily:
            _daily.append(kind)
        return run

    return register


def enqueue(
    kind: str,
    *,
    key: str,
    arguments: dict[str, Any] | None = None,
    owner: User | None = None,
    subject: Model | None = None,
    queue: str = "default",
) -> Job:
    """Write a job to the ledger and tell a worker once the transaction commits.

    If a job with this *key* exists, return it; if it failed or was cancelled, queue it again first.
    *subject* is the row that the job is about: without it, the job is cancelled.
    *queue* is one of osmosmjerka.jobs.worker.QUEUES.
    """
    if kind not in _handlers:
        raise KeyError(f"No handler is registered for jobs of kind {kind!r}.")
    with transaction.atomic():
        job, is_new = Job.objects.select_for_update().get_or_create(
            key=key,
            defaults={
                "kind": kind,
                "queue": queue,
                "arguments": arguments or {},
                "owner": owner,
                "subject": "" if subject is None else subject_of(subject),
                **_queued_now(),
            },
        )
        if not is_new and job.state in {Job.State.FAILED, Job.State.CANCELLED}:
            Job.objects.filter(pk=job.pk).update(arguments=arguments or {}, **_queued_now())
            job.refresh_from_db()
            is_new = True
        if is_new:
            transaction.on_commit(lambda: sending.send(job.queue))
    return job


@transaction.atomic
def retry(job: Job) -> bool:
    """Queue a failed job again, with all its attempts; return False if it is not failed."""
    # Conditional, so that of two people who press the button one queues it.
    if not Job.objects.filter(pk=job.pk, state=Job.State.FAILED).update(**_queued_now()):
        return False
    handler = _handlers.get(job.kind)
    if handler is not None and handler.when_retried is not None:
        handler.when_retried(job)
    transaction.on_commit(lambda: sending.send(job.queue))
    return True


def _queued_now() -> dict[str, Any]:
    """Return the fields of a job that is queued now, with all its attempts."""
    return {
        "state": Job.State.QUEUED,
        "attempts": 0,
        "deaths": 0,
        "progress": 0,
        "message": "",
        "error": "",
        "result": {},
        "ready_at": clock.now(),
        "finished_at": None,
    }


def enqueue_daily() -> None:
    """Enqueue today's jobs; every worker calls this, but each job runs once."""
    today = timezone.localdate(clock.now()).isoformat()
    for kind in _daily:
        enqueue(kind, key=f"{kind}:{today}")


def run_now(*kinds: str) -> int:
    """Let jobs of these kinds that wait for a service run now, because it is back; return how many.

    Those that failed wait on.
    """
    now = clock.now()
    waiting = Job.objects.filter(kind__in=kinds, state=Job.State.QUEUED, attempts=0)
    return waiting.filter(ready_at__gt=now).update(ready_at=now)


def subject_of(row: Model) -> str:
    """Return how the ledger names *row*, such as "puzzles.puzzle:12"."""
    return f"{row._meta.label_lower}:{row.pk}"


def jobs_about(row: Model, *kinds: str) -> QuerySet[Job]:
    """Return the jobs of these kinds (default: all) about *row*, the latest first."""
    jobs = Job.objects.filter(subject=subject_of(row))
    return jobs.filter(kind__in=kinds) if kinds else jobs


def cancel(job: Job) -> bool:
    """Cancel a job; return whether it was queued or running.

    A running attempt finds that it has lost its lease.
    """
    return bool(_cancel(Job.objects.filter(pk=job.pk)))


def cancel_jobs_of(*rows: Model) -> int:
    """Cancel all jobs about these rows, as `cancel` does; return how many."""
    return _cancel(Job.objects.filter(subject__in=[subject_of(row) for row in rows]))


def _cancel(jobs: QuerySet[Job]) -> int:
    return jobs.filter(state__in=UNFINISHED).update(
        state=Job.State.CANCELLED, finished_at=clock.now()
    )


def _on_deleted(instance: Model, **_kwargs: Any) -> None:
    cancel_jobs_of(instance)


def run_next(queue: str) -> bool:
    """Run the job of *queue* whose turn it is; return whether there was one."""
    while (chosen := turns.next_job(queue)) is not None:
        if _run(chosen):
            return True
    return False


def run_job(job_id: str) -> None:
    """Run the job with this id if it exists, is queued, and no other worker claims it."""
    _run(uuid.UUID(job_id))


def _run(job_id: uuid.UUID) -> bool:
    """Run a job and log how it ended; return False if another worker claimed it."""
    run = claim(job_id)
    if run is None:
        return False
    began = time.monotonic()
    fault: Exception | None = None
    try:
        _handle(run)
        outcome = run.outcome or Outcome.DONE
    except LeaseLost:
        outcome = run.outcome_elsewhere()
    except Exception as error:  # a handler's error must not stop the worker
        if outage_of(error) is not None:
            outcome, fault = _interrupt(run), error
        elif _is_gone(run.job):  # no error: what it was to work on was deleted meanwhile
            cancel(run.job)
            outcome = Outcome.CANCELLED
        else:
            outcome, fault = _put_back(run, error), error
    log_end(run.job, outcome, time.monotonic() - began, fault)
    return True


def _handle(run: JobRun) -> None:
    """Call the job's handler, and finish the job if it did not do so itself."""
    if _is_gone(run.job):
        cancel(run.job)
        raise LeaseLost(str(run.job.pk))
    handler = _handlers[run.job.kind]
    # Sentences are stored untranslated, because each reader has their own language.
    with _renewing(run, handler.time_limit), translation.override(None):
        handler.run(run)
    if run.outcome is None:
        with run.finishing():
            pass


def _is_gone(job: Job) -> bool:
    """Return whether the row that the job is about was deleted."""
    model, _colon, pk = job.subject.rpartition(":")
    return bool(model) and not apps.get_model(model)._base_manager.filter(pk=pk).exists()


@contextmanager
def _renewing(run: JobRun, time_limit: timedelta) -> Iterator[None]:
    """Renew the lease from a thread while the handler runs; after *time_limit*, it has failed."""
    ends = time.monotonic() + time_limit.total_seconds()
    stopped = threading.Event()

    def renew() -> None:
        while not stopped.wait(settings.JOB_LEASE_SECONDS / 3):
            try:
                if time.monotonic() >= ends:
                    fault = TimeoutError(f"It took longer than {time_limit}.")
                    log_end(run.job, _put_back(run, fault), time_limit.total_seconds(), fault)
                    break
                until = clock.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)
                run.held().update(lease_until=until)
            except (DatabaseError, InterfaceError):  # the next tick tries again
                logger.warning("The lease of job %s was not renewed", run.job.pk)
                connection.close()
        connection.close()

    thread = threading.Thread(target=renew, name=f"lease-{run.job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def _put_back(run: JobRun, error: Exception) -> Outcome:
    """Queue a failed attempt's job again, or fail it; return the outcome, if it is still ours."""
    if run.job.attempts >= MAX_ATTEMPTS:
        return Outcome.FAILED if give_up(run.job, told(error)) else run.outcome_elsewhere()
    at = clock.now() + timedelta(seconds=2**run.job.attempts)
    is_queued = run.held().update(state=Job.State.QUEUED, error=told(error), ready_at=at, deaths=0)
    return Outcome.RETRY_LATER if is_queued else run.outcome_elsewhere()


def _interrupt(run: JobRun) -> Outcome:
    """Queue a job again that failed because the database was away or the disk full: no attempt.

    If the database is still away, the sweeper does that later.
    """
    try:
        connection.close()
        run.put_aside(ready_at=clock.now() + timedelta(seconds=10))
    except LeaseLost:
        return run.outcome_elsewhere()
    except (DatabaseError, InterfaceError):
        logger.warning("Job %s was interrupted, the sweeper will queue it again", run.job.pk)
    return Outcome.INTERRUPTED


def give_up(job: Job, error: str) -> bool:
    """Mark a job as failed and call its handler's `when_failed`; return False if it is not ours."""
    with transaction.atomic():
        is_ours = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, lease=job.lease).update(
            state=Job.State.FAILED,
            error=error,
            finished_at=clock.now(),
        )
        handler = _handlers.get(job.kind)
        if is_ours and handler is not None and handler.when_failed is not None:
            try:
                with transaction.atomic():
                    handler.when_failed(job)
            except Exception:  # the job stays failed, and the sweeper goes on
                logger.exception("The failure of job %s could not be reported", job.pk)
    return bool(is_ours)
