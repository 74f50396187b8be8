"""The worker beside the site: messages that are of no use to anybody delay nobody."""

from __future__ import annotations

import uuid

from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from tests.services import wait_until

# If each occupied the thread for two seconds, the job behind them would wait for two minutes.
STALE = 60


def test_messages_of_deleted_jobs_do_not_delay_a_new_one(worker):
    """In the embedded worker, this queue has one thread."""
    for _message in range(STALE):
        ledger.publish(Job(pk=uuid.uuid4(), queue="search"))
    job = ledger.enqueue("jobs.purge", key="behind them", queue="search")
    wait_until(lambda: Job.objects.get(pk=job.pk).state == Job.State.DONE, seconds=30)
