"""Schools: found the first one, and change their settings, for pages and the admin."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from osmosmjerka.accounts import access, audit
from osmosmjerka.accounts.models import School, User
from osmosmjerka.jobs.ledger import enqueue


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
    audit.record(actor=person, action="created school", subject=school, school=school)
    return school


@transaction.atomic
def update_school(*, school: School, actor: User | None, changed: Sequence[str]) -> None:
    """Save the fields of *school* that were *changed*, and no other.

    Another admin may have changed the others since the school was read. With another recall target,
    all due dates are computed again in the background.
    """
    school.save(update_fields=list(changed))
    if "recall_target" in changed:
        enqueue(
            "vocab.replay_memory",
            key=f"vocab.replay_memory:school-{school.pk}:{timezone.now().isoformat()}",
            arguments={"school": school.pk},
        )
    audit.record(actor=actor, action="changed school", subject=school, school=school)
