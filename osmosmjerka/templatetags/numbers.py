from __future__ import annotations

from django import template

from osmosmjerka.i18n import numbers

register = template.Library()
register.filter(numbers.percent)
register.filter(numbers.duration)
