from __future__ import annotations

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()

LEVEL_NAMES = [
    _("new"),
    _("seen"),
    _("known for days"),
    _("known for weeks"),
    _("known for months"),
]


@register.filter
def level_name(level: int) -> str:
    """Return the name of a level; see vocab.memory.selectors.level."""
    return str(LEVEL_NAMES[level])
