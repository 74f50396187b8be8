"""PostgreSQL, whose connections are asked whether they still work only if there is a sign of it.

Django asks the server before each request. That is one more statement for every answer of a
student, though the socket knows without asking: when the server ends or hangs up, there is
something to read. A server that hangs says nothing at all; see `watchdog`.
"""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base

from osmosmjerka.db.postgresql.watchdog import Address, watchdog


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if watchdog.address is None:
            watchdog.address = _configured(conn_params)
        # The client itself waits at least two seconds for a server that hangs.
        if watchdog.is_hopeless():
            raise self.Database.OperationalError("The database server does not answer.")
        connection = super().get_new_connection(conn_params)
        info = connection.info
        watchdog.address = Address(info.hostaddr or info.host, info.port)
        watchdog.connected(self, connection.fileno())
        return connection

    def _close(self) -> None:
        watchdog.disconnected(self)
        super()._close()  # type: ignore[misc]  # missing in the stubs

    def is_usable(self) -> bool:
        """Return whether the connection works; ask the server after an error, or if it spoke."""
        if self.errors_occurred or self.connection is None or self._has_news():
            if watchdog.is_away:
                return False
            with watchdog.watching():
                return bool(super().is_usable())
        return True

    def _has_news(self) -> bool:
        """Return whether something came that no statement has asked for, such as its last word."""
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return bool(poll.poll(0))


def _configured(conn_params: dict[str, Any]) -> Address | None:
    """Return the address in the settings; None if it is left to the client, or there are several.

    Once connected, the address is known.
    """
    host, port = str(conn_params.get("host", "")), str(conn_params.get("port") or 5432)
    return None if not host or "," in host + port else Address(host, int(port))
