"""The HTTP API of what a student is given to do."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from osmosmjerka.rest import student_of
from puzzles import access
from puzzles.assignments import selectors as assignments_selectors
from puzzles.assignments import services as assignments
from puzzles.kinds import KIND_NAMES
from puzzles.models import Puzzle


class PuzzleToPlaySerializer(serializers.Serializer[Any]):
    """A puzzle to be played."""

    code = serializers.CharField(help_text="Play it at /api/play/{code}/ once it is ready.")
    state = serializers.ChoiceField(choices=Puzzle.State.choices)


class ToDoSerializer(serializers.Serializer[Any]):
    """Something that you were given, and how far you are in your last try."""

    id = serializers.IntegerField(source="assignment.pk", help_text="Of the assignment.")
    classroom = serializers.CharField(source="assignment.classroom.name")
    title = serializers.CharField(source="assignment.puzzle.title")
    kind = serializers.ChoiceField(source="assignment.puzzle.kind", choices=KIND_NAMES)
    puzzle = serializers.CharField(
        source="code",
        allow_null=True,
        help_text="Its code; none yet of an adaptive one: ask /api/assignments/{id}/play/ for it.",
    )
    due_at = serializers.DateTimeField(source="assignment.due_at", allow_null=True)
    is_finished = serializers.BooleanField()
    solved = serializers.IntegerField()
    total = serializers.IntegerField()
    attempts_left = serializers.IntegerField()


class ToDoView(APIView):
    @extend_schema(responses=ToDoSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return what you were given and may play now, newest first."""
        given = assignments_selectors.assignments_of_student(student_of(request))
        return Response(ToDoSerializer(given, many=True).data)


class AssignmentPlayView(APIView):
    @extend_schema(request=None, responses=PuzzleToPlaySerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Return the puzzle that you play for an assignment; of an adaptive one it is made."""
        student = student_of(request)
        given = access.given_to(student).filter(access.is_open_at(timezone.now()))
        assignment = get_object_or_404(given.select_related("puzzle__vocabulary_list"), pk=pk)
        puzzle = assignments.own_puzzle(assignment=assignment, student=student)
        return Response(PuzzleToPlaySerializer(puzzle).data)
