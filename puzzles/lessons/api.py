"""HTTP API of lessons: what the students of a class do now."""

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
from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.serializers import RequestSerializer, read_body, read_query
from osmosmjerka.rest.views import ApiView
from puzzles.album import sharing
from puzzles.kinds import KIND_CHOICES
from puzzles.lessons.rules import Reason, State
from puzzles.lessons.selectors import lesson_of

STATES = [(one.value, one.value) for one in State]
REASONS = [(one.value, one.value) for one in Reason]


class LessonQuerySerializer(serializers.Serializer[Any]):
    since = serializers.DateTimeField(
        required=False,
        help_text="When the lesson began: at most four hours ago, by default 45 minutes.",
    )


class PlayedNowSerializer(serializers.Serializer[Any]):
    """A puzzle and how far its student is."""

    code = serializers.CharField()
    title = serializers.CharField()
    kind = OneOf(choices=KIND_CHOICES)
    assignment = serializers.IntegerField(allow_null=True, help_text="null: practice.")
    found = serializers.IntegerField()
    total = serializers.IntegerField()
    helped = serializers.IntegerField(
        help_text="Words that took hints or were shown, also at the finish."
    )


class LessonStudentSerializer(serializers.Serializer[Any]):
    """What one student does."""

    id = serializers.IntegerField(source="student")
    name = serializers.CharField()
    state = OneOf(choices=STATES)
    reason = OneOf(choices=REASONS, allow_null=True, help_text="Why the student counts as stuck.")
    count = serializers.IntegerField(
        source="standing.count",
        help_text="Wrong answers in a row for “wrong answers”, minutes of play for “no word”, "
        "minutes since the last answer for “paused”, otherwise 0.",
    )
    word = serializers.CharField(
        source="standing.word",
        allow_blank=True,
        help_text="What they are looking for, if it is known.",
    )
    puzzle = PlayedNowSerializer(source="played", allow_null=True)
    answers = serializers.IntegerField(help_text="In the quick review, if that is what they do.")
    right = serializers.IntegerField(help_text="Of these answers.")


class LessonGoalSerializer(serializers.Serializer[Any]):
    words = serializers.IntegerField(source="goal.words")
    learned = serializers.IntegerField()
    ends_on = serializers.DateField(source="goal.ends_on")


class LessonSerializer(serializers.Serializer[Any]):
    since = serializers.DateTimeField()
    right = serializers.IntegerField(help_text="Words found and right answers, of all students.")
    goal = LessonGoalSerializer(allow_null=True)
    students = LessonStudentSerializer(
        source="lines", many=True, help_text="Those who are stuck first, of equal states by name."
    )


class CompletionSerializer(serializers.Serializer[Any]):
    """A list of which students of the class know all words."""

    list = serializers.IntegerField(source="vocabulary_list.pk")
    title = serializers.CharField(source="vocabulary_list.title")
    level = serializers.IntegerField(help_text="3: known for days, 4: for weeks, 5: for months.")
    students = serializers.IntegerField(help_text="How many know them.")
    is_shown = serializers.BooleanField(source="is_shared")


class ShownSerializer(RequestSerializer):
    """Whether the projector view shows that a list is complete."""

    list = serializers.IntegerField()
    is_shown = serializers.BooleanField()


class CompleteListsView(ApiView):
    is_for_teachers = True

    @extend_schema(operation_id="classes_complete_list", responses=CompletionSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the lists that students of a class completed in the last two weeks."""
        return self._all(get_object_or_404(classrooms(request.user, "see progress"), pk=pk))

    @extend_schema(
        operation_id="classes_complete_show",
        request=ShownSerializer,
        responses=CompletionSerializer(many=True),
    )
    def put(self, request: Request, pk: int) -> Response:
        """Show the class on its projector view that a list is complete, or take that back.

        Returns 400 if no student has completed it lately.
        """
        led = classrooms(request.user, "lead games").filter(archived_at=None)
        classroom, wanted = get_object_or_404(led, pk=pk), read_body(request, ShownSerializer)
        if wanted["is_shown"]:
            sharing.share(classroom=classroom, vocabulary_list=wanted["list"])
        else:
            sharing.take_back(classroom=classroom, vocabulary_list=wanted["list"])
        return self._all(classroom)

    def _all(self, classroom: Classroom) -> Response:
        found = sharing.completions(classroom, students_of(classroom), timezone.now())
        return Response(CompletionSerializer(found, many=True).data)


class LessonView(ApiView):
    asks = {"get": [LessonQuerySerializer]}

    @extend_schema(
        responses=LessonSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return what the students of a class do and did in the lesson that goes on now."""
        seen = classrooms(request.user, "see progress").select_related("school")
        classroom = get_object_or_404(seen, pk=pk)
        now, since = timezone.now(), read_query(request, LessonQuerySerializer).get("since")
        lesson = lesson_of(classroom, now, min(since, now) if since else None)
        return Response(LessonSerializer(lesson).data)
