"""The HTTP API of what a class did, as xAPI statements."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.rest.views import ApiView
from puzzles.xapi.views import FORMATS, statements_file


class LinesRenderer(BaseRenderer):
    """Names the format; the lines are written as they are read."""

    media_type = FORMATS["ndjson"]
    format = "ndjson"

    def render(self, data: Any, *args: Any, **kwargs: Any) -> Any:
        return data


class StatementSerializer(serializers.Serializer[Any]):
    """A statement of xAPI 1.0.3; actors are accounts of this site, by their numbers only."""

    id = serializers.UUIDField()
    actor = serializers.DictField()
    verb = serializers.DictField()
    object = serializers.DictField()
    result = serializers.DictField(required=False)
    context = serializers.DictField()  # type: ignore[assignment]  # fields leave the class
    timestamp = serializers.DateTimeField()
    version = serializers.CharField()


class ClassStatementsView(ApiView):
    renderer_classes = (JSONRenderer, LinesRenderer)
    pagination_class = None
    asks = {"get": ["format"]}

    @extend_schema(
        operation_id="classes_statements_list",
        responses={
            (200, FORMATS["json"]): StatementSerializer(many=True),
            (200, FORMATS["ndjson"]): StatementSerializer,
        },
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Return what the students of a class did in its assignments, as xAPI statements.

        For those who may see the class's progress. An array by default; with `format=ndjson`, or
        `Accept: application/x-ndjson`, one statement a line.
        """
        classroom = get_object_or_404(classrooms(request.user, "see progress"), pk=pk)
        wanted = request.accepted_renderer.format
        return statements_file(classroom, wanted, request.build_absolute_uri("/"))
