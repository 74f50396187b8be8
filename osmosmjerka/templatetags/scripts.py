from __future__ import annotations

from django import template

from osmosmjerka.assets import script_texts as texts

register = template.Library()


@register.simple_tag
def script_texts(script: str = texts.ALL) -> str:
    """Return the address of what a script of the page says, or all scripts, in its language."""
    return texts.address(script)
