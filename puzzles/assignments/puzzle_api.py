"""HTTP API of puzzles: create and follow them. `play.api` is for playing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import mixins, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.rest.fields import IdField, OneOf
from osmosmjerka.rest.pagination import PAGES
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.serializers import (
    IdOf,
    RequestSerializer,
    Strict,
    read_body,
    read_query,
    within,
)
from osmosmjerka.rest.views import ApiView
from puzzles import access
from puzzles.assignments import services as assignments
from puzzles.kinds import KIND_CHOICES, KINDS
from puzzles.making import services as making
from puzzles.models import Puzzle
from vocab.access import vocabulary_lists
from vocab.sentences import said


class UnplacedSerializer(serializers.Serializer[Any]):
    """A word that is not in the puzzle, and the reason."""

    word = serializers.CharField()
    reason = serializers.CharField()


class NewPuzzleSerializer(RequestSerializer):
    """What puzzle to create, from which list and for which class."""

    vocabulary_list = IdOf(lambda person: vocabulary_lists(person, "make puzzles"))
    classroom = IdOf(
        lambda person: classrooms(person, "assign").filter(archived_at=None),
        required=False,
        allow_null=True,
    )
    kind = OneOf(choices=KIND_CHOICES)
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)
    settings = serializers.DictField(required=False, help_text="Settings of this kind of puzzle.")
    seed = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=-making.LARGEST_SEED,
        max_value=making.LARGEST_SEED,
        help_text="The same seed generates the same puzzle.",
    )


class PuzzleSerializer(serializers.ModelSerializer[Puzzle]):
    """A puzzle as shown to the person who created it."""

    kind = OneOf(choices=KIND_CHOICES)
    settings = serializers.DictField()
    play_url = serializers.SerializerMethodField()
    reason = serializers.SerializerMethodField(help_text="Why it could not be created.")
    unplaced = serializers.SerializerMethodField()
    seed = serializers.IntegerField(
        allow_null=True,
        help_text="The same seed generates the same puzzle; null for students, who play it.",
    )
    progress = serializers.SerializerMethodField()

    class Meta:
        model = Puzzle
        fields = [
            "code",
            "kind",
            "title",
            "vocabulary_list",
            "settings",
            "seed",
            "state",
            "reason",
            "offer",
            "progress",
            "unplaced",
            "play_url",
            "created_at",
        ]
        read_only_fields = fields

    def to_representation(self, puzzle: Puzzle) -> dict[str, Any]:
        """Leave out, for players, what tells the words or a message or generates the grid again."""
        shown = super().to_representation(puzzle)
        if user_of(self.context["request"]).is_student:
            settings = KINDS[puzzle.kind].public_settings(puzzle)
            shown |= {"seed": None, "unplaced": [], "settings": settings}
        return shown

    def get_reason(self, puzzle: Puzzle) -> str:
        return said(puzzle.reason)

    @extend_schema_field(UnplacedSerializer(many=True))
    def get_unplaced(self, puzzle: Puzzle) -> list[dict[str, str]]:
        return [{"word": one["word"], "reason": said(one["reason"])} for one in puzzle.unplaced]

    @extend_schema_field(serializers.URLField())
    def get_play_url(self, puzzle: Puzzle) -> str:
        request: Request = self.context["request"]
        return request.build_absolute_uri(reverse("play", args=[puzzle.code]))

    @extend_schema_field(serializers.IntegerField(help_text="In percent."))
    def get_progress(self, puzzle: Puzzle) -> int:
        if puzzle.state != Puzzle.State.QUEUED:
            return 100
        job = making.job_of(puzzle)
        return job.progress if job else 0


class TitleSerializer(Strict, serializers.ModelSerializer[Puzzle]):
    """A new title of a puzzle."""

    always_required = ("title",)

    class Meta:
        model = Puzzle
        fields = ["title"]


_ORDERS: dict[str, Sequence[Any]] = {
    "-created_at": ("-created_at", "-pk"),
    "created_at": ("created_at", "pk"),
    "title": (Alphabetical("title"), "pk"),
}


class FindPuzzlesSerializer(serializers.Serializer[Any]):
    """Which puzzles are asked for."""

    kind = OneOf(choices=KIND_CHOICES, required=False)
    state = OneOf(choices=Puzzle.State.choices, required=False)
    vocabulary_list = IdField(required=False, help_text="The id of a list.")
    ordering = OneOf(
        choices=list(_ORDERS), required=False, help_text="By default, the newest first."
    )


# The `puzzles.access` action that each API action requires, where it is more than "see".
_ACTIONS: dict[str, access.PuzzleAction] = {
    "destroy": "manage",
    "partial_update": "manage",
    "again": "manage",
    "fewer": "agree",
}


class PuzzleViewSet(
    ApiView,
    mixins.RetrieveModelMixin,
    mixins.ListModelMixin,
    mixins.DestroyModelMixin,
    viewsets.GenericViewSet[Puzzle],
):
    """Puzzles that you created or follow."""

    serializer_class = PuzzleSerializer
    lookup_field = "code"
    queryset = Puzzle.objects.none()
    asks = {"list": [FindPuzzlesSerializer, *PAGES]}

    def get_queryset(self) -> QuerySet[Puzzle]:
        action = _ACTIONS.get(self.action, "see")
        found = access.puzzles(self.request.user, action).select_related("vocabulary_list")
        if self.action == "list":
            asked = read_query(self.request, FindPuzzlesSerializer)
            order = _ORDERS[asked.pop("ordering", "-created_at")]
            return found.filter(**asked).order_by(*order)
        return found

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return the puzzles that you created or follow, or those that you ask for."""
        return super().list(request, *args, **kwargs)

    @extend_schema(request=NewPuzzleSerializer, responses={202: PuzzleSerializer})
    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Create a puzzle from a list, and assign it to `classroom` if it is given.

        Only teachers may do this. The puzzle is generated in the background: returns 202; repeat
        GET until `state` is `ready` or `failed`. Returns 400 if a setting is invalid.
        """
        wanted = read_body(request, NewPuzzleSerializer)
        classroom = wanted.pop("classroom", None)
        classrooms = [classroom] if classroom else []
        with within("settings"):
            puzzle = assignments.give(created_by=user_of(request), classrooms=classrooms, **wanted)
        return Response(self.get_serializer(puzzle).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=TitleSerializer, responses=PuzzleSerializer)
    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Change the title; nothing else of a puzzle can be changed."""
        puzzle = self.get_object()
        making.rename(puzzle=puzzle, **read_body(request, TitleSerializer))
        return Response(self.get_serializer(puzzle).data)

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return a puzzle that you created or follow."""
        return super().retrieve(request, *args, **kwargs)

    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Put a puzzle that you created in the bin, from which it can be restored for 30 days."""
        making.delete_puzzle(puzzle=self.get_object(), actor=user_of(request))
        return Response(status=204)

    @extend_schema(request=None, responses={202: PuzzleSerializer})
    @action(detail=True, methods=["post"])
    def fewer(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Accept a puzzle with as many words as `offer` says; it is then created with them.

        Returns 202, or 400 if no smaller puzzle is offered.
        """
        puzzle = making.accept_fewer(puzzle=self.get_object())
        return Response(self.get_serializer(puzzle).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=None, responses={202: PuzzleSerializer})
    @action(detail=True, methods=["post"])
    def again(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Try again to create a puzzle that failed after three attempts.

        Returns 202, or 400 if its creation has not failed.
        """
        puzzle = making.try_again(puzzle=self.get_object())
        return Response(self.get_serializer(puzzle).data, status=status.HTTP_202_ACCEPTED)
