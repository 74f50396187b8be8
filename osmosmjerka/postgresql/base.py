"""PostgreSQL, whose connections are asked whether they still work only if there is a sign of it.

Django asks the server before each request. That is one more statement for every answer of a
student, though the socket knows without asking: when the server ends or hangs up, there is
something to read.
"""

from __future__ import annotations

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        """Return whether the connection works; ask the server after an error, or if it spoke."""
        if self.errors_occurred or self.connection is None or self._has_news():
            return bool(super().is_usable())
        return True

    def _has_news(self) -> bool:
        """Return whether something came that no statement has asked for, such as its last word."""
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return bool(poll.poll(0))
