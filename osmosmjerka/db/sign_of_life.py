"""Whether a server of PostgreSQL that says nothing is slow, or gone.

A server that hangs, or whose machine is gone, keeps its connections and says nothing. Who waits for
an answer would wait for minutes. So whoever has waited for long asks for a sign of life.
"""

from __future__ import annotations

import logging
import socket
import struct
import threading
import time

from django.conf import settings

logger = logging.getLogger(__name__)

ANSWER = 0.8  # seconds that the server may take
PAUSE = 1.0  # until it is asked again

# "Do you speak TLS?" Every server answers with a letter at once, before anybody logs in, even if it
# has no connection to spare, and logs nothing.
_QUESTION = struct.pack("!ii", 8, 80877103)


class SignOfLife:
    """What is known of the server of PostgreSQL; of another database, that it is there."""

    def __init__(self) -> None:
        self._is_away = False
        self._asked_at = 0.0
        self._lock = threading.Lock()

    def is_away(self) -> bool:
        """Return whether the server is known to be away; ask it only if it was."""
        return self._is_away and self.is_missing()

    def is_missing(self) -> bool:
        """Ask the server, unless it was asked within a second; return whether it is away."""
        if self._lock.acquire(blocking=False):
            try:
                if time.monotonic() - self._asked_at > PAUSE:
                    self._note(is_away=not _answers())
                    self._asked_at = time.monotonic()
            finally:
                self._lock.release()
        return self._is_away

    def _note(self, *, is_away: bool) -> None:
        if is_away and not self._is_away:
            logger.error("The database server does not answer.")
        elif self._is_away and not is_away:
            logger.warning("The database server answers again.")
        self._is_away = is_away


def _answers() -> bool:
    """Return whether the server gives a sign of life in time; true if its address is not known."""
    database = settings.DATABASES["default"]
    host, port = str(database["HOST"]), str(database["PORT"] or 5432)
    if "postgresql" not in database["ENGINE"] or not host or "," in host + port:
        return True
    try:
        with socket.socket(socket.AF_UNIX) if host.startswith("/") else socket.socket() as link:
            link.settimeout(ANSWER)
            link.connect(f"{host}/.s.PGSQL.{port}" if host.startswith("/") else (host, int(port)))
            link.sendall(_QUESTION)
            return bool(link.recv(1))
    except OSError:
        return False


database = SignOfLife()
