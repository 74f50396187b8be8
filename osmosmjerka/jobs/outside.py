"""Hold back requests to somebody else's service, for all processes of the site together.

A row in the database is what the processes share: they have it anyway, and it is locked while it is
read and written. The same rules for one process, without a database, are vocab.speech.pacing's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from osmosmjerka.jobs.models import OutsideService

Clock = Callable[[], datetime]
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


class SharedPace:
    """Allow *rate* requests a second on average and *burst* at once, whoever asks.

    The rule is the generic cell rate algorithm of ATM networks: one time says it all.
    """

    def __init__(self, name: str, *, rate: float, burst: int, clock: Clock = timezone.now) -> None:
        self._name, self._clock = name, clock
        self._interval = timedelta(seconds=1 / rate)
        self._lead = self._interval * (burst - 1)

    def take(self, *, patience: float) -> float | None:
        """Take the next turn; return in how many seconds it comes.

        Returns None, and takes nothing, when that is more than *patience* seconds away.
        """
        with _locked(self._name) as service:
            now = self._clock()
            last = max(service.next_at, now)
            wait = max(0.0, (last - self._lead - now).total_seconds())
            if wait > patience:
                return None
            service.next_at = last + self._interval
            return wait


class SharedCircuit:
    """Leave a service alone for *rest* seconds after *failures* failures in a row.

    Then one request of one process tries it. Should that process die, another tries a rest later.
    """

    def __init__(
        self, name: str, *, failures: int = 5, rest: float = 60.0, clock: Clock = timezone.now
    ) -> None:
        self.failures, self._name, self._clock = failures, name, clock
        self._rest = timedelta(seconds=rest)

    @property
    def is_open(self) -> bool:
        """Whether the service is left alone, or being tried for the first time after that."""
        return OutsideService.objects.filter(pk=self._name, failures__gte=self.failures).exists()

    def enter(self) -> float:
        """Return 0 when a request may go out now, else for how many seconds none may.

        Who got 0 must call `succeeded` or `failed`.
        """
        with _locked(self._name) as service:
            if service.failures < self.failures:
                return 0.0
            now = self._clock()
            until = service.left_alone_until or now
            if until > now:
                return (until - now).total_seconds()
            service.left_alone_until = now + self._rest
            return 0.0

    def succeeded(self) -> None:
        """Close the circuit."""
        # Most often there is nothing to change, and nothing is locked.
        OutsideService.objects.filter(pk=self._name, failures__gt=0).update(failures=0)

    def failed(self) -> None:
        """Count a failure; open the circuit at the last that is allowed."""
        with _locked(self._name) as service:
            service.failures += 1
            if service.failures >= self.failures:
                service.left_alone_until = self._clock() + self._rest


@contextmanager
def _locked(name: str) -> Iterator[OutsideService]:
    """Give the service's row to one process at a time, and keep what it changes."""
    with transaction.atomic():
        service, _created = OutsideService.objects.select_for_update().get_or_create(
            name=name, defaults={"next_at": _LONG_AGO}
        )
        yield service
        service.save()
