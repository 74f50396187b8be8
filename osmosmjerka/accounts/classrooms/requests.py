"""What pages and API of classes read from a request: the class, its address, ids."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.request import Request

from osmosmjerka.accounts.access import ClassroomAction, Person, classrooms, schools
from osmosmjerka.accounts.models import Classroom, RosterImport, School
from osmosmjerka.web.views import SignedInRequest

_Request = SignedInRequest | Request


def classroom_for(request: _Request, action: ClassroomAction, pk: int) -> Classroom:
    """Return a class on which the person may carry out *action*."""
    return get_object_or_404(classrooms(request.user, action).select_related("school"), pk=pk)


def managed_classroom(request: _Request, pk: int) -> Classroom:
    return classroom_for(request, "manage people", pk)


def running_classroom(request: _Request, pk: int) -> Classroom:
    return get_object_or_404(running_classrooms(request.user), pk=pk)


def running_classrooms(person: Person) -> QuerySet[Classroom]:
    """Return the classes whose people may be changed: archived ones are read-only."""
    managed = classrooms(person, "manage people").filter(archived_at=None)
    return managed.select_related("school")


def class_roster(request: _Request, pk: int, roster_pk: int) -> RosterImport:
    rosters = running_classroom(request, pk).rosters.select_related("classroom__school")
    return get_object_or_404(rosters, pk=roster_pk)


def administered_school(request: _Request, pk: int) -> School:
    return get_object_or_404(schools(request.user, "administer"), pk=pk)


def school_roster(request: _Request, pk: int, roster_pk: int) -> RosterImport:
    rosters = administered_school(request, pk).rosters.select_related("school")
    return get_object_or_404(rosters, pk=roster_pk)


def door_address(request: HttpRequest | Request, classroom: Classroom) -> str:
    address: str = request.build_absolute_uri(reverse("class-door", args=[classroom.join_code]))
    return address


def id_of(text: str | None) -> int:
    """Return a number from a form, or 0 if there is none."""
    return (
        int(text)
        if text is not None and text.isascii() and text.isdigit() and len(text) < 18
        else 0
    )


def ids_of(texts: Sequence[str]) -> list[int]:
    return [id_of(text) for text in texts[:1000]]
