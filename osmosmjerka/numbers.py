"""Numbers in the format of the page's language, if Django has no format for them."""

from __future__ import annotations

from babel import Locale
from babel.numbers import format_percent
from django.conf import settings
from django.utils.translation import get_language


def percent(value: float) -> str:
    """Return a *value* in percent with its sign: 50% in English, 50 % in Croatian."""
    language = get_language() or settings.LANGUAGE_CODE
    return format_percent(value / 100, locale=Locale.parse(language, sep="-"))
