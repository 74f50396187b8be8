"""The HTTP API of crossword searches: begin one, watch it, keep, take, stop."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.rest import user_of
from puzzles import access
from puzzles.assignments.puzzle_api import PuzzleSerializer
from puzzles.models import CrosswordSearch, Puzzle
from puzzles.searches import services as searches
from puzzles.searches.state import search_state
from vocab.access import vocabulary_lists


class SearchSerializer(serializers.Serializer[Any]):
    vocabulary_list = serializers.PrimaryKeyRelatedField[Any](queryset=Puzzle.objects.none())
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)
    settings = serializers.DictField(
        required=False,
        help_text="words, seconds, rows, cols, symmetric, clue, and the ids of entries that are"
        " pinned and banned",
    )

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        request = self.context.get("request")
        if request is not None and request.user.is_authenticated:
            # A foreign list does not exist for the one who asks.
            fields["vocabulary_list"] = serializers.PrimaryKeyRelatedField[Any](
                queryset=vocabulary_lists(request.user, "make puzzles")
            )
        return fields


class CandidateSerializer(serializers.Serializer[Any]):
    candidate = serializers.IntegerField(min_value=1)


class KeepSerializer(CandidateSerializer):
    is_kept = serializers.BooleanField(default=True)


class TakeSerializer(CandidateSerializer):
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)


_STATE = OpenApiResponse(dict, "The search: state, spent, seconds, version, candidates.")


class SearchViewSet(viewsets.GenericViewSet[CrosswordSearch]):
    """Your searches for a crossword. Ask again while one is searching; its best comes first."""

    serializer_class = SearchSerializer
    lookup_field = "code"
    queryset = CrosswordSearch.objects.none()

    def get_queryset(self) -> QuerySet[CrosswordSearch]:
        return access.crossword_searches(self.request.user).select_related("vocabulary_list")

    def given(self, serializer_class: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """Return what was sent, checked."""
        serializer = serializer_class(data=self.request.data, context=self.get_serializer_context())
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    @extend_schema(responses={202: _STATE})
    def create(self, request: Request) -> Response:
        """Begin a search; it goes on for its seconds unless it is stopped."""
        wanted = self.given(SearchSerializer)
        search = searches.request_search(
            vocabulary_list=wanted["vocabulary_list"],
            created_by=user_of(request),
            wishes=wanted.get("settings"),
            title=wanted.get("title", ""),
        )
        return Response(search_state(search), status=status.HTTP_202_ACCEPTED)

    @extend_schema(
        parameters=[
            OpenApiParameter("version", int, description="What you have: no candidates again.")
        ],
        responses=_STATE,
    )
    def retrieve(self, request: Request, code: str) -> Response:
        """Return how far it is, and its candidates unless you have this *version* of them."""
        return Response(
            search_state(self.get_object(), known=request.query_params.get("version", ""))
        )

    def destroy(self, request: Request, code: str) -> Response:
        """End it and forget what it found."""
        searches.discard(search=self.get_object())
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=None, responses=_STATE)
    @action(detail=True, methods=["post"])
    def stop(self, request: Request, code: str) -> Response:
        """End it and keep what it found."""
        return Response(search_state(searches.stop(search=self.get_object())))

    @extend_schema(request=None, responses={202: _STATE})
    @action(detail=True, methods=["post"], url_path="go-on")
    def go_on(self, request: Request, code: str) -> Response:
        """Search as long again, from the best so far."""
        search = searches.go_on(search=self.get_object())
        return Response(search_state(search), status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=KeepSerializer, responses=_STATE)
    @action(detail=True, methods=["post"])
    def keep(self, request: Request, code: str) -> Response:
        """Keep a candidate on the list whatever else is found, or no longer."""
        wanted = self.given(KeepSerializer)
        search = searches.keep(search=self.get_object(), **wanted)
        return Response(search_state(search))

    @extend_schema(request=TakeSerializer, responses={201: PuzzleSerializer})
    @action(detail=True, methods=["post"])
    def take(self, request: Request, code: str) -> Response:
        """Make a puzzle of a candidate; this ends the search."""
        wanted = self.given(TakeSerializer)
        puzzle = searches.take(search=self.get_object(), **wanted)
        told = PuzzleSerializer(puzzle, context=self.get_serializer_context()).data
        return Response(told, status=status.HTTP_201_CREATED)
