"""Log logins: to which account; for refused ones also why and from which address.

People appear only by their ids. What was typed is never logged: a name identifies a student, and
people sometimes type their password into the field for the name.
"""

from __future__ import annotations

import logging
from typing import Literal

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from rest_framework.request import Request

from osmosmjerka.accounts.models import User
from osmosmjerka.monitoring import metrics

logger = logging.getLogger(__name__)

Reason = Literal[
    "password",
    "card",
    "code",
    "class code",
    "passkey",
    "second step",
    "locked out",
    "school account",
]


def refused(
    request: HttpRequest | Request | None,
    reason: Reason,
    *,
    account: int | None = None,
    classroom: int | None = None,
) -> None:
    """Log that a login was refused.

    *account* and *classroom* are the ids of the account that was tried and of the class whose login
    page was used. The address is the server's; a proxy's header counts only as far as
    TRUSTED_PROXY_COUNT allows.
    """
    metrics.logins_refused.labels(reason).inc()
    address = request.META.get("REMOTE_ADDR", "") if request is not None else ""
    tried = {"account": account, "classroom": classroom}
    known = {name: number for name, number in tried.items() if number is not None}
    logger.warning(
        "Log-in refused (%s) from %s%s",
        reason,
        address or "an unknown address",
        "".join(f", {name} {number}" for name, number in known.items()),
        extra={"reason": reason, "address": address} | known,
    )


@receiver(user_logged_in, dispatch_uid="osmosmjerka.accounts.login_log")
def _accepted(user: User, **_signal: object) -> None:
    """Log that somebody logged in. The address of who is let in concerns nobody."""
    logger.info("Logged in: account %s", user.pk, extra={"account": user.pk})
