"""Jobs of a kind whose work each test says, and a broker that only takes notes."""

from datetime import timedelta

import pytest

from osmosmjerka.jobs import ledger, sending


@pytest.fixture
def published(monkeypatch):
    """Return the queues for which a ticket was sent; none is delivered."""
    queues = []
    monkeypatch.setattr(sending, "send", queues.append)
    return queues


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
