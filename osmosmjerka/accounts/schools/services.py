"""Schools: found the first one, and change their settings, for pages and the admin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.validators import MaxValueValidator
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts import access, audit
from osmosmjerka.accounts.models import School, User
from osmosmjerka.jobs.ledger import enqueue

LONGEST_KEPT = 3650  # days; without a limit, the end of the period would exceed the calendar
RECALL_TARGETS = (0.8, 0.85, 0.9, 0.95)


@transaction.atomic
def found_school(*, name: str, person: User) -> School:
    """Create a school for a site admin who has none, and make them its admin.

    The account that `createsuperuser` creates belongs to no school, and so could have no class.
    """
    # Locked, because a form that is sent twice must not create two schools.
    founder = User.objects.select_for_update().get(pk=person.pk)
    if founder.school is not None:
        return founder.school
    if not access.may_found_school(founder):
        raise PermissionDenied
    school = School.objects.create(name=name)
    person.school, person.role = school, User.Role.SCHOOL_ADMIN
    person.save(update_fields=["school", "role"])
    audit.record(person, "created school", school)
    return school


@transaction.atomic
def update_school(*, school: School, actor: User | None, changed: Sequence[str]) -> None:
    """Save the fields of *school* that were *changed*, and no other.

    Another admin may have changed the others since the school was read. With another recall target,
    all due dates are computed again in the background. Raises `ValidationError` with what cannot
    be, by field.
    """
    _check(school, changed)
    school.save(update_fields=list(changed))
    if "recall_target" in changed:
        enqueue(
            "vocab.replay_memory",
            key=f"vocab.replay_memory:school-{school.pk}:{timezone.now().isoformat()}",
            arguments={"school": school.pk},
        )
    audit.record(actor, "changed school", school)


def clean_time_zone(typed: str) -> str:
    """Return the name of a time zone as it was typed; raise `ValidationError` if there is none."""
    given = typed.strip()
    if given and given not in available_timezones():
        raise ValidationError(
            _("There is no time zone “%(name)s”. Enter one such as Europe/Zagreb."),
            params={"name": given},
        )
    return given


def _check_recall_target(target: float) -> float:
    if target not in RECALL_TARGETS:
        message = forms.ChoiceField.default_error_messages["invalid_choice"]
        raise ValidationError(message, params={"value": target})
    return target


def _check_retention(days: int) -> int:
    MaxValueValidator(LONGEST_KEPT)(days)
    return days


# What a school cannot be, beside what its model says.
_CHECKS: dict[str, Callable[[Any], Any]] = {
    "time_zone": clean_time_zone,
    "recall_target": _check_recall_target,
    "retention_days": _check_retention,
}


def _check(school: School, changed: Sequence[str]) -> None:
    """Tidy the changed fields of a school; raise `ValidationError` with what is wrong, by field."""
    school.clean_fields(exclude={field.name for field in School._meta.fields} - set(changed))
    wrong = {}
    for name in _CHECKS.keys() & set(changed):
        try:
            setattr(school, name, _CHECKS[name](getattr(school, name)))
        except ValidationError as error:
            wrong[name] = error.messages
    if wrong:
        raise ValidationError(wrong)
