"""The blocked words of a school in the API; it uses the same services as the page."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts import access
from osmosmjerka.accounts.models import School
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.serializers import RequestSerializer, read_body
from osmosmjerka.rest.views import ApiView
from vocab.blocking import services
from vocab.blocking.strong import strong_languages, strong_words
from vocab.models import BlockedWord


class BlockedWordSerializer(serializers.ModelSerializer[BlockedWord]):
    class Meta:
        model = BlockedWord
        fields = ["id", "word"]


class BlockedWordsSerializer(serializers.ModelSerializer[School]):
    """What is in no puzzle of a school: its own words, and the strong words that are shipped."""

    words = BlockedWordSerializer(source="blocked_words", many=True)
    strong_words = serializers.SerializerMethodField(
        help_text="The number of strong words that are shipped, by language."
    )

    class Meta:
        model = School
        fields = ["blocks_strong_words", "strong_words", "words"]

    def get_strong_words(self, school: School) -> dict[str, int]:
        return {tag: len(strong_words(tag)) for tag in strong_languages()}


class NewBlockedWordsSerializer(RequestSerializer):
    words = serializers.ListField(
        child=serializers.CharField(max_length=100),
        allow_empty=False,
        max_length=services.MOST_WORDS,
    )


class StrongWordsSerializer(RequestSerializer):
    blocks_strong_words = serializers.BooleanField(
        help_text="Whether the strong words that are shipped are blocked."
    )


class BlockedWordsView(ApiView):
    is_for_teachers = True

    @extend_schema(responses=BlockedWordsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return the words that a school blocks; its teachers may change them."""
        return _answer(_school(request, pk))

    @extend_schema(request=NewBlockedWordsSerializer, responses={201: BlockedWordsSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Block more words in the puzzles of a school. Those that it blocks already are skipped."""
        school = _school(request, pk)
        wanted = read_body(request, NewBlockedWordsSerializer)
        services.block_words(school=school, actor=user_of(request), words=wanted["words"])
        return _answer(school, status=201)


class StrongWordsView(ApiView):
    is_for_teachers = True

    @extend_schema(request=StrongWordsSerializer, responses=BlockedWordsSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Switch the strong words that are shipped on or off for a school."""
        school = _school(request, pk)
        is_on = read_body(request, StrongWordsSerializer)["blocks_strong_words"]
        services.block_strong_words(school=school, actor=user_of(request), is_on=is_on)
        return _answer(school)


class BlockedWordView(ApiView):
    is_for_teachers = True

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, word: int) -> Response:
        """Remove a word from those that a school blocks."""
        found = get_object_or_404(_school(request, pk).blocked_words.all(), pk=word)
        services.unblock_word(word=found, actor=user_of(request))
        return Response(status=204)


def _school(request: Request, pk: int) -> School:
    return get_object_or_404(access.schools(request.user, "block words"), pk=pk)


def _answer(school: School, status: int = 200) -> Response:
    return Response(BlockedWordsSerializer(school).data, status=status)
