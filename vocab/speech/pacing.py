"""Hold back requests to a service: so many a second, and none while it is down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

Clock = Callable[[], float]


class Pace(Protocol):
    """Who says when the next request may go out."""

    def take(self, *, patience: float) -> float | None:
        """Return in how many seconds, None when that is more than *patience*."""
        ...


class Breaker(Protocol):
    """Who keeps requests from a service that is down; see Circuit."""

    failures: int

    @property
    def is_open(self) -> bool: ...
    def enter(self) -> float: ...
    def succeeded(self) -> None: ...
    def failed(self) -> None: ...


class TokenBucket:
    """Allow *rate* requests a second on average and *burst* at once."""

    def __init__(self, *, rate: float, burst: int, clock: Clock = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._tokens = float(burst)
        self._counted_at = clock()
        self._lock = threading.Lock()

    def take(self, *, patience: float) -> float | None:
        """Take the next turn; return in how many seconds it comes.

        Returns None, and takes nothing, when that is more than *patience* seconds away.
        """
        with self._lock:
            now = self._clock()
            earned = (now - self._counted_at) * self._rate
            self._tokens, self._counted_at = min(self._burst, self._tokens + earned), now
            wait = max(0.0, (1 - self._tokens) / self._rate)
            if wait > patience:
                return None
            self._tokens -= 1
            return wait


class Circuit:
    """Leave a service alone for *rest* seconds after *failures* failures in a row.

    Then one request tries it (the circuit is half open): its success closes the circuit, its
    failure opens it for another rest. The pattern is Michael Nygard's, from "Release It!".
    """

    def __init__(
        self, *, failures: int = 5, rest: float = 60.0, clock: Clock = time.monotonic
    ) -> None:
        self.failures, self.rest, self._clock = failures, rest, clock
        self._in_a_row = 0
        self._opened_at = 0.0
        self._is_tried = False
        self._lock = threading.Lock()

    @property
    def is_open(self) -> bool:
        """Whether the service is left alone, or being tried for the first time after that."""
        with self._lock:
            return self._in_a_row >= self.failures

    def enter(self) -> float:
        """Return 0 when a request may go out now, else for how many seconds none may.

        Who got 0 must call `succeeded` or `failed`.
        """
        with self._lock:
            if self._in_a_row < self.failures:
                return 0.0
            left = self._opened_at + self.rest - self._clock()
            if left > 0:
                return left
            if self._is_tried:
                return self.rest
            self._is_tried = True
            return 0.0

    def succeeded(self) -> None:
        """Close the circuit."""
        with self._lock:
            self._in_a_row = 0
            self._is_tried = False

    def failed(self) -> None:
        """Count a failure; open the circuit at the last that is allowed."""
        with self._lock:
            self._in_a_row += 1
            self._is_tried = False
            if self._in_a_row >= self.failures:
                self._opened_at = self._clock()
