"""Which of a process's threads answers: the first, and others while it is busy for long.

Of threads that answer at once only one runs at a time, because Python has one interpreter lock.
Each gives it away with every query and has to win it back, which costs processor time: on two
cores, a page cost half as much again with two such threads, and three quarters more with four.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

LONG = 0.1  # seconds; a request that takes longer does not delay the others any further


class Turns:
    """The threads that are at a request, of at most so many *threads*."""

    def __init__(self, threads: int) -> None:
        self._most = threads
        self._began: dict[int, float] = {}
        self._helped_at = 0.0

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Note that this thread is at a request."""
        thread = threading.get_ident()
        self._began[thread] = monotonic()
        try:
            yield
        finally:
            del self._began[thread]
            self._helped_at = 0.0  # who helped may do so again at once

    def take_help(self) -> bool:
        """Return whether a further thread has to take one of the requests that wait.

        It has if all threads that are at work have been at the same request for long. The caller
        asks once for each thread that then begins.
        """
        began = [*self._began.values()]
        now = monotonic()
        if not 0 < len(began) < self._most or now - max(*began, self._helped_at) <= LONG:
            return False
        self._helped_at = now
        return True
