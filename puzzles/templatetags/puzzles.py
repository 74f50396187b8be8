from __future__ import annotations

from django import template

from puzzles.assignments.status import Standing
from puzzles.kinds import KINDS

register = template.Library()


@register.filter
def kind_name(slug: str) -> str:
    """Return the name of a puzzle kind in the reader's language."""
    return str(KINDS[slug].name)


@register.filter
def standing_name(standing: Standing) -> str:
    """Return how a pupil stands with an assignment, in the reader's language."""
    return str(Standing(standing).label)
