"""Notice that the server hangs, and free the threads of the web that wait for it.

A server that hangs, or whose machine is gone, keeps its connections and says nothing. Who waits for
an answer waits for minutes, and soon all threads do. So while a request takes long, a thread asks
the server for a sign of life. If there is none, the site is without its database: new requests are
told so at once (web/outages.py), and the connections of the others are shut down, so that they
fail. A statement that is slow on a server that lives is left alone.
"""

from __future__ import annotations

import logging
import os
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from osmosmjerka.db.postgresql.base import DatabaseWrapper

logger = logging.getLogger(__name__)

LOOK = 0.2  # seconds between two looks
PATIENCE = 0.7  # how long a request may take before the server is asked
ANSWER = 0.8  # how long the server may take for a sign of life
PAUSE = 1.0  # until it is asked again because of a request that takes long

# "Do you speak TLS?" Every server answers with a letter at once, before anybody logs in, even if it
# has no connection to spare, and logs nothing.
_QUESTION = struct.pack("!ii", 8, 80877103)


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens: a host or the folder of its socket."""

    host: str
    port: int

    def answers(self) -> bool:
        """Return whether the server gives a sign of life in time."""
        try:
            with self._connected() as link:
                link.settimeout(ANSWER)
                link.sendall(_QUESTION)
                return bool(link.recv(1))
        except OSError:
            return False

    def _connected(self) -> socket.socket:
        if not self.host.startswith("/"):
            return socket.create_connection((self.host, self.port), timeout=ANSWER)
        link = socket.socket(socket.AF_UNIX)
        link.settimeout(ANSWER)
        try:
            link.connect(f"{self.host}/.s.PGSQL.{self.port}")
        except OSError:
            link.close()
            raise
        return link


class Watchdog:
    """The requests of this process, their connections, and whether the server answers."""

    def __init__(self) -> None:
        self.is_away = False
        self.address: Address | None = None
        self._begun: dict[int, float] = {}  # by thread
        self._lines: WeakKeyDictionary[DatabaseWrapper, tuple[int, socket.socket]]
        self._lines = WeakKeyDictionary()
        self._thread: threading.Thread | None = None
        self._asked_at = 0.0
        self._lock = threading.Lock()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Free this thread if it waits in the block for a server that hangs."""
        thread = threading.get_ident()
        before = self._begun.get(thread)
        self._begun[thread] = time.monotonic()
        try:
            yield
        finally:
            if before is None:
                del self._begun[thread]
            else:
                self._begun[thread] = before

    def begin(self, thread: int) -> None:
        """Do what `watching` does for a request, which never is within another: it is cheaper."""
        self._begun[thread] = time.monotonic()

    def end(self, thread: int) -> None:
        self._begun.pop(thread, None)

    def is_hopeless(self) -> bool:
        """Return whether this thread, which is about to connect, would wait for nothing."""
        if threading.get_ident() not in self._begun or self.address is None:
            return False
        if not self.is_away and not self.address.answers():
            self._note(is_away=True)
        return self.is_away

    def connected(self, wrapper: DatabaseWrapper, number: int) -> None:
        """Remember the connection of *wrapper* in this thread; *number* is its socket's."""
        # A second name of the same socket: the first may be another's when it is needed.
        line = socket.socket(fileno=os.dup(number))
        thread = threading.get_ident()
        with self._lock:
            self._lines[wrapper] = (thread, line)
            if thread in self._begun and self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.name = "database-watchdog"
                self._thread.start()

    def disconnected(self, wrapper: DatabaseWrapper) -> None:
        with self._lock:
            _thread, line = self._lines.pop(wrapper, (0, None))
        if line is not None:
            line.close()

    def _watch(self) -> None:
        while True:
            time.sleep(LOOK)
            try:
                self._look()
            except Exception:  # it must go on
                logger.exception("The watchdog of the database failed and goes on")

    def _look(self) -> None:
        now = time.monotonic()
        oldest = min([*self._begun.values()], default=now)
        is_suspect = oldest < now - PATIENCE and self._asked_at < now - PAUSE
        if self.address is None or not (self.is_away or is_suspect):
            return
        self._asked_at = now
        self._note(is_away=not self.address.answers())
        if self.is_away:
            self._cut()

    def _note(self, *, is_away: bool) -> None:
        with self._lock:
            if self.is_away == is_away:
                return
            self.is_away = is_away
        if is_away:
            logger.error("The database server does not answer.")
        else:
            logger.warning("The database server answers again.")

    def _cut(self) -> None:
        """Shut down the connections of all requests, so that these fail now."""
        with self._lock:
            lines = [*self._lines.values()]
        for thread, line in lines:
            if thread in self._begun:
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)


watchdog = Watchdog()
# A process that is forked has no thread, and may have inherited a lock that nobody opens.
os.register_at_fork(after_in_child=watchdog.__init__)  # type: ignore[misc]
