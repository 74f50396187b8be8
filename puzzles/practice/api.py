"""HTTP API of the quick review."""

from __future__ import annotations

import secrets
from random import Random
from typing import Any, get_args

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from osmosmjerka.rest import student_of
from puzzles.practice import quiz
from puzzles.practice.quiz import Question
from puzzles.practice.views import sound_of_question
from vocab.models import Review
from vocab.speech.engine import SpeechError
from vocab.text import comparison

VERDICTS = list(get_args(comparison.Verdict))
MODES = list(quiz.MODES)


class QuestionSerializer(serializers.Serializer[Any]):
    """A word to be asked."""

    entry = serializers.IntegerField(source="entry.pk")
    mode = serializers.ChoiceField(choices=MODES)
    attempt = serializers.UUIDField(help_text="Send it with the answer; repeats are ignored.")
    language = serializers.CharField(source="entry.vocabulary_list.language")
    meanings = serializers.SerializerMethodField(help_text="Empty if the word is heard.")
    choices = serializers.ListField(
        child=serializers.CharField(), help_text="Words to choose from; empty if the word is typed."
    )
    sound = serializers.SerializerMethodField(help_text="URL of the sound if the word is heard.")
    left = serializers.IntegerField(help_text="How many words of its list remain.")

    def get_meanings(self, question: Question) -> list[str]:
        if question.mode == "heard":
            return []
        return [translation.text for translation in question.entry.translations.all()]

    def get_sound(self, question: Question) -> str | None:
        if question.mode != "heard":
            return None
        return reverse("api:review-sound", args=[question.entry.pk])


class ReviewSerializer(serializers.Serializer[Any]):
    question = QuestionSerializer(allow_null=True, help_text="null: no word is due.")


class AnswerSerializer(serializers.Serializer[Any]):
    entry = serializers.IntegerField()
    mode = serializers.ChoiceField(choices=MODES)
    attempt = serializers.UUIDField()
    answer = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=300)
    latency_ms = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=2_000_000_000
    )


class LetterSerializer(serializers.Serializer[Any]):
    """An expected letter, and what was typed in its place."""

    expected = serializers.CharField(allow_blank=True, help_text="Empty: a letter too many.")
    typed = serializers.CharField(allow_blank=True, help_text="Empty: the letter is missing.")
    verdict = serializers.ChoiceField(choices=VERDICTS)


class VerdictSerializer(serializers.Serializer[Any]):
    """The result of an answer, letter by letter."""

    outcome = serializers.ChoiceField(choices=Review.Outcome.choices)
    term = serializers.CharField(source="entry.term")
    is_accent_slip = serializers.BooleanField(source="comparison.is_accent_slip")
    is_near_miss = serializers.BooleanField(source="comparison.is_near_miss")
    letters = LetterSerializer(source="comparison.diff", many=True)


class ReviewView(APIView):
    scope_to_write = "play"

    @extend_schema(
        parameters=[
            OpenApiParameter("mode", enum=MODES, description="Preferred way to ask."),
            OpenApiParameter("skip", int, description="Id of the word that was asked last."),
        ],
        responses=ReviewSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return the next word of your quick review, the longest overdue first.

        Only for students. `question` is null if no word is due.
        """
        skip = request.query_params.get("skip", "")
        question = quiz.next_question(
            student_of(request),
            Random(secrets.randbits(64)),
            request.query_params.get("mode", ""),
            skip=int(skip) if skip.isdecimal() and len(skip) < 19 else None,
        )
        return Response(ReviewSerializer({"question": question}).data)

    @extend_schema(request=AnswerSerializer, responses=VerdictSerializer)
    def post(self, request: Request) -> Response:
        """Judge an answer and add it to your review history.

        Only for students. Returns 404 if the word is not yours to review.
        """
        student = student_of(request)
        serializer = AnswerSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        sent = dict(serializer.validated_data)
        words = quiz.entries_to_review(student, timezone.now())
        verdict = quiz.answer(
            student=student,
            entry=get_object_or_404(words, pk=sent["entry"]),
            mode=sent["mode"],
            given=sent["answer"],
            attempt=sent["attempt"],
            latency_ms=sent.get("latency_ms"),
        )
        return Response(VerdictSerializer(verdict).data)


class ReviewSoundView(APIView):
    @extend_schema(responses={(200, "audio/mpeg"): bytes})
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Return the sound of a word that is asked by sound; 404 if there is none."""
        words = quiz.entries_to_review(student_of(request), timezone.now())
        try:
            return sound_of_question(request, get_object_or_404(words, pk=pk))
        except SpeechError as error:
            raise NotFound(_("There is no sound for this word yet.")) from error
