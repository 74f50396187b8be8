"""The HTTP API of entries: one with its version, many at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from vocab import access
from vocab.entries import bulk
from vocab.entries import selectors as entries_selectors
from vocab.entries import services as entry_services
from vocab.formats.rows import Row
from vocab.models import BulkEdit, Entry, VocabularyList
from vocab.rows import convert
from vocab.text import canonical_language

# More than any word has, and few enough to keep a position for each.
MOST_TRANSLATIONS = 100
# More at once than a program wants to name; it can say what they have in common.
MOST_ENTRIES = 20_000
_TEXTS = ("part_of_speech", "pronunciation", "example", "example_translation", "hint", "note")


class EntrySerializer(serializers.ModelSerializer[Entry]):
    """A term with its translations by language, each a list of texts."""

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
            *_TEXTS,
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
    """Return a language's tag as lists have it."""
    try:
        return canonical_language(tag)
    except ValueError as error:
        raise serializers.ValidationError(
            _("“%(tag)s” is not a language tag. Write one such as hr, pt-BR or sr-Latn.")
            % {"tag": tag}
        ) from error


def rows_of_request(entries: list[dict[str, Any]]) -> list[Row]:
    """Return entries that were sent as rows, as a file has them."""
    return [Row(line=number, **entry) for number, entry in enumerate(entries, start=1)]


class EntryChangeSerializer(EntrySerializer):
    """What changes of an entry, and the version that was seen: a later one is not overwritten."""

    version = serializers.IntegerField(min_value=1)

    class Meta(EntrySerializer.Meta):
        read_only_fields: list[str] = []


class EntryViewSet(mixins.RetrieveModelMixin, viewsets.GenericViewSet[Entry]):
    """One entry of a list that you may see."""

    queryset = Entry.objects.none()
    serializer_class = EntrySerializer

    def get_queryset(self) -> QuerySet[Entry]:
        action: access.ListAction = "edit" if self.action == "partial_update" else "see"
        return access.entries(self.request.user, action).select_related("vocabulary_list")

    @extend_schema(
        request=EntryChangeSerializer,
        responses={
            200: EntrySerializer,
            409: OpenApiResponse(dict, "detail, and the entry as somebody else left it"),
        },
    )
    def partial_update(self, request: Request, pk: str | None = None) -> Response:
        """Change an entry, unless somebody else changed it since the version that you send."""
        entry = self.get_object()
        serializer = EntryChangeSerializer(entry, data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        wanted = dict(serializer.validated_data)
        if "version" not in wanted:
            raise serializers.ValidationError({"version": _("Send the version that you changed.")})
        version = wanted.pop("version")
        row = replace(convert.row_of(entry), **wanted)
        try:
            saved = entry_services.edit_entry(entry=entry, version=version, row=row)
        except entry_services.EditConflict as conflict:
            current = EntrySerializer(conflict.entry).data
            return Response({"detail": str(conflict), "entry": current}, status=409)
        return Response(EntrySerializer(saved).data)


class WhereSerializer(serializers.Serializer[Any]):
    """What the entries have in common, as in the filters of the page; nothing: all of them."""

    search = serializers.CharField(required=False, allow_blank=True, max_length=300)
    tag = serializers.CharField(required=False, allow_blank=True, max_length=60)
    part_of_speech = serializers.CharField(required=False, allow_blank=True, max_length=60)
    missing = serializers.ChoiceField(["translation", "audio", "picture"], required=False)


class BulkSerializer(serializers.Serializer[Any]):
    """What to do with which entries of a list."""

    action = serializers.ChoiceField(BulkEdit.Action.choices)
    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        required=False,
        max_length=MOST_ENTRIES,
    )
    where = WhereSerializer(required=False)
    tag = serializers.CharField(required=False, max_length=60)
    target = serializers.IntegerField(
        required=False, min_value=1, max_value=2**63 - 1, help_text="The list to move to."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("entries" in attrs) == ("where" in attrs):
            raise serializers.ValidationError(_("Send either “entries” or “where”."))
        return attrs


class BulkEditSerializer(serializers.ModelSerializer[BulkEdit]):
    """A change of many entries; take it back at `/api/lists/{id}/bulk/{this id}/undo/`."""

    class Meta:
        model = BulkEdit
        fields = ["id", "action", "count", "staying", "created_at", "undone_at"]


def change_many(request: Request, vocabulary_list: VocabularyList) -> BulkEdit:
    """Do what a request to the API asks for many entries."""
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
