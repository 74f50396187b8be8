"""Teachers' accounts: close and reopen them, change their role in the school."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.models import School, User
from osmosmjerka.accounts.schools import invitations


@transaction.atomic
def close_account(*, person: User, actor: User) -> None:
    """Close the account of a teacher who left; colleagues keep the lists and classes."""
    _refuse_without_admin(person)
    person.is_active = False
    person.save(update_fields=["is_active"])
    person.end_access()
    invitations.withdraw_lost(person=person, actor=actor)
    audit.record(actor, "closed account", person)


@transaction.atomic
def set_school_role(*, person: User, role: str, actor: User) -> None:
    """Make a teacher an admin of the school, or an admin a teacher."""
    if person.is_student or role not in {User.Role.TEACHER, User.Role.SCHOOL_ADMIN}:
        raise ValidationError(_("Choose a role."))
    if role == User.Role.TEACHER:
        _refuse_without_admin(person)
    person.role = role
    person.save(update_fields=["role"])
    person.end_access()
    invitations.withdraw_lost(person=person, actor=actor)
    audit.record(actor, "changed school role", person, role=role)


def _refuse_without_admin(person: User) -> None:
    """Refuse to remove the school's last admin, even if two remove each other at once."""
    if person.role != User.Role.SCHOOL_ADMIN or person.school_id is None:
        return
    school = School.objects.select_for_update().get(pk=person.school_id)
    admins = school.people.filter(role=User.Role.SCHOOL_ADMIN, is_active=True)
    if not admins.exclude(pk=person.pk).exists():
        raise ValidationError(_("A school needs an admin. Make someone else an admin first."))


@transaction.atomic
def open_account(*, person: User, actor: User) -> None:
    """Reopen a teacher's closed account."""
    person.is_active = True
    person.save(update_fields=["is_active"])
    audit.record(actor, "opened account", person)
