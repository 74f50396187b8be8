"""Wrong log-ins lock the account that is tried, for a while; no address is ever looked at.

A whole school comes from one address at nine o'clock, so an address tells nothing and must not
be locked. Known peers lock by address, or by both; this is the small part that is wanted here.
Each log-in counts as a failure before it is judged, so that those sent side by side count as well.
Names that do not exist are counted alike: a lock tells nobody whether there is such an account.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import ngettext

from osmosmjerka.accounts.codes import keyed_hash
from osmosmjerka.accounts.models import FailedLogin

FREE_FAILURES = 6
FIRST_LOCK = timedelta(seconds=30)
LONGEST_LOCK = timedelta(hours=24)
FORGOTTEN_AFTER = timedelta(days=7)


class AccountLocked(Exception):
    """This account was tried too often; it can be tried again later."""

    def __init__(self, wait: timedelta) -> None:
        self.wait = wait
        minutes = max(1, -(-int(wait.total_seconds()) // 60))
        super().__init__(
            ngettext(
                "Too many failed attempts. Wait %(minutes)s minute or ask your teacher.",
                "Too many failed attempts. Wait %(minutes)s minutes or ask your teacher.",
                minutes,
            )
            % {"minutes": minutes}
        )


def key_of(way: str, account: str) -> str:
    """Return the key under which failures of *account* by one *way* of logging in are counted."""
    return keyed_hash("tries", f"{way}:{account}")


def begin(key: str) -> None:
    """Count a failure before the secret is looked at; raise AccountLocked while the lock lasts."""
    now = timezone.now()
    with transaction.atomic():
        tried, _created = FailedLogin.objects.select_for_update().get_or_create(account=key)
        if tried.locked_until is not None and tried.locked_until > now:
            raise AccountLocked(tried.locked_until - now)
        tried.wrong += 1
        if tried.wrong >= FREE_FAILURES:
            doublings = min(tried.wrong - FREE_FAILURES, 20)
            tried.locked_until = now + min(FIRST_LOCK * 2**doublings, LONGEST_LOCK)
        tried.save()


def succeeded(key: str) -> None:
    """Forget the failures of an account whose secret was right."""
    FailedLogin.objects.filter(account=key).delete()


def lift(keys: Iterable[str]) -> None:
    """Forget the failures of accounts whose secret is a new one from now on."""
    FailedLogin.objects.filter(account__in=list(keys)).delete()


def forget_old() -> int:
    """Drop counts that nobody has added to for a week; return how many."""
    deleted, _by_model = FailedLogin.objects.filter(
        last_at__lt=timezone.now() - FORGOTTEN_AFTER
    ).delete()
    return deleted
