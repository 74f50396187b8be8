"""The only Celery task: it passes a job's id to the ledger."""

from __future__ import annotations

from celery import shared_task

from osmosmjerka.jobs import ledger


@shared_task(name=ledger.RUN)
def run(job_id: str) -> None:
    ledger.run_job(job_id)
