"""HTTP API of progress: practice, what a student knows, what a class knows."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.rest import student_of
from puzzles.access import lists_of_student
from puzzles.assignments.api import STATUSES
from puzzles.assignments.status import assignment_lines
from puzzles.dashboards import selectors as dashboards
from puzzles.home.api import PuzzleToPlaySerializer
from puzzles.kinds import KIND_CHOICES
from puzzles.models import Assignment
from puzzles.practice import services as practice
from vocab.memory import reviews
from vocab.memory import selectors as memory


class PracticeSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=KIND_CHOICES)
    vocabulary_list = serializers.IntegerField(required=False)
    size = serializers.IntegerField(min_value=1, max_value=100, default=practice.SIZE)
    is_free = serializers.BooleanField(default=False, help_text="Does not change due dates.")


class StreakSerializer(serializers.Serializer[Any]):
    """Days practised in a row; a saved day off makes up for a missed day."""

    days = serializers.IntegerField()
    freezes = serializers.IntegerField(help_text="Saved days off.")
    is_today_done = serializers.BooleanField()


class RememberedWordSerializer(serializers.Serializer[Any]):
    """What you know of one word, over all skills."""

    entry = serializers.IntegerField()
    term = serializers.CharField()
    level = serializers.IntegerField(
        min_value=1, max_value=4, help_text="1 seen, 2 known for days, 3 for weeks, 4 for months."
    )
    recall_chance = serializers.IntegerField(
        min_value=0, max_value=100, help_text="Expected now, in percent."
    )
    right = serializers.IntegerField()
    asked = serializers.IntegerField()
    due_at = serializers.DateTimeField(allow_null=True, help_text="null: only seen so far.")


class OwnProgressSerializer(serializers.Serializer[Any]):
    due = serializers.IntegerField(help_text="How many words are due for review today.")
    streak = StreakSerializer()
    words = RememberedWordSerializer(many=True, help_text="Words that you saw, weakest first.")


class GivenSerializer(serializers.Serializer[Any]):
    """An assignment of the class."""

    id = serializers.IntegerField()
    puzzle = serializers.CharField(help_text="The puzzle's code.")
    state = serializers.ChoiceField(choices=Assignment.State.choices)
    students = serializers.DictField(
        child=serializers.ChoiceField(choices=STATUSES), help_text="Statuses by student id."
    )


class ClassWordSerializer(serializers.Serializer[Any]):
    """Figures of one word over all students. A word that was only seen does not count as asked."""

    entry = serializers.IntegerField()
    term = serializers.CharField()
    asked = serializers.IntegerField()
    right = serializers.IntegerField()
    wrong = serializers.IntegerField()


class ClassStudentSerializer(serializers.Serializer[Any]):
    """Figures of one student over all words of the class."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    known = serializers.IntegerField(help_text="Words known for a week or more.")
    asked = serializers.IntegerField()
    last_at = serializers.DateTimeField(allow_null=True)


class ClassProgressSerializer(serializers.Serializer[Any]):
    assignments = GivenSerializer(many=True)
    words = ClassWordSerializer(many=True, help_text="The hardest first.")
    students = ClassStudentSerializer(many=True)


class PracticeView(APIView):
    scope_to_write = "play"

    @extend_schema(request=PracticeSerializer, responses={202: PuzzleToPlaySerializer})
    def post(self, request: Request) -> Response:
        """Request a puzzle of your due and weak words.

        Only students may do this. Returns 202 and the `code` at which to play it when it is ready,
        404 if the list is not from one of your assignments, or 400 if there are no words to
        practise.
        """
        student = student_of(request)
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
        return Response(PuzzleToPlaySerializer(puzzle).data, status=202)


class OwnProgressView(APIView):
    @extend_schema(responses=OwnProgressSerializer)
    def get(self, request: Request) -> Response:
        """Return the level and due date of each word that you have seen, and your streak."""
        student, at = student_of(request), timezone.now()
        words = memory.words_of_student(student, at)
        streak = memory.days_of_student(student, reviews.day_of(at)).streak
        return Response(
            {
                "due": sum(practice.due_counts(student, at).values()),
                "streak": asdict(streak),
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
    @extend_schema(responses=ClassProgressSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return assignments and figures of words and students of a class that you follow."""
        classroom = get_object_or_404(classrooms(request.user, "see progress"), pk=pk)
        students = students_of(classroom)
        entries = dashboards.entries_of_class(classroom)
        given = classroom.assignments.select_related("puzzle").defer("puzzle__grid")
        return Response(
            {
                "assignments": [
                    {
                        "id": line.assignment.pk,
                        "puzzle": line.assignment.puzzle.code,
                        "state": line.assignment.state,
                        "students": {
                            str(student.pk): how for student, how in line.statuses.items()
                        },
                    }
                    for line in assignment_lines(given, students, timezone.now())
                ],
                "words": [
                    {"entry": line.entry.pk, "term": line.entry.term, "asked": line.asked,
                     "right": line.right, "wrong": line.wrong}
                    for line in dashboards.word_lines(students, entries)
                ],
                "students": [
                    {"id": line.student.pk, "name": str(line.student), "known": line.known,
                     "asked": line.asked, "last_at": line.last_at}
                    for line in dashboards.student_lines(students, entries)
                ],
            }
        )  # fmt: skip
