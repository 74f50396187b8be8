"""Queries for people on pages and in the API."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.db.collation import sort_key


def site_admins() -> QuerySet[User]:
    """Return the accounts that can administer the site. A new site has none."""
    return User.objects.filter(is_superuser=True, is_active=True)


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


def without_class(students: QuerySet[User]) -> QuerySet[User]:
    """Return those of some students who are in no class, or only in classes in the bin."""
    return students.exclude(pk__in=Membership.objects.values("user"))


def colleagues_of(classroom: Classroom) -> QuerySet[User]:
    """Return the teachers of the class's school who have no place in it, or none any more."""
    staying = Membership.everything.filter(classroom=classroom).exclude(
        until__lt=classroom.school.today()
    )
    return User.objects.filter(
        school_id=classroom.school_id, is_active=True, deleted_at=None
    ).exclude(Q(role=User.Role.STUDENT) | Q(pk__in=staying.values("user")))


def told_apart(classrooms: Iterable[Classroom]) -> list[Classroom]:
    """Return classes to choose from, in which those of the same name say what tells them apart.

    It is their school, else who owns them, else the day when they were created. The classes should
    have been read with their schools.
    """
    chosen = list(classrooms)
    same_name: dict[str, list[Classroom]] = {}
    for one in chosen:
        same_name.setdefault(one.name.casefold(), []).append(one)
    alike = [some for some in same_name.values() if len(some) > 1]
    if not alike:
        return chosen
    owners = _owners_of(one for some in alike for one in some)
    for some in alike:
        for texts in (
            [one.school.name for one in some],
            [owners.get(one.pk, "") for one in some],
            [date_format(timezone.localtime(one.created_at), "DATETIME_FORMAT") for one in some],
        ):
            if len(set(texts)) == len(some):
                break
        for one, text in zip(some, texts, strict=True):
            one.told_apart_by = text
    return chosen


def _owners_of(classrooms: Iterable[Classroom]) -> dict[int, str]:
    """Return the names of each class's owners."""
    places = Membership.objects.filter(classroom__in=classrooms, role=Membership.Role.OWNER)
    names: dict[int, list[User]] = {}
    for place in places.select_related("user"):
        names.setdefault(place.classroom_id, []).append(place.user)
    return {pk: ", ".join(map(str, sorted(some, key=by_name()))) for pk, some in names.items()}


@dataclass(frozen=True, slots=True)
class Lately:
    """What a class did last and does next: *students* practised on the *last* day.

    *due_at* is when its next assignment is due.
    """

    students: int = 0
    last: datetime | None = None
    due_at: datetime | None = None


def lately_in_classes(classes: QuerySet[Classroom], now: datetime) -> dict[int, Lately]:
    """Return what happened last in each class that has practised in four weeks, or what is due."""
    rows, since = classes.order_by(), timezone.localdate(now) - timedelta(days=28)
    days = (
        rows.filter(
            memberships__role=Membership.Role.STUDENT,
            memberships__user__deleted_at=None,
            memberships__user__study_days__day__gte=since,
            memberships__user__study_days__reviews__gt=0,
        )
        .values_list("pk", "memberships__user__study_days__day")
        .annotate(Count("memberships__user", distinct=True))
    )
    last = {pk: (day, count) for pk, day, count in sorted(days)}  # the last day is the one kept
    due = dict(
        rows.filter(
            assignments__due_at__gte=now,
            assignments__archived_at=None,
            assignments__is_draft=False,
            assignments__puzzle__deleted_at=None,
        )
        .values_list("pk")
        .annotate(Min("assignments__due_at"))
    )
    found = {}
    for pk in {*last, *due}:
        day, count = last.get(pk, (None, 0))
        noon = day and timezone.make_aware(datetime.combine(day, time(12)))
        found[pk] = Lately(count, noon, due.get(pk))
    return found
