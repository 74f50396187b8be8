"""What the site says when something that it stands on is away: its database, or room on the disk.

Some errors mean that, and not that the code is wrong. The page says what is the matter and when to
try again; what was acknowledged is stored, and answers of players stay on their devices meanwhile.
"""

from __future__ import annotations

import errno
import logging
import secrets
import sqlite3
import sys
from enum import StrEnum

from django.db import InterfaceError, OperationalError
from django.db.utils import Error
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from osmosmjerka.web import overload
from osmosmjerka.web.requests import Handler

logger = logging.getLogger(__name__)

# In a request's environment: why `server.admission` let it in only to be refused.
REFUSAL = "osmosmjerka.refusal"

NO_DATA = _("The site cannot reach its data at the moment. Try again in a minute.")

# Classes of SQLSTATE: connection exceptions, and shutdowns and starts of the server.
_AWAY = ("08", "57P")
_TOO_MANY_CONNECTIONS = "53300"
_DISK_FULL = "53100"
_FULL_ERRORS = {errno.ENOSPC, errno.EROFS, errno.EDQUOT}
_SQLITE_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_SQLITE_FULL = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
}


class Outage(StrEnum):
    """What is the matter."""

    DATABASE = "database"  # it does not answer, or the store of files does not
    BUSY = "busy"  # others have been writing for too long
    DISK = "disk"  # it is full, or nothing can be written there


def outage_of(error: BaseException | None) -> Outage | None:
    """Return the outage that *error* is a sign of; None if it is an ordinary error."""
    if isinstance(error, OSError) and error.errno in _FULL_ERRORS:
        return Outage.DISK
    if isinstance(error, OSError) and error.errno == errno.EIO:  # also a bucket that is away
        return Outage.DATABASE
    if not isinstance(error, Error):
        return _outage_of_cache(error)
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF  # without its details
        if code in _SQLITE_BUSY:
            return Outage.BUSY
        return Outage.DISK if code in _SQLITE_FULL else None
    state = getattr(cause, "sqlstate", None)
    if state == _DISK_FULL:
        return Outage.DISK
    if isinstance(error, InterfaceError):
        return Outage.DATABASE
    if not isinstance(error, OperationalError):
        return None
    is_away = state is None or state == _TOO_MANY_CONNECTIONS or state.startswith(_AWAY)
    return Outage.DATABASE if is_away else None


def refusal(request: HttpRequest, outage: Outage) -> HttpResponse:
    """Return a page, or JSON, that says what is the matter, with status 503."""
    if outage is Outage.BUSY:
        return overload.refusal(request)
    if outage is Outage.DISK:
        told = _("Nothing can be saved at the moment, because the server has no space left.")
        return overload.unavailable(request, "503_disk.html", told, wait=60)
    # Not all at the same moment.
    wait = 4 + secrets.randbelow(7)
    return overload.unavailable(request, "503_database.html", NO_DATA, wait=wait)


def refusal_after(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return the response to a request that failed because of an outage; None if it did not."""
    outage = outage_of(error)
    if outage is None:
        return None
    told = " ".join(str(error).split())
    # Not the address, which may hold a code or token.
    view = request.resolver_match.view_name if request.resolver_match else "a request"
    logger.warning("An outage (%s): %s %s failed: %s", outage, request.method, view, told)
    return refusal(request, outage)


class OutageMiddleware:
    """Refuse at once what the server let in only to be refused: the database does not answer."""

    why = Outage.DATABASE

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.META.get(REFUSAL) == self.why:
            return refusal(request, self.why)
        return self.get_response(request)


class OverloadMiddleware(OutageMiddleware):
    """Refuse what comes while too many requests are under way.

    /readyz is refused, too, so that a load balancer asks elsewhere.
    """

    why = Outage.BUSY


def _outage_of_cache(error: BaseException | None) -> Outage | None:
    """Return the outage if a cache on Redis is away; without one, its client is not loaded."""
    client = sys.modules.get("redis.exceptions")
    is_away = client and isinstance(error, client.ConnectionError | client.TimeoutError)
    return Outage.DATABASE if is_away else None
