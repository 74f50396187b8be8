"""The HTTP API of vocabulary lists."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import ErrorDetail, NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.pagination import PAGES
from osmosmjerka.rest.requests import PlainJSONParser, PlainMultiPartParser, user_of
from osmosmjerka.rest.serializers import RequestSerializer, Strict, read_body, read_query
from osmosmjerka.rest.views import ApiView
from vocab import access, text_fields
from vocab.entries.api import (
    BulkEditSerializer,
    BulkSerializer,
    EntrySerializer,
    FindEntriesSerializer,
    LanguageField,
    change_many,
    rows_of_request,
)
from vocab.entries.bulk import take_back
from vocab.entries.selectors import find_entries
from vocab.entries.services import add_entry
from vocab.formats import EXPORTS
from vocab.formats.rows import FormatError
from vocab.imports.api import (
    ImportSerializer,
    NewImportSerializer,
    NewTextImportSerializer,
    import_into,
)
from vocab.imports.services import start_pull
from vocab.imports.views import exported
from vocab.lists import samples, selectors, sharing
from vocab.lists import services as list_services
from vocab.models import VocabularyList
from vocab.rows.convert import export_list
from vocab.sentences import said
from vocab.text.playing import RULES


class VocabularyListSerializer(Strict, serializers.ModelSerializer[VocabularyList]):
    entries = EntrySerializer(many=True, required=False)
    language = LanguageField(help_text="BCP-47, for example `hr` or `pt-BR`.")
    translation_languages = serializers.ListField(
        child=LanguageField(), allow_empty=False, max_length=20
    )

    playing_rules = serializers.ListField(
        child=OneOf(choices=list(RULES)),
        required=False,
        help_text="What is left out of the grid: articles, brackets, notes, alternatives.",
    )
    tags = serializers.ListField(
        child=serializers.CharField(max_length=text_fields.LONGEST_TAG),
        required=False,
        max_length=list_services.MOST_TAGS,
    )

    def validate_entries(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Refuse words without the word, which REST framework takes in a change of a list."""
        sentence = str(serializers.Field.default_error_messages["required"])
        told = [ErrorDetail(sentence, "required")]
        errors = [{} if "term" in entry else {"term": told} for entry in entries]
        if any(errors):
            raise serializers.ValidationError(errors)
        return entries

    class Meta:
        model = VocabularyList
        fields = [
            "id",
            "title",
            "description",
            "language",
            "translation_languages",
            "tags",
            "visibility",
            "uses_digraphs",
            "playing_rules",
            "accents",
            "copied_from",
            "entries",
            "created_at",
            "updated_at",
        ]
        read_only_fields = ["copied_from", "created_at", "updated_at"]


class VocabularyListSummarySerializer(VocabularyListSerializer):
    """A list without its words, for the overview."""

    class Meta(VocabularyListSerializer.Meta):
        fields = [name for name in VocabularyListSerializer.Meta.fields if name != "entries"]


# The action of access.LIST_ACTIONS that each view action needs, if it is more than "see".
ACTIONS: dict[str, access.ListAction] = {
    "partial_update": "edit",
    "import_file": "edit",
    "new_entry": "edit",
    "bulk": "edit",
    "bulk_undo": "edit",
    "pull": "edit",
    "shares": "share",
    "share": "share",
    "unshare": "share",
    "destroy": "delete",
}
# Only the owner may change these, as on the page of a list's settings.
_SETTINGS = {
    "title", "description", "language", "translation_languages", "tags", "visibility",
    "uses_digraphs", "playing_rules", "accents",
}  # fmt: skip


class ShareSerializer(RequestSerializer):
    """A teacher with whom a list is shared by name."""

    teacher = serializers.IntegerField(source="teacher.pk", read_only=True)
    username = serializers.CharField(source="teacher.username", max_length=150)
    may_edit = serializers.BooleanField(default=False)


_EXPORTED_TYPES = sorted({one.mime.partition(";")[0] for one in EXPORTS.values()})

# As REST framework's filters name orders, and as `selectors.find_lists` does.
_ORDERS = {"-updated_at": "changed", "title": "name"}


class FindListsSerializer(serializers.Serializer[Any]):
    """Which lists are asked for."""

    search = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=300,
        help_text="In the title, or in a word of the list.",
    )
    tag = serializers.CharField(
        required=False, allow_blank=True, help_text="Only lists with this tag."
    )
    language = LanguageField(required=False, help_text="Only lists of words in this language.")
    ordering = OneOf(
        choices=list(_ORDERS), required=False, help_text="By default, the last changed first."
    )


def _told_of_shares(vocabulary_list: VocabularyList) -> Response:
    shares = sharing.shares_by_name(vocabulary_list)
    return Response(ShareSerializer(shares, many=True).data)


