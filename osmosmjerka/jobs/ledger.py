"""Enqueue background jobs, run them under a lease, and queue stale ones again.

A job is claimed by a conditional update that only one worker can win, and is finished only by the
worker that still holds the claim. So a message that is lost, duplicated or late does no harm, and a
worker that is killed loses nothing: its lease expires and the sweeper queues the row again. That is
no attempt of the job: only what the job itself raises, or a run that takes too long, counts as one.

A message is a ticket for its queue: the worker that gets it runs the job whose turn it is, see
jobs.turns. Long jobs give way. A job whose subject is deleted is cancelled.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import F, Model, Q, QuerySet
from django.db.models.signals import post_delete
from django.utils import timezone, translation

from osmosmjerka.jobs import turns
from osmosmjerka.jobs.clock import now as clock_now
from osmosmjerka.jobs.models import Job
from osmosmjerka.jobs.sending import sender
from osmosmjerka.monitoring import metrics
from osmosmjerka.web.outages import outage_of

if TYPE_CHECKING:
    from osmosmjerka.accounts.models import User

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
# A job that takes all memory kills its worker each time; others in the same worker die with it.
MAX_DEATHS = 10
# The message of a row that nobody has claimed for so long after it was queued is lost.
REQUEUE_AFTER = timedelta(seconds=10)
SWEEP_AT_MOST = 500
# Seconds between two looks whether somebody else waits for a running job to give way.
LOOK = 0.3
UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


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


@dataclass
class JobRun:
    """One attempt at a job, passed to its handler."""

    job: Job
    lease: uuid.UUID
    # Set once the job is stored as done, or put back on purpose: nothing is left to write.
    outcome: Outcome | None = field(default=None, init=False)
    _turn_ends: float = field(init=False)
    _looked: float = field(default=0.0, init=False)
    _is_awaited: bool = field(init=False)

    def __post_init__(self) -> None:
        self._is_awaited = False
        self._turn_ends = time.monotonic() + turns.TURN.total_seconds()

    @property
    def arguments(self) -> dict[str, Any]:
        return self.job.arguments

    @property
    def so_far(self) -> dict[str, Any]:
        """What an earlier turn of the job passed to `yield_turn`."""
        return self.job.result

    def is_awaited(self) -> bool:
        """Return whether another person's job should have the turn; cheap, to be asked often.

        False until the job has had a turn's time. Raises LeaseLost if the job is no longer ours.
        """
        at = time.monotonic()
        if not self._is_awaited and at > self._looked + LOOK:
            self._looked = at
            if not self.held().exists():
                raise LeaseLost(str(self.job.pk))
            self._is_awaited = at > self._turn_ends and turns.is_anothers(self.job)
        return self._is_awaited

    def report(self, progress: int, message: str = "") -> None:
        """Publish the progress in percent; raise LeaseLost if the job is no longer ours."""
        updated = self.held().update(progress=progress, message=message)
        if not updated:
            raise LeaseLost(str(self.job.pk))

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
        with self.holding():
            yield
            self.held().update(
                state=Job.State.DONE,
                result=result,
                progress=100,
                lease=None,
                lease_until=None,
                error="",
                finished_at=clock_now(),
            )
        self.outcome = Outcome.DONE

    def retry_later(self, seconds: float, message: str = "") -> None:
        """Put the job back, to run again after *seconds*; the attempt is not counted.

        For work that waits for an external service. Raises LeaseLost if the job is no longer ours.
        """
        at = clock_now() + timedelta(seconds=seconds)
        self._put_aside(message=message, due_at=at, ready_at=at)
        self.outcome = Outcome.RETRY_LATER

    def yield_turn(self, so_far: dict[str, Any] | None = None) -> bool:
        """Put the job back if another one waits in its queue; return whether one does.

        For long work that runs in slices, so that nobody waits for all of it. The job keeps its
        place among its owner's, unless only these wait. The next turn finds *so_far*.
        """
        waiting = Job.objects.filter(queue=self.job.queue, state=Job.State.QUEUED)
        if not waiting.exclude(pk=self.job.pk).exists():
            self.__post_init__()  # another turn begins
            return False
        now = clock_now()
        self._put_aside(
            due_at=now + REQUEUE_AFTER,
            ready_at=self.job.ready_at if turns.is_anothers(self.job) else now,
            **({} if so_far is None else {"result": so_far}),
        )
        self.outcome = Outcome.YIELDED
        publish(self.job)
        return True

    def _put_aside(self, **values: Any) -> None:
        """Queue the job again without counting the attempt."""
        updated = self.held().update(
            state=Job.State.QUEUED,
            lease=None,
            lease_until=None,
            attempts=F("attempts") - 1,
            deaths=0,
            **values,
        )
        if not updated:
            raise LeaseLost(str(self.job.pk))

    def held(self) -> QuerySet[Job]:
        """Return the job's row as long as this attempt holds it, else nothing."""
        return Job.objects.filter(pk=self.job.pk, state=Job.State.RUNNING, lease=self.lease)


