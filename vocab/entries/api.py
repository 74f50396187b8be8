"""The HTTP API of entries: add, change or delete one, its picture, or change many at once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import IO, Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.exceptions import ErrorDetail
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.requests import PlainMultiPartParser, user_of
from osmosmjerka.rest.schema import VERSION, ProblemSerializer
from osmosmjerka.rest.serializers import RequestSerializer, Strict, about, read_body
from osmosmjerka.rest.views import ApiView
from osmosmjerka.web.problems import problem
from vocab import access, text_fields
from vocab.entries import bulk, pictures
from vocab.entries import selectors as entries_selectors
from vocab.entries import services as entry_services
from vocab.formats.rows import MAX_CELL, MAX_COLUMNS, Row
from vocab.models import BulkEdit, Entry, VocabularyList
from vocab.rows import convert
from vocab.text import TAG_PATTERN, canonical_language

# More than any word has, and few enough to store a position for each.
MOST_TRANSLATIONS = 100
# More than a program should name at once; it can describe them with `where` instead.
MOST_ENTRIES = 20_000
PICTURE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")


@cache
def _around_pk() -> tuple[str, str]:
    """Return what stands before and after an entry's id in the address of its picture.

    A list has thousands of entries, and `reverse` would take most of their time.
    """
    before, _pk, after = reverse("api:entry-picture", args=[999999999]).partition("999999999")
    return before, after


def language_tag(tag: str) -> str:
    """Return a language tag in canonical form; raise a serializer's ValidationError."""
    try:
        return canonical_language(tag)
    except ValueError as error:
        raise serializers.ValidationError(
            _("“%(tag)s” is not a language tag. Write one such as hr, pt-BR or sr-Latn.")
            % {"tag": tag}
        ) from error


class LanguageField(serializers.CharField):
    """A language tag, like `hr`, `pt-BR` or `sr-Latn`; in canonical form."""

    also_described = {"pattern": f"^{TAG_PATTERN}$"}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=35, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        return language_tag(super().to_internal_value(data))


class TranslationsField(serializers.DictField):
    """Lists of texts by language."""

    also_described = {"propertyNames": {"pattern": f"^({TAG_PATTERN})?$"}}

    def to_internal_value(self, data: Any) -> dict[str, list[str]]:
        texts: dict[str, list[str]] = super().to_internal_value(data)
        return {language_tag(tag) if tag else tag: some for tag, some in texts.items()}


class OtherColumnsField(serializers.DictField):
    """Texts by the names of their columns, as many as a file may have."""

    also_described = {"propertyNames": {"pattern": r"\S"}, "maxProperties": MAX_COLUMNS}

    def to_internal_value(self, data: Any) -> dict[str, str]:
        texts: dict[str, str] = super().to_internal_value(data)
        if len(texts) > MAX_COLUMNS or not all(map(str.strip, texts)):
            raise serializers.ValidationError(
                _("Send at most %(count)s other columns, each with a name.")
                % {"count": MAX_COLUMNS}
            )
        return texts


class EntrySerializer(Strict, serializers.ModelSerializer[Entry]):
    """A word with its translations by language, each a list of texts."""

    translations = TranslationsField(
        child=serializers.ListField(
            child=serializers.CharField(max_length=text_fields.LONGEST_TRANSLATION),
            max_length=MOST_TRANSLATIONS,
        ),
        required=False,
    )
    tiles = serializers.ListField(child=serializers.CharField(), read_only=True)
    tags = serializers.ListField(
        child=serializers.CharField(max_length=text_fields.LONGEST_TAG), required=False
    )
    extra = OtherColumnsField(
        child=serializers.CharField(max_length=MAX_CELL),
        required=False,
        help_text="Texts of other columns, under their names in the imported file.",
    )
    guid = serializers.CharField(
        read_only=True,
        help_text="The word’s id in files and copies; unlike `id`, it travels with the word.",
    )
    picture = serializers.SerializerMethodField(
        help_text="The URL of the picture; null if there is none."
    )

    class Meta:
        model = Entry
        fields = [
            "id",
            "guid",
            "version",
            "term",
            "tiles",
            *text_fields.NAMES,
            "tags",
            "translations",
            "extra",
            "picture",
        ]
        read_only_fields = ["version"]

    def to_representation(self, instance: Entry) -> dict[str, Any]:
        translations: dict[str, list[str]] = {}
        for translation in instance.translations.all():
            translations.setdefault(translation.language, []).append(translation.text)
        made = {"translations": translations, "picture": self.get_picture(instance)}
        fields = [name for name in EntrySerializer.Meta.fields if name not in made]
        return {name: getattr(instance, name) for name in fields} | made

    def get_picture(self, entry: Entry) -> str | None:
        if not entry.image:
            return None
        before, after = _around_pk()
        return f"{before}{entry.pk}{after}?v={entry.picture_version}"


def rows_of_request(entries: list[dict[str, Any]]) -> list[Row]:
    """Return the entries of a request as rows, like those of a file."""
    return [Row(line=number, **entry) for number, entry in enumerate(entries, start=1)]


class EntryChangeSerializer(EntrySerializer):
    """The fields of a word to change, and the `version` on which the change is based."""

    always_required = ("version",)
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


class BulkEditSerializer(serializers.ModelSerializer[BulkEdit]):
    """A change of many words; undo it at `/api/lists/{id}/bulk/{this id}/undo/`."""

    class Meta:
        model = BulkEdit
        fields = ["id", "action", "count", "staying", "created_at", "undone_at"]
        extra_kwargs = {"count": {"help_text": "How many words changed."}}


