"""Enumerations as the reader's language writes them: “Ana, Luka and Mia”, “Ana و Luka”."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import icu
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext


def enumeration(parts: Sequence[str]) -> str:
    """Return the parts joined as the reader's language joins them."""
    return str(icu.ListFormatter.createInstance(icu.Locale(get_language() or "und")).format(parts))


def names(people: Iterable[object], most: int | None = None) -> SafeString:
    """Return names as HTML, of more than *most* the first, and how many more there are.

    Each name is isolated: in Arabic, the full stop of “Ana M.” would else stand before it.
    """
    everybody = list(people)
    shown = everybody if most is None or len(everybody) <= most else everybody[:most]
    parts: list[str] = [format_html("<bdi>{}</bdi>", str(person)) for person in shown]
    more = len(everybody) - len(shown)
    if more:
        # Translators: it ends a list of names: Ana, Luka and 2 more.
        text = ngettext("%(count)s more", "%(count)s more", more)
        parts.append(format_html("{}", text % {"count": more}))
    return mark_safe(enumeration(parts))  # noqa: S308  (each part is escaped above)
