"""SQLite, whose writers within this process wait for each other.

SQLite itself wakes nobody: who finds the database locked sleeps for 1, 2, 5, 10 and in the end 100
milliseconds and looks again, while others come and go. With fifty writers a second, one in twenty
took half a second. Other processes are still waited for in that way.
"""

from __future__ import annotations

import threading
from typing import Any

from django.db.backends.sqlite3 import base

# Of all databases; a process has one.
_turn = threading.Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    # What it overrides is missing in the stubs.
    _has_turn = False

    def _start_transaction_under_autocommit(self) -> None:
        # If nobody gives the turn back in time, SQLite tells what is wrong.
        self._has_turn = _turn.acquire(timeout=self._patience)
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._give_back()
            raise

    @property
    def _patience(self) -> float:
        """How long to wait, in seconds; as long as SQLite does."""
        options: dict[str, Any] = self.settings_dict["OPTIONS"]
        return float(options.get("timeout", 5))

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]  # if it fails, it is rolled back
        self._give_back()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._give_back()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._give_back()

    def _give_back(self) -> None:
        if self._has_turn:
            self._has_turn = False
            _turn.release()
