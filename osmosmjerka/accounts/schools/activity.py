"""The activity log of a school, in sentences."""

from __future__ import annotations

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.models import AuditEntry, Classroom, Invitation, School, User


def lines_of(entries: list[AuditEntry]) -> list[dict[str, object]]:
    """Return the log's lines with the names of what still exists, with one query per model."""
    models: list[type[User] | type[Classroom] | type[School] | type[Invitation]] = [
        User, Classroom, School, Invitation,
    ]  # fmt: skip
    wanted: dict[str, set[int]] = {model._meta.model_name or "": set() for model in models}
    for entry in entries:
        wanted["user"].add(entry.actor_id or 0)
        wanted.setdefault(entry.subject_kind, set()).add(entry.subject_id or 0)
    found: dict[tuple[str, int], object] = {}
    for model in models:
        kind = model._meta.model_name or ""
        rows = model._default_manager.select_related(
            *(["school", "classroom"] if model is Invitation else [])
        )
        for pk, row in rows.in_bulk(wanted[kind]).items():
            found[kind, pk] = row
    return [
        {
            "entry": entry,
            "at": entry.at,
            "sentence": audit.sentence_of(
                entry,
                actor=found.get(("user", entry.actor_id or 0))
                or (f"#{entry.actor_id}" if entry.actor_id else ""),
                subject=found.get((entry.subject_kind, entry.subject_id or 0))
                or f"#{entry.subject_id}",
            ),
        }
        for entry in entries
    ]
