"""Send what students did to a learning record store, if the site has one: everything, once.

One row per type of statement stores how far it was sent. It is updated after the store accepted
the statements, so after a crash some are sent again; their ids are the same, and the store keeps
only one. A store that rejects everything stops the job, which fails with the store's answer.
Statements that it rejects while it accepts others are kept as rows and can be sent again.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.ledger import JobRun
from osmosmjerka.jobs.models import Job
from puzzles.models import PlaySession, RefusedStatement, SyncCursor
from puzzles.xapi import statements as xapi
from puzzles.xapi.client import AllRefused, RecordStore, StoreError
from vocab.models import Review

TELL = "puzzles.tell"
TELL_AGAIN = "puzzles.tell_again"
BATCH = 200
# Younger rows may belong to unfinished transactions; a later row may become visible before them.
SETTLED = timedelta(minutes=1)
EVERY = 300.0  # seconds between two rounds
AGAIN = 60.0  # seconds until a store that was down is tried again
ROUND = 240.0  # seconds after which a long round is interrupted, to continue at once


class _Batch(NamedTuple):
    told: SyncCursor
    statements: list[dict[str, Any]]
    sources: list[tuple[str, int]]  # of each: the key of its review or session, and the student
    last_at: datetime
    last_key: str


class _Kind(NamedTuple):
    """A type of statement: its rows, which of them are new, at which *moment*, and its text."""

    rows: Callable[[], QuerySet[Any]]
    new: Callable[[QuerySet[Any], SyncCursor, datetime], QuerySet[Any]]
    moment: str
    statements: Callable[[Sequence[Any]], Iterator[dict[str, Any]]]

    def batch(self, told: SyncCursor, until: datetime) -> _Batch | None:
        """Return what is to be sent next, None if nothing is new."""
        rows = list(self.new(self.rows(), told, until)[:BATCH])
        if not rows:
            return None
        sources = [(str(row.pk), row.student_id) for row in rows]
        last_at = getattr(rows[-1], self.moment)
        return _Batch(told, list(self.statements(rows)), sources, last_at, str(rows[-1].pk))

    def remade(self, key: str) -> dict[str, Any] | None:
        """Return the statement of one row again, None if the row is gone."""
        return next(self.statements(list(self.rows().filter(pk=key))), None)


def store() -> RecordStore | None:
    """Return the site's record store, or None if there is none."""
    if not settings.XAPI_URL:
        return None
    return RecordStore(settings.XAPI_URL, settings.XAPI_KEY, settings.XAPI_SECRET)


@contextmanager
def _retrying(run: JobRun, keeper: RecordStore) -> Iterator[None]:
    """Queue a job again whose store is down; close the connection in any case."""
    try:
        yield
    except StoreError as error:
        if error.permanent:
            raise
        run.retry_later(AGAIN, str(error))
    finally:
        keeper.close()


def tell(run: JobRun) -> None:
    """Send what is new; queue the job again until its day is over."""
    keeper = store()
    if keeper is None:
        return
    began = time.monotonic()
    stuck: dict[str, tuple[_Batch, AllRefused]] = {}
    is_accepting = False
    with _retrying(run, keeper):
        for batch in _batches(timezone.now() - SETTLED, stuck):
            try:
                refused = keeper.send(batch.statements)
            except AllRefused as error:
                stuck[batch.told.kind] = batch, error
                continue
            is_accepting = True
            _move_on(batch, refused)
            run.report(50, str(batch.last_at))
            if time.monotonic() - began > ROUND:
                run.retry_later(1)
                return
        for batch, refusal in stuck.values():
            if not is_accepting:  # as far as one can see, it is not these statements' fault
                raise refusal
            _move_on(batch, refusal.refused)
        if run.job.key.endswith(timezone.localdate().isoformat()):  # of today
            run.retry_later(EVERY)


