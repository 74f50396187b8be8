"""Queue jobs again that lost their worker, and send tickets where some may be lost."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from osmosmjerka.jobs import clock, ledger, runs, sending
from osmosmjerka.jobs.models import Job

# A job that takes all memory kills its worker each time; others in the same worker die with it.
MAX_DEATHS = 10


def sweep() -> int:
    """Queue the jobs of dead workers again, or fail them after too many deaths; return how many.

    Every queue where a job waits gets a ticket: whoever takes it goes on until none waits. Safe to
    run in every worker at once.
    """
    now = clock.now()
    stale = Job.objects.filter(state=Job.State.RUNNING, lease_until__lt=now)
    for job in stale.filter(deaths__gte=MAX_DEATHS - 1):
        told = (
            f"The worker stopped {MAX_DEATHS} times in the middle of this job."
            " Perhaps the job needs more memory than the server has."
        )
        if ledger.give_up(job, told):
            since = now - (job.started_at or now)
            runs.log_end(job, runs.Outcome.FAILED, since.total_seconds(), told)
    requeued = sum(_queue_again(job, deaths=F("deaths") + 1) for job in stale.all())
    waiting = Job.objects.filter(state=Job.State.QUEUED, ready_at__lte=now)
    for queue in waiting.order_by().values_list("queue", flat=True).distinct():
        sending.send(queue)
    return requeued


def hand_back(worker: str) -> int:
    """Queue the jobs again that *worker* runs, because it stops; return how many.

    Their runs find that they have lost their leases. No attempt is counted.
    """
    running = Job.objects.filter(state=Job.State.RUNNING, worker=worker)
    return sum(_queue_again(job) for job in running)


def _queue_again(job: Job, **values: Any) -> bool:
    """Queue a running job as it was read, and send a ticket; return False if it is another's."""
    is_ours = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, lease=job.lease).update(
        state=Job.State.QUEUED, attempts=F("attempts") - 1, **values
    )
    if is_ours:
        sending.send(job.queue)
    return bool(is_ours)
