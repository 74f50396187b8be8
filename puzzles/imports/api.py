"""The HTTP API of puzzles of other programs."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.rest.requests import PlainMultiPartParser, user_of
from osmosmjerka.rest.serializers import RequestSerializer, read_body
from osmosmjerka.rest.views import ApiView
from puzzles.assignments.puzzle_api import PuzzleSerializer
from puzzles.imports.services import Preview, import_puzzle
from vocab.entries.api import language_tag
from vocab.sentences import said


class PuzzleFileSerializer(RequestSerializer):
    """A puzzle of another program: a crossword in ipuz, PUZ or JPZ, or a word search in ipuz."""

    file = serializers.FileField(allow_empty_file=True)
    title = serializers.CharField(
        required=False, max_length=200, help_text="By default, as in the file."
    )
    language = serializers.CharField(
        required=False, max_length=35, help_text="Of the words; by default, as in the file."
    )
    translation_language = serializers.CharField(
        required=False, max_length=35, help_text="Of the clues; by default, yours."
    )

    def validate_language(self, tag: str) -> str:
        return language_tag(tag)

    def validate_translation_language(self, tag: str) -> str:
        return language_tag(tag)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            preview = Preview.of_upload(attrs.pop("file"))
        except DjangoValidationError as error:
            raise serializers.ValidationError({"file": error.messages}) from error
        wanted = preview.guess | attrs
        missing = [name for name, value in wanted.items() if not value]
        if missing:
            told = serializers.ValidationError(
                _("The file does not contain this. Send it in the request."), "required"
            )
            raise serializers.ValidationError(dict.fromkeys(missing, told.detail))
        return wanted | {"preview": preview}


class ImportedPuzzleSerializer(PuzzleSerializer):
    """A puzzle that was imported."""

    losses = serializers.ListField(
        child=serializers.CharField(), help_text="What of the file is not kept."
    )

    class Meta(PuzzleSerializer.Meta):
        fields = [*PuzzleSerializer.Meta.fields, "losses"]


class PuzzleImportView(ApiView):
    parser_classes = (PlainMultiPartParser,)

    @extend_schema(
        operation_id="puzzles_import_create",
        request={"multipart/form-data": PuzzleFileSerializer},
        responses={201: ImportedPuzzleSerializer},
    )
    def post(self, request: Request) -> Response:
        """Import a puzzle of another program: it is ready at once, and its words are a list.

        Only teachers may do this. The response is 400 if the file has no puzzle that can be played,
        if the puzzle does not fit the language, or if a blocked word is in it.
        """
        person = user_of(request)
        if not person.is_teacher:
            self.permission_denied(request)
        wanted = read_body(request, PuzzleFileSerializer)
        preview: Preview = wanted["preview"]
        puzzle = import_puzzle(owner=person, **wanted)
        puzzle.losses = [said(loss) for loss in preview.read.losses]  # type: ignore[attr-defined]
        return Response(ImportedPuzzleSerializer(puzzle, context={"request": request}).data, 201)
