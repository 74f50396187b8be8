"""E-mails to teachers that may fail: what they report happens all the same."""

from __future__ import annotations

import logging
import smtplib
import socket
import ssl
from collections.abc import Sequence

from django.conf import settings
from django.core.mail import EmailMessage, get_connection, send_mail
from django.utils.translation import gettext as _

logger = logging.getLogger(__name__)

TEST_SECONDS = 10  # that a mail server has for each answer to the test

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


def send_test(address: str) -> str:
    """Send a test e-mail; return why the mail server did not accept it, as a sentence, or ""."""
    if not is_delivering():
        return _("No mail server is set, so e-mails reach nobody. Set EMAIL_URL.")
    server = {"host": settings.EMAIL_HOST, "port": settings.EMAIL_PORT}
    try:
        EmailMessage(
            _("Test e-mail"),
            _("This site can send e-mails."),
            to=[address],
            connection=get_connection(timeout=TEST_SECONDS),
        ).send()
    except smtplib.SMTPAuthenticationError as error:
        return _("The mail server does not accept the username and password. It says: %(said)s") % {
            "said": _said(error.smtp_error)
        }
    except smtplib.SMTPSenderRefused as error:
        return _(
            "The mail server does not accept the sender %(sender)s (DEFAULT_FROM_EMAIL). It says: "
            "%(said)s"
        ) % {"sender": error.sender, "said": _said(error.smtp_error)}
    except smtplib.SMTPRecipientsRefused as error:
        [(_code, said)] = list(error.recipients.values())[:1]
        return _("The mail server does not accept your address. It says: %(said)s") % {
            "said": _said(said)
        }
    except smtplib.SMTPResponseException as error:
        return _("The mail server did not accept the e-mail. It says: %(said)s") % {
            "said": _said(error.smtp_error)
        }
    except socket.gaierror:
        return _("There is no mail server with the name %(host)s. Check EMAIL_URL.") % server
    except (TimeoutError, smtplib.SMTPServerDisconnected):
        return _("The mail server %(host)s does not answer. Check EMAIL_URL.") % server
    except ConnectionRefusedError:
        return _("No mail server answers at %(host)s, port %(port)s. Check EMAIL_URL.") % server
    except ssl.SSLError as error:
        return _("The connection to the mail server is not secure: %(reason)s") % {
            "reason": error.reason or error
        }
    except (smtplib.SMTPException, OSError) as error:
        return _("The e-mail could not be sent: %(reason)s") % {"reason": error}
    return ""


def _said(answer: bytes | str) -> str:
    """Return what a mail server answered, as text."""
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
