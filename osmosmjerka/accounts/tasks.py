"""Background jobs about people; each handler calls one service."""

from __future__ import annotations

from datetime import timedelta

from osmosmjerka.accounts import mail
from osmosmjerka.accounts.auth import reset, two_factor  # noqa: F401  (writes letters)
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.classrooms import joining, roster_imports, school_imports
from osmosmjerka.accounts.models import RosterImport, WebhookDelivery
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.accounts.webhooks import services as webhooks
from osmosmjerka.jobs.ledger import JobRun, handles


@handles("accounts.retention", is_daily=True)
def enforce_retention(run: JobRun) -> None:
    with run.finishing(**retention.enforce_retention()):
        pass


@handles("accounts.bin", time_limit=timedelta(hours=1), is_daily=True)
def empty_bin(run: JobRun) -> None:
    """Remove what has been in the bin for 30 days."""
    with run.finishing(**bin.purge()):
        pass


@handles("accounts.rosters", is_daily=True)
def purge_rosters(run: JobRun) -> None:
    with run.finishing(rosters=roster_imports.purge(), requests=joining.purge()):
        pass


@handles(
    school_imports.JOB,
    about=RosterImport,
    time_limit=timedelta(hours=1),
    when_failed=school_imports.when_failed,
)
def run_school_import(run: JobRun) -> None:
    school_imports.run(run)


@handles(webhooks.JOB, about=WebhookDelivery, when_failed=webhooks.when_failed)
def send_event(run: JobRun) -> None:
    webhooks.deliver(run)


@handles("accounts.webhooks", is_daily=True)
def purge_deliveries(run: JobRun) -> None:
    with run.finishing(deliveries=webhooks.purge()):
        pass


@handles(mail.JOB)
def send_mail(run: JobRun) -> None:
    mail.send(run)


@handles(reset.JOB)
def mail_password_links(run: JobRun) -> None:
    with run.finishing(letters=reset.enqueue_letters(**run.arguments)):
        pass
