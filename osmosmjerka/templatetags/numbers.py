from __future__ import annotations

from django import template

from osmosmjerka import numbers

register = template.Library()
register.filter(numbers.percent)
register.filter(numbers.duration)
