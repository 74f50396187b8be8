"""Whose job a free worker runs next, so that one person's many jobs do not delay everybody's.

In each queue, the turn goes to the person with the fewest running jobs; among equals to the one who
was served least recently; then to the one who has waited longest. Jobs of one person run in order.
Long jobs give way. Jobs without an owner, such as the daily ones, count as one person's.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.db.models import Count, F, Max, Min, Q
from django.db.models.functions import Coalesce

from osmosmjerka.jobs import clock
from osmosmjerka.jobs.models import Job

# After this, a long job gives way if somebody else's waits in its queue.
TURN = timedelta(seconds=1.5)
# Who was last served before that counts as never served.
_RECENTLY = timedelta(minutes=15)
_NOBODY = 0  # stands for jobs without an owner; ids of people begin at 1


def next_job(queue: str) -> uuid.UUID | None:
    """Return the id of the job of *queue* that is to run next, or None if none waits."""
    now = clock.now()
    waiting = Job.objects.filter(queue=queue, state=Job.State.QUEUED, ready_at__lte=now)
    if not waiting.exists():  # an idle worker asks often
        return None
    of_owner = waiting.filter(owner=_next_owner(queue, now) or None)
    return of_owner.order_by("ready_at", "created_at").values_list("pk", flat=True).first()


def is_anothers(job: Job) -> bool:
    """Return whether, if the running *job* gave way, the turn would be another person's."""
    owner = _next_owner(job.queue, clock.now(), giving_way=job)
    return owner not in {None, job.owner_id or _NOBODY}


def _next_owner(queue: str, now: datetime, *, giving_way: Job | None = None) -> int | None:
    gives_way = Q(pk=giving_way and giving_way.pk)
    is_waiting = Q(state=Job.State.QUEUED, ready_at__lte=now) | gives_way
    # A dead worker's job runs no longer, although its row says so until it is swept.
    is_running = Q(state=Job.State.RUNNING, lease_until__gt=now) & ~gives_way
    # Each side has the queue, so that each uses an index, however long the ledger has become.
    jobs = Job.objects.filter(
        Q(queue=queue, state__in=[Job.State.QUEUED, Job.State.RUNNING])
        | Q(queue=queue, started_at__gte=now - _RECENTLY)
    )
    people = (
        jobs.values_list(Coalesce("owner", _NOBODY))
        .annotate(
            first=Min("ready_at", filter=is_waiting),
            running=Count("pk", filter=is_running),
            served=Max("started_at"),
        )
        .filter(first__isnull=False)
        .order_by("running", F("served").asc(nulls_first=True), "first")
    )
    return next((owner for owner, *_rest in people[:1]), None)
