"""HTTP API of the links for parents of a class."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.classrooms.requests import managed_classroom
from osmosmjerka.accounts.selectors import by_name
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.serializers import RequestSerializer, read_body
from osmosmjerka.rest.views import ApiView
from puzzles.models import ParentLink
from puzzles.parents import services


class ParentLinkSerializer(serializers.ModelSerializer[ParentLink]):
    """A link by which the parents of a student see how they are doing."""

    student = serializers.IntegerField(source="student_id", help_text="The id of the student.")

    class Meta:
        model = ParentLink
        fields = ["student", "made_at", "until", "last_opened_at"]
        read_only_fields = fields


class MadeParentLinkSerializer(ParentLinkSerializer):
    """A new link, whose URL is told only now."""

    url = serializers.CharField(read_only=True)

    class Meta(ParentLinkSerializer.Meta):
        fields = [*ParentLinkSerializer.Meta.fields, "url"]
        read_only_fields = fields


class NewParentLinksSerializer(RequestSerializer):
    """For whom links are created."""

    students = serializers.ListField(
        child=serializers.IntegerField(),
        max_length=1000,
        help_text="The ids of students of the class. Their older links end.",
    )


class ClassParentsView(ApiView):
    is_for_teachers = True

    @extend_schema(operation_id="classes_parents_list", responses=ParentLinkSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the links for parents of a class that work, without their URLs."""
        found = services.working().filter(classroom=managed_classroom(request, pk))
        return Response(ParentLinkSerializer(found, many=True).data)

    @extend_schema(
        operation_id="classes_parents_create",
        request=NewParentLinksSerializer,
        responses={201: MadeParentLinkSerializer(many=True)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Create links for the parents of students, and return their URLs, which are told once.

        Returns 400 if the school does not allow such links, or the class is archived.
        """
        wanted = read_body(request, NewParentLinksSerializer)["students"]
        classroom = managed_classroom(request, pk)
        reached = services.students_reached(classroom, user_of(request)).filter(pk__in=wanted)
        made = services.issue(
            students=sorted(reached, key=by_name()), classroom=classroom, actor=user_of(request)
        )
        content = [
            ParentLinkSerializer(link).data
            | {"url": request.build_absolute_uri(reverse("parent-page", args=[token]))}
            for link, token in made
        ]
        return Response(content, status=201)


class ClassParentView(ApiView):
    is_for_teachers = True

    @extend_schema(operation_id="classes_parents_end", responses={204: None})
    def delete(self, request: Request, pk: int, student: int) -> Response:
        """End the link for the parents of a student at once."""
        classroom = managed_classroom(request, pk)
        reached = services.students_reached(classroom, user_of(request))
        links: QuerySet[ParentLink] = ParentLink.objects.filter(
            classroom=classroom, student=get_object_or_404(reached, pk=student)
        )
        services.end(links=links, actor=user_of(request))
        return Response(status=204)
