"""Limit requests to an external service, for all processes of the site together.

The processes share a row in the database: they have one anyway, and the row is locked while it is
read and written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from django.db import transaction

from osmosmjerka.jobs.clock import now
from osmosmjerka.jobs.models import OutsideService

Clock = Callable[[], datetime]
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class SharedPace:
    """Allow *rate* requests per second on average and *burst* at once, over all processes.

    The rule is the generic cell rate algorithm of ATM networks, which needs to store only one time.
    """

    def __init__(self, name: str, *, rate: float, burst: int, clock: Clock = now) -> None:
        self._name, self._clock = name, clock
        self._interval = timedelta(seconds=1 / rate)
        self._lead = self._interval * (burst - 1)

    def take(self, *, patience: float) -> float | None:
        """Take the next turn; return the number of seconds until it.

        If that is more than *patience* seconds, take no turn and return None.
        """
        with _locked(self._name) as service:
            at = self._clock()
            last = max(service.next_at, at)
            wait = max(0.0, (last - self._lead - at).total_seconds())
            if wait > patience:
                return None
            service.next_at = last + self._interval
            return wait


class SharedCircuit:
    """Leave a service alone for *rest* seconds after *failures* failures in a row.

    Then one request of one process tries it. If that process dies, another tries after one more
    rest.
    """

    def __init__(
        self, name: str, *, failures: int = 5, rest: float = 60.0, clock: Clock = now
    ) -> None:
        self.failures, self._name, self._clock = failures, name, clock
        self._rest = timedelta(seconds=rest)

    @property
    def is_open(self) -> bool:
        """Whether the service is left alone, or is being tried for the first time after that."""
        return OutsideService.objects.filter(pk=self._name, failures__gte=self.failures).exists()

    def enter(self) -> float:
        """Return 0 if a request may be sent now, else the number of seconds to wait.

        After 0, the caller must call `succeeded` or `failed`.
        """
        with _locked(self._name) as service:
            if service.failures < self.failures:
                return 0.0
            at = self._clock()
            until = service.left_alone_until or at
            if until > at:
                return (until - at).total_seconds()
            service.left_alone_until = at + self._rest
            return 0.0

    def succeeded(self) -> None:
        """Close the circuit."""
        # Usually there is nothing to change, and nothing is locked.
        OutsideService.objects.filter(pk=self._name, failures__gt=0).update(failures=0)

    def failed(self, *, is_slow: bool = False) -> None:
        """Count a failure; open the circuit when the limit is reached.

        One that *is_slow* is enough: whoever waits for such a service holds up others.
        """
        with _locked(self._name) as service:
            service.failures = self.failures if is_slow else service.failures + 1
            if service.failures >= self.failures:
                service.left_alone_until = self._clock() + self._rest


@contextmanager
def _locked(name: str) -> Iterator[OutsideService]:
    """Lock the service's row for one process at a time, and save its changes."""
    with transaction.atomic():
        service, _created = OutsideService.objects.select_for_update().get_or_create(
            name=name, defaults={"next_at": _LONG_AGO}
        )
        yield service
        service.save()
