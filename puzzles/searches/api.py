"""HTTP API of crossword searches: start, watch, keep and take results, stop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.db.collation import sort_key
from osmosmjerka.jobs.models import Job
from osmosmjerka.rest.fields import IdField, OneOf
from osmosmjerka.rest.pagination import PAGES
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.serializers import IdOf, RequestSerializer, read_body, read_query, within
from osmosmjerka.rest.views import ApiView
from puzzles import access
from puzzles.assignments.puzzle_api import PuzzleSerializer
from puzzles.models import CrosswordSearch
from puzzles.searches import services as searches
from puzzles.searches.shortlist import Candidate, Shortlist
from vocab.access import vocabulary_lists
from vocab.sentences import said
from vocab.text import direction


class SearchSerializer(RequestSerializer):
    """What to search for, in which list."""

    vocabulary_list = IdOf(lambda person: vocabulary_lists(person, "make puzzles"))
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)
    settings = serializers.DictField(
        required=False,
        help_text="`words`, `seconds`, `rows`, `cols`, `symmetric`, `clue`; `pinned` and `banned`:"
        " ids of words to include and to exclude.",
    )


class KnownSerializer(serializers.Serializer[Any]):
    """What is known of a search already."""

    version = serializers.IntegerField(required=False, help_text="The version that you have.")


class CandidateSerializer(RequestSerializer):
    """One of the results."""

    candidate = serializers.IntegerField(min_value=1)


class KeepSerializer(CandidateSerializer):
    is_kept = serializers.BooleanField(default=True)


class TakeSerializer(CandidateSerializer):
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)


class FindSearchesSerializer(serializers.Serializer[Any]):
    """Which searches are asked for."""

    state = OneOf(choices=CrosswordSearch.State.choices, required=False)
    vocabulary_list = IdField(required=False, help_text="The id of a list.")


class SearchSummarySerializer(serializers.ModelSerializer[CrosswordSearch]):
    """A search without its candidates."""

    state = OneOf(choices=CrosswordSearch.State.choices)

    class Meta:
        model = CrosswordSearch
        fields = ["code", "title", "vocabulary_list", "state", "created_at"]
        read_only_fields = fields


_STATE = OpenApiResponse(dict, "The search: its state, times, version and candidates.")


class SearchViewSet(ApiView, viewsets.GenericViewSet[CrosswordSearch]):
    """Your crossword searches. Repeat the GET request while one is running to see its best results.

    Only for teachers, each for their own searches.
    """

    serializer_class = SearchSerializer
    lookup_field = "code"
    queryset = CrosswordSearch.objects.none()
    asks = {"list": [FindSearchesSerializer, *PAGES], "retrieve": [KnownSerializer]}

    def get_queryset(self) -> QuerySet[CrosswordSearch]:
        return access.crossword_searches(self.request.user).select_related("vocabulary_list")

    @extend_schema(responses=SearchSummarySerializer(many=True))
    def list(self, request: Request) -> Response:
        """Return your searches, the newest first, or those that you ask for."""
        asked = read_query(request, FindSearchesSerializer)
        found = self.get_queryset().filter(**asked).defer("found")
        page = self.paginate_queryset(found) or []
        return self.get_paginated_response(SearchSummarySerializer(page, many=True).data)

    @extend_schema(responses={202: _STATE})
    def create(self, request: Request) -> Response:
        """Start a search. It runs for `seconds` unless it is stopped.

        Returns 202, or 400 if a setting is invalid or too many of your searches are running.
        """
        wanted = read_body(request, SearchSerializer)
        with within("settings"):
            search = searches.request_search(
                vocabulary_list=wanted["vocabulary_list"],
                created_by=user_of(request),
                wishes=wanted.get("settings"),
                title=wanted.get("title", ""),
            )
        return Response(search_state(search), status=status.HTTP_202_ACCEPTED)

    @extend_schema(
        responses=_STATE,
    )
    def retrieve(self, request: Request, code: str) -> Response:
        """Return the progress of a search, with its candidates unless `version` is current."""
        search = self.get_object()
        known = read_query(request, KnownSerializer).get("version")
        return Response(search_state(search, known=known))

    def destroy(self, request: Request, code: str) -> Response:
        """Stop the search and put it into the bin; puzzles created from it remain."""
        searches.discard(search=self.get_object(), actor=user_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=None, responses=_STATE)
    @action(detail=True, methods=["post"])
    def stop(self, request: Request, code: str) -> Response:
        """Stop the search and keep what it found."""
        return Response(search_state(searches.stop(search=self.get_object())))

    @extend_schema(request=None, responses={202: _STATE})
    @action(detail=True, methods=["post"], url_path="go-on")
    def go_on(self, request: Request, code: str) -> Response:
        """Continue a search for as long again, from the best result so far."""
        search = searches.go_on(search=self.get_object())
        return Response(search_state(search), status=status.HTTP_202_ACCEPTED)

    @extend_schema(request=KeepSerializer, responses=_STATE)
    @action(detail=True, methods=["post"])
    def keep(self, request: Request, code: str) -> Response:
        """Keep a candidate on the list even if better ones are found, or no longer keep it."""
        wanted = read_body(request, KeepSerializer)
        return Response(search_state(searches.keep(search=self.get_object(), **wanted)))

    @extend_schema(request=TakeSerializer, responses={201: PuzzleSerializer})
    @action(detail=True, methods=["post"])
    def take(self, request: Request, code: str) -> Response:
        """Create a puzzle from a candidate and stop the search.

        A second request returns the same puzzle. Returns 400 if the candidate is no longer listed.
        """
        wanted = read_body(request, TakeSerializer)
        puzzle = searches.take(search=self.get_object(), **wanted)
        told = PuzzleSerializer(puzzle, context=self.get_serializer_context()).data
        return Response(told, status=status.HTTP_201_CREATED)


def search_state(search: CrosswordSearch, *, known: int | None = None) -> dict[str, Any]:
    """Return the search; without its candidates if their version is the *known* one."""
    job = searches.job_of(search)
    is_going_on = search.state == CrosswordSearch.State.SEARCHING
    language = search.vocabulary_list.language
    return {
        "code": search.code,
        "title": search.title,
        "state": search.state,
        "reason": said(search.reason),
        "is_waiting": is_going_on and job is not None and job.state == Job.State.QUEUED,
        "is_stopping": is_going_on and search.stop_wanted,
        "spent": round(min(search.spent, search.seconds), 1),
        "seconds": round(search.seconds, 1),
        "wanted": _wanted(search),
        "language": language,
        "direction": direction(language),
        "kept": search.kept,
        "taken": search.taken,
        "version": search.version,
        "candidates": None if known == search.version else _candidates(search),
    }


def _wanted(search: CrosswordSearch) -> int:
    """Return how many words the search tries to lay."""
    banned = search.settings["banned"]
    there = search.vocabulary_list.entries.exclude(pk__in=banned).count()
    wanted: int = search.settings["words"]
    return min(wanted, there)


def _candidates(search: CrosswordSearch) -> list[dict[str, Any]]:
    pinned = sorted(
        search.vocabulary_list.entries.filter(pk__in=search.settings["pinned"]).values_list(
            "term", flat=True
        ),
        key=sort_key(search.vocabulary_list.language),
    )
    return [_candidate(one, pinned) for one in Shortlist.from_json(search.found).best]


def _candidate(candidate: Candidate, pinned: Sequence[str]) -> dict[str, Any]:
    """Return a crossword cropped to its letters, with its figures."""
    placements = candidate.crossword.placements
    laid = {placement.word for placement in placements}
    used = {cell for placement in placements for cell in placement.cells}
    top, left = min(row for row, _ in used), min(col for _, col in used)
    rows, cols = candidate.size
    crossings = len(candidate.crossings)
    return {
        "number": candidate.number,
        "seconds": candidate.seconds,
        "words": len(placements),
        "crossings": crossings,
        "letters": len(used),
        "rows": rows,
        "cols": cols,
        "density": round(len(used) / (rows * cols), 3),
        "missing": [word for word in pinned if word not in laid],
        "grid": [
            list(row[left : left + cols]) for row in candidate.crossword.grid[top : top + rows]
        ],
        "placements": [
            {
                "word": placement.word,
                "number": placement.number,
                "direction": placement.direction,
                "start": [placement.cells[0][0] - top, placement.cells[0][1] - left],
            }
            for placement in placements
        ],
    }
