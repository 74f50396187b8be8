from __future__ import annotations

from django import template

from puzzles.assignments.status import Status
from puzzles.kinds import KINDS

register = template.Library()


@register.filter
def kind_name(slug: str) -> str:
    """Return the name of a puzzle kind in the reader's language."""
    return str(KINDS[slug].name)


@register.filter
def status_name(status: Status) -> str:
    """Return the name of a student's status in an assignment, in the reader's language."""
    return str(Status(status).label)
