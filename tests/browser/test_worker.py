"""The worker beside the site: tickets that are of no use to anybody delay nobody."""

from __future__ import annotations

import pytest

from osmosmjerka.jobs import ledger, sending
from osmosmjerka.jobs.models import Job
from tests.browser.conftest import come_to_rest
from tests.services import wait_until

# If each occupied the thread for two seconds, the job behind them would wait for two minutes.
STALE = 60


@pytest.mark.thorough
def test_tickets_of_deleted_jobs_do_not_delay_a_new_one(worker):
    """In the embedded worker, this queue has one thread."""
    for _ticket in range(STALE):
        sending.send("search")
    job = ledger.enqueue("jobs.purge", key="behind them", queue="search")
    wait_until(lambda: Job.objects.get(pk=job.pk).state == Job.State.DONE, seconds=30)


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_test_takes_back_what_waits_and_ends_after_what_runs():
    """Otherwise a late job writes into a database that was emptied for the next test."""
    running, waiting = (
        Job.objects.create(kind="jobs.purge", key=state, state=state)
        for state in (Job.State.RUNNING, Job.State.QUEUED)
    )
    assert not come_to_rest()
    assert Job.objects.get(pk=waiting.pk).state == Job.State.CANCELLED
    Job.objects.filter(pk=running.pk).update(state=Job.State.DONE)
    assert come_to_rest()
