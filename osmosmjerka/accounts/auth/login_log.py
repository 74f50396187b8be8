"""Refused log-ins in the log: why, from where and, where it is known, into which account.

People stand there by their numbers alone. What was typed is never logged: a name tells who a
child is, and somebody's password may stand in the field of the name.
"""

from __future__ import annotations

import logging
from typing import Literal

from django.http import HttpRequest
from rest_framework.request import Request

logger = logging.getLogger(__name__)

Reason = Literal["password", "card", "code", "class code", "passkey", "second step", "locked out"]


def refused(
    request: HttpRequest | Request | None,
    reason: Reason,
    *,
    account: int | None = None,
    classroom: int | None = None,
) -> None:
    """Log that somebody was not let in.

    *account* and *classroom* are the numbers of the account that was tried and of the class at
    whose door it was. The address is what the server says: a proxy's word counts only where
    TRUSTED_PROXY_COUNT lets it.
    """
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