class EntryViewSet(ApiView, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Entry]):
    """Read, change or delete one word of a list that you may see."""

    queryset = Entry.objects.none()
    serializer_class = EntrySerializer

    def get_queryset(self) -> QuerySet[Entry]:
        action: access.ListAction = "see" if self.action == "retrieve" else "edit"
        return access.entries(self.request.user, action)

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
            told = ErrorDetail(_("Send the version that you changed."), "required")
            raise serializers.ValidationError({"version": [told]})
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

    @extend_schema(responses={200: BulkEditSerializer})
    def destroy(self, request: Request, pk: str | None = None) -> Response:
        """Delete a word of a list that you may edit.

        Returns the change, which can be undone for 30 days at `/api/lists/{id}/bulk/{id}/undo/`.
        What students learned of the word comes back with it.
        """
        entry = self.get_object()
        edit = bulk.change_many(
            vocabulary_list=entry.vocabulary_list,
            person=user_of(request),
            action=BulkEdit.Action.DELETE,
            entries=[entry.pk],
        )
        return Response(BulkEditSerializer(edit).data)


class PlaceSerializer(RequestSerializer):
    """Where a word is to go in its list."""

    step = OneOf(choices=["up", "down"])


class EntryPlaceView(ApiView):
    @extend_schema(
        operation_id="entries_place_create", request=PlaceSerializer, responses={204: None}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Move a word of a list that you may edit one place up or down."""
        entry = get_object_or_404(access.entries(request.user, "edit"), pk=pk)
        wanted = read_body(request, PlaceSerializer)
        step = -1 if wanted["step"] == "up" else 1
        entry_services.place_entry(entry=entry, step=step)
        return Response(status=204)


class PictureParser(BaseParser):
    """Take a picture that is the whole body, up to one byte more than is allowed."""

    media_type = "image/*"

    def parse(self, stream: IO[bytes], *args: Any, **kwargs: Any) -> Any:
        return stream.read(pictures.MAX_BYTES + 1)


class PictureSerializer(RequestSerializer):
    """A picture as a file: PNG, JPEG, GIF or WebP, up to 15 MB."""

    picture = serializers.FileField()


class EntryPictureView(ApiView):
    """The picture of a word."""

    parser_classes = (PlainMultiPartParser, PictureParser)
    asks = {"get": [VERSION]}

    @extend_schema(
        operation_id="entries_picture_retrieve",
        responses={(200, media_type): OpenApiTypes.BINARY for media_type in PICTURE_TYPES},
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Return the picture of a word of a list that you may see; 404 if it has none."""
        entry = get_object_or_404(access.entries(request.user, "see"), pk=pk)
        return pictures.file_response(request, entry, "image")

    @extend_schema(
        operation_id="entries_picture_update",
        request={"multipart/form-data": PictureSerializer}
        | dict.fromkeys(PICTURE_TYPES, OpenApiTypes.BINARY),
        responses=EntrySerializer,
    )
    def put(self, request: Request, pk: int) -> Response:
        """Set the picture of a word of a list that you may edit: as a form, or as the whole body.

        It is checked and encoded again. The response is 400 if it is no picture, or larger than
        15 MB.
        """
        entry = get_object_or_404(access.entries(request.user, "edit"), pk=pk)
        data, name = _sent_picture(request)
        with about("picture"):
            pictures.keep_picture(entry=entry, data=data, name=name)
        return Response(EntrySerializer(entry).data)

    @extend_schema(operation_id="entries_picture_destroy", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Remove the picture of a word of a list that you may edit.

        The list's recent changes bring it back for 30 days.
        """
        entry = get_object_or_404(access.entries(request.user, "edit"), pk=pk)
        pictures.remove_picture(entry=entry, person=user_of(request))
        return Response(status=204)


def _sent_picture(request: Request) -> tuple[bytes, str]:
    """Return the bytes of the picture in a request, and its name."""
    sent = request.data
    if isinstance(sent, bytes):
        return sent, "picture"
    file = read_body(request, PictureSerializer)["picture"]
    return file.read(pictures.MAX_BYTES + 1), file.name


class FindEntriesSerializer(serializers.Serializer[Any]):
    """Which words of a list are asked for: those that match every filter that is given."""

    search = serializers.CharField(required=False, allow_blank=True, max_length=300)
    tag = serializers.CharField(
        required=False, allow_blank=True, max_length=text_fields.LONGEST_TAG
    )
    part_of_speech = serializers.CharField(
        required=False, allow_blank=True, max_length=text_fields.LENGTHS["part_of_speech"]
    )
    missing = OneOf(
        [("translation", "no translation"), ("audio", "no recording"), ("picture", "no picture")],
        required=False,
    )


class WhereSerializer(Strict, FindEntriesSerializer):
    """Selects the words that match every given filter; without filters, all words of the list."""


class BulkSerializer(RequestSerializer):
    """An action on words of a list, selected by id (`entries`) or by filters (`where`)."""

    action = OneOf([(action.value, action.label) for action in bulk.MANY])
    entries = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        required=False,
        max_length=MOST_ENTRIES,
    )
    where = WhereSerializer(required=False)
    tag = serializers.CharField(required=False, max_length=text_fields.LONGEST_TAG)
    target = serializers.IntegerField(
        required=False, min_value=1, max_value=2**63 - 1, help_text="The id of the list to move to."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("entries" in attrs) == ("where" in attrs):
            # Translators: %(one)s and %(other)s are names of fields of the API.
            sentence = _("Send either “%(one)s” or “%(other)s”.")
            raise serializers.ValidationError(sentence % {"one": "entries", "other": "where"})
        return attrs


def change_many(request: Request, vocabulary_list: VocabularyList) -> BulkEdit:
    """Carry out a bulk request to the API on the entries of a list."""
    wanted = read_body(request, BulkSerializer)
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
