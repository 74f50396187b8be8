"""Schools: change their settings, for pages and the admin."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.models import School, User
from osmosmjerka.jobs.ledger import enqueue


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
