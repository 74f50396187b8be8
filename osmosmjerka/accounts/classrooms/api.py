"""The teachers of a class in the API."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import Classroom, Membership
from osmosmjerka.accounts.selectors import colleagues_of, members_by_name
from osmosmjerka.rest import user_of
from osmosmjerka.rest_requests import RequestSerializer
from osmosmjerka.rest_views import ApiView

_TEACHERS = [choice for choice in Membership.Role.choices if choice[0] != Membership.Role.STUDENT]


class ClassTeacherSerializer(RequestSerializer):
    """A teacher of a class, with their role there."""

    teacher = serializers.IntegerField(source="user.pk", read_only=True)
    username = serializers.CharField(source="user.username", max_length=150)
    name = serializers.CharField(source="user.display_name", read_only=True)
    role = serializers.ChoiceField(choices=_TEACHERS)
    until = serializers.DateField(
        allow_null=True,
        default=None,
        help_text="The last day of access, in the school's time zone; null if there is none.",
    )


class ClassRoleSerializer(RequestSerializer):
    """The role of a teacher in a class."""

    role = serializers.ChoiceField(choices=_TEACHERS)
    until = serializers.DateField(allow_null=True, default=None)


class ClassTeachersView(ApiView):
    @extend_schema(responses=ClassTeacherSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the teachers of a class, also those whose last day has passed."""
        found = get_object_or_404(classrooms(request.user, "see progress"), pk=pk)
        return Response(ClassTeacherSerializer(_teachers_of(found), many=True).data)

    @extend_schema(
        request=ClassTeacherSerializer, responses={201: ClassTeacherSerializer(many=True)}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a teacher of the school to the class, given by the username.

        A `co_teacher` may do what you may, but not archive or delete the class or choose its
        teachers. A `substitute` may see everything and change nothing. Both may have a last day,
        `until`. Only the class's owner and school admins may do this. The response is 400 for
        anybody who is no teacher of the school, or is in the class already.
        """
        found = _changeable(request, pk)
        asked = ClassTeacherSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        username = asked.validated_data["user"]["username"]
        person = colleagues_of(found).filter(username=username).first()
        if person is None:
            raise serializers.ValidationError({"username": [classes.not_a_colleague()]})
        classes.add_teacher(
            classroom=found,
            person=person,
            role=asked.validated_data["role"],
            until=asked.validated_data["until"],
            actor=user_of(request),
        )
        return Response(ClassTeacherSerializer(_teachers_of(found), many=True).data, status=201)


class ClassTeacherView(ApiView):
    @extend_schema(request=ClassRoleSerializer, responses=ClassTeacherSerializer)
    def put(self, request: Request, pk: int, teacher: int) -> Response:
        """Change the role of a teacher, given by id, or their last day; an `owner` has none.

        Only the class's owner and school admins may do this. The response is 400 if the class would
        lose its last owner.
        """
        place = _place(request, pk, teacher)
        asked = ClassRoleSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        classes.set_role(membership=place, actor=user_of(request), **asked.validated_data)
        return Response(ClassTeacherSerializer(place).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, teacher: int) -> Response:
        """Remove a teacher from the class; permissions and limits are as for a change."""
        classes.remove_member(membership=_place(request, pk, teacher), actor=user_of(request))
        return Response(status=204)


def _changeable(request: Request, pk: int) -> Classroom:
    archivable = classrooms(request.user, "archive").select_related("school")
    found: Classroom = get_object_or_404(archivable, pk=pk)
    return found


def _place(request: Request, pk: int, teacher: int) -> Membership:
    places = _changeable(request, pk).memberships.exclude(role=Membership.Role.STUDENT)
    found: Membership = get_object_or_404(
        places.select_related("user", "classroom__school"), user=teacher
    )
    return found


def _teachers_of(classroom: Classroom) -> list[Membership]:
    places = classroom.memberships.exclude(role=Membership.Role.STUDENT)
    return members_by_name(places.select_related("user"))
