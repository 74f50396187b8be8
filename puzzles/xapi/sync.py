"""What students did is told to a learning record store, if the site has one: all of it, once.

How far it was told stands in a row for each kind of statement. It moves on after the store took
them, so a crash in between tells some again; their ids are the same, and the store keeps one.
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
# What is younger may stand in a transaction that has not ended; a later row may be seen before it.
SETTLED = timedelta(minutes=1)
EVERY = 300.0  # seconds from one round to the next
AGAIN = 60.0  # seconds until a store that was away is asked again
ROUND = 240.0  # seconds after which a long round is broken off, to go on at once


class _Batch(NamedTuple):
    told: SyncCursor
    statements: list[dict[str, Any]]
    last_at: datetime
    last_key: str


def store() -> RecordStore | None:
    """Return the site's record store, None where there is none."""
    if not settings.XAPI_URL:
        return None
    return RecordStore(settings.XAPI_URL, settings.XAPI_KEY, settings.XAPI_SECRET)


def tell(run: JobRun) -> None:
    """Send what is new; give the job back to be done again, until its day is over."""
    keeper = store()
    if keeper is None:
        return
    began = time.monotonic()
    try:
        for batch in _batches(timezone.now() - SETTLED):
            for refused in keeper.send(batch.statements):
                logger.warning("The record store refuses the statement %s", refused)
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
    """Note how far it was told, unless another worker was faster."""
    told = batch.told
    SyncCursor.objects.filter(pk=told.pk, last_at=told.last_at, last_key=told.last_key).update(
        last_at=batch.last_at, last_key=batch.last_key
    )


def _batches(until: datetime) -> Iterator[_Batch]:
    """Yield what is to be told, a kind after the other, each time as far as was told by then."""
    for kind, find in _KINDS.items():
        while True:
            told, _created = SyncCursor.objects.get_or_create(kind=kind)
            batch = find(told, until)
            if batch is None:
                break
            yield batch


def _answers(told: SyncCursor, until: datetime) -> _Batch | None:
    # In the order in which they were written, and none beyond the first that is too young: of two
    # that came at once, the later may have the smaller number.
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
    """Return the address that says in statements where they come from."""
    return f"{settings.XAPI_SITE.rstrip('/')}/"
