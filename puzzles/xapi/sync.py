"""Send what students did to a learning record store, if the site has one: everything, once.

One row per type of statement stores how far it was sent. It is updated after the store accepted
the statements, so after a crash some are sent again; their ids are the same, and the store keeps
only one.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Min, Q
from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs.ledger import JobRun
from puzzles.models import PlaySession, SyncCursor
from puzzles.xapi import statements as xapi
from puzzles.xapi.client import RecordStore, StoreError
from vocab.models import Review

logger = logging.getLogger(__name__)

TELL = "puzzles.tell"
BATCH = 200
# Younger rows may belong to unfinished transactions; a later row may become visible before them.
SETTLED = timedelta(minutes=1)
EVERY = 300.0  # seconds between two rounds
AGAIN = 60.0  # seconds until a store that was down is tried again
ROUND = 240.0  # seconds after which a long round is interrupted, to continue at once


class _Batch(NamedTuple):
    told: SyncCursor
    statements: list[dict[str, Any]]
    last_at: datetime
    last_key: str


def store() -> RecordStore | None:
    """Return the site's record store, or None if there is none."""
    if not settings.XAPI_URL:
        return None
    return RecordStore(settings.XAPI_URL, settings.XAPI_KEY, settings.XAPI_SECRET)


def tell(run: JobRun) -> None:
    """Send what is new; queue the job again until its day is over."""
    keeper = store()
    if keeper is None:
        return
    began = time.monotonic()
    try:
        for batch in _batches(timezone.now() - SETTLED):
            for refused in keeper.send(batch.statements):
                logger.warning("The record store rejected statement %s", refused)
            _move_on(batch)
            run.report(50, str(batch.last_at))
            if time.monotonic() - began > ROUND:
                run.retry_later(1)
                return
    except StoreError as error:
        if error.permanent:
            raise
        run.retry_later(AGAIN, str(error))
        return
    finally:
        keeper.close()
    is_of_today = run.job.key.endswith(timezone.localdate().isoformat())
    if is_of_today:
        run.retry_later(EVERY)


def _move_on(batch: _Batch) -> None:
    """Record how far statements were sent, unless another worker was faster."""
    told = batch.told
    SyncCursor.objects.filter(pk=told.pk, last_at=told.last_at, last_key=told.last_key).update(
        last_at=batch.last_at, last_key=batch.last_key
    )


def _batches(until: datetime) -> Iterator[_Batch]:
    """Yield the statements to send, one type after another, each from its last position."""
    for kind, find in _KINDS.items():
        while True:
            told, _created = SyncCursor.objects.get_or_create(kind=kind)
            batch = find(told, until)
            if batch is None:
                break
            yield batch


def _answers(told: SyncCursor, until: datetime) -> _Batch | None:
    # In the order in which they were written, and none after the first that is too young: of two
    # concurrent rows, the later may have the smaller number.
    rows = Review.objects.filter(pk__gt=int(told.last_key or 0))
    young = rows.filter(at__gt=until).aggregate(first=Min("pk"))["first"]
    if young is not None:
        rows = rows.filter(pk__lt=young)
    reviews = list(rows.select_related("entry__vocabulary_list").order_by("pk")[:BATCH])
    if not reviews:
        return None
    statements = [xapi.answered(review, site()) for review in reviews]
    return _Batch(told, statements, reviews[-1].at, str(reviews[-1].pk))


def _sessions(verb: str, field: str) -> Callable[[SyncCursor, datetime], _Batch | None]:
    def find(told: SyncCursor, until: datetime) -> _Batch | None:
        after = Q()
        if told.last_at is not None:
            after = Q(**{f"{field}__gt": told.last_at}) | Q(
                **{field: told.last_at, "pk__gt": uuid.UUID(told.last_key)}
            )
        rows = PlaySession.objects.filter(
            after, student__role=User.Role.STUDENT, **{f"{field}__lte": until}
        )
        rows = rows.select_related("puzzle").defer("draft", "puzzle__grid", "puzzle__unplaced")
        sessions = list(rows.order_by(field, "pk")[:BATCH])
        if not sessions:
            return None
        statements = [
            statement
            for session in sessions
            for statement in xapi.played(session, site())
            if statement["verb"]["id"] == xapi.VERBS[verb]
        ]
        last = sessions[-1]
        return _Batch(told, statements, getattr(last, field), str(last.pk))

    return find


_KINDS: dict[str, Callable[[SyncCursor, datetime], _Batch | None]] = {
    "initialized": _sessions("initialized", "started_at"),
    "answered": _answers,
    "completed": _sessions("completed", "finished_at"),
}


def site() -> str:
    """Return the address that identifies this site in statements."""
    return f"{settings.XAPI_SITE.rstrip('/')}/"
