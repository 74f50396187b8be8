"""HTTP API of the quick review."""

from __future__ import annotations

import secrets
from random import Random
from typing import Any, get_args

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.requests import student_of
from osmosmjerka.rest.schema import refusal
from osmosmjerka.rest.serializers import RequestSerializer, read_body, read_query
from osmosmjerka.rest.views import ApiView
from puzzles.access import Moment
from puzzles.practice import quiz, rounds
from puzzles.practice.quiz import Question
from puzzles.practice.views import list_of, sound_of_question
from puzzles.withheld import Waiting
from vocab.models import Review, WordProgress
from vocab.speech.engine import SpeechError
from vocab.text import comparison

VERDICTS = list(get_args(comparison.Verdict))
MODES = list(quiz.MODES)


class QuestionSerializer(serializers.Serializer[Any]):
    """A word to be asked."""

    entry = serializers.IntegerField(source="entry.pk")
    mode = OneOf(choices=MODES)
    attempt = serializers.UUIDField(help_text="Send it with the answer; repeats are ignored.")
    language = serializers.CharField(source="entry.vocabulary_list.language")
    meanings = serializers.SerializerMethodField(help_text="Empty if the word is heard.")
    choices = serializers.ListField(
        child=serializers.CharField(), help_text="Words to choose from; empty if the word is typed."
    )
    sound = serializers.SerializerMethodField(help_text="URL of the sound if the word is heard.")
    letters = serializers.ListField(
        child=serializers.CharField(),
        help_text="Letters of the language that a keyboard may lack; they reveal nothing.",
    )

    def get_meanings(self, question: Question) -> list[str]:
        if question.mode == "heard":
            return []
        return [translation.text for translation in question.entry.translations.all()]

    def get_sound(self, question: Question) -> str | None:
        if question.mode != "heard":
            return None
        return reverse("api:review-sound", args=[question.entry.pk])


class RisenSerializer(serializers.Serializer[Any]):
    """A word that reached a higher level today."""

    entry = serializers.IntegerField(source="entry.pk")
    term = serializers.CharField(source="entry.term")
    level = OneOf(choices=WordProgress.Level.choices)


class GainedSerializer(serializers.Serializer[Any]):
    """What today's practice brought."""

    asked = serializers.IntegerField(help_text="How many words were asked today.")
    right = serializers.IntegerField(help_text="Of these, right at once and without help.")
    risen = RisenSerializer(many=True)
    tomorrow = serializers.IntegerField(
        allow_null=True,
        help_text="How many words tomorrow’s practice has; null while words are left today.",
    )


class ReviewSerializer(serializers.Serializer[Any]):
    """Today's words, as on the home page, and the next question."""

    question = QuestionSerializer(
        allow_null=True, help_text="null: no word is left, or none that may be asked now."
    )
    total = serializers.IntegerField(
        source="today.of", help_text="How many words today's review has in all."
    )
    left = serializers.IntegerField(
        source="today.to_review", help_text="How many of them remain, with those missed today."
    )
    in_puzzles = serializers.IntegerField(
        source="today.in_puzzles",
        help_text="How many words of today are beside these in puzzles that you began.",
    )
    gained = GainedSerializer(
        allow_null=True, help_text="At the end, if a word was asked today; otherwise null."
    )


class AnswerSerializer(RequestSerializer):
    entry = serializers.IntegerField()
    mode = OneOf(choices=MODES)
    attempt = serializers.UUIDField()
    answer = serializers.CharField(
        required=False, default="", allow_blank=True, trim_whitespace=False, max_length=300
    )
    give_up = serializers.BooleanField(
        default=False, help_text="“I don’t know”: the word is told and counts as missed."
    )
    latency_ms = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=2_000_000_000
    )


class UndoSerializer(RequestSerializer):
    attempt = serializers.UUIDField(help_text="The attempt of your last answer.")


class LetterSerializer(serializers.Serializer[Any]):
    """An expected letter, and what was typed in its place."""

    expected = serializers.CharField(allow_blank=True, help_text="Empty: a letter too many.")
    typed = serializers.CharField(allow_blank=True, help_text="Empty: the letter is missing.")
    verdict = OneOf(choices=VERDICTS)


