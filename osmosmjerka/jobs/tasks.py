"""The only Celery task: it brings a ticket for a queue. And the ledger's own daily job."""

from __future__ import annotations

from celery import shared_task

from osmosmjerka.jobs import ledger, purge, sending


@shared_task(name=sending.RUN)
def run(queue: str) -> None:
    """Run the next job of *queue*; look for another one after it, whose ticket may be lost."""
    if ledger.run_next(queue):
        sending.send(queue)


@ledger.handles("jobs.purge", is_daily=True)
def purge_daily(run: ledger.JobRun) -> None:
    with run.finishing(purged=purge.purge()):
        pass
