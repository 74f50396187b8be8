"""Schools: change their settings, for pages and the admin."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.models import School, User


@transaction.atomic
def update_school(*, school: School, actor: User | None, changed: Sequence[str]) -> None:
    """Save the fields of *school* that were *changed*, and no other.

    Another admin may have changed the others since the school was read.
    """
    school.save(update_fields=list(changed))
    audit.record(actor=actor, action="changed school", subject=school, school=school)
