"""Delete jobs that nobody will ask about any more, so that the ledger does not grow for ever."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q

from osmosmjerka.jobs import clock
from osmosmjerka.jobs.models import Job

KEPT = timedelta(days=30)
# A failed job can be tried again from its page.
FAILED_KEPT = timedelta(days=90)
_AT_ONCE = 1000  # so that other writers do not wait long


def purge() -> int:
    """Delete old finished jobs; return how many."""
    now = clock.now()
    old = Job.objects.filter(
        Q(state__in=[Job.State.DONE, Job.State.CANCELLED], finished_at__lt=now - KEPT)
        | Q(state=Job.State.FAILED, finished_at__lt=now - FAILED_KEPT)
    ).order_by()
    count = 0
    while some := list(old.values_list("pk", flat=True)[:_AT_ONCE]):
        count += Job.objects.filter(pk__in=some).delete()[0]
    return count