class VerdictSerializer(serializers.Serializer[Any]):
    """The result of an answer, letter by letter."""

    outcome = OneOf(choices=Review.Outcome.choices)
    term = serializers.CharField(source="entry.term")
    is_accent_slip = serializers.BooleanField(source="comparison.is_accent_slip")
    is_near_miss = serializers.BooleanField(source="comparison.is_near_miss")
    is_slip = serializers.BooleanField(
        help_text="Wrong only by an accent or one letter, even if the list accepts that."
    )
    letters = LetterSerializer(source="comparison.diff", many=True)


class NextQuestionSerializer(serializers.Serializer[Any]):
    """Which question is asked for."""

    mode = OneOf(choices=MODES, required=False, help_text="Preferred way to ask.")
    list = serializers.IntegerField(
        required=False, min_value=1, help_text="Id of a list; otherwise all your lists."
    )
    more = serializers.IntegerField(
        required=False, min_value=0, max_value=10_000,
        help_text="Go on after today's words, until so many were asked today.",
    )  # fmt: skip


NOT_YOURS = {404: refusal("You are no student, or it is not yours.")}


class ReviewView(ApiView):
    scope_to_write = "play"
    asks = {"get": [NextQuestionSerializer]}

    @extend_schema(
        responses={200: ReviewSerializer} | NOT_YOURS,
    )
    def get(self, request: Request) -> Response:
        """Return the next word of your quick review: the most urgent first, missed ones last.

        Only for students. Returns 404 if the list is not yours.
        """
        moment = Moment(student_of(request), timezone.now())
        asked = read_query(request, NextQuestionSerializer)
        of_list = list_of(moment, asked["list"]) if "list" in asked else None
        today = rounds.round_at(moment, of_list, asked.get("more", 0))
        rng = Random(secrets.randbits(64))
        question = quiz.next_question(today, rng, asked.get("mode", ""))
        gained = None if question else rounds.gained(today)
        told = {"question": question, "today": today, "gained": gained}
        return Response(ReviewSerializer(told).data)

    @extend_schema(request=AnswerSerializer, responses={200: VerdictSerializer} | NOT_YOURS)
    def post(self, request: Request) -> Response:
        """Judge an answer and add it to your review history.

        Only for students. Returns 404 if the word is not yours to review.
        """
        student = student_of(request)
        sent = read_body(request, AnswerSerializer)
        words = quiz.entries_to_review(Waiting(Moment(student, timezone.now())))
        verdict = quiz.answer(
            student=student,
            entry=get_object_or_404(words, pk=sent["entry"]),
            mode=sent["mode"],
            given=sent["answer"],
            gives_up=sent["give_up"],
            attempt=sent["attempt"],
            latency_ms=sent.get("latency_ms"),
        )
        return Response(VerdictSerializer(verdict).data)


class ReviewUndoView(ApiView):
    scope_to_write = "play"

    @extend_schema(request=UndoSerializer, responses={204: None} | NOT_YOURS)
    def post(self, request: Request) -> Response:
        """Undo your last answer, which was a typo; your teacher still sees it.

        The word is asked again. Only for students. Returns 400 if the answer is not your last one,
        or is more than ten minutes old.
        """
        attempt = read_body(request, UndoSerializer)["attempt"]
        if quiz.take_back(student_of(request), attempt) is None:
            raise ValidationError(_("Only your last answer can be undone, and only right away."))
        return Response(status=204)


class ReviewSoundView(ApiView):
    @extend_schema(responses={(200, "audio/mpeg"): bytes})
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Return the sound of a word that is asked by sound; 404 if there is none."""
        words = quiz.entries_to_review(Waiting(Moment(student_of(request), timezone.now())))
        try:
            return sound_of_question(request, get_object_or_404(words, pk=pk))
        except SpeechError as error:
            raise NotFound(_("There is no sound for this word yet.")) from error
