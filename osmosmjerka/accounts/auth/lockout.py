"""Failed logins lock the account for a while, never an IP address.

A whole school logs in from one address at nine o'clock, so an address says nothing and must not be
locked. Known packages lock by address, or by both; this is the small part that is needed here. Each
login counts before anything is told, and one after the other, so that parallel attempts count as
well. Names that do not exist count in the same way: a lock does not reveal whether an account
exists. Two accounts never have one count, or whoever has one of them could go on guessing at the
other: each login of their own would forget the failures.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import ngettext

from osmosmjerka.accounts.codes import keyed_hash
from osmosmjerka.accounts.models import FailedLogin, User

FREE_FAILURES = 6
FIRST_LOCK = timedelta(seconds=30)
LONGEST_LOCK = timedelta(hours=24)
# Made-up names leave a row each, of about 100 bytes, until then: not storing names that do not
# exist would reveal which do.
FORGOTTEN_AFTER = timedelta(days=7)


class AccountLocked(Exception):
    """Too many failed attempts on this account; it can log in again later."""

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


def asking_to_wait(response: HttpResponse, locked: AccountLocked) -> HttpResponse:
    """Return a page of a log-in that says how long to wait, with the status that says so, too."""
    response.status_code = 429
    response["Retry-After"] = str(math.ceil(locked.wait.total_seconds()))
    return response


def key_of(way: str, account: str) -> str:
    """Return the key for counting the failures of *account* with one *way* of logging in."""
    return keyed_hash("tries", f"{way}:{account}")


def key_of_password(username: str) -> str:
    """Return the key for logins by password. In another case, it is another username."""
    return key_of("password", User.normalize_username(username))


def begin(key: str) -> None:
    """Count a failure before the secret is checked; raise AccountLocked while the lock lasts."""
    count([key])


def count(keys: Iterable[str], right: str | None = None) -> None:
    """Count one attempt at several accounts, whose secrets were compared with the one given.

    If it was that of *right*, only the failures of this account are forgotten. Otherwise it is a
    failure at each of them. Raises AccountLocked if one of them is locked; if *right* is, what was
    given counts like a wrong secret, so that nothing tells that it was right.
    """
    now = timezone.now()
    with transaction.atomic():
        # In one order, so that two attempts never wait for each other.
        tried = {
            key: FailedLogin.objects.select_for_update().get_or_create(account=key)[0]
            for key in sorted(set(keys))
        }
        waits = {
            key: one.locked_until - now
            for key, one in tried.items()
            if one.locked_until is not None and one.locked_until > now
        }
        if right is not None and right not in waits:
            tried[right].delete()
            return
        for key in tried.keys() - waits.keys():
            _count_failure(tried[key], now)
    if waits:
        raise AccountLocked(max(waits.values()))


def _count_failure(tried: FailedLogin, now: datetime) -> None:
    tried.wrong += 1
    if tried.wrong >= FREE_FAILURES:
        doublings = min(tried.wrong - FREE_FAILURES, 20)
        tried.locked_until = now + min(FIRST_LOCK * 2**doublings, LONGEST_LOCK)
    tried.save()


def lift(*keys: str) -> int:
    """Delete the failures of accounts that log in or get a new secret; return how many had any."""
    return FailedLogin.objects.filter(account__in=keys).delete()[0]


def forget_old() -> int:
    """Delete counts that have not changed for a week; return how many."""
    deleted, _by_model = FailedLogin.objects.filter(
        last_at__lt=timezone.now() - FORGOTTEN_AFTER
    ).delete()
    return deleted
