"""E-mails to teachers, sent by a background job: what they report happens all the same.

A job stores what the e-mail is about, such as ids, and no text: it is written when it is sent, so
that links in it, which are secrets, are in no table. A letter whose job was interrupted after the
mail server accepted it is sent twice rather than never.
"""

from __future__ import annotations

import logging
import smtplib
import socket
import ssl
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db.models import Model
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.clock import now as clock_now
from osmosmjerka.jobs.models import Job
from osmosmjerka.jobs.outside import SharedCircuit

logger = logging.getLogger(__name__)

JOB = "accounts.mail"
# For so long a letter is tried again; then its job fails, and is shown among the failed jobs.
PATIENCE = timedelta(hours=24)
# Seconds until the next try, if the server is away; of all letters, one tries whether it is back.
AWAY = 45.0
# Seconds until the next try, if the server does not want this letter now. Servers that refuse the
# first try of everybody they do not know (greylisting) usually ask to wait five minutes.
NOT_NOW = 330.0

TEST_SECONDS = 10  # that a mail server has for each answer to the test

# They print or drop what they are given: nobody reads it.
_NOBODY_READS = {
    f"django.core.mail.backends.{name}.EmailBackend" for name in ("console", "dummy", "filebased")
}


class NotDelivered(Exception):
    """A letter could not be sent. The text names no person and no address."""


class _Refused(Exception):
    """The server refused this letter, for now or for good."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the mail server refused it with status {code}")
        self.is_for_good = code >= 500


class _Away(Exception):
    """The server cannot be reached, or accepts nothing at all."""


Writer = Callable[..., EmailMessage | None]


@dataclass(frozen=True, slots=True)
class _Kind:
    write: Writer
    when_accepted: Callable[..., None] | None


_kinds: dict[str, _Kind] = {}


def writes(
    name: str, *, when_accepted: Callable[..., None] | None = None
) -> Callable[[Writer], Writer]:
    """Register the decorated function as the writer of letters called *name*.

    It is called when the letter is sent, with what was passed to `enqueue`, and writes in the
    language of the reader; it returns None if there is no reason for the letter any more.
    *when_accepted* is called with the same, in the transaction that marks the job as done, once a
    mail server has accepted the letter.
    """

    def register(write: Writer) -> Writer:
        _kinds[name] = _Kind(write, when_accepted)
        return write

    return register


def is_delivering() -> bool:
    """Return whether this site's e-mails reach anybody."""
    return settings.EMAIL_BACKEND not in _NOBODY_READS


def enqueue(name: str, *, reader: User, subject: Model | None = None, **about: Any) -> Job:
    """Send a letter called *name* to *reader* once the transaction commits.

    *about* is stored: it must contain ids and no secrets. If *reader* or *subject* is deleted,
    the letter is not sent. In the log it is called by its *name*.
    """
    if name not in _kinds:
        raise KeyError(f"Nothing writes letters called {name!r}.")
    return ledger.enqueue(
        JOB,
        key=f"{JOB}:{uuid.uuid4()}",
        arguments={"letter": name, "about": about | {"reader": reader.pk}},
        owner=reader,
        subject=reader if subject is None else subject,
    )


def send(run: ledger.JobRun) -> None:
    """Send the letter of a job, or put it off if the mail server is away."""
    name, about = run.arguments["letter"], run.arguments["about"]
    kind = _kinds[name]
    letter = kind.write(**about)
    if letter is None:
        with run.finishing(accepted=False):
            return
    circuit = SharedCircuit("mail server", failures=3, rest=AWAY)
    if wait := circuit.enter():
        _put_off(run, wait, "the mail server is away")
        return
    try:
        _deliver(letter)
    except _Away as error:
        circuit.failed()
        _put_off(run, AWAY, str(error))
        return
    except _Refused as error:
        circuit.succeeded()
        if error.is_for_good:
            raise NotDelivered(f"An e-mail ({name}) was not sent: {error}.") from None
        _put_off(run, NOT_NOW, str(error))
        return
    circuit.succeeded()
    is_accepted = is_delivering()
    with run.finishing(accepted=is_accepted):
        # An address that was only needed for this letter is not kept.
        kept = {key: value for key, value in about.items() if key != "address"}
        run.held().update(arguments={"letter": name, "about": kept})
        if is_accepted and kind.when_accepted is not None:
            kind.when_accepted(**about)


def _put_off(run: ledger.JobRun, seconds: float, reason: str) -> None:
    name = run.arguments["letter"]
    if clock_now() - run.job.created_at > PATIENCE:
        raise NotDelivered(f"An e-mail ({name}) was not sent: {reason}.")
    logger.warning("An e-mail could not be sent yet (%s): %s", name, reason, extra={"letter": name})
    run.retry_later(seconds, f"Not sent yet: {reason}.")


def _deliver(letter: EmailMessage) -> None:
    """Hand the letter to the mail server, or whatever EMAIL_URL names; raise if it does not accept.

    What the server says is not passed on: it often repeats the address.
    """
    connection = get_connection(fail_silently=False)
    try:
        connection.open()
        connection.send_messages([letter])
    except smtplib.SMTPRecipientsRefused as error:
        # Of one recipient, so there is one answer.
        raise _Refused(next(iter(error.recipients.values()))[0]) from None
    except smtplib.SMTPDataError as error:
        raise _Refused(error.smtp_code) from None
    except smtplib.SMTPResponseException as error:
        told = f"the mail server answered with status {error.smtp_code} ({type(error).__name__})"
        raise _Away(told) from None
    except OSError as error:  # all others of smtplib, of sockets and of TLS
        raise _Away(f"the mail server cannot be used ({type(error).__name__})") from None
    except Exception as error:  # such as an address that cannot be written
        raise NotDelivered(f"An e-mail could not be written ({type(error).__name__}).") from None
    finally:
        # The letter is accepted, or not: how the conversation ends changes nothing about it.
        with suppress(OSError):
            connection.close()


def send_test(address: str) -> str:
    """Send a test e-mail; return why the mail server did not accept it, as a sentence, or ""."""
    if not is_delivering():
        return _("No mail server is configured, so e-mails are not sent. Set EMAIL_URL.")
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