def enqueue(
    kind: str,
    *,
    key: str,
    arguments: dict[str, Any] | None = None,
    owner: User | None = None,
    subject: Model | None = None,
    queue: str = "default",
) -> Job:
    """Write a job to the ledger and send its id to a worker once the transaction commits.

    If a job with this *key* exists, return it; if it failed or was cancelled, queue it again first.
    *subject* is the row that the job is about: without it, the job is cancelled.
    *queue* is one of osmosmjerka.jobs.worker.QUEUES.
    """
    if kind not in _handlers:
        raise KeyError(f"No handler is registered for jobs of kind {kind!r}.")
    now = clock_now()
    with transaction.atomic():
        job, is_new = Job.objects.select_for_update().get_or_create(
            key=key,
            defaults={
                "kind": kind,
                "queue": queue,
                "arguments": arguments or {},
                "owner": owner,
                "subject": "" if subject is None else subject_of(subject),
                "due_at": now + REQUEUE_AFTER,
                "ready_at": now,
            },
        )
        if not is_new and job.state in {Job.State.FAILED, Job.State.CANCELLED}:
            job.state, job.error, job.progress = Job.State.QUEUED, "", 0
            job.attempts = job.deaths = 0
            job.arguments, job.result = arguments or {}, {}
            job.due_at, job.ready_at = now + REQUEUE_AFTER, now
            job.save()
            is_new = True
        if is_new:
            transaction.on_commit(lambda: publish(job))
    return job


@transaction.atomic
def retry(job: Job) -> bool:
    """Queue a failed job again, with all its attempts; return False if it is not failed."""
    now = clock_now()
    # Conditional, so that of two people who press the button one queues it.
    is_ours = Job.objects.filter(pk=job.pk, state=Job.State.FAILED).update(
        state=Job.State.QUEUED,
        attempts=0,
        deaths=0,
        progress=0,
        message="",
        error="",
        result={},
        due_at=now + REQUEUE_AFTER,
        ready_at=now,
        finished_at=None,
    )
    if not is_ours:
        return False
    handler = _handlers.get(job.kind)
    if handler is not None and handler.when_retried is not None:
        handler.when_retried(job)
    transaction.on_commit(lambda: publish(job))
    return True


def enqueue_daily() -> None:
    """Enqueue today's jobs; every worker calls this, but each job runs once."""
    today = timezone.localdate(clock_now()).isoformat()
    for kind in _daily:
        enqueue(kind, key=f"{kind}:{today}")


def publish(job: Job) -> None:
    """Send the job's id to a worker, without waiting for the broker; see jobs.sending."""
    sender.put(str(job.pk), job.queue)


def hurry(*kinds: str) -> int:
    """Let jobs of these kinds that wait for a service run now, because it is back; return how many.

    Those that failed wait on.
    """
    now = clock_now()
    waiting = Job.objects.filter(kind__in=kinds, state=Job.State.QUEUED, attempts=0)
    return waiting.filter(ready_at__gt=now).update(ready_at=now, due_at=now)


def subject_of(row: Model) -> str:
    """Return how the ledger names *row*, such as "puzzles.puzzle:12"."""
    return f"{row._meta.label_lower}:{row.pk}"


def jobs_about(row: Model, *kinds: str) -> QuerySet[Job]:
    """Return the jobs of these kinds (default: all) about *row*, the latest first."""
    jobs = Job.objects.filter(subject=subject_of(row))
    return jobs.filter(kind__in=kinds) if kinds else jobs


def run_next(job_id: str) -> None:
    """Run the job whose turn it is in the queue of the job with this id; see jobs.turns."""
    queue = Job.objects.filter(pk=job_id).values_list("queue", flat=True).first()
    if queue is None:
        return  # deleted with its owner
    with transaction.atomic():
        turns.lock(queue)
        chosen = turns.next_job(queue) if turns.has_room(queue) else None
        run = _claim(chosen) if chosen else None
    if run is None:
        return
    _carry_out(run)
    # The message of a job whose owner had all their slots was used up.
    waiting = turns.next_job(queue)
    if waiting is not None and run.outcome is not Outcome.YIELDED:
        publish(Job(pk=waiting, queue=queue))


