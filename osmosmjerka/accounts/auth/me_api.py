"""Whom a program acts for, and what its token may do."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts import access
from osmosmjerka.accounts.models import ApiToken, Membership, User
from osmosmjerka.db.collation import sort_key
from osmosmjerka.rest.fields import NamedSerializer, OneOf
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.views import ApiView


class OwnClassSerializer(NamedSerializer):
    """A class, with one's own role there."""

    role = OneOf(choices=Membership.Role.choices)


class OwnTokenSerializer(serializers.Serializer[Any]):
    """The token with which is asked."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    scope = OneOf(choices=ApiToken.Scope.choices)
    expires_at = serializers.DateTimeField()


class MeSerializer(serializers.Serializer[Any]):
    """Who asks."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    name = serializers.CharField(help_text="The display name.")
    role = OneOf(choices=User.Role.choices)
    is_site_admin = serializers.BooleanField()
    language = OneOf(
        choices=settings.LANGUAGES,
        allow_blank=True,
        help_text="In which you read the site; empty: that of your school or your browser.",
    )
    school = NamedSerializer(allow_null=True)
    classes = OwnClassSerializer(many=True, help_text="Without archived ones, by name.")
    token = OwnTokenSerializer(allow_null=True, help_text="null: you ask as a browser.")


class MeView(ApiView):
    @extend_schema(operation_id="me_retrieve", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Return who you are: your role, school and classes, and what your token may do.

        These are the classes in which you have a place. A school admin finds all classes of the
        school at `/api/classes/`.
        """
        person = user_of(request)
        told = {
            "id": person.pk,
            "username": person.username,
            "name": person.display_name,
            "role": person.role,
            "is_site_admin": person.is_superuser,
            "language": person.language,
            "school": person.school,
            "classes": _classes_of(person),
            "token": request.auth if isinstance(request.auth, ApiToken) else None,
        }
        return Response(MeSerializer(told).data)


def _classes_of(person: User) -> list[dict[str, Any]]:
    running = access.places(person).filter(classroom__archived_at=None)
    places = running.order_by().select_related("classroom")
    key = sort_key()
    return [
        {"id": place.classroom_id, "name": place.classroom.name, "role": place.role}
        for place in sorted(places, key=lambda place: (key(place.classroom.name), place.pk))
    ]