def request_again() -> Job:
    """Queue a job that sends the rejected statements again; a double click queues one."""
    waiting = Job.objects.filter(kind=TELL_AGAIN, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    return waiting.first() or ledger.enqueue(TELL_AGAIN, key=f"{TELL_AGAIN}:{uuid.uuid4()}")


def tell_again(run: JobRun) -> None:
    """Send the rejected statements again; forget those that the store accepts now."""
    keeper = store()
    if keeper is None:
        return
    last, rejected, accepted = 0, 0, 0
    with _retrying(run, keeper):
        while rows := list(RefusedStatement.objects.filter(pk__gt=last).order_by("pk")[:BATCH]):
            last = rows[-1].pk
            statements = {statement["id"]: (row, statement) for row, statement in _remade(rows)}
            try:
                refused = keeper.send([statement for _row, statement in statements.values()])
            except AllRefused:
                rejected += len(statements)
                continue
            for key, (row, _statement) in statements.items():
                if key in refused:
                    row.reason = refused[key]
                    row.save(update_fields=["reason", "at"])
                else:
                    row.delete()
            rejected += len(refused)
            accepted += len(statements) - len(refused)
        with run.finishing(accepted=accepted, rejected=rejected):
            pass


def _remade(rows: Sequence[RefusedStatement]) -> Iterator[tuple[RefusedStatement, dict[str, Any]]]:
    """Yield each row with its statement, made anew; delete rows whose source is gone."""
    for row in rows:
        statement = _KINDS[row.kind].remade(row.key)
        if statement is None:
            row.delete()
        else:
            yield row, statement


@transaction.atomic
def _move_on(batch: _Batch, refused: dict[str, str]) -> None:
    """Record how far statements were sent, unless another worker was faster; keep the rejected."""
    told = batch.told
    RefusedStatement.objects.bulk_create(
        (
            RefusedStatement(
                kind=told.kind, key=key, student_id=student, reason=refused[statement["id"]]
            )
            for statement, (key, student) in zip(batch.statements, batch.sources, strict=True)
            if statement["id"] in refused
        ),
        ignore_conflicts=True,
    )
    SyncCursor.objects.filter(pk=told.pk, last_at=told.last_at, last_key=told.last_key).update(
        last_at=batch.last_at, last_key=batch.last_key
    )


def _batches(until: datetime, stuck: Container[str]) -> Iterator[_Batch]:
    """Yield the statements to send, one type after another, each from its last position.

    A type that is added to *stuck* meanwhile is left.
    """
    for name, kind in _KINDS.items():
        while name not in stuck:
            told, _created = SyncCursor.objects.get_or_create(kind=name)
            batch = kind.batch(told, until)
            if batch is None:
                break
            yield batch


def _reviews() -> QuerySet[Review]:
    return Review.objects.select_related("entry__vocabulary_list").order_by("pk")


def _new_reviews(rows: QuerySet[Any], told: SyncCursor, until: datetime) -> QuerySet[Any]:
    # In the order in which they were written, and none after the first that is too young: of two
    # concurrent rows, the later may have the smaller number.
    rows = rows.filter(pk__gt=int(told.last_key or 0))
    young = rows.filter(at__gt=until).aggregate(first=Min("pk"))["first"]
    return rows if young is None else rows.filter(pk__lt=young)


def _sessions() -> QuerySet[PlaySession]:
    sessions = PlaySession.objects.select_related("puzzle__vocabulary_list")
    return sessions.defer("draft", "puzzle__grid", "puzzle__unplaced")


def _of_sessions(verb: str, field: str) -> _Kind:
    def new(rows: QuerySet[Any], told: SyncCursor, until: datetime) -> QuerySet[Any]:
        after = Q()
        if told.last_at is not None:
            after = Q(**{f"{field}__gt": told.last_at}) | Q(
                **{field: told.last_at, "pk__gt": uuid.UUID(told.last_key)}
            )
        until_then = Q(**{f"{field}__lte": until}, student__role=User.Role.STUDENT)
        return rows.filter(after, until_then).order_by(field, "pk")

    return _Kind(_sessions, new, field, lambda rows: xapi.played(rows, site(), verbs=[verb]))


_KINDS = {
    "initialized": _of_sessions("initialized", "started_at"),
    "answered": _Kind(_reviews, _new_reviews, "at", lambda rows: xapi.answered(rows, site())),
    "completed": _of_sessions("completed", "finished_at"),
}


def site() -> str:
    """Return the address that identifies this site in statements."""
    return f"{settings.XAPI_SITE.rstrip('/')}/"
