"""Invitations: teachers sign up, are invited to a school or a class, and accept."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts import access, audit, codes, languages
from osmosmjerka.accounts.models import Classroom, Invitation, Membership, School, User
from osmosmjerka.accounts.people import create_person, join_classroom

# Sent inside the transaction, with `person` and `invitation`.
accepted = Signal()

VALID_FOR = timedelta(days=14)
SCHOOL_ROLES = {User.Role.TEACHER, User.Role.SCHOOL_ADMIN}
CLASS_ROLES = {Membership.Role.OWNER, Membership.Role.CO_TEACHER, Membership.Role.VIEWER}


@transaction.atomic
def sign_up(
    *,
    username: str,
    display_name: str,
    email: str,
    password: str,
    school_name: str = "",
    time_zone: str = "",
) -> User:
    """Create a teacher with a school of their own, which can grow by invitation."""
    school = School.objects.create(name=school_name or display_name, time_zone=time_zone)
    person = create_person(
        username=username,
        display_name=display_name,
        role=User.Role.SCHOOL_ADMIN,
        school=school,
        password=password,
        email=email,
        language=languages.language_of_page(),
    )
    audit.record(person, "signed up", person)
    return person


@transaction.atomic
def invite(
    *, school: School, role: str, actor: User, classroom: Classroom | None = None
) -> tuple[Invitation, str]:
    """Return an invitation and its token, which is shown once and stored as a hash."""
    if role not in (SCHOOL_ROLES if classroom is None else CLASS_ROLES):
        raise ValidationError(_("Choose a role."))
    if classroom is not None and classroom.archived_at is not None:
        raise ValidationError(_("This class is archived, so nobody can be added to it."))
    token = codes.new_token()
    invitation = Invitation.objects.create(
        school=school,
        classroom=classroom,
        role=role,
        invited_by=actor,
        token_hash=codes.keyed_hash("invitation", token),
        expires_at=timezone.now() + VALID_FOR,
    )
    audit.record(actor, "invited", invitation, role=role)
    return invitation, token


def still_open() -> QuerySet[Invitation]:
    """Return the invitations that were not accepted and have not expired."""
    return Invitation.objects.select_related("school", "classroom", "invited_by").filter(
        accepted_at=None, expires_at__gt=timezone.now()
    )


def open_invitation(token: str) -> Invitation | None:
    """Return the open invitation with this token, or None."""
    found = still_open().filter(token_hash=codes.keyed_hash("invitation", token)).first()
    return found if found is not None and may_still_invite(found) else None


def may_still_invite(invitation: Invitation) -> bool:
    """Return whether the person who made the invitation could make it now."""
    inviter = invitation.invited_by
    if invitation.classroom_id is None:
        return access.schools(inviter, "administer").filter(pk=invitation.school_id).exists()
    running = access.classrooms(inviter, "archive").filter(archived_at=None)
    return running.filter(pk=invitation.classroom_id).exists()


@transaction.atomic
def withdraw(*, invitation: Invitation, actor: User) -> bool:
    """Withdraw an invitation: its link no longer works. Return whether it was open."""
    ended = still_open().filter(pk=invitation.pk).update(expires_at=timezone.now())
    if ended:
        audit.record(actor, "withdrew invitation", invitation)
    return bool(ended)


def withdraw_lost(*, person: User, actor: User) -> None:
    """Withdraw the invitations that *person* could no longer make, so that they cannot return.

    To be called when *person* has lost a right. Accepting asks again, in case a caller forgets:
    then the link is refused, but would work again for somebody who gets the right back.
    """
    for invitation in still_open().filter(invited_by=person):
        if not may_still_invite(invitation):
            withdraw(invitation=invitation, actor=actor)


def withdraw_all(those: QuerySet[Invitation], *, actor: User) -> None:
    """Withdraw invitations to what takes nobody in any more."""
    for invitation in those:
        withdraw(invitation=invitation, actor=actor)


@transaction.atomic
def accept_as_new(
    *,
    invitation: Invitation,
    username: str,
    display_name: str,
    email: str,
    password: str | None,
) -> User:
    """Create the account of an invited teacher; without *password*, they sign in another way.

    Without a language of their school, the account keeps that in which they read the invitation.
    """
    role = User.Role.TEACHER if invitation.classroom else invitation.role
    person = create_person(
        username=username,
        display_name=display_name,
        role=role,
        school=invitation.school,
        password=password,
        email=email,
        language="" if invitation.school.language else languages.language_of_page(),
    )
    _accept(invitation, person)
    return person


@transaction.atomic
def accept(*, invitation: Invitation, person: User) -> None:
    """Add a teacher who has an account to the invitation's class."""
    if person.is_student or invitation.classroom is None:
        raise ValidationError(
            _("This invitation is for a new account. Log out first, then open it again.")
        )
    _accept(invitation, person)


def _accept(invitation: Invitation, person: User) -> None:
    invitation.invited_by.refresh_from_db()  # the form may have been open while the right was lost
    if not may_still_invite(invitation):
        raise ValidationError(_("This invitation is no longer valid."))
    taken = still_open().filter(pk=invitation.pk).update(accepted_at=timezone.now())
    if not taken:
        raise ValidationError(_("This invitation has already been used."))
    if invitation.classroom is not None:
        place = join_classroom(classroom=invitation.classroom, person=person, role=invitation.role)
        is_for_days = place.until is not None or place.role == Membership.Role.SUBSTITUTE
        if is_for_days:  # and now they are asked to stay
            place.role, place.until = invitation.role, None
            place.save(update_fields=["role", "until"])
    audit.record(person, "accepted invitation", person, school=invitation.school)
    accepted.send(Invitation, person=person, invitation=invitation)
