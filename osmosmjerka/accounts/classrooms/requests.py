"""What the class pages read from a request: the class, its address, ids."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.request import Request

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.web.views import SignedInRequest


def managed_classroom(request: SignedInRequest, pk: int) -> Classroom:
    return get_object_or_404(
        classrooms(request.user, "manage people").select_related("school"), pk=pk
    )


def running_classroom(request: SignedInRequest, pk: int) -> Classroom:
    """Return a class that is not archived; archived classes are read-only."""
    return get_object_or_404(
        classrooms(request.user, "manage people").filter(archived_at=None), pk=pk
    )


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
