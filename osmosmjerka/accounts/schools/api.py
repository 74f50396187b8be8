"""Schools, their teachers, students, invitations and activity log in the API."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts import access
from osmosmjerka.accounts.access import TeacherAction
from osmosmjerka.accounts.auth import two_factor
from osmosmjerka.accounts.models import AuditEntry, Classroom, Invitation, School, User
from osmosmjerka.accounts.schools import activity, invitations, teachers
from osmosmjerka.accounts.schools import services as schools
from osmosmjerka.accounts.selectors import by_name, without_class
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.rest.fields import NamedSerializer, OneOf
from osmosmjerka.rest.pagination import PAGES
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.schema import refusal
from osmosmjerka.rest.serializers import RequestSerializer, Strict, read_body, read_query
from osmosmjerka.rest.views import ApiView

SCHOOL_ROLES = [choice for choice in User.Role.choices if choice[0] in invitations.SCHOOL_ROLES]
# Of an invitation: in the class if there is one, else in the school.
INVITED_AS = sorted({*invitations.SCHOOL_ROLES, *invitations.CLASS_ROLES})


class SchoolSerializer(Strict, serializers.ModelSerializer[School]):
    """A school, as its admin sees it."""

    language = OneOf(
        choices=settings.LANGUAGES,
        required=False,
        allow_blank=True,
        help_text="For everyone in the school who has chosen none; empty: that of each browser.",
    )
    time_zone = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=64,
        help_text="For example `Europe/Zagreb`; empty: that of the site.",
    )
    recall_target = OneOf(
        choices=schools.RECALL_TARGETS,
        required=False,
        help_text="A word is due for review when the chance of recalling it falls to this.",
    )
    retention_days = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=schools.LONGEST_KEPT,
        help_text="Days until an archived class is deleted, with its students who are in no other.",
    )

    class Meta:
        model = School
        fields = [
            "id",
            "name",
            "language",
            "time_zone",
            "recall_target",
            "retention_days",
            "allows_parent_links",
            "created_at",
        ]
        read_only_fields = ["created_at"]


class NewSchoolSerializer(RequestSerializer):
    """The school of a site admin who has none."""

    name = serializers.CharField(max_length=200)


class SchoolViewSet(ApiView, viewsets.GenericViewSet[School]):
    """The schools that you administer: your own, or as a site admin all."""

    serializer_class = SchoolSerializer
    is_for_teachers = True
    queryset = School.objects.none()
    asks = {"list": PAGES}

    def get_queryset(self) -> QuerySet[School]:
        return access.schools(self.request.user, "administer")

    def list(self, request: Request) -> Response:
        """Return the schools that you administer, by name."""
        page = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response(self.get_serializer(page, many=True).data)

    @extend_schema(request=NewSchoolSerializer, responses={201: SchoolSerializer})
    def create(self, request: Request) -> Response:
        """Create the first school of a site admin, who becomes its admin.

        The response is 403 for everybody else, and for site admins who have a school.
        """
        person = user_of(request)
        wanted = read_body(request, NewSchoolSerializer)
        if not access.may_found_school(person):
            raise PermissionDenied
        made = schools.found_school(name=wanted["name"], person=person)
        return Response(self.get_serializer(made).data, status=201)

    def retrieve(self, request: Request, pk: int) -> Response:
        """Return a school."""
        return Response(self.get_serializer(self.get_object()).data)

    def partial_update(self, request: Request, pk: int) -> Response:
        """Change the settings of a school. What is not sent stays as it is.

        With another recall target, all due dates are computed again in the background.
        """
        found = self.get_object()
        asked = self.get_serializer(found, data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        for name, value in asked.validated_data.items():
            setattr(found, name, value)
        schools.update_school(school=found, actor=user_of(request), changed=[*asked.validated_data])
        return Response(self.get_serializer(self.get_object()).data)


class SchoolTeacherSerializer(serializers.ModelSerializer[User]):
    """A teacher of a school, or its admin."""

    name = serializers.CharField(source="display_name")

    class Meta:
        model = User
        fields = ("id", "name", "username", "role", "is_active", "last_login")


class TeacherChangesSerializer(RequestSerializer):
    """Changes to a teacher’s account."""

    role = OneOf(choices=SCHOOL_ROLES, required=False)
    is_active = serializers.BooleanField(
        required=False, help_text="false: deactivate the account; true: reactivate it."
    )


class SchoolTeachersView(ApiView, generics.GenericAPIView[User]):
    serializer_class = SchoolTeacherSerializer
    queryset = User.objects.none()
    asks = {"get": PAGES}

    @extend_schema(responses=SchoolTeacherSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the teachers and admins of a school, by name, also those who are deactivated."""
        found = sorted(_school(request, pk).people.exclude(role=User.Role.STUDENT), key=by_name())
        page: Any = self.paginate_queryset(found)
        return self.get_paginated_response(SchoolTeacherSerializer(page, many=True).data)


