"""What a school decides about memory: its time zone, its recall target; and fitted parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import Subquery
from django.utils import timezone

from osmosmjerka.accounts.models import School, User
from osmosmjerka.jobs.ledger import enqueue
from vocab.memory import scheduling
from vocab.memory.days import study_day
from vocab.models import FittedParameters

REPLAY = "vocab.replay_memory"


@dataclass(frozen=True, slots=True)
class Rules:
    """How the memory of a school's students is counted."""

    zone: ZoneInfo
    model: scheduling.Model

    def day_of(self, at: datetime) -> date:
        return study_day(at, self.zone)


def rules_of(school: School | None) -> Rules:
    """Return the rules of a school; without one, those of the site."""
    fitted = FittedParameters.objects.values_list("parameters", flat=True).first()
    return rules_with(school, fitted)


def rules_with(school: School | None, fitted: Sequence[float] | None) -> Rules:
    """Return the rules of a school, given the site's last fitted parameters, if any."""
    parameters = tuple(fitted) if fitted else scheduling.DEFAULT.parameters
    target = school.recall_target if school else scheduling.DEFAULT.retention
    return Rules(zone_of(school), scheduling.Model(parameters, target))


def last_fitted() -> Subquery:
    """Return the site's last fitted parameters, for a query that asks for other things as well."""
    return Subquery(FittedParameters.objects.values("parameters")[:1])


def zone_of(school: School | None) -> ZoneInfo:
    return ZoneInfo((school and school.time_zone) or settings.TIME_ZONE)


def today(person: User, at: datetime | None = None) -> date:
    """Return the day of study at *at* (default: now) where the person's school is."""
    return study_day(at or timezone.now(), zone_of(person.school))


@transaction.atomic
def keep_fit(
    parameters: Sequence[float], *, log_loss_before: float, log_loss_after: float, reviews: int
) -> FittedParameters:
    """Use fitted parameters from now on, and request that all schedules are rebuilt with them."""
    fitted = FittedParameters.objects.create(
        parameters=list(parameters),
        log_loss_before=log_loss_before,
        log_loss_after=log_loss_after,
        reviews=reviews,
    )
    enqueue(REPLAY, key=f"{REPLAY}:fit-{fitted.pk}:{timezone.now().isoformat()}")
    return fitted
