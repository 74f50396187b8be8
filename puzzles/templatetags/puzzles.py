from __future__ import annotations

from datetime import datetime, timedelta

from django import template
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts.models import User
from puzzles.album.looks import drawn
from puzzles.assignments.status import Status
from puzzles.kinds import KINDS
from puzzles.models import ParentLink
from puzzles.parents import services as parents
from vocab.memory.card import Level

register = template.Library()


@register.filter
def kind_name(slug: str) -> str:
    """Return the name of a puzzle kind in the reader's language."""
    return str(KINDS[slug].name)


@register.filter
def level_drawn(level: int) -> str:
    """Return the CSS class that draws a level, as a capsule of the album."""
    return drawn(Level(level))


@register.filter
def status_name(status: Status) -> str:
    """Return the name of a student's status in an assignment, in the reader's language."""
    return str(Status(status).label)


_MARKS = {
    Status.DONE: "done",
    Status.LATE: "done",
    Status.IN_PROGRESS: "started",
    Status.NEEDS_HELP: "help",
    Status.OVERDUE: "overdue",
    Status.NOT_STARTED: "none",
    Status.EXCUSED: "excused",
}


@register.filter
def status_mark(status: Status) -> str:
    """Return the name of the shape that stands before a status."""
    return _MARKS[Status(status)]


@register.filter
def time_spent(seconds: int) -> str:
    """Return a time of play, in words: its minutes and seconds."""
    whole, rest = divmod(seconds, 60)
    said = [
        ngettext("%(count)s minute", "%(count)s minutes", whole) % {"count": whole}
        if whole
        else "",
        ngettext("%(count)s second", "%(count)s seconds", rest) % {"count": rest}
        if rest or not whole
        else "",
    ]
    return " ".join(filter(None, said))


@register.filter
def due_said(due_at: datetime) -> str:
    """Return when something is due, in words: today and tomorrow by these names."""
    day, today = timezone.localdate(due_at), timezone.localdate()
    if day == today:
        return _("due today")
    if day == today + timedelta(days=1):
        return _("due tomorrow")
    return _("due %(day)s") % {"day": formats.date_format(day, "SHORT_DATE_FORMAT")}


@register.simple_tag
def parent_link_of(student: User) -> ParentLink | None:
    """Return a link by which the student's parents see their progress, if one works."""
    return parents.working().filter(student=student).order_by("-until").first()
