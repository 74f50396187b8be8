"""What a site admin does on the status page."""

from __future__ import annotations

from django.db import transaction

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job


@transaction.atomic
def retry_job(job: Job, *, actor: User) -> bool:
    """Queue a failed job again, and log who did; return False if it is not failed (any more)."""
    if not ledger.retry(job):
        return False
    audit.record(actor, "retried job", actor, kind=job.kind, job=str(job.pk))
    return True
