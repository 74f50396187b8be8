"""Whether a school lets its people log in with its sign-in service only."""

from __future__ import annotations

from osmosmjerka.accounts.models import IdentityProvider, User


def only_door_of(person: User) -> IdentityProvider | None:
    """Return the service by which alone *person* may log in; None if any way is open to them.

    Admins keep their passwords and passkeys, in case the service is away or set up wrongly, and
    students their cards, which never come here.
    """
    if person.is_superuser or person.is_staff or person.role == User.Role.SCHOOL_ADMIN:
        return None
    of_school = IdentityProvider.objects.filter(school=person.school_id, is_on=True)
    return of_school.filter(is_only_door=True, school__isnull=False).first()
