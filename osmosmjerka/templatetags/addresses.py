from __future__ import annotations

from typing import Any

from django import template
from django.http import HttpRequest

from osmosmjerka.web.addresses import only_here

register = template.Library()


@register.inclusion_tag("_only_here.html")
def only_here_warning(request: HttpRequest) -> dict[str, Any]:
    """Warn that other devices cannot open the addresses of a page, if they cannot."""
    return {"only_here": only_here(request)}
