"""HTTP API of progress: practice, what a student knows, what a class knows."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.requests import student_of
from osmosmjerka.rest.schema import refusal
from osmosmjerka.rest.serializers import RequestSerializer, read_body
from osmosmjerka.rest.views import ApiView
from puzzles.access import Moment, lists_of_student
from puzzles.assignments.api import STATUSES
from puzzles.assignments.status import assignment_lines
from puzzles.dashboards import attention, recall
from puzzles.dashboards import selectors as dashboards
from puzzles.dashboards.monday import Reason
from puzzles.kinds import KIND_CHOICES
from puzzles.models import Assignment
from puzzles.play.serializers import PuzzleToPlaySerializer
from puzzles.practice import services as practice
from puzzles.practice.rounds import round_at
from vocab.memory import selectors as memory
from vocab.memory.rules import rules_of


class PracticeSerializer(RequestSerializer):
    kind = OneOf(choices=KIND_CHOICES)
    vocabulary_list = serializers.IntegerField(required=False)
    size = serializers.IntegerField(min_value=1, max_value=100, default=practice.SIZE)
    is_free = serializers.BooleanField(default=False, help_text="Does not change due dates.")


class StreakSerializer(serializers.Serializer[Any]):
    """Days practised in a row; a saved day off makes up for a missed day."""

    days = serializers.IntegerField()
    freezes = serializers.IntegerField(help_text="Saved days off.")
    is_today_done = serializers.BooleanField()


class RememberedWordSerializer(serializers.Serializer[Any]):
    """What you know of one word."""

    entry = serializers.IntegerField(source="entry.pk")
    term = serializers.CharField(source="entry.term")
    level = serializers.IntegerField(
        min_value=1,
        max_value=5,
        help_text="1 learning, 2 slipping; recalled without help after 3 days or more: 3 known for "
        "days, 4 for weeks, 5 for months.",
    )
    asked = serializers.IntegerField(source="progress.asked", help_text="Once a day.")
    right = serializers.IntegerField(
        source="progress.right", help_text="Right at once, without help."
    )
    helped = serializers.IntegerField(
        source="progress.helped", help_text="Right with hints, after wrong attempts, or almost."
    )
    wrong = serializers.IntegerField(source="progress.wrong")
    due_on = serializers.DateField(source="progress.due_on")


class TodaySerializer(serializers.Serializer[Any]):
    """The words to practise today."""

    words = serializers.IntegerField(help_text="In the day's plan.")
    left = serializers.IntegerField(help_text="Of these, not practised yet.")


class OwnProgressSerializer(serializers.Serializer[Any]):
    today = TodaySerializer()
    streak = StreakSerializer()
    words = RememberedWordSerializer(many=True, help_text="Words you were asked, weakest first.")


class GivenSerializer(serializers.Serializer[Any]):
    """An assignment of the class."""

    id = serializers.IntegerField(source="assignment.pk")
    puzzle = serializers.CharField(source="assignment.puzzle.code", help_text="The puzzle's code.")
    state = OneOf(source="assignment.state", choices=Assignment.State.choices)
    students = serializers.DictField(
        source="statuses_by_id",
        child=OneOf(choices=STATUSES),
        help_text="Statuses by student id.",
    )


class AnswersSerializer(serializers.Serializer[Any]):
    """How words were answered. Each word counts once a student and day."""

    asked = serializers.IntegerField()
    right = serializers.IntegerField(help_text="Right at once, without help.")
    helped = serializers.IntegerField(
        help_text="Right with hints, after wrong attempts, or almost."
    )
    wrong = serializers.IntegerField()


class ClassWordSerializer(AnswersSerializer):
    """Figures of one word over all students."""

    entry = serializers.IntegerField(source="entry.pk")
    term = serializers.CharField(source="entry.term")


class ClassStudentSerializer(AnswersSerializer):
    """Figures of one student over all words of the class."""

    id = serializers.IntegerField(source="student.pk")
    name = serializers.CharField(source="student")
    known = serializers.IntegerField(
        help_text="Words recalled without help after 3 days or more, and not forgotten since."
    )
    last_at = serializers.DateTimeField(allow_null=True)


class ReasonSerializer(serializers.Serializer[Any]):
    """Why a student should be looked at."""

    reason = OneOf(choices=[(one.value, one.value) for one in Reason])
    count = serializers.IntegerField(
        help_text="Days for “quiet” and “behind”, assignments for “overdue”, words below the "
        "class's median for “recalls less”, words forgotten again and again for “keeps "
        "forgetting”, otherwise 0."
    )

    def to_representation(self, reason: tuple[Reason, int]) -> dict[str, Any]:
        return dict(zip(self.fields, reason, strict=True))


class RecallsSerializer(serializers.Serializer[Any]):
    """An estimate with the margin of its 95% interval."""

    words = serializers.FloatField()
    margin = serializers.FloatField()
    of = serializers.IntegerField(help_text="All words of the class.")


class StudentWeekSerializer(serializers.Serializer[Any]):
    """Three numbers of one student, and the reasons to look at them."""

    id = serializers.IntegerField(source="student.pk")
    name = serializers.CharField(source="student")
    reasons = ReasonSerializer(many=True)
    recalls = RecallsSerializer(allow_null=True, help_text="null: too little was seen.")
    due = serializers.IntegerField(help_text="Words due for review.")
    waiting = serializers.FloatField(help_text="Days that they take at the student's own pace.")
    played = serializers.IntegerField(help_text="Days of the last seven.")


class SharedWordSerializer(serializers.Serializer[Any]):
    """A word that students miss a day or more after they last met it."""

    entry = serializers.IntegerField(source="entry.pk")
    term = serializers.CharField(source="entry.term")
    missed = serializers.IntegerField()
    count = serializers.IntegerField(help_text="Tests, of which so many were missed.")
    low = serializers.FloatField(help_text="The share missed is probably at least this, 0 to 1.")
    high = serializers.FloatField(help_text="The share missed is probably at most this, 0 to 1.")
    answer = serializers.CharField(
        allow_blank=True, help_text="The most frequent wrong answer, if any."
    )
    times = serializers.IntegerField(help_text="How often it was given.")


class MondaySerializer(serializers.Serializer[Any]):
    """What to look at first."""

    students = StudentWeekSerializer(
        many=True, help_text="Those with reasons first, the most urgent at the top."
    )
    words = SharedWordSerializer(many=True, help_text="At most five, the most missed first.")


class ClassProgressSerializer(serializers.Serializer[Any]):
    monday = MondaySerializer()
    assignments = GivenSerializer(many=True)
    words = ClassWordSerializer(many=True, help_text="The hardest first.")
    students = ClassStudentSerializer(many=True)


class PracticeView(ApiView):
    scope_to_write = "play"

    @extend_schema(
        request=PracticeSerializer,
        responses={
            202: PuzzleToPlaySerializer,
            404: refusal("You are no student, or the list is not yours."),
        },
    )
    def post(self, request: Request) -> Response:
        """Request a puzzle of the words that you should practise today.

        Only students may do this. Returns 202 and the `code` at which to play it when it is ready,
        404 if the list is not from one of your assignments, or 400 if there are no words to
        practise.
        """
        student = student_of(request)
        wanted = read_body(request, PracticeSerializer)
        chosen = wanted.pop("vocabulary_list", None)
        if chosen is not None:
            wanted["vocabulary_list"] = get_object_or_404(lists_of_student(student), pk=chosen)
        puzzle = practice.request_practice(student=student, **wanted)
        return Response(PuzzleToPlaySerializer(puzzle).data, status=202)


class OwnProgressView(ApiView):
    @extend_schema(responses={200: OwnProgressSerializer, 404: refusal("You are no student.")})
    def get(self, request: Request) -> Response:
        """Return the level and due day of each word that you were asked, and your streak.

        Words that you are looking for in a puzzle are missing until you have found them.
        """
        student = student_of(request)
        of_day = round_at(Moment(student, timezone.now()))
        on, withheld = of_day.on, of_day.waiting.withheld
        words = memory.words_of_student(student, on)
        own = {
            "today": {"words": of_day.total, "left": len(of_day.left)},
            "streak": memory.days_of_student(student, on).streak,
            "words": [word for word in words if word.entry.pk not in withheld],
        }
        return Response(OwnProgressSerializer(own).data)


class ClassProgressView(ApiView):
    @extend_schema(responses=ClassProgressSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return who of a class needs what, its assignments, and figures of words and students."""
        classroom = get_object_or_404(classrooms(request.user, "see progress"), pk=pk)
        at, rules = timezone.now(), rules_of(classroom.school)
        students = students_of(classroom)
        entries = dashboards.entries_of_class(classroom)
        given = classroom.assignments.select_related("puzzle").defer("puzzle__grid")
        lines = assignment_lines(given, students, at)
        tests = recall.delayed_tests(students, entries, rules.day_of(at))
        open_lines = [line for line in lines if line.assignment.archived_at is None]
        lists = dashboards.sizes_of_lists(classroom)
        group = attention.Group(classroom, students, lists, open_lines)
        monday = attention.monday_of(group, rules, at, tests)
        progress = {
            "monday": monday,
            "assignments": lines,
            "words": dashboards.word_lines(students, entries),
            "students": dashboards.student_lines(students, entries),
        }
        return Response(ClassProgressSerializer(progress).data)
