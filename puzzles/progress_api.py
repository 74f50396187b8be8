"""The HTTP API of progress: practise, what you know, what your class knows."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import User
from puzzles import assignments, dashboards, practice
from puzzles.access import lists_of_student
from puzzles.kinds import KINDS
from puzzles.standing import assignment_lines
from vocab import remembered


def _student(request: Request) -> User:
    if not isinstance(request.user, User) or not request.user.is_student:
        raise NotFound
    return request.user


class PracticeSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=sorted(KINDS))
    vocabulary_list = serializers.IntegerField(required=False)
    size = serializers.IntegerField(min_value=1, max_value=100, default=practice.SIZE)
    is_free = serializers.BooleanField(default=False, help_text="Moves no due date.")


class PracticeView(APIView):
    @extend_schema(
        request=PracticeSerializer, responses={202: OpenApiResponse(dict, "code, state")}
    )
    def post(self, request: Request) -> Response:
        """Ask for a puzzle of your due and weak words; play it under its code once it is ready."""
        student = _student(request)
        serializer = PracticeSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        wanted = serializer.validated_data
        chosen = wanted.pop("vocabulary_list", None)
        if chosen is not None:
            wanted["vocabulary_list"] = get_object_or_404(lists_of_student(student), pk=chosen)
        try:
            puzzle = practice.request_practice(student=student, **wanted)
        except DjangoValidationError as error:
            raise serializers.ValidationError({"detail": error.messages}) from error
        return Response({"code": puzzle.code, "state": puzzle.state}, status=202)


class OwnProgressView(APIView):
    @extend_schema(responses=OpenApiResponse(dict, "due, streak, and your words, weakest first."))
    def get(self, request: Request) -> Response:
        """Return what you know: each word's level (0 not met … 4 for months) and when it is due."""
        student, at = _student(request), timezone.now()
        words = remembered.words_of_student(student, at)
        return Response(
            {
                "due": sum(practice.due_counts(student, at).values()),
                "words": [
                    {
                        "entry": word.entry.pk,
                        "term": word.entry.term,
                        "level": word.level,
                        "recall_chance": word.chance,
                        "right": word.right,
                        "asked": word.reviews,
                        "due_at": word.due_at,
                    }
                    for word in words
                ],
            }
        )


class ClassProgressView(APIView):
    @extend_schema(responses=OpenApiResponse(dict, "assignments, words (hardest first), pupils."))
    def get(self, request: Request, pk: int) -> Response:
        """Return what a class that you follow knows."""
        classroom = get_object_or_404(classrooms(request.user, "see progress"), pk=pk)
        pupils = assignments.pupils_of(classroom)
        entries = dashboards.entries_of_class(classroom)
        given = classroom.assignments.select_related("puzzle").defer("puzzle__grid")
        return Response(
            {
                "assignments": [
                    {
                        "puzzle": line.assignment.puzzle.code,
                        "state": line.assignment.state,
                        "pupils": {str(pupil.pk): how for pupil, how in line.standings.items()},
                    }
                    for line in assignment_lines(given, pupils, timezone.now())
                ],
                "words": [
                    {"entry": line.entry.pk, "term": line.entry.term, "asked": line.asked,
                     "right": line.right, "wrong": line.wrong}
                    for line in dashboards.word_lines(pupils, entries)
                ],
                "pupils": [
                    {"id": line.pupil.pk, "name": str(line.pupil), "known": line.known,
                     "asked": line.asked, "last_at": line.last_at}
                    for line in dashboards.pupil_lines(pupils, entries)
                ],
            }
        )  # fmt: skip
