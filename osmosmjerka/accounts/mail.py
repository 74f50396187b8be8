"""E-mails to teachers that may fail: what they report happens all the same."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from django.core.mail import send_mail

logger = logging.getLogger(__name__)


def send_or_warn(subject: str, text: str, addresses: Sequence[str], *, about: str) -> None:
    """Send an e-mail; log a warning if that fails.

    *about* describes the message in the log, without names and addresses.
    """
    if not send_mail(subject, text, None, addresses, fail_silently=True):
        logger.warning("An e-mail could not be sent: %s", about, extra={"about": about})
