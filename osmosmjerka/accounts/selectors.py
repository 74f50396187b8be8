"""Queries for people on pages and in the API."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.db.models import Count, Q

from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.collation import sort_key


def by_name() -> Callable[[User], tuple[bytes, int]]:
    """Return the key function that sorts people by display name in the reader's language."""
    key = sort_key()
    return lambda person: (key(str(person)), person.pk)


def members_by_name(memberships: Iterable[Membership]) -> list[Membership]:
    """Return members of a class, sorted by name."""
    key = by_name()
    return sorted(memberships, key=lambda membership: key(membership.user))


def number_of_students() -> Count:
    """Return the count of a class's students, without those in the bin, to annotate classes."""
    kept = Q(memberships__role=Membership.Role.STUDENT, memberships__user__deleted_at=None)
    return Count("memberships", filter=kept)


def students_of(classroom: Classroom) -> list[User]:
    """Return the students of a class, sorted by name."""
    return students_of_classes([classroom])[classroom.pk]


def students_of_classes(classrooms: Iterable[Classroom]) -> dict[int, list[User]]:
    """Return the students of each class, sorted by name, by the class's key."""
    students: dict[int, list[User]] = {classroom.pk: [] for classroom in classrooms}
    members = Membership.objects.filter(classroom__in=students, role=Membership.Role.STUDENT)
    for member in members.order_by().select_related("user"):
        students[member.classroom_id].append(member.user)
    key = by_name()
    return {pk: sorted(some, key=key) for pk, some in students.items()}
