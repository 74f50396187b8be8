"""Delete jobs that nobody will ask about any more, so that the ledger does not grow for ever."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q

from osmosmjerka.jobs.clock import now as clock_now
from osmosmjerka.jobs.models import Job, WorkerHeartbeat

KEPT = timedelta(days=30)
# A failed job can be tried again from its page.
FAILED_KEPT = timedelta(days=90)
_AT_ONCE = 1000  # so that other writers do not wait long


def purge() -> int:
    """Delete old finished jobs and the heartbeats of dead workers; return how many jobs."""
    now = clock_now()
    old = Job.objects.filter(
        Q(state__in=[Job.State.DONE, Job.State.CANCELLED], finished_at__lt=now - KEPT)
        | Q(state=Job.State.FAILED, finished_at__lt=now - FAILED_KEPT)
    ).order_by()
    count = 0
    while some := list(old.values_list("pk", flat=True)[:_AT_ONCE]):
        count += Job.objects.filter(pk__in=some).delete()[0]
    WorkerHeartbeat.objects.filter(seen_at__lt=now - timedelta(days=1)).delete()
    return count
