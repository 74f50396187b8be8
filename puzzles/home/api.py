"""HTTP API of a student's open assignments."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.requests import student_of
from osmosmjerka.rest.schema import refusal
from osmosmjerka.rest.views import ApiView
from puzzles import access
from puzzles.assignments import selectors as assignments_selectors
from puzzles.assignments import services as assignments
from puzzles.kinds import KIND_CHOICES
from puzzles.play.serializers import PuzzleToPlaySerializer


class ToDoSerializer(serializers.Serializer[Any]):
    """An open assignment and your progress in the last attempt."""

    id = serializers.IntegerField(source="assignment.pk", help_text="The assignment's id.")
    classroom = serializers.CharField(source="assignment.classroom.name")
    title = serializers.CharField(source="assignment.puzzle.title")
    kind = OneOf(source="assignment.puzzle.kind", choices=KIND_CHOICES)
    puzzle = serializers.CharField(
        source="code",
        allow_null=True,
        help_text="The code; null if adaptive and not started: POST /api/assignments/{id}/play/.",
    )
    due_at = serializers.DateTimeField(source="assignment.due_at", allow_null=True)
    is_finished = serializers.BooleanField()
    solved = serializers.IntegerField()
    total = serializers.IntegerField()
    attempts_left = serializers.IntegerField()


class ToDoView(ApiView):
    @extend_schema(responses={200: ToDoSerializer(many=True), 404: refusal("You are no student.")})
    def get(self, request: Request) -> Response:
        """Return the assignments that you can play now, newest first. Only for students."""
        given = assignments_selectors.assignments_of_student(student_of(request))
        return Response(ToDoSerializer(given, many=True).data)


class AssignmentPlayView(ApiView):
    scope_to_write = "play"

    @extend_schema(request=None, responses=PuzzleToPlaySerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Return the puzzle that you play for an assignment.

        If the assignment is adaptive, your own puzzle is created by the first request. Only for
        students; returns 404 if the assignment is not yours or not open.
        """
        student = student_of(request)
        given = access.given_to(student).filter(access.is_open_at(timezone.now()))
        assignment = get_object_or_404(given.select_related("puzzle__vocabulary_list"), pk=pk)
        puzzle = assignments.own_puzzle(assignment=assignment, student=student)
        return Response(PuzzleToPlaySerializer(puzzle).data)
