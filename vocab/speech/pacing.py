"""Limit requests to a service: a number per second, and none while it is down."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

Clock = Callable[[], float]


class Pace(Protocol):
    """Decides when the next request may be sent."""

    def take(self, *, patience: float) -> float | None:
        """Return the seconds until the next turn, or None if they exceed *patience*."""
        ...


class Breaker(Protocol):
    """Holds back requests to a service that is down; see Circuit."""

    failures: int

    @property
    def is_open(self) -> bool: ...
    def enter(self) -> float: ...
    def succeeded(self) -> None: ...
    def failed(self, *, is_slow: bool = False) -> None: ...


class TokenBucket:
    """Allow *rate* requests per second on average and *burst* at once."""

    def __init__(self, *, rate: float, burst: int, clock: Clock = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._tokens = float(burst)
        self._counted_at = clock()
        self._lock = threading.Lock()

    def take(self, *, patience: float) -> float | None:
        """Take the next turn; return the number of seconds until it.

        If that is more than *patience* seconds, take no turn and return None.
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

    Then one request tries it (the circuit is half open): success closes the circuit, failure opens
    it for another rest. The pattern is Michael Nygard's, from "Release It!".
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
        """Whether the service is left alone, or is being tried for the first time after that."""
        with self._lock:
            return self._in_a_row >= self.failures

    def enter(self) -> float:
        """Return 0 if a request may be sent now, else the number of seconds to wait.

        After 0, the caller must call `succeeded` or `failed`.
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

    def failed(self, *, is_slow: bool = False) -> None:
        """Count a failure; open the circuit when the limit is reached.

        One that *is_slow* is enough: whoever waits for such a service holds up others.
        """
        with self._lock:
            self._in_a_row = self.failures if is_slow else self._in_a_row + 1
            self._is_tried = False
            if self._in_a_row >= self.failures:
                self._opened_at = self._clock()
