"""People in words: when they last logged in, and what somebody is to a class."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts import access, people
from osmosmjerka.accounts.models import Classroom, JoinRequest, Membership, User

register = template.Library()
# Longer ago, the date says more.
_DAYS_IN_WORDS = 14


@register.filter
def bdi(name: object) -> SafeString:
    """Return a name for a sentence: the full stop of “Ana M.” stays with it in any direction."""
    return format_html("<bdi>{}</bdi>", name)


@register.filter
def in_days(at: datetime) -> str:
    """Return the day of a moment in the past, in words if it was one of the last two weeks."""
    then = timezone.localtime(at)
    ago = (timezone.localdate() - then.date()).days
    if ago <= 0:
        return _("today")
    if ago == 1:
        return _("yesterday")
    if ago <= _DAYS_IN_WORDS:
        return ngettext("%(count)s day ago", "%(count)s days ago", ago) % {"count": ago}
    return date_format(then, "SHORT_DATE_FORMAT")


@register.simple_tag(takes_context=True)
def reading_attributes(context: Context) -> SafeString:
    """Return how pages look to their reader, as attributes of <html>; none for the standard.

    A teacher who views a student's pages reads them in the teacher's own way.
    """
    reader = _reader(context)
    if reader is None:
        return SafeString()
    chosen = ((name, getattr(reader, name)) for name in sorted(people.READING))
    other = (each for each in chosen if each[1] not in {"standard", "device"})
    return format_html_join("", ' data-{}="{}"', other)


@register.simple_tag(takes_context=True)
def font_of_letters(context: Context) -> str:
    """Return the static file of the font in which the reader's pages are set."""
    reader = _reader(context)
    is_easy = reader is not None and reader.letters == User.Letters.EASY
    name = "easy-letters-regular" if is_easy else "atkinson-hyperlegible-next-latin"
    return f"osmosmjerka/fonts/{name}.woff2"


def _reader(context: Context) -> User | None:
    reader = getattr(context.get("request"), "viewed_by", None) or context.get("user")
    return reader if isinstance(reader, User) else None


@dataclass(frozen=True, slots=True)
class Place:
    """What the pages of a class tell a teacher about the class and about themselves."""

    waiting: int
    """Students who wait to be let in, if the teacher may let them in."""
    role: str = ""
    """A teacher's role in the class, if it is not all that they are there."""
    until: date | None = None
    """The last day of that role."""


@register.simple_tag
def place_in(classroom: Classroom, person: Any) -> Place:
    """Return what the tabs of a class show to *person*."""
    if not isinstance(person, User):
        return Place(0)
    waiting = 0
    if classroom.is_join_open:
        managed = access.classrooms(person, "manage people").filter(pk=classroom.pk)
        asking = JoinRequest.objects.filter(classroom__in=managed)
        waiting = asking.filter(state=JoinRequest.State.WAITING).count()
    if person.is_superuser or person.role == User.Role.SCHOOL_ADMIN:
        return Place(waiting)  # they may do more than their role in the class says
    own = Membership.objects.filter(classroom=classroom, user=person)
    role, until = own.values_list("role", "until").first() or ("", None)
    return Place(waiting, role, until)
