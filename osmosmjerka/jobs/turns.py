"""Whose job a free worker runs next, so that one person's many jobs do not delay everybody's.

In each queue, the turn goes to the person with the fewest running jobs; among equals to the one who
was served least recently; then to the one who has waited longest. Jobs of one person run in order.
Nobody gets all the slots of a queue, unless it has only one; there, long jobs give way.
Jobs without an owner, such as the daily ones, count as one person's.
"""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Max, Min
from django.db.models.functions import Coalesce

from osmosmjerka.jobs import clock
from osmosmjerka.jobs.models import Job, Queue, WorkerHeartbeat

# After this, a long job gives way if somebody else's waits in its queue.
TURN = timedelta(seconds=1.5)
# Who was last served before that counts as never served.
_RECENTLY = timedelta(minutes=15)
# Queues whose jobs nobody waits for in front of a page. A worker that also serves others keeps a
# slot for these: a sound that waits for somebody else's server must not hold up a puzzle.
PATIENT = frozenset({"search", "sound"})
SHARED = "*"  # among a worker's slots: those that its queues have together
_NOBODY = 0  # stands for jobs without an owner; ids of people begin at 1


def lock(queue: str) -> None:
    """Let no other worker choose a job of *queue* until the transaction ends."""
    Queue.objects.get_or_create(name=queue)
    Queue.objects.select_for_update().get(name=queue)


def next_job(queue: str) -> uuid.UUID | None:
    """Return the id of the job of *queue* that is to run next, or None if none may."""
    now = clock.now()
    owner = _next_owner(queue, now)
    if owner is None:
        return None
    first = Job.objects.filter(
        queue=queue, state=Job.State.QUEUED, ready_at__lte=now, owner=owner or None
    ).order_by("ready_at", "created_at")
    return first.values_list("pk", flat=True).first()


def is_anothers(job: Job) -> bool:
    """Return whether, if the running *job* gave way, the turn would be another person's."""
    owner = _next_owner(job.queue, clock.now(), giving_way=job)
    return owner is not None and owner != (job.owner_id or _NOBODY)


_parent: int | None = None
_is_closed = False


def belong_to_parent() -> None:
    """Note that this process runs jobs for its parent, which tells the worker's heartbeat."""
    global _parent
    _parent = os.getppid()


def this_worker() -> str:
    """Return the name of the worker that this process is, or is part of."""
    return f"{socket.gethostname()}:{_parent or os.getpid()}"


@contextmanager
def closed() -> Iterator[None]:
    """Begin no job in this process while the block, which stops the worker, runs."""
    global _is_closed
    _is_closed = True
    try:
        yield
    finally:
        _is_closed = False


def has_room(queue: str) -> bool:
    """Return whether this worker may begin a job of *queue* now."""
    if _is_closed:
        return False
    if queue not in PATIENT:
        return True
    own = WorkerHeartbeat.objects.filter(name=this_worker()).values_list("slots", flat=True).first()
    if own is None or SHARED not in own or own.keys() <= PATIENT | {SHARED}:
        return True
    running = Job.objects.filter(
        state=Job.State.RUNNING,
        worker=this_worker(),
        queue__in=PATIENT,
        lease_until__gt=clock.now(),
    )
    return running.count() < max(1, own[SHARED] - 1)


def heard_since() -> datetime:
    """Return the time since when a worker that lives has been heard of."""
    return clock.now() - timedelta(seconds=max(15, 5 * settings.JOB_SWEEP_SECONDS))


def slots_of(queue: str) -> int:
    """Return how many jobs of *queue* all live workers together can run at once."""
    told = WorkerHeartbeat.objects.filter(seen_at__gte=heard_since())
    return sum(slots.get(queue, 0) for slots in told.values_list("slots", flat=True))


def _next_owner(queue: str, now: datetime, *, giving_way: Job | None = None) -> int | None:
    jobs = Job.objects.filter(queue=queue).order_by().annotate(who=Coalesce("owner", _NOBODY))
    waiting = dict(
        jobs.filter(state=Job.State.QUEUED, ready_at__lte=now)
        .values_list("who")
        .annotate(first=Min("ready_at"))
    )
    if not waiting:
        return None
    # A dead worker's job runs no longer, although its row says so until it is swept.
    running = dict(
        jobs.filter(state=Job.State.RUNNING, lease_until__gt=now)
        .values_list("who")
        .annotate(count=Count("pk"))
    )
    served = dict(
        jobs.filter(started_at__gte=now - _RECENTLY)
        .values_list("who")
        .annotate(last=Max("started_at"))
    )
    if giving_way is not None:
        own = giving_way.owner_id or _NOBODY
        waiting[own] = giving_way.ready_at
        running[own] = max(0, running.get(own, 0) - 1)
    most = max(1, slots_of(queue) - 1)
    able = [owner for owner in waiting if running.get(owner, 0) < most]
    return min(
        able,
        key=lambda owner: (
            running.get(owner, 0),
            served.get(owner, now - _RECENTLY),
            waiting[owner],
        ),
        default=None,
    )
