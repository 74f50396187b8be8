"""Jobs of a kind whose work each test says, and a broker that only takes notes."""

from datetime import timedelta

import pytest

from osmosmjerka.jobs import ledger


@pytest.fixture
def published(monkeypatch):
    """Return the ids that were handed to the broker; none is delivered."""
    ids = []
    monkeypatch.setattr(ledger, "publish", lambda job: ids.append(str(job.pk)))
    return ids


@pytest.fixture
def handler(monkeypatch):
    """Register a kind "test" whose handler notes its runs and does what the test says."""

    class Noted:
        runs = 0
        work = staticmethod(lambda run: None)

    noted = Noted()

    def run(job_run):
        noted.runs += 1
        noted.work(job_run)

    monkeypatch.setitem(ledger._handlers, "test", ledger.Handler(run, timedelta(minutes=1)))
    return noted
