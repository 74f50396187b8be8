"""Links for parents: create, end, open. Nobody can log in with one.

When accounts are merged, a link stays with the account that it was made for, and so no longer
works: accounts that were merged by mistake must not show parents another child.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts import access, audit, codes
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.db.deletable import KEPT
from puzzles.models import ParentLink
from puzzles.school_year import end_of_school_year

# Somebody who loads a page again and again must not fill the activity log.
LOGGED_EVERY = timedelta(hours=1)


def students_reached(classroom: Classroom, actor: User) -> QuerySet[User]:
    """Return the students of a class for whose parents *actor* may create links."""
    return access.students(actor, "reset card").filter(
        memberships__classroom=classroom,
        memberships__role=Membership.Role.STUDENT,
        school__allows_parent_links=True,
    )


@transaction.atomic
def issue(
    *, students: Iterable[User], classroom: Classroom, actor: User
) -> list[tuple[ParentLink, str]]:
    """Create a new link for each student and return it with its token; older ones of the class end.

    The token is never stored: printing again creates a new link. It works until the school year
    ends. Raises ValidationError if the school allows no such links, or the class is archived.
    """
    if not classroom.school.allows_parent_links:
        raise ValidationError(_("Your school does not allow links for parents."))
    if classroom.archived_at is not None:
        raise ValidationError(_("This class is archived."))
    until = end_of_school_year(timezone.now(), classroom.school.zone)
    made = []
    for student in students:
        # Locked, so that of two teachers who print at once, one link works.
        User.objects.select_for_update().get(pk=student.pk)
        old = ParentLink.objects.filter(student=student, classroom=classroom, revoked_at=None)
        old.update(revoked_at=timezone.now())
        token = codes.new_token()
        link = ParentLink.objects.create(
            student=student,
            classroom=classroom,
            token_hash=_hash(token),
            made_by=actor,
            until=until,
        )
        audit.record(actor, "created parent link", student, classroom=classroom)
        made.append((link, token))
    return made


@transaction.atomic
def end(*, links: QuerySet[ParentLink], actor: User) -> int:
    """End links at once; return how many."""
    ended = list(links.filter(revoked_at=None).select_related("student", "classroom__school"))
    for link in ended:
        ParentLink.objects.filter(pk=link.pk).update(revoked_at=timezone.now())
        audit.record(actor, "ended parent link", link.student, classroom=link.classroom)
    return len(ended)


def working() -> QuerySet[ParentLink]:
    """Return the links that work: with the class, the student in it, and the school's consent."""
    still_there = Membership.objects.filter(
        user=OuterRef("student"), classroom=OuterRef("classroom"), role=Membership.Role.STUDENT
    )
    return ParentLink.objects.filter(
        Exists(still_there),
        revoked_at=None,
        until__gt=timezone.now(),
        student__is_active=True,
        student__deleted_at=None,
        student__role=User.Role.STUDENT,
        student__school__allows_parent_links=True,
        classroom__deleted_at=None,
        classroom__archived_at=None,
    )


def stored(token: str) -> ParentLink | None:
    """Return the link with this token, or None; it may have ended."""
    return ParentLink.objects.filter(token_hash=_hash(token)).first()


def opened(link: ParentLink) -> ParentLink | None:
    """Return a link with its student if it works, and record that it was opened."""
    found = working().select_related("student__school").filter(pk=link.pk).first()
    if found is None:
        return None
    now, before = timezone.now(), found.last_opened_at
    ParentLink.objects.filter(pk=found.pk).update(last_opened_at=now)
    if before is None or now - before >= LOGGED_EVERY:
        audit.record(None, "opened parent link", found.student, link=found.pk)
    return found


def forget_old() -> int:
    """Delete links that ended 30 days ago; return how many."""
    then = timezone.now() - KEPT
    old = ParentLink.objects.filter(Q(until__lt=then) | Q(revoked_at__lt=then))
    deleted, _by_model = old.delete()
    return deleted


def _hash(token: str) -> str:
    # 160 random bits: nobody guesses them, so a fast hash is enough.
    return codes.keyed_hash("parent.link", token)
