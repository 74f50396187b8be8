"""The HTTP API of entries: change one, with its version, or many at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.problems import problem
from osmosmjerka.rest_requests import RequestSerializer, Strict
from osmosmjerka.rest_schema import ProblemSerializer
from osmosmjerka.rest_views import ApiView
from vocab import access
from vocab.entries import bulk
from vocab.entries import selectors as entries_selectors
from vocab.entries import services as entry_services
from vocab.formats.rows import Row
from vocab.models import BulkEdit, Entry, VocabularyList
from vocab.rows import convert
from vocab.text import canonical_language

# More than any word has, and few enough to store a position for each.
MOST_TRANSLATIONS = 100
# More than a program should name at once; it can describe them with `where` instead.
MOST_ENTRIES = 20_000


class EntrySerializer(Strict, serializers.ModelSerializer[Entry]):
    """A word with its translations by language, each a list of texts."""

    translations = serializers.DictField(
        child=serializers.ListField(
            child=serializers.CharField(max_length=500), max_length=MOST_TRANSLATIONS
        ),
        required=False,
    )
    tiles = serializers.ListField(child=serializers.CharField(), read_only=True)
    tags = serializers.ListField(child=serializers.CharField(max_length=60), required=False)

    class Meta:
        model = Entry
        fields = [
            "id",
            "version",
            "term",
            "tiles",
            *convert.TEXTS,
            "tags",
            "translations",
        ]
        read_only_fields = ["version"]

    def validate_translations(self, given: dict[str, list[str]]) -> dict[str, list[str]]:
        return {language_tag(tag) if tag else tag: texts for tag, texts in given.items()}

    def to_representation(self, instance: Entry) -> dict[str, Any]:
        translations: dict[str, list[str]] = {}
        for translation in instance.translations.all():
            translations.setdefault(translation.language, []).append(translation.text)
        fields = [name for name in self.Meta.fields if name != "translations"]
        return {name: getattr(instance, name) for name in fields} | {"translations": translations}


def language_tag(tag: str) -> str:
    """Return a language tag in canonical form; raise a serializer's ValidationError."""
    try:
        return canonical_language(tag)
    except ValueError as error:
        raise serializers.ValidationError(
            _("“%(tag)s” is not a language tag. Write one such as hr, pt-BR or sr-Latn.")
            % {"tag": tag}
        ) from error


def rows_of_request(entries: list[dict[str, Any]]) -> list[Row]:
    """Return the entries of a request as rows, like those of a file."""
    return [Row(line=number, **entry) for number, entry in enumerate(entries, start=1)]


class EntryChangeSerializer(EntrySerializer):
    """The fields of a word to change, and the `version` on which the change is based."""

    version = serializers.IntegerField(min_value=1)
    is_correction = serializers.BooleanField(
        required=False,
        write_only=True,
        help_text="If the word changes: whether students keep what they remember. "
        "Default: if it differs by about a letter.",
    )

    class Meta(EntrySerializer.Meta):
        fields = [*EntrySerializer.Meta.fields, "is_correction"]
        read_only_fields: list[str] = []


class ConflictSerializer(ProblemSerializer):
    """An error with the word as it is now."""

    entry = EntrySerializer()


class EntryViewSet(ApiView, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Entry]):
    """Read or change one word of a list that you may see."""

    queryset = Entry.objects.none()
    serializer_class = EntrySerializer

    def get_queryset(self) -> QuerySet[Entry]:
        action: access.ListAction = "edit" if self.action == "partial_update" else "see"
        return access.entries(self.request.user, action).select_related("vocabulary_list")

    @extend_schema(
        request=EntryChangeSerializer,
        responses={
            200: EntrySerializer,
            409: OpenApiResponse(ConflictSerializer, "Somebody has changed the word since."),
        },
    )
    def partial_update(self, request: Request, pk: str | None = None) -> HttpResponse:
        """Change a word of a list that you may edit.

        Send the `version` that you read. If somebody has changed the word since, nothing is saved
        and the response is 409 with the current word.
        """
        entry = self.get_object()
        serializer = EntryChangeSerializer(entry, data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        wanted = dict(serializer.validated_data)
        if "version" not in wanted:
            raise serializers.ValidationError({"version": _("Send the version that you changed.")})
        version = wanted.pop("version")
        is_correction = wanted.pop("is_correction", None)
        row = replace(convert.row_of(entry), **wanted)
        try:
            saved = entry_services.edit_entry(
                entry=entry, version=version, row=row, is_correction=is_correction
            )
        except entry_services.EditConflict as conflict:
            current = EntrySerializer(conflict.entry).data
            return problem(409, str(conflict), "conflict", entry=current)
        return Response(EntrySerializer(saved).data)


class FindEntriesSerializer(serializers.Serializer[Any]):
    """Which words of a list are asked for: those that match every filter that is given."""

    search = serializers.CharField(required=False, allow_blank=True, max_length=300)
    tag = serializers.CharField(required=False, allow_blank=True, max_length=60)
    part_of_speech = serializers.CharField(required=False, allow_blank=True, max_length=60)
    missing = serializers.ChoiceField(
        [("translation", "no translation"), ("audio", "no recording"), ("picture", "no picture")],
        required=False,
    )


class WhereSerializer(Strict, FindEntriesSerializer):
    """Selects the words that match every given filter; without filters, all words of the list."""


class BulkSerializer(RequestSerializer):
    """An action on words of a list, selected by id (`entries`) or by filters (`where`)."""

    action = serializers.ChoiceField([(action.value, action.label) for action in bulk.MANY])
    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        required=False,
        max_length=MOST_ENTRIES,
    )
    where = WhereSerializer(required=False)
    tag = serializers.CharField(required=False, max_length=60)
    target = serializers.IntegerField(
        required=False, min_value=1, max_value=2**63 - 1, help_text="The id of the list to move to."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("entries" in attrs) == ("where" in attrs):
            # Translators: %(one)s and %(other)s are names of fields of the API.
            sentence = _("Send either “%(one)s” or “%(other)s”.")
            raise serializers.ValidationError(sentence % {"one": "entries", "other": "where"})
        return attrs


class BulkEditSerializer(serializers.ModelSerializer[BulkEdit]):
    """A change of many words; undo it at `/api/lists/{id}/bulk/{this id}/undo/`."""

    class Meta:
        model = BulkEdit
        fields = ["id", "action", "count", "staying", "created_at", "undone_at"]
        extra_kwargs = {"count": {"help_text": "How many words changed."}}


def change_many(request: Request, vocabulary_list: VocabularyList) -> BulkEdit:
    """Carry out a bulk request to the API on the entries of a list."""
    asked = BulkSerializer(data=request.data)
    asked.is_valid(raise_exception=True)
    wanted = asked.validated_data
    target = None
    if "target" in wanted:
        lists = access.vocabulary_lists(request.user, "edit").exclude(pk=vocabulary_list.pk)
        target = get_object_or_404(lists, pk=wanted["target"])
    return bulk.change_many(
        vocabulary_list=vocabulary_list,
        person=request.user,  # type: ignore[arg-type]  # authenticated
        action=wanted["action"],
        entries=entries_selectors.find_entries(vocabulary_list, **wanted["where"])
        if "where" in wanted
        else wanted["entries"],
        tag=wanted.get("tag", ""),
        target=target,
    )