class VocabularyListViewSet(ApiView, viewsets.ModelViewSet[VocabularyList]):
    """The vocabulary lists that you may see; the overview does not contain their words.

    These are your own lists, those shared with you by name, and those that are visible to your
    school or to everyone on the site.
    """

    queryset = VocabularyList.objects.none()
    http_method_names = ["get", "post", "patch", "delete", "head", "options"]
    asks = {
        "list": [FindListsSerializer, *PAGES],
        "entries": [FindEntriesSerializer, *PAGES],
    }

    def get_serializer_class(self) -> type[VocabularyListSerializer]:
        return (
            VocabularyListSummarySerializer if self.action == "list" else VocabularyListSerializer
        )

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return the lists that you may see, or those that you search for."""
        return super().list(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[VocabularyList]:
        action = ACTIONS.get(self.action, "see")
        if self.action == "partial_update" and _SETTINGS & set(self.request.data):
            action = "share"
        lists = access.vocabulary_lists(self.request.user, action)
        if self.action == "list":  # the overview has no entries, so do not read them
            asked = read_query(self.request, FindListsSerializer)
            order = _ORDERS.get(asked.pop("ordering", ""), "")
            return selectors.find_lists(lists, order=order, **asked)
        if self.action in {"entries", "new_entry"}:
            return lists
        return lists.prefetch_related("entries__translations")

    @extend_schema(
        request={
            "application/json": NewTextImportSerializer,
            "multipart/form-data": NewImportSerializer,
        },
        responses={201: ImportSerializer},
    )
    @action(
        detail=True,
        methods=["post"],
        url_path="import",
        parser_classes=[PlainJSONParser, PlainMultiPartParser],
    )
    def import_file(self, request: Request, pk: str | None = None) -> Response:
        """Read a file or a text into a list that you may edit, and return the preview.

        Nothing in the list changes until you apply the import at `/api/imports/{id}/apply/`. The
        response is 400 if the file cannot be read.
        """
        made = import_into(request, self.get_object())
        return Response(ImportSerializer(made).data, status=201)

    @extend_schema(responses={(200, one): OpenApiTypes.BINARY for one in _EXPORTED_TYPES})
    @action(detail=True, methods=["get"], url_path="export/(?P<kind>[a-z0-9_]+)")
    def export(self, request: Request, pk: str | None = None, kind: str = "") -> HttpResponse:
        """Return the list as a file.

        The format is `delimited` (CSV), `xlsx`, `ods`, `html`, `json`, `anki_text`, `apkg`,
        `moodle` (a glossary) or `h5p` (dialog cards). The response is 404 for any other format,
        and 400 if the list does not fit into the format.
        """
        if kind not in EXPORTS:
            raise NotFound
        vocabulary_list = self.get_object()
        try:
            data = export_list(vocabulary_list, format=kind)
        except FormatError as error:
            raise serializers.ValidationError(said(error)) from error
        return exported(vocabulary_list.title, kind, data)

    @extend_schema(responses=EntrySerializer(many=True))
    @action(detail=True, methods=["get"])
    def entries(self, request: Request, pk: str | None = None) -> Response:
        """Return the words of a list that you may see, in order, or those that match."""
        asked = read_query(request, FindEntriesSerializer)
        found: QuerySet[Any] = find_entries(self.get_object(), **asked)
        page: Any = self.paginate_queryset(found.prefetch_related("translations"))
        return self.get_paginated_response(EntrySerializer(page, many=True).data)

    @extend_schema(
        operation_id="lists_entries_create",
        request=EntrySerializer,
        responses={201: EntrySerializer},
    )
    @entries.mapping.post
    def new_entry(self, request: Request, pk: str | None = None) -> Response:
        """Add a word at the end of a list that you may edit.

        The response is 400 if the word is in the list already, or cannot be stored.
        """
        vocabulary_list = self.get_object()
        wanted = read_body(request, EntrySerializer)
        [row] = rows_of_request([wanted])
        made = add_entry(vocabulary_list=vocabulary_list, row=row)
        return Response(EntrySerializer(made).data, status=201)

    @extend_schema(request=BulkSerializer, responses=BulkEditSerializer)
    @action(detail=True, methods=["post"])
    def bulk(self, request: Request, pk: str | None = None) -> Response:
        """Tag, untag, delete, merge or move words of a list that you may edit.

        Select the words by their ids or by filters. Moving also requires the permission to edit the
        other list. Returns the change, which can be undone.
        """
        edit = change_many(request, self.get_object())
        return Response(BulkEditSerializer(edit).data)

    @extend_schema(request=None, responses=BulkEditSerializer)
    @action(detail=True, methods=["post"], url_path="bulk/(?P<edit_pk>[0-9]{1,18})/undo")
    def bulk_undo(self, request: Request, pk: str | None = None, edit_pk: str = "") -> Response:
        """Undo a change of many words.

        Words with later changes that conflict stay as they are. Deleted words that the list has
        again stay deleted; then `undone_at` stays empty, and the change can be undone once more.

        The response is 400 if nothing can be restored, or if the change was already undone or can
        no longer be undone.
        """
        edit = get_object_or_404(self.get_object().bulk_edits, pk=edit_pk)
        take_back(edit=edit, person=user_of(request))
        edit.refresh_from_db()
        return Response(BulkEditSerializer(edit).data)

    @extend_schema(responses=ShareSerializer(many=True))
    @action(detail=True, methods=["get"], pagination_class=None)
    def shares(self, request: Request, pk: str | None = None) -> Response:
        """Return the teachers with whom your list is shared by name. Only the owner may do this."""
        return _told_of_shares(self.get_object())

    @extend_schema(request=ShareSerializer, responses=ShareSerializer(many=True))
    @shares.mapping.post
    def share(self, request: Request, pk: str | None = None) -> Response:
        """Share your list with one more teacher; again, to change whether they may edit.

        Only the owner may do this. The response is 400 if there is no teacher with the username.
        """
        vocabulary_list = self.get_object()
        wanted = read_body(request, ShareSerializer)
        sharing.share_list(
            vocabulary_list=vocabulary_list,
            teacher=sharing.teacher_named(wanted["teacher"]["username"]),
            may_edit=wanted["may_edit"],
        )
        return _told_of_shares(vocabulary_list)

    @extend_schema(request=None, responses={204: None})
    @action(detail=True, methods=["delete"], url_path="shares/(?P<teacher>[0-9]{1,18})")
    def unshare(self, request: Request, pk: str | None = None, teacher: str = "") -> Response:
        """Stop sharing your list with a teacher, given by the teacher's id."""
        sharing.unshare_list(vocabulary_list=self.get_object(), teacher_pk=int(teacher))
        return Response(status=204)

    @extend_schema(request=None, responses={201: VocabularyListSummarySerializer})
    @action(detail=True, methods=["post"])
    def copy(self, request: Request, pk: str | None = None) -> Response:
        """Create a private copy of a list that you may see; it can pull changes of the original."""
        made = sharing.copy_list(original=self.get_object(), owner=user_of(request))
        return Response(VocabularyListSummarySerializer(made).data, status=201)

    @extend_schema(request=None, responses={201: ImportSerializer})
    @action(detail=True, methods=["post"])
    def pull(self, request: Request, pk: str | None = None) -> Response:
        """Return the original's changes since the list was copied or last pulled, as a preview.

        Apply them at `/api/imports/{id}/apply/`. You must be allowed to edit the copy; the response
        is 400 if the original no longer exists or you may not see it.
        """
        made = start_pull(copy=self.get_object(), created_by=user_of(request))
        return Response(ImportSerializer(made).data, status=201)

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return a list that you may see, with its words."""
        return super().retrieve(request, *args, **kwargs)

    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Put a list in the bin, from which it can be restored for 30 days.

        Its owner and the school's admin may do this. The response is 400 as long as other teachers
        have puzzles created from the list.
        """
        list_services.delete_list(vocabulary_list=self.get_object(), actor=user_of(request))
        return Response(status=204)

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Create a list of your own, with the words in `entries` if you send them.

        Only teachers may do this. The response is 400 if a word cannot be stored.
        """
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        if not user_of(request).is_teacher:
            self.permission_denied(request)
        wanted = dict(serializer.validated_data)
        rows = rows_of_request(wanted.pop("entries", []))
        made = list_services.create_list(owner=user_of(request), rows=rows, **wanted)
        return Response(self.get_serializer(made).data, status=201)

    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Change a list, or add the words in `entries` to it.

        A word that is already in the list gains what is new. Adding words requires the permission
        to edit the list; only the owner may change its title, description, languages, tags,
        visibility, digraphs, playing rules and accents. If a language changes, its words, or the
        translations that were in it, are in the new one; puzzles and what students learned stay.
        The response is 400 if a word cannot be stored, or if you remove a language that there are
        translations in.
        """
        vocabulary_list = self.get_object()
        serializer = self.get_serializer(vocabulary_list, data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        wanted = dict(serializer.validated_data)
        rows = rows_of_request(wanted.pop("entries", []))
        list_services.update_list(vocabulary_list=vocabulary_list, rows=rows, **wanted)
        return Response(self.get_serializer(self.get_object()).data)


SAMPLE_LANGUAGES = samples.sample_languages()


class SampleSerializer(RequestSerializer):
    """Two languages of the sample words."""

    language = OneOf(choices=SAMPLE_LANGUAGES)
    translation_language = OneOf(choices=SAMPLE_LANGUAGES)


class SampleListsView(ApiView):
    """Sample lists of everyday words."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not user_of(request).is_teacher:
            self.permission_denied(request)

    @extend_schema(responses={200: {"type": "array", "items": {"type": "string"}}})
    def get(self, request: Request) -> Response:
        """Return the languages of the sample words; a list can be created for any two."""
        return Response(samples.sample_languages())

    @extend_schema(request=SampleSerializer, responses={201: VocabularyListSummarySerializer})
    def post(self, request: Request) -> Response:
        """Create a list of your own with the sample words. Only teachers may do this.

        The response is 400 if the two languages are the same, or have no sample words.
        """
        wanted = read_body(request, SampleSerializer)
        made = list_services.copy_sample(owner=user_of(request), **wanted)
        return Response(VocabularyListSummarySerializer(made).data, status=201)