def run_job(job_id: str) -> None:
    """Run the job with this id if it exists, is queued, and no other worker claims it."""
    run = _claim(uuid.UUID(job_id))
    if run is not None:
        _carry_out(run)


def _carry_out(run: JobRun) -> None:
    """Run a claimed job; log one line: how it ended, and after how many seconds."""
    began = time.monotonic()
    fault: Exception | None = None
    try:
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
        outcome = run.outcome or Outcome.DONE
    except LeaseLost:
        outcome = _outcome_elsewhere(run)
    except Exception as error:  # a handler's error must not stop the worker
        is_outage = outage_of(error) is not None
        if not is_outage and _is_gone(
            run.job
        ):  # no error: what it was to work on was deleted meanwhile
            cancel(run.job)
            outcome = Outcome.CANCELLED
        else:
            fault = error
            outcome = _interrupt(run) if is_outage else _put_back(run, error)
    _log(run.job, outcome, time.monotonic() - began, fault)


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
        state=Job.State.CANCELLED, lease=None, lease_until=None, finished_at=clock_now()
    )


def _on_deleted(instance: Model, **_kwargs: Any) -> None:
    cancel_jobs_of(instance)


def _is_gone(job: Job) -> bool:
    """Return whether the row that the job is about was deleted."""
    if not job.subject:
        return False
    model, _colon, pk = job.subject.rpartition(":")
    return not apps.get_model(model)._base_manager.filter(pk=pk).exists()


def sweep(*, everything: bool = False) -> int:
    """Queue jobs again that lost their message or worker; fail those with no attempts left.

    With *everything*, as a worker starts, send all queued rows: an in-process broker has forgotten
    them. Safe to run in every worker at once. Returns how many were sent.
    """
    now = clock_now()
    stale = Q(state=Job.State.RUNNING, lease_until__lt=now)
    for job in Job.objects.filter(stale, deaths__gte=MAX_DEATHS - 1)[:SWEEP_AT_MOST]:
        told = (
            f"The worker stopped {MAX_DEATHS} times in the middle of this job."
            " Perhaps the job needs more memory than the server has."
        )
        if _give_up(job, told):
            since = now - (job.started_at or now)
            _log(job, Outcome.FAILED, since.total_seconds(), told)
    lost_message = (
        Q(state=Job.State.QUEUED) if everything else Q(state=Job.State.QUEUED, due_at__lt=now)
    )
    requeued = 0
    for job in Job.objects.filter(stale | lost_message).order_by("due_at")[:SWEEP_AT_MOST]:
        # A row in a long queue is not lost: each time, wait for as long as it has waited so far.
        patience = max(REQUEUE_AFTER, now - job.ready_at)
        if _queue_again(job, has_died=job.state == Job.State.RUNNING, due_at=now + patience):
            requeued += 1
    return requeued


def hand_back(worker: str) -> int:
    """Queue the jobs again that *worker* runs, because it stops; return how many.

    Their runs find that they have lost their leases. No attempt is counted.
    """
    due_at = clock_now() + REQUEUE_AFTER
    running = Job.objects.filter(state=Job.State.RUNNING, worker=worker)
    return sum(_queue_again(job, has_died=False, due_at=due_at) for job in running)


def _queue_again(job: Job, *, has_died: bool, due_at: datetime) -> bool:
    """Queue a job as it was read, and send it; return False if somebody else was quicker."""
    values: dict[str, Any] = {}
    if job.state == Job.State.RUNNING:
        values["attempts"] = F("attempts") - 1
    if has_died:
        values["deaths"] = F("deaths") + 1
    is_ours = Job.objects.filter(
        pk=job.pk, state=job.state, due_at=job.due_at, lease=job.lease
    ).update(state=Job.State.QUEUED, lease=None, lease_until=None, due_at=due_at, **values)
    if is_ours:
        publish(job)
    return bool(is_ours)


