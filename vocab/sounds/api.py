"""The HTTP API of sounds; it uses the same services as the pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from osmosmjerka.jobs.models import Job
from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.requests import PlainMultiPartParser, user_of
from osmosmjerka.rest.schema import VERSION
from osmosmjerka.rest.serializers import RequestSerializer, Strict, about, read_body
from osmosmjerka.rest.views import ApiView
from vocab import access
from vocab.models import Entry, Pronunciation, VocabularyList
from vocab.sentences import said
from vocab.sounds import playback, recordings, voices
from vocab.sounds import services as sounds
from vocab.speech.engine import SpeechError
from vocab.speech.recordings import MAX_BYTES

ENGINES = [("espeak", "eSpeak NG"), ("gtts", "Google (gTTS)")]


class JobStateField(serializers.ChoiceField):
    """A job's state; "failed" is "parked" here, because clients of the API rely on it."""

    def __init__(self, **options: Any) -> None:
        options["choices"] = [
            ("parked", "Failed") if state == Job.State.FAILED else (state, label)
            for state, label in Job.State.choices
        ]
        super().__init__(**options)

    def to_representation(self, value: Any) -> Any:
        return "parked" if value == Job.State.FAILED else value


class SoundJobSerializer(serializers.ModelSerializer[Job]):
    """The progress of a background job that creates sounds."""

    state = JobStateField(required=False)
    message = serializers.SerializerMethodField()

    class Meta:
        model = Job
        fields = ["state", "progress", "message"]

    def get_message(self, job: Job) -> str:
        return said(job.message)


class VoiceSerializer(Strict, serializers.ModelSerializer[VocabularyList]):
    """The voice of a whole list, the available choices, and the progress of its sounds."""

    engine = OneOf(
        source="voice_engine",
        choices=ENGINES,
        allow_blank=True,
        required=False,
        help_text="Empty for the best available.",
    )
    accent = serializers.CharField(
        allow_blank=True, required=False, max_length=35, help_text="Empty for the default one."
    )
    engines = serializers.SerializerMethodField(help_text="The voices that support the language.")
    accents = serializers.SerializerMethodField(help_text="The accents that any voice has.")
    making = serializers.SerializerMethodField()
    improving = serializers.SerializerMethodField()

    class Meta:
        model = VocabularyList
        fields = [
            "engine",
            "accent",
            "is_spoken_slowly",
            "engines",
            "accents",
            "making",
            "improving",
        ]

    def get_engines(self, vocabulary_list: VocabularyList) -> list[str]:
        return [one.name for one in voices.engines_for(vocabulary_list.spoken_language)]

    def get_accents(self, vocabulary_list: VocabularyList) -> list[str]:
        return voices.accents_of(vocabulary_list.language)

    @extend_schema_field(SoundJobSerializer(allow_null=True))
    def get_making(self, vocabulary_list: VocabularyList) -> Any:
        return _job(sounds.jobs_of(vocabulary_list)[0])

    @extend_schema_field(SoundJobSerializer(allow_null=True))
    def get_improving(self, vocabulary_list: VocabularyList) -> Any:
        return _job(sounds.jobs_of(vocabulary_list)[1])


def _job(job: Job | None) -> Any:
    return SoundJobSerializer(job).data if job else None


class AllAnewSerializer(RequestSerializer):
    speeds = serializers.ListField(
        child=OneOf(choices=Pronunciation.Speed.choices),
        required=False,
        allow_empty=False,
        help_text="Both speeds if omitted.",
    )


class SoundSerializer(serializers.ModelSerializer[Pronunciation]):
    """One sound of a word: what created it, and where it comes from."""

    reason = serializers.SerializerMethodField(help_text="Why there is no sound.")
    is_heard = serializers.SerializerMethodField(help_text="Whether students hear this sound.")

    class Meta:
        model = Pronunciation
        fields = [
            "speed",
            "engine",
            "voice",
            "language",
            "origin",
            "state",
            "reason",
            "seconds",
            "is_heard",
            "updated_at",
        ]

    def get_reason(self, sound: Pronunciation) -> str:
        return said(sound.reason)

    def get_is_heard(self, sound: Pronunciation) -> bool:
        return sound.pk in self.context["heard"]


class EntrySoundsSerializer(serializers.Serializer[Any]):
    term = serializers.CharField()
    normal = serializers.URLField(help_text="The URL that plays it.")
    slow = serializers.URLField()
    sounds = SoundSerializer(many=True)


class SpeedSerializer(RequestSerializer):
    speed = OneOf(choices=Pronunciation.Speed.choices)


class EngineSerializer(RequestSerializer):
    engine = OneOf(
        choices=ENGINES,
        allow_blank=True,
        help_text="Empty for the voice of the list. Recordings of the word are removed.",
    )


class OwnSoundSerializer(RequestSerializer):
    sound = serializers.FileField(help_text="WAV, MP3, Ogg or FLAC, up to 15 seconds and 5 MB.")
    speed = OneOf(choices=Pronunciation.Speed.choices, default=Pronunciation.Speed.NORMAL)
    is_recorded = serializers.BooleanField(default=False, help_text="Recorded, not uploaded.")


