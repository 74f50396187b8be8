"""Passwords of students, which their teachers set or remove; and locks that an admin lifts."""

from __future__ import annotations

from django.db import transaction
from django_otp import devices_for_user

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.auth import cards, lockout
from osmosmjerka.accounts.fields import check_student_password
from osmosmjerka.accounts.models import User


@transaction.atomic
def set_for_student(*, student: User, password: str, actor: User) -> None:
    """Give a student a password, new or first; sessions and API tokens end, the card stays.

    Raises `ValidationError` for a password that is too short, too long or common.
    """
    _refuse_teacher(student)
    check_student_password(password)
    student.set_password(password)
    student.save(update_fields=["password"])
    lockout.lift(lockout.key_of_password(student.username))  # the lock says “ask your teacher”
    audit.record(actor, "set pupil password", student)


@transaction.atomic
def remove_from_student(*, student: User, actor: User) -> None:
    """Remove a student's password; sessions and API tokens end, the card stays."""
    _refuse_teacher(student)
    student.set_unusable_password()
    student.save(update_fields=["password"])
    audit.record(actor, "removed pupil password", student)


@transaction.atomic
def unlock(*, person: User) -> int:
    """Forget the failed logins of *person*, by every way; return how many ways had any.

    The two-step verification stays, but no longer makes the person wait.
    """
    keys = [lockout.key_of_password(person.username), cards.key_of_card(person)]
    if person.email:
        keys.append(lockout.key_of("reset", person.email.casefold()))
    found = lockout.lift(*keys)
    for device in devices_for_user(person):
        if getattr(device, "throttling_failure_count", 0):
            device.throttle_reset()
            found += 1
    if found:
        audit.record(None, "unlocked account", person)
    return found


def _refuse_teacher(person: User) -> None:
    if not person.is_student:
        raise ValueError(f"{person} is no student and sets the password alone.")
