from __future__ import annotations

from django import template
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

register = template.Library()

LEVEL_NAMES = [
    pgettext_lazy("word level", "new"),
    pgettext_lazy("word level", "seen"),
    _("known for days"),
    _("known for weeks"),
    _("known for months"),
]


@register.filter
def level_name(level: int) -> str:
    """Return the name of a level; see vocab.memory.selectors.level."""
    return str(LEVEL_NAMES[level])
