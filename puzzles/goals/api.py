"""The HTTP API of goals, of one's own and of a class, and of a class's leaderboard."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.rest.requests import student_of, user_of
from osmosmjerka.rest.schema import refusal
from osmosmjerka.rest.serializers import RequestSerializer, Strict, read_body
from osmosmjerka.rest.views import ApiView
from puzzles.goals import services as goals
from puzzles.goals.services import Together
from puzzles.models import ClassGoal, OwnGoal
from vocab.memory import selectors as memory
from vocab.memory.rules import today


class NewOwnGoalSerializer(Strict, serializers.ModelSerializer[OwnGoal]):
    """How many words a day you want to practise."""

    class Meta:
        model = OwnGoal
        fields = ["words"]
        extra_kwargs = {"words": {"allow_null": True, "help_text": "null: no goal."}}


class OwnGoalSerializer(serializers.Serializer[Any]):
    """Your daily goal, and how far you are today."""

    words = serializers.IntegerField(allow_null=True, help_text="A day; null: you have no goal.")
    words_today = serializers.IntegerField(help_text="How many words you have practised today.")


class OwnGoalView(ApiView):
    scope_to_write = "play"

    @extend_schema(responses={200: OwnGoalSerializer, 404: refusal("You are no student.")})
    def get(self, request: Request) -> Response:
        """Return how many words a day you want to practise. Only for students."""
        return self._own_goal(student_of(request))

    @extend_schema(
        request=NewOwnGoalSerializer,
        responses={200: OwnGoalSerializer, 404: refusal("You are no student.")},
    )
    def put(self, request: Request) -> Response:
        """Set how many words a day you want to practise. Only for students."""
        student = student_of(request)
        goals.set_own_goal(student=student, **read_body(request, NewOwnGoalSerializer))
        return self._own_goal(student)

    def _own_goal(self, student: User) -> Response:
        words_today = memory.words_on(student, today(student))
        shown = {"words": goals.own_goal(student), "words_today": words_today}
        return Response(OwnGoalSerializer(shown).data)


class NewClassGoalSerializer(Strict, serializers.ModelSerializer[ClassGoal]):
    """How many words a class wants to learn together, and by which day."""

    class Meta:
        model = ClassGoal
        fields = ["words", "ends_on"]


class ClassGoalSerializer(serializers.Serializer[Any]):
    """The goal of a class, and how far it is; null where it has none."""

    words = serializers.IntegerField(source="goal.words", default=None, allow_null=True)
    starts_on = serializers.DateField(source="goal.starts_on", default=None, allow_null=True)
    ends_on = serializers.DateField(source="goal.ends_on", default=None, allow_null=True)
    learned = serializers.IntegerField(
        help_text="A word counts for each student who recalled it without help after 3 days or "
        "more since the goal was set."
    )
    is_reached = serializers.BooleanField()


def _seen(request: Request, pk: int) -> Together:
    """Return what the home page of a student, or the page of a class, shows of its goal."""
    person = user_of(request)
    if person.is_student:
        mine = goals.classes_of_student(person).select_related("ranking")
        [seen] = goals.of_student(person, today(person), [get_object_or_404(mine, pk=pk)])
        return seen
    followed = classrooms(person, "see progress").select_related("ranking")
    return goals.of_classroom(get_object_or_404(followed, pk=pk), today(person))


def _led(request: Request, pk: int) -> Classroom:
    return get_object_or_404(goals.classes_of_teacher(user_of(request)), pk=pk)


class ClassGoalView(ApiView):
    @extend_schema(responses=ClassGoalSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return the goal of a class that you follow or, as a student, are in.

        It is shown for a week after its last day. Without a goal, its values are null.
        """
        return Response(ClassGoalSerializer(_seen(request, pk)).data)

    @extend_schema(request=NewClassGoalSerializer, responses=ClassGoalSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Set a goal for a class that you teach. It starts today and replaces the present one.

        Returns 404 if the class is archived or not yours, and 400 for a day in the past.
        """
        classroom = _led(request, pk)
        wanted = read_body(request, NewClassGoalSerializer)
        goals.set_goal(classroom=classroom, person=user_of(request), **wanted)
        return Response(ClassGoalSerializer(_seen(request, pk)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """End the present goal of a class that you teach, if it has one."""
        goals.end_goal(classroom=_led(request, pk))
        return Response(status=204)


class ChosenNicknameSerializer(serializers.Serializer[Any]):
    """The nickname of a student, for their teachers."""

    name = serializers.CharField()
    student = serializers.IntegerField(source="student_id", help_text="The student’s id.")
    display_name = serializers.CharField(source="student")


class OwnPlaceSerializer(serializers.Serializer[Any]):
    """You, as a leaderboard shows you."""

    name = serializers.CharField(source="own_name", help_text="Your nickname.")
    right = serializers.IntegerField(source="own_right", help_text="Correct answers in 7 days.")


class PlaceSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="A nickname.")
    right = serializers.IntegerField(help_text="Correct answers in 7 days.")
    is_own = serializers.BooleanField(help_text="Whether it is you.")


class RankingSerializer(serializers.Serializer[Any]):
    """A leaderboard, as its reader may see it: what is for others is null."""

    is_on = serializers.BooleanField(source="has_ranking")
    nicknames = ChosenNicknameSerializer(
        many=True, allow_null=True, help_text="Who is who; only for teachers."
    )
    first = PlaceSerializer(
        many=True, allow_null=True, help_text="Up to five; only for students with a nickname."
    )
    own = OwnPlaceSerializer(
        source="*", allow_null=True, help_text="Only for students with a nickname."
    )
    offered = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Nicknames that nobody has; only for students.",
    )

    def to_representation(self, seen: Together) -> dict[str, Any]:
        shown = super().to_representation(seen)
        if not user_of(self.context["request"]).is_student:
            return shown | dict.fromkeys(("first", "own", "offered"))
        hidden = ("nicknames",) if seen.own_name else ("nicknames", "first", "own")
        return shown | dict.fromkeys(hidden)


class SwitchSerializer(RequestSerializer):
    """Whether a class has a leaderboard."""

    is_on = serializers.BooleanField()


class _RankingView(ApiView):
    def shown(self, pk: int) -> Response:
        seen = _seen(self.request, pk)
        return Response(RankingSerializer(seen, context={"request": self.request}).data)


class RankingView(_RankingView):
    @extend_schema(responses=RankingSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return the leaderboard of a class that you follow or, as a student, are in.

        Teachers see who has which nickname. Students who chose one see the first five of the last
        seven days; nobody sees anybody's place below them.
        """
        return self.shown(pk)

    @extend_schema(request=SwitchSerializer, responses=RankingSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Turn the leaderboard of a class that you teach on or off. Students keep their nicknames.

        Returns 404 if the class is archived or not yours.
        """
        classroom = _led(request, pk)
        goals.switch_ranking(classroom=classroom, **read_body(request, SwitchSerializer))
        return self.shown(pk)


class NicknameSerializer(RequestSerializer):
    """A nickname: one of those that are offered."""

    name = serializers.CharField(max_length=40)


class NicknameView(_RankingView):
    scope_to_write = "play"

    @extend_schema(request=NicknameSerializer, responses=RankingSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Choose your nickname on the leaderboard of a class in which you are a student.

        Returns the leaderboard, or 400 if the class has none or does not offer the name to you.
        """
        classroom = self._own_class(request, pk)
        wanted = read_body(request, NicknameSerializer)
        goals.choose_nickname(classroom=classroom, student=user_of(request), **wanted)
        return self.shown(pk)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Leave the leaderboard of a class in which you are a student."""
        classroom = self._own_class(request, pk)
        goals.choose_nickname(classroom=classroom, student=user_of(request), name="")
        return Response(status=204)

    def _own_class(self, request: Request, pk: int) -> Classroom:
        return get_object_or_404(goals.classes_of_student(user_of(request)), pk=pk)