@contextmanager
def _renewing(run: JobRun, time_limit: timedelta) -> Iterator[None]:
    """Renew the lease from a thread while the handler runs; after *time_limit*, it has failed."""
    interval = settings.JOB_LEASE_SECONDS / 3
    ends = time.monotonic() + time_limit.total_seconds()
    stopped = threading.Event()

    def renew() -> None:
        try:
            while not stopped.wait(min(interval, max(0.0, ends - time.monotonic()))):
                try:
                    if time.monotonic() >= ends:
                        fault = TimeoutError(f"It took longer than {time_limit}.")
                        outcome = _put_back(run, fault)
                        _log(run.job, outcome, time_limit.total_seconds(), fault)
                        return
                    until = clock_now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)
                    run.held().update(lease_until=until)
                except (
                    DatabaseError,
                    InterfaceError,
                ):  # away or locked for a while: the next tick tries again
                    logger.warning("The lease of job %s was not renewed", run.job.pk)
                    connection.close()
        finally:
            connection.close()

    thread = threading.Thread(target=renew, name=f"lease-{run.job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()


def _claim(job_id: uuid.UUID) -> JobRun | None:
    now = clock_now()
    lease = uuid.uuid4()
    won = Job.objects.filter(pk=job_id, state=Job.State.QUEUED).update(
        state=Job.State.RUNNING,
        lease=lease,
        lease_until=now + timedelta(seconds=settings.JOB_LEASE_SECONDS),
        started_at=now,
        worker=turns.this_worker(),
        attempts=F("attempts") + 1,
        progress=0,
        message="",
    )
    return JobRun(Job.objects.get(pk=job_id), lease) if won else None


def _put_back(run: JobRun, error: Exception) -> Outcome:
    """Queue a failed attempt's job again, or fail it; return the outcome, if it is still ours."""
    told = _told(error)
    if run.job.attempts >= MAX_ATTEMPTS:
        return Outcome.FAILED if _give_up(run.job, told) else _outcome_elsewhere(run)
    at = clock_now() + timedelta(seconds=2**run.job.attempts)
    is_queued = run.held().update(
        state=Job.State.QUEUED,
        error=told,
        lease=None,
        lease_until=None,
        due_at=at,
        ready_at=at,
        deaths=0,
    )
    return Outcome.RETRY_LATER if is_queued else _outcome_elsewhere(run)


def _interrupt(run: JobRun) -> Outcome:
    """Queue a job again that failed because the database was away or the disk full: no attempt.

    If the database is still away, the sweeper does that later.
    """
    try:
        connection.close()
        at = clock_now() + REQUEUE_AFTER
        run._put_aside(due_at=at, ready_at=at)
    except LeaseLost:
        return _outcome_elsewhere(run)
    except (DatabaseError, InterfaceError):
        logger.warning("Job %s was interrupted, the sweeper will queue it again", run.job.pk)
    return Outcome.INTERRUPTED


def _outcome_elsewhere(run: JobRun) -> Outcome:
    """Return how a run ended that no longer holds its job."""
    if run.outcome is not None:
        return run.outcome
    # If the row is gone, so is the object it was for, which is as good as cancelled.
    state = Job.objects.filter(pk=run.job.pk).values_list("state", flat=True).first()
    is_cancelled = state in {Job.State.CANCELLED, None}
    return Outcome.CANCELLED if is_cancelled else Outcome.TAKEN_OVER


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000]


def _log(job: Job, outcome: Outcome, seconds: float, fault: Exception | str | None) -> None:
    """Log how a run of *job* ended, with the traceback unless the job will be retried."""
    metrics.count_job(job.kind, outcome.value, seconds)
    told = _told(fault) if isinstance(fault, Exception) else fault or ""
    is_last = outcome not in {Outcome.RETRY_LATER, Outcome.INTERRUPTED}
    logger.log(
        logging.INFO if fault is None else logging.ERROR if is_last else logging.WARNING,
        "Job %s %s, attempt %s: %s after %.2f s%s",
        job.kind,
        job.pk,
        job.attempts,
        outcome,
        seconds,
        f" ({told})" if told else "",
        exc_info=fault if is_last and isinstance(fault, Exception) else None,
        extra={
            "job": str(job.pk),
            "kind": job.kind,
            "attempt": job.attempts,
            "seconds": round(seconds, 3),
            "outcome": outcome.value,
        }
        | ({"error": told} if told else {}),
    )


def _give_up(job: Job, error: str) -> bool:
    """Mark a job as failed and call its handler's `when_failed`; return False if it is not ours."""
    with transaction.atomic():
        is_ours = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, lease=job.lease).update(
            state=Job.State.FAILED,
            error=error,
            lease=None,
            lease_until=None,
            finished_at=clock_now(),
        )
        handler = _handlers.get(job.kind)
        if is_ours and handler is not None and handler.when_failed is not None:
            try:
                with transaction.atomic():
                    handler.when_failed(job)
            except Exception:  # the job stays failed, and the sweeper goes on
                logger.exception("The failure of job %s could not be reported", job.pk)
    return bool(is_ours)
