"""Queries for people on pages and in the API."""

from __future__ import annotations

from osmosmjerka.accounts.models import Classroom, Membership, User


def students_of(classroom: Classroom) -> list[User]:
    """Return the students of a class, sorted by name."""
    members = classroom.memberships.filter(role=Membership.Role.STUDENT).select_related("user")
    return sorted((member.user for member in members), key=lambda user: (str(user), user.pk))
