from __future__ import annotations

from django import template

from vocab.models import WordProgress

register = template.Library()

LEVEL_NAMES = [level.label for level in WordProgress.Level]


@register.filter
def level_name(level: int) -> str:
    """Return the name of a level; see vocab.models.WordProgress.Level."""
    return str(LEVEL_NAMES[level])
