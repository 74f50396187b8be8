"""E-mails to teachers that may fail: what they report happens all the same."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from django.conf import settings
from django.core.mail import send_mail

logger = logging.getLogger(__name__)

# They print or drop what they are given: nobody reads it.
_NOBODY_READS = {
    f"django.core.mail.backends.{name}.EmailBackend" for name in ("console", "dummy", "filebased")
}


def is_delivering() -> bool:
    """Return whether this site's e-mails reach anybody."""
    return settings.EMAIL_BACKEND not in _NOBODY_READS


def send_or_warn(subject: str, text: str, addresses: Sequence[str], *, about: str) -> bool:
    """Send an e-mail; log a warning if that fails. Return whether a mail server accepted it.

    *about* describes the message in the log, without names and addresses.
    """
    if not send_mail(subject, text, None, addresses, fail_silently=True):
        logger.warning("An e-mail could not be sent: %s", about, extra={"about": about})
        return False
    return is_delivering()
