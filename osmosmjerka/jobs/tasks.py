"""The only Celery task: it passes a job's id to the ledger. And the ledger's own daily job."""

from __future__ import annotations

from celery import shared_task

from osmosmjerka.jobs import ledger, purge
from osmosmjerka.jobs.sending import RUN


@shared_task(name=RUN)
def run(job_id: str) -> None:
    ledger.run_next(job_id)


@ledger.handles("jobs.purge", is_daily=True)
def purge_daily(run: ledger.JobRun) -> None:
    with run.finishing(purged=purge.purge()):
        pass
