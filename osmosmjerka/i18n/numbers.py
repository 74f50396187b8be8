"""Numbers in the format of the page's language, if Django has no format for them."""

from __future__ import annotations

from datetime import timedelta

from babel import Locale
from babel.dates import format_timedelta
from babel.numbers import format_percent, get_decimal_symbol
from django.conf import settings
from django.utils.translation import get_language


def percent(value: float) -> str:
    """Return a *value* in percent with its sign: 50% in English, 50 % in Croatian."""
    return format_percent(value / 100, locale=_locale())


def duration(value: timedelta) -> str:
    """Return a length of time in its largest unit, as in "3 minutes"."""
    return format_timedelta(value, locale=_locale())


def decimal_mark() -> str:
    """Return what separates decimals: a point in English, a comma in Croatian."""
    return get_decimal_symbol(_locale())


def _locale() -> Locale:
    return Locale.parse(get_language() or settings.LANGUAGE_CODE, sep="-")
