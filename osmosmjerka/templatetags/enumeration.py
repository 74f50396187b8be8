"""Lists of names in templates."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.safestring import SafeString

from osmosmjerka.i18n import enumeration

register = template.Library()


@register.filter
def names(people: Iterable[object], most: int | None = None) -> SafeString:
    """Return names as the reader's language lists them, of more than *most* the first."""
    return enumeration.names(people, most)


@register.filter
def isolated(name: object) -> SafeString:
    """Return a name to stand in a sentence of either direction, with its full stop where it is."""
    return enumeration.names([name])
