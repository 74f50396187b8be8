"""Data retention: archived classes are deleted after the time that their school chose."""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib import import_module

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts import audit, languages, mail
from osmosmjerka.accounts.auth import lockout, tokens
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.privacy import services as privacy

WARNED_BEFORE = timedelta(days=30)


def enforce_retention() -> dict[str, int]:
    """Warn of coming deletions, delete what was warned of long enough ago; return counts."""
    now = timezone.now()
    warned = erased = 0
    archived = Classroom.objects.exclude(archived_at=None).select_related("school")
    for classroom in archived:
        ends = erased_at(classroom)
        if ends is None:
            continue
        if classroom.erasure_warned_at is None:
            if now >= ends - WARNED_BEFORE:
                _warn(classroom)
                warned += 1
        elif now < ends - WARNED_BEFORE:  # the school now keeps it longer: warn again later
            Classroom.objects.filter(pk=classroom.pk).update(erasure_warned_at=None)
        elif now >= ends:
            privacy.erase_classroom(classroom=classroom, actor=None)
            erased += 1
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    tokens.forget_expired()
    return {"warned": warned, "erased": erased, "forgotten": lockout.forget_old()}


def erased_at(classroom: Classroom) -> datetime | None:
    """Return when an archived class will be deleted, as far as is known; None if not archived."""
    if classroom.archived_at is None:
        return None
    ends = classroom.archived_at + timedelta(days=classroom.school.retention_days)
    if classroom.erasure_warned_at is None:
        return ends
    return max(ends, classroom.erasure_warned_at + WARNED_BEFORE)


def _warn(classroom: Classroom) -> None:
    classroom.erasure_warned_at = timezone.now()
    classroom.save(update_fields=["erasure_warned_at"])
    audit.record(actor=None, action="warned of erasure", subject=classroom, school=classroom.school)
    owners = User.objects.filter(
        memberships__classroom=classroom, memberships__role=Membership.Role.OWNER, is_active=True
    )
    # If the owners have left or have no address, notify the school's admins.
    admins = classroom.school.people.filter(role=User.Role.SCHOOL_ADMIN, is_active=True)
    for person in _reachable(owners) or _reachable(admins):
        with languages.speaking_to(person):
            mail.send_or_warn(
                _("A class will be deleted in 30 days"),
                _(
                    "The archived class “%(class)s”, and its students who are in no other class, "
                    "will be permanently deleted in 30 days. To keep a student, add them to "
                    "another class."
                )
                % {"class": classroom},
                [person.email],
                about=f"class {classroom.pk} will be erased",
            )


def _reachable(people: QuerySet[User]) -> list[User]:
    return [person for person in people.select_related("school") if person.email]