class ListVoiceView(ApiView):
    @extend_schema(responses=VoiceSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return the voice of a list that you may see."""
        vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "see"), pk=pk)
        return Response(VoiceSerializer(vocabulary_list).data)

    @extend_schema(request=VoiceSerializer, responses=VoiceSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Choose the voice of a list that you may edit.

        Missing sounds are created in the background; see `making` and `improving`. The response is
        400 if the voice is turned off or does not support the language or the accent.
        """
        vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "edit"), pk=pk)
        asked = VoiceSerializer(vocabulary_list, data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        changed = sounds.choose_voice(
            vocabulary_list=vocabulary_list,
            engine=wanted.get("voice_engine", vocabulary_list.voice_engine),
            accent=wanted.get("accent", vocabulary_list.accent),
            is_spoken_slowly=wanted.get("is_spoken_slowly", vocabulary_list.is_spoken_slowly),
        )
        return Response(VoiceSerializer(changed).data)


class ListAnewView(ApiView):
    @extend_schema(request=AllAnewSerializer, responses={202: SoundJobSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Create all sounds of a list that you may edit again, in the background.

        Until then the existing sounds are played. The response is 400 if no voice is available for
        the language.
        """
        vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "edit"), pk=pk)
        wanted = read_body(request, AllAnewSerializer)
        job = sounds.request_all_anew(
            vocabulary_list=vocabulary_list,
            person=user_of(request),
            speeds=sorted(set(wanted.get("speeds", Pronunciation.Speed.values))),
        )
        return Response(SoundJobSerializer(job).data, status=202)


class EntrySoundsView(ApiView):
    @extend_schema(responses=EntrySoundsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return all sounds of a word with their origins, and the URLs that play it."""
        entry = get_object_or_404(access.entries(request.user, "see"), pk=pk)
        return Response(_sounds_of(request, entry))


class EntryAnewView(ApiView):
    @extend_schema(request=SpeedSerializer, responses={202: SoundJobSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Create a word's normal or slow sound again, in the background.

        You must be allowed to edit the list. Until then another sound is played.
        """
        entry = get_object_or_404(access.entries(request.user, "edit"), pk=pk)
        wanted = read_body(request, SpeedSerializer)
        job = sounds.request_remake(entry=entry, speed=wanted["speed"], person=user_of(request))
        return Response(SoundJobSerializer(job).data, status=202)


class EntryEngineView(ApiView):
    @extend_schema(request=EngineSerializer, responses=EntrySoundsSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Choose the voice of one word of a list that you may edit.

        This replaces the word's own sounds, including recordings; the list's recent changes bring
        recordings back for 30 days. The response is 400 if the voice
        is turned off or does not support the language.
        """
        entry = get_object_or_404(access.entries(request.user, "edit"), pk=pk)
        wanted = read_body(request, EngineSerializer)
        sounds.choose_engine(entry=entry, engine=wanted["engine"], person=user_of(request))
        return Response(_sounds_of(request, entry))


class EntryOwnSoundView(ApiView):
    parser_classes = (PlainMultiPartParser,)

    @extend_schema(request=OwnSoundSerializer, responses=EntrySoundsSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Upload your own sound of a word in a list that you may edit.

        It is checked, encoded again and played from then on. The response is 400 if it is not a
        usable sound file.
        """
        entry = get_object_or_404(access.entries(request.user, "edit"), pk=pk)
        wanted = read_body(request, OwnSoundSerializer)
        with about("sound"):
            recordings.keep_recording(
                entry=entry,
                data=wanted["sound"].read(MAX_BYTES + 1),
                speed=wanted["speed"],
                is_recorded=wanted["is_recorded"],
            )
        return Response(_sounds_of(request, entry))


class EntryAudioView(ApiView):
    asks = {"get": [VERSION]}

    @extend_schema(
        operation_id="entries_sound_audio",
        responses={(200, "audio/mpeg"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int, speed: str) -> HttpResponse:
        """Return the sound of a word as MP3; `speed` is `normal` or `slow`.

        The response is 404 if the word cannot be pronounced.
        """
        entry = get_object_or_404(access.entries(request.user, "see"), pk=pk)
        if speed not in Pronunciation.Speed.values:
            raise NotFound
        try:
            path = playback.sound_of(
                voices.said_of(entry),
                entry.vocabulary_list,
                slow=speed == Pronunciation.Speed.SLOW,
                entry_id=entry.pk,
            )
        except SpeechError as error:
            raise NotFound(said(error.message)) from error
        return playback.sound_response(request, path)


def _sounds_of(request: Request, entry: Entry) -> Any:
    vocabulary_list = entry.vocabulary_list
    vocabulary_list.refresh_from_db(fields=["sounds_version"])
    heard = {
        sound.pk
        for speed in Pronunciation.Speed.values
        for sound in playback.heard([entry], vocabulary_list, speed=speed).values()
    }
    addresses = {
        speed: reverse("api:entry-audio", args=[entry.pk, speed], request=request)
        + f"?v={vocabulary_list.sounds_version}"
        for speed in Pronunciation.Speed.values
    }
    shown = {"term": entry.term, "sounds": playback.known(entry)} | addresses
    return EntrySoundsSerializer(shown, context={"heard": heard}).data
