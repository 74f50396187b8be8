"""Mails to teachers that may fail: what they tell of is done all the same."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from django.core.mail import send_mail

logger = logging.getLogger(__name__)


def send_or_warn(subject: str, text: str, addresses: Sequence[str], *, about: str) -> None:
    """Send a mail; log a warning when it cannot be sent.

    *about* says in the log what it tells, without names and addresses.
    """
    if not send_mail(subject, text, None, addresses, fail_silently=True):
        logger.warning("A mail could not be sent: %s", about, extra={"about": about})
