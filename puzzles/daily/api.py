"""The HTTP API of a class's puzzle of the day."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.serializers import RequestSerializer, read_body
from osmosmjerka.rest.views import ApiView
from puzzles import access
from puzzles.daily import selectors
from puzzles.daily import services as daily
from puzzles.kinds import KIND_CHOICES
from puzzles.play.serializers import PuzzleToPlaySerializer


class EarlierDaySerializer(serializers.Serializer[Any]):
    """A puzzle of an earlier day that you have begun."""

    day = serializers.DateField()
    code = serializers.CharField()
    kind = OneOf(choices=KIND_CHOICES)


class DailySerializer(serializers.Serializer[Any]):
    """A class's puzzle of today, and your result."""

    day = serializers.DateField(help_text="Days begin in the night, where the class’s school is.")
    kind = OneOf(
        source="puzzle.kind", choices=KIND_CHOICES, default=None, allow_null=True,
        help_text="null until somebody opens the puzzle: then it is created.",
    )  # fmt: skip
    has_begun = serializers.BooleanField()
    is_finished = serializers.BooleanField()
    text = serializers.CharField(
        allow_blank=True,
        help_text="Your result to share, once you have finished; no words, no names.",
    )
    done = serializers.IntegerField(help_text="How many students of the class have finished it.")
    unfinished = EarlierDaySerializer(many=True, help_text="What you can still finish.")


class DailyView(ApiView):
    scope_to_write = "play"

    @extend_schema(operation_id="classes_daily_retrieve", responses=DailySerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return the puzzle of the day of a class and your result, for its students and teachers.

        Returns 404 if the class has none.
        """
        seen = selectors.seen_by(user_of(request), self._classroom(request, pk), timezone.now())
        return Response(DailySerializer(seen).data)

    @extend_schema(
        operation_id="classes_daily_open", request=None, responses=PuzzleToPlaySerializer
    )
    def post(self, request: Request, pk: int) -> Response:
        """Open the puzzle of the day of a class, for its students and teachers, and return it.

        The first to open it has it created: repeat the request until `state` is `ready`. A student
        who has opened it can finish it later. Returns 404 if the class has none, and 400 if there
        are too few words, or if assignments still ask you for them.
        """
        classroom = self._classroom(request, pk)
        puzzle = daily.begin(classroom=classroom, person=user_of(request), at=timezone.now())
        return Response(PuzzleToPlaySerializer(puzzle).data)

    def _classroom(self, request: Request, pk: int) -> Classroom:
        mine = access.classes_with_daily_puzzle(request.user).select_related("school")
        return get_object_or_404(mine, pk=pk)


class DailySwitchSerializer(RequestSerializer):
    """Whether a class has a puzzle of the day."""

    is_on = serializers.BooleanField()


class DailySwitchView(ApiView):
    @extend_schema(
        operation_id="classes_daily_switch",
        request=DailySwitchSerializer,
        responses=DailySwitchSerializer,
    )
    def put(self, request: Request, pk: int) -> Response:
        """Turn the puzzle of the day of a class that you teach on or off.

        Who has begun one can finish it. Returns 404 if the class is archived or not yours.
        """
        may = classrooms(request.user, "assign").filter(archived_at=None)
        classroom = get_object_or_404(may.select_related("school"), pk=pk)
        asked = read_body(request, DailySwitchSerializer)
        daily.switch(classroom=classroom, actor=user_of(request), **asked)
        return Response(asked)
