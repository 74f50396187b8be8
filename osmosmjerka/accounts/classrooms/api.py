"""Classes and their teachers in the API."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts import access, people
from osmosmjerka.accounts.access import ClassroomAction, classrooms
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.classrooms.requests import classroom_for, door_address
from osmosmjerka.accounts.models import Classroom, Membership
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.accounts.selectors import colleagues_of, members_by_name, number_of_students
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.rest.fields import NamedSerializer, OneOf
from osmosmjerka.rest.pagination import PAGES
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.schema import refusal
from osmosmjerka.rest.serializers import RequestSerializer, Strict, read_body, read_query
from osmosmjerka.rest.views import ApiView


class ClassroomSerializer(Strict, serializers.ModelSerializer[Classroom]):
    """A class, as its teachers see it."""

    name = serializers.CharField(max_length=100)
    school = serializers.SerializerMethodField()
    role = OneOf(
        choices=classes.TEACHERS,
        read_only=True,
        allow_null=True,
        help_text="Yours in the class; null: you see it as an admin.",
    )
    students = serializers.IntegerField(read_only=True, help_text="How many it has.")
    card_language = OneOf(
        choices=settings.LANGUAGES,
        required=False,
        allow_blank=True,
        help_text="Of the words on new login cards; empty: that of the school.",
    )
    login_url = serializers.SerializerMethodField(
        help_text="Where students log in with the words on their cards."
    )
    gone_at = serializers.SerializerMethodField(
        help_text="When an archived class is permanently deleted, as far as is known."
    )

    class Meta:
        model = Classroom
        fields = [
            "id",
            "name",
            "school",
            "role",
            "students",
            "is_join_open",
            "uses_pictures",
            "card_language",
            "words_a_day",
            "join_code",
            "login_url",
            "created_at",
            "archived_at",
            "gone_at",
        ]
        read_only_fields = ["join_code", "created_at", "archived_at"]

    @extend_schema_field(NamedSerializer)
    def get_school(self, classroom: Classroom) -> dict[str, Any]:
        return dict(NamedSerializer(classroom.school).data)

    def get_login_url(self, classroom: Classroom) -> str:
        return door_address(self.context["request"], classroom)

    def get_gone_at(self, classroom: Classroom) -> datetime | None:
        return retention.erased_at(classroom)


class NextYearSerializer(RequestSerializer):
    """The class of the next year."""

    name = serializers.CharField(max_length=100)


_ORDERS: dict[str, Sequence[Any]] = {
    "name": (Alphabetical("name"), "pk"),
    "-created_at": ("-created_at", "-pk"),
}


class FindClassesSerializer(serializers.Serializer[Any]):
    """Which classes are asked for."""

    archived = serializers.BooleanField(
        required=False, help_text="Only archived classes, or only the others."
    )
    search = serializers.CharField(
        required=False, allow_blank=True, max_length=100, help_text="In the name."
    )
    ordering = OneOf(choices=list(_ORDERS), required=False, help_text="By default, by name.")


# The action of access.CLASSROOM_ACTIONS that each view action needs, if more than "see progress".
_ACTIONS: dict[str, ClassroomAction] = {
    "partial_update": "manage people",
    "join_code": "manage people",
    "archive": "archive",
    "restore": "archive",
    "next_year": "archive",
    "keep": "archive",
    "destroy": "delete",
}
# What is refused for archived classes, which are read-only.
_CHANGES = {"partial_update", "join_code", "archive", "next_year"}


class ClassroomViewSet(ApiView, viewsets.GenericViewSet[Classroom]):
    """The classes that you teach or follow; for a school admin, all of the school.

    Students have none here: theirs are at `/api/me/`.
    """

    serializer_class = ClassroomSerializer
    is_for_teachers = True
    queryset = Classroom.objects.none()
    asks = {"list": [FindClassesSerializer, *PAGES]}

    def get_queryset(self) -> QuerySet[Classroom]:
        person, name = user_of(self.request), str(self.action)
        found = classrooms(person, _ACTIONS.get(name, "see progress"))
        if name in _CHANGES:
            found = found.filter(archived_at=None)
        return _readable(found, self.request)

    def _told(self, classroom: Classroom, status: int = 200) -> Response:
        """Return a class as it is after a change."""
        seen = _readable(classrooms(self.request.user, "see progress"), self.request)
        return Response(self.get_serializer(seen.get(pk=classroom.pk)).data, status=status)

    def list(self, request: Request) -> Response:
        """Return the classes that you may see, archived ones too."""
        asked = read_query(request, FindClassesSerializer)
        found = self.get_queryset().order_by(*_ORDERS[asked.get("ordering", "name")])
        if "archived" in asked:
            found = found.filter(archived_at__isnull=not asked["archived"])
        if search := asked.get("search"):
            found = found.filter(name__icontains=search)
        page = self.paginate_queryset(found) or []
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @extend_schema(responses={201: ClassroomSerializer})
    def create(self, request: Request) -> Response:
        """Create a class in your school, which you own.

        The response is 400 if you belong to no school.
        """
        asked = self.get_serializer(data=request.data)
        asked.is_valid(raise_exception=True)
        person, settings_of_class = user_of(request), dict(asked.validated_data)
        with transaction.atomic():
            made = people.create_classroom(name=settings_of_class.pop("name"), owner=person)
            if settings_of_class:
                classes.update_classroom(classroom=made, actor=person, **settings_of_class)
        return self._told(made, status=201)

    def retrieve(self, request: Request, pk: int) -> Response:
        """Return a class."""
        return Response(self.get_serializer(self.get_object()).data)

    def partial_update(self, request: Request, pk: int) -> Response:
        """Change the settings of a class that you teach. What is not sent stays as it is.

        Closing the class to joining also refuses who waits. An archived class is not found.
        """
        found = self.get_object()
        asked = self.get_serializer(data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        classes.update_classroom(classroom=found, actor=user_of(request), **asked.validated_data)
        return self._told(found)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, pk: int) -> Response:
        """Delete a class that you own, or of your school as its admin.

        Its students keep their accounts and what they learned. The class can be restored from the
        bin for 30 days.
        """
        classes.delete_classroom(classroom=self.get_object(), actor=user_of(request))
        return Response(status=204)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: int) -> Response:
        """Archive a class: nobody joins, students no longer see its puzzles, teachers still do.

        Only the class's owner and school admins may do this.
        """
        found = self.get_object()
        classes.archive_classroom(classroom=found, actor=user_of(request))
        return self._told(found)

    @extend_schema(
        request=None,
        responses={200: ClassroomSerializer, 400: refusal("The class is not archived.")},
    )
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, pk: int) -> Response:
        """Take a class out of the archive: students see its puzzles again.

        Nobody can join it until you allow that again, and invitations stay withdrawn. Only the
        class's owner and school admins may do this.
        """
        found = self.get_object()
        classes.restore_archived(classroom=found, actor=user_of(request))
        return self._told(found)

    @extend_schema(request=NextYearSerializer, responses={201: ClassroomSerializer})
    @action(detail=True, methods=["post"], url_path="next-year")
    def next_year(self, request: Request, pk: int) -> Response:
        """Archive a class and create the next one, with the same teachers and students.

        Substitutes and teachers with a last day stay behind. Returns the new class.
        """
        found = self.get_object()
        wanted = read_body(request, NextYearSerializer)
        made = classes.start_next_year(classroom=found, actor=user_of(request), **wanted)
        return self._told(made, status=201)

    @extend_schema(
        request=None,
        responses={200: ClassroomSerializer, 400: refusal("The class is not archived.")},
    )
    @action(detail=True, methods=["post"])
    def keep(self, request: Request, pk: int) -> Response:
        """Keep an archived class for another retention period of the school."""
        found = self.get_object()
        retention.keep_classroom(classroom=found, actor=user_of(request))
        return self._told(found)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"], url_path="join-code")
    def join_code(self, request: Request, pk: int) -> Response:
        """Give a class a new code. The old one stops working, also where it is printed on cards."""
        found = self.get_object()
        classes.reset_join_code(classroom=found, actor=user_of(request))
        return self._told(found)


def _readable(found: QuerySet[Classroom], request: Request) -> QuerySet[Classroom]:
    counted = found.annotate(students=number_of_students()).select_related("school")
    return access.with_roles(counted, user_of(request))


class ClassTeacherSerializer(RequestSerializer):
    """A teacher of a class, with their role there."""

    teacher = serializers.IntegerField(source="user.pk", read_only=True)
    username = serializers.CharField(source="user.username", max_length=150)
    name = serializers.CharField(source="user.display_name", read_only=True)
    role = OneOf(choices=classes.TEACHERS)
    until = serializers.DateField(
        allow_null=True,
        default=None,
        help_text="The last day of access, in the school's time zone; null if there is none.",
    )


class ClassRoleSerializer(RequestSerializer):
    """The role of a teacher in a class."""

    role = OneOf(choices=classes.TEACHERS)
    until = serializers.DateField(allow_null=True, default=None)


class ClassTeachersView(ApiView):
    @extend_schema(responses=ClassTeacherSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the teachers of a class, also those whose last day has passed."""
        found = classroom_for(request, "see progress", pk)
        return Response(ClassTeacherSerializer(_teachers_of(found), many=True).data)

    @extend_schema(
        request=ClassTeacherSerializer, responses={201: ClassTeacherSerializer(many=True)}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add a teacher of the school to the class, given by the username.

        A `co_teacher` may do what you may, but not archive or delete the class or choose its
        teachers. A `substitute` may see everything and lead class games, but change nothing. Both
        may have a last day, `until`. Only the class's owner and school admins may do this. The
        response is 400 for anybody who is no teacher of the school, or is in the class already.
        """
        found = classroom_for(request, "archive", pk)
        wanted = read_body(request, ClassTeacherSerializer)
        username = wanted["user"]["username"]
        person = colleagues_of(found).filter(username=username).first()
        if person is None:
            raise serializers.ValidationError({"username": [classes.not_a_colleague()]})
        classes.add_teacher(
            classroom=found,
            person=person,
            role=wanted["role"],
            until=wanted["until"],
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
        wanted = read_body(request, ClassRoleSerializer)
        classes.set_role(membership=place, actor=user_of(request), **wanted)
        return Response(ClassTeacherSerializer(place).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, teacher: int) -> Response:
        """Remove a teacher from the class; permissions and limits are as for a change.

        A co-teacher may remove themselves, too.
        """
        person = user_of(request)
        found = classroom_for(request, "see progress", pk)
        places = access.endable_places(person, found).exclude(role=Membership.Role.STUDENT)
        place = get_object_or_404(places.select_related("user", "classroom__school"), user=teacher)
        classes.remove_member(membership=place, actor=person)
        return Response(status=204)


def _place(request: Request, pk: int, teacher: int) -> Membership:
    places = classroom_for(request, "archive", pk).memberships.exclude(role=Membership.Role.STUDENT)
    found: Membership = get_object_or_404(
        places.select_related("user", "classroom__school"), user=teacher
    )
    return found


def _teachers_of(classroom: Classroom) -> list[Membership]:
    places = classroom.memberships.exclude(role=Membership.Role.STUDENT)
    return members_by_name(places.select_related("user"))