class SchoolTeacherView(ApiView):
    @extend_schema(
        request=TeacherChangesSerializer,
        responses={
            200: SchoolTeacherSerializer,
            400: refusal("A value is invalid, or the school would lose its last admin."),
        },
    )
    def patch(self, request: Request, pk: int, teacher: int) -> Response:
        """Change a teacher's role in the school, or deactivate or reactivate the account.

        A teacher who is deactivated, or gets another role, is logged out. Lists and classes are
        kept. Nobody can change their own account here, or a site admin's.
        """
        actor, person = user_of(request), _teacher(request, "change role", pk, teacher)
        wanted = read_body(request, TeacherChangesSerializer)
        with transaction.atomic():
            if wanted.get("role", person.role) != person.role:
                teachers.set_school_role(person=person, role=wanted["role"], actor=actor)
            if wanted.get("is_active", person.is_active) != person.is_active:
                _teacher(request, "close account", pk, teacher)
                change = teachers.open_account if wanted["is_active"] else teachers.close_account
                change(person=person, actor=actor)
        return Response(SchoolTeacherSerializer(person).data)


class TeacherTwoStepView(ApiView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, teacher: int) -> Response:
        """Turn off two-step verification for a teacher who lost the app and all backup codes.

        First make sure that the request really comes from them. They get an e-mail.
        """
        person = _teacher(request, "reset second step", pk, teacher)
        two_factor.reset(person=person, actor=user_of(request))
        return Response(status=204)


class StudentSerializer(serializers.Serializer[Any]):
    """A student's account. No secret can be read: cards and passwords are stored as hashes."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="display_name")
    username = serializers.CharField()
    last_login = serializers.DateTimeField(allow_null=True)
    has_password = serializers.BooleanField(source="has_usable_password")
    card_issued_at = serializers.DateTimeField(
        source="card.issued_at", default=None, allow_null=True, help_text="null: no login card."
    )


class FindStudentsSerializer(serializers.Serializer[Any]):
    """Which students are asked for."""

    without_class = serializers.BooleanField(
        required=False, help_text="true: only those in no class, whom no teacher can see."
    )


class SchoolStudentsView(ApiView, generics.GenericAPIView[User]):
    serializer_class = StudentSerializer
    queryset = User.objects.none()
    asks = {"get": [FindStudentsSerializer, *PAGES]}

    @extend_schema(responses=StudentSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the students of a school, by name."""
        asked = read_query(request, FindStudentsSerializer)
        people = _school(request, pk).people.filter(role=User.Role.STUDENT, is_active=True)
        if asked.get("without_class"):
            people = without_class(people)
        page: Any = self.paginate_queryset(
            people.select_related("card").order_by(Alphabetical("display_name"), "pk")
        )
        return self.get_paginated_response(StudentSerializer(page, many=True).data)


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    """An invitation that is open."""

    role = OneOf(choices=INVITED_AS, help_text="In the class if there is one, else in the school.")
    classroom = NamedSerializer(allow_null=True)
    invited_by = serializers.CharField(help_text="The display name.")

    class Meta:
        model = Invitation
        fields = ["id", "role", "classroom", "invited_by", "created_at", "expires_at"]


class NewInvitationSerializer(InvitationSerializer):
    """A new invitation, with the link for whoever is invited."""

    url = serializers.CharField(help_text="Shown only now. It works once.")

    class Meta(InvitationSerializer.Meta):
        fields = [*InvitationSerializer.Meta.fields, "url"]


class InviteToSchoolSerializer(RequestSerializer):
    """Who is invited to a school."""

    role = OneOf(choices=SCHOOL_ROLES)


