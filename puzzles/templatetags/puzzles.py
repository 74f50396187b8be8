from __future__ import annotations

from django import template
from django.utils.translation import gettext_lazy as _

from puzzles.kinds import KINDS
from puzzles.standing import Standing

register = template.Library()


@register.filter
def kind_name(slug: str) -> str:
    """Return the name of a puzzle kind in the reader's language."""
    return str(KINDS[slug].name)


STANDING_NAMES = {
    Standing.EXCUSED: _("excused"),
    Standing.DONE: _("done"),
    Standing.LATE: _("done late"),
    Standing.NEEDS_HELP: _("needs help"),
    Standing.IN_PROGRESS: _("in progress"),
    Standing.NOT_STARTED: _("not started"),
}


@register.filter
def standing_name(standing: Standing) -> str:
    """Return how a pupil stands with an assignment, in the reader's language."""
    return str(STANDING_NAMES[standing])
