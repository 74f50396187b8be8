"""Background jobs about people; each handler calls one service."""

from __future__ import annotations

from osmosmjerka.accounts.classrooms import joining, roster_imports
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.jobs.ledger import JobRun, handles


@handles("accounts.retention", is_daily=True)
def enforce_retention(run: JobRun) -> None:
    with run.finishing(**retention.enforce_retention()):
        pass


@handles("accounts.rosters", is_daily=True)
def purge_rosters(run: JobRun) -> None:
    with run.finishing(rosters=roster_imports.purge(), requests=joining.purge()):
        pass