class InviteToClassSerializer(RequestSerializer):
    """Who is invited to a class."""

    role = OneOf(choices=sorted(invitations.CLASS_ROLES))


class SchoolInvitationsView(ApiView):
    @extend_schema(responses=InvitationSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the open invitations to a school and its classes, newest first."""
        found = invitations.still_open().filter(school=_school(request, pk))
        return Response(InvitationSerializer(found, many=True).data)

    @extend_schema(request=InviteToSchoolSerializer, responses={201: NewInvitationSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Invite a teacher or an admin to a school: return a link, which works for 14 days."""
        school = _school(request, pk)
        wanted = read_body(request, InviteToSchoolSerializer)
        made = invitations.invite(school=school, role=wanted["role"], actor=user_of(request))
        return _invited(request, *made)


class SchoolInvitationView(ApiView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, invitation: int) -> Response:
        """Cancel an invitation to a school or one of its classes: its link no longer works."""
        return _withdraw(request, _school(request, pk).invitations.all(), invitation)


class ClassInvitationsView(ApiView):
    @extend_schema(responses=InvitationSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the open invitations to a class that you own, newest first."""
        found = invitations.still_open().filter(classroom=_class(request, pk))
        return Response(InvitationSerializer(found, many=True).data)

    @extend_schema(request=InviteToClassSerializer, responses={201: NewInvitationSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Invite a teacher to a class that you own: return a link, which works for 14 days.

        It is for somebody without an account at the school; who has one is added by the username.
        The response is 400 if the class is archived.
        """
        classroom = _class(request, pk)
        wanted = read_body(request, InviteToClassSerializer)
        made = invitations.invite(
            school=classroom.school,
            classroom=classroom,
            role=wanted["role"],
            actor=user_of(request),
        )
        return _invited(request, *made)


class ClassInvitationView(ApiView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, invitation: int) -> Response:
        """Cancel an invitation to a class that you own: its link no longer works."""
        return _withdraw(request, _class(request, pk).invitations.all(), invitation)


class ActivitySerializer(serializers.Serializer[Any]):
    """What somebody did."""

    at = serializers.DateTimeField()
    action = serializers.CharField(source="entry.action")
    actor = serializers.IntegerField(
        source="entry.actor_id", allow_null=True, help_text="The id; null: the site itself."
    )
    subject_type = serializers.CharField(
        source="entry.subject_kind", help_text="For example `user` or `classroom`."
    )
    subject = serializers.IntegerField(
        source="entry.subject_id", allow_null=True, help_text="The id of whom or what it was about."
    )
    sentence = serializers.CharField(help_text="The same for people, with the names.")


class SchoolLogView(ApiView, generics.GenericAPIView[AuditEntry]):
    serializer_class = ActivitySerializer
    queryset = AuditEntry.objects.none()
    asks = {"get": PAGES}

    @extend_schema(responses=ActivitySerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the activity log of a school, newest first."""
        page = self.paginate_queryset(_school(request, pk).audit_entries.all()) or []
        lines = activity.lines_of([*page])
        return self.get_paginated_response(ActivitySerializer(lines, many=True).data)


def _school(request: Request, pk: int) -> School:
    found: School = get_object_or_404(access.schools(request.user, "administer"), pk=pk)
    return found


def _teacher(request: Request, action: TeacherAction, school: int, pk: int) -> User:
    reached = access.teachers(request.user, action).filter(school=_school(request, school))
    found: User = get_object_or_404(reached.select_related("school"), pk=pk)
    return found


def _class(request: Request, pk: int) -> Classroom:
    owned = access.classrooms(request.user, "archive").select_related("school")
    found: Classroom = get_object_or_404(owned, pk=pk)
    return found


def _invited(request: Request, made: Invitation, token: str) -> Response:
    url = request.build_absolute_uri(reverse("invitation", args=[token]))
    told = {**InvitationSerializer(made).data, "url": url}
    return Response(told, status=201, headers={"Cache-Control": "no-store, private"})


def _withdraw(request: Request, among: QuerySet[Invitation], pk: int) -> Response:
    found = get_object_or_404(among.select_related("school"), pk=pk)
    invitations.withdraw(invitation=found, actor=user_of(request))
    return Response(status=204)
