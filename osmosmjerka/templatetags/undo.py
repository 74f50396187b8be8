from __future__ import annotations

from django import template

from osmosmjerka.web.undo import undo_address

register = template.Library()
register.filter(undo_address)
