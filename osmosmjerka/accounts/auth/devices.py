"""Where a person is logged in: list the devices, log out one of them or all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction
from django.utils import timezone

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.auth.sessions import LOGIN, row_key
from osmosmjerka.accounts.models import BrowserSession, User


@dataclass(frozen=True, slots=True)
class Device:
    """A session as its owner sees it. *pk* is a hash, with which nobody can log in."""

    pk: str
    browser: str
    logged_in_at: datetime
    seen_at: datetime
    is_this: bool


def of_person(person: User, session_key: str | None) -> list[Device]:
    """Return where *person* is logged in, the session with *session_key* first."""
    this = row_key(session_key) if session_key else ""
    rows = person.browser_sessions.filter(expire_date__gt=timezone.now()).order_by("-seen_at")
    devices = []
    for row in rows:
        login = row.get_decoded().get(LOGIN, {})
        logged_in_at = datetime.fromtimestamp(login.get("at", 0), UTC)
        devices.append(
            Device(
                pk=row.pk,
                browser=login.get("browser", ""),
                logged_in_at=logged_in_at,
                # The full hour, but nobody used it before logging in.
                seen_at=max(logged_in_at, row.seen_at.replace(minute=0, second=0, microsecond=0)),
                is_this=row.pk == this,
            )
        )
    return sorted(devices, key=lambda device: not device.is_this)


@transaction.atomic
def end(*, session: BrowserSession) -> None:
    """Log out one device."""
    person = session.user
    session.delete()
    if person is not None:
        audit.record(person, "ended session", person)


@transaction.atomic
def end_everywhere(*, person: User) -> None:
    """Log out *person* on every device, and end their API tokens."""
    person.end_access()
    audit.record(person, "ended sessions", person)
