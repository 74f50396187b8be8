"""Limits to requests within one process, on a clock that a test moves.

Those of the site are shared by its processes: osmosmjerka.jobs.outside.
"""

import time


class TokenBucket:
    """Allow *rate* requests per second on average and *burst* at once."""

    def __init__(self, *, rate, burst, clock=time.monotonic):
        self._rate, self._burst, self._clock = rate, burst, clock
        self._tokens, self._counted_at = float(burst), clock()

    def take(self, *, patience):
        now = self._clock()
        earned = (now - self._counted_at) * self._rate
        self._tokens, self._counted_at = min(self._burst, self._tokens + earned), now
        wait = max(0.0, (1 - self._tokens) / self._rate)
        if wait > patience:
            return None
        self._tokens -= 1
        return wait


class Circuit:
    """Leave a service alone for *rest* seconds after *failures* failures in a row."""

    def __init__(self, *, failures=5, rest=60.0, clock=time.monotonic):
        self.failures, self.rest, self._clock = failures, rest, clock
        self._in_a_row, self._opened_at = 0, 0.0

    @property
    def is_open(self):
        return self._in_a_row >= self.failures

    def enter(self):
        left = self._opened_at + self.rest - self._clock()
        return left if self.is_open and left > 0 else 0.0

    def succeeded(self):
        self._in_a_row = 0

    def failed(self, *, is_slow=False):
        self._in_a_row = self.failures if is_slow else self._in_a_row + 1
        if self.is_open:
            self._opened_at = self._clock()
