"""The HTTP API of puzzles on paper: their grids and solutions, files, and sets of worksheets."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, mixins, serializers, status, viewsets
from rest_framework.exceptions import ErrorDetail, NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.pagination import PAGES
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.serializers import (
    IdOf,
    InvalidQuery,
    RequestSerializer,
    Strict,
    read_body,
    read_query,
)
from osmosmjerka.rest.views import ApiView
from puzzles import access
from puzzles.exports import FORMATS, ExportError, Printing
from puzzles.kinds import KIND_CHOICES, KINDS
from puzzles.making.downloads import grid_of
from puzzles.models import Puzzle, WorksheetSet
from puzzles.play.serializers import CellField
from puzzles.worksheets import files, services
from puzzles.worksheets.forms import LONGEST_INSTRUCTION, SHOWS, WHOLE, PrintingForm
from vocab.sentences import said

SHOWN = [name for name, _label in SHOWS]
KEYS = [files.WITH_KEY, files.ONLY_KEY]
SET_STATES = WorksheetSet.State.values


class PlacedWordSerializer(serializers.Serializer[Any]):
    """A word in the grid: an answer."""

    word = serializers.CharField(help_text="As it is in the grid.")
    term = serializers.CharField()
    translations = serializers.ListField(child=serializers.CharField())
    clue = serializers.CharField(allow_blank=True, help_text="As it is printed.")
    cells = serializers.ListField(child=CellField(), help_text="First letter first.")
    number = serializers.IntegerField(allow_null=True, help_text="Only in a crossword.")
    direction = OneOf(choices=["across", "down"], allow_null=True, help_text="Only in a crossword.")
    bonus = serializers.BooleanField(help_text="A word that is hidden but not listed.")


class PuzzleGridSerializer(serializers.Serializer[Any]):
    """The grid of a puzzle; for those who may see its answers, with them."""

    code = serializers.CharField()
    kind = OneOf(choices=KIND_CHOICES)
    title = serializers.CharField()
    language = serializers.CharField()
    direction = OneOf(choices=["ltr", "rtl"], help_text="`rtl`: column 0 is at the right.")
    rows = serializers.IntegerField()
    cols = serializers.IntegerField()
    grid = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(allow_null=True, allow_blank=True)),
        help_text="Rows of tiles; null: no cell; empty: a cell to fill in.",
    )
    placements = PlacedWordSerializer(
        many=True, allow_null=True, help_text="The solution; null for players."
    )
    message = serializers.CharField(
        allow_null=True,
        allow_blank=True,
        help_text="What the letters that no word uses spell; null for players.",
    )


class PuzzleGridView(ApiView):
    @extend_schema(operation_id="puzzles_grid_retrieve", responses=PuzzleGridSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Return the grid of a ready puzzle that you may play or see.

        Teachers who may see the page of the puzzle get the solution with it. Players never do: to
        them, a crossword is empty. To play, use `/api/play/{code}/`, which also has the clues.
        """
        seen = access.puzzles(request.user, "see").select_related("vocabulary_list")
        puzzle = seen.filter(code=code).first()
        has_answers = puzzle is not None
        if puzzle is None:
            puzzle = access.puzzle_to_play(request.user, code)
        if puzzle is None or puzzle.state != Puzzle.State.READY:
            raise NotFound
        return Response(grid_of(puzzle, has_answers=has_answers))


# Files ---------------------------------------------------------------------------------------


class PrintingSerializer(serializers.Serializer[Any]):
    """How a worksheet is printed; what is not sent is as usual."""

    paper = OneOf(choices=["a4", "letter"], required=False)
    per_page = OneOf(choices=[1, 2, 4], required=False, help_text="How many sheets share a page.")
    text = OneOf(choices=["auto", "large", "small"], required=False)
    shows = OneOf(choices=SHOWN, required=False, help_text="What the list beside the grid shows.")
    columns = OneOf(
        choices=[0, 1, 2, 3, 4], required=False, help_text="Of that list; 0: as many as fit."
    )
    is_lowercase = serializers.BooleanField(required=False, help_text="Small letters in the grid.")
    has_name = serializers.BooleanField(required=False, help_text="A line for the name.")
    has_class = serializers.BooleanField(required=False, help_text="A line for the class.")
    has_date = serializers.BooleanField(required=False, help_text="A line for the date.")
    has_school = serializers.BooleanField(required=False, help_text="The name of your school.")
    has_address = serializers.BooleanField(
        required=False, help_text="A QR code to play it; only if a class has the puzzle."
    )
    instruction = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_INSTRUCTION
    )


class FileQuerySerializer(PrintingSerializer):
    """How a puzzle is written to a file."""

    key = OneOf(
        choices=KEYS,
        required=False,
        help_text="`1`: the solution after the worksheet; of one page (SVG, PNG), the solution "
        "alone. `only`: the solution alone. Files that always have answers are the same.",
    )


class FileFormatSerializer(serializers.Serializer[Any]):
    format = serializers.CharField(help_text="As in the URL.")
    name = serializers.CharField(help_text="For people.")
    extension = serializers.CharField()
    media_type = serializers.CharField()
    has_answers = serializers.BooleanField(help_text="Whether it always contains the answers.")
    url = serializers.URLField()


class FileOptionSerializer(serializers.Serializer[Any]):
    """A parameter of a file's URL; its values are as they are written there."""

    name = serializers.CharField()
    values = serializers.ListField(
        child=serializers.CharField(), allow_null=True, help_text="null: any text."
    )
    default = serializers.CharField(allow_blank=True)


class PuzzleFilesSerializer(serializers.Serializer[Any]):
    """The formats in which a puzzle can be downloaded, and how it can be printed."""

    formats = FileFormatSerializer(many=True)
    options = FileOptionSerializer(many=True)


def _printing(request: Request, puzzle: Puzzle, asked: dict[str, Any]) -> Printing:
    """Return the printing that is asked for; refuse by name what this puzzle does not have."""
    form = files.printing_form(request, user_of(request), puzzle, asked)
    values = dict(_options_of(form))
    refused = [name for name, value in asked.items() if value and name not in values]
    if asked.get("shows", "usual") not in (values["shows"] or ()):
        refused.append("shows")
    if refused:
        told = ErrorDetail(_("This puzzle cannot be printed with this option."), "unavailable")
        raise ValidationError({name: [told] for name in refused})
    return form.printing()


def _options_of(form: PrintingForm) -> list[tuple[str, list[str] | None]]:
    """Return the options of a form by name, each with its values; None for any text."""
    return [
        (name, _values_of(field))
        for name, field in form.fields.items()
        if name != WHOLE
    ]  # fmt: skip


def _values_of(field: Any) -> list[str] | None:
    if hasattr(field, "choices"):
        return [str(value) for value, _label in field.choices]
    return None if hasattr(field, "max_length") else ["true", "false"]


class PuzzleFilesView(ApiView):
    @extend_schema(operation_id="puzzles_files_retrieve", responses=PuzzleFilesSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Return the formats and options in which a ready puzzle that you may see is written.

        Options are for worksheets; files that always contain the answers have none.
        """
        puzzle = files.ready_puzzle(request, code)
        form = files.printing_form(request, user_of(request), puzzle, {})
        initial = {name: field.initial for name, field in form.fields.items()}
        return Response(
            {
                "formats": [
                    {
                        "format": one.name,
                        "name": one.shown_name,
                        "extension": one.extension,
                        "media_type": one.mime_type.partition(";")[0],
                        "has_answers": one.has_answers,
                        "url": request.build_absolute_uri(
                            reverse("api:puzzle-file", args=[puzzle.code, one.name])
                        ),
                    }
                    for one in files.formats_of(KINDS[puzzle.kind])
                ],
                "options": [{"name": "key", "values": ["", *KEYS], "default": ""}]
                + [
                    {"name": name, "values": values, "default": _as_text(initial[name])}
                    for name, values in _options_of(form)
                ],
            }
        )


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


_MEDIA_TYPES = sorted({one.mime_type.partition(";")[0] for one in FORMATS.values()})


class PuzzleFileView(ApiView):
    asks = {"get": [FileQuerySerializer]}

    @extend_schema(
        operation_id="puzzles_file_retrieve",
        responses={(200, one): OpenApiTypes.BINARY for one in _MEDIA_TYPES},
    )
    def get(self, request: Request, code: str, format_name: str) -> HttpResponse:
        """Return a ready puzzle that you may see as a file, like the download of its page.

        `/api/puzzles/{code}/files/` lists the formats. The response is 404 for any other format,
        and 400 if the format cannot contain the puzzle, or if the puzzle is not printed with an
        option.
        """
        puzzle = files.ready_puzzle(request, code)
        if format_name not in FORMATS:
            raise NotFound
        asked = read_query(request, FileQuerySerializer)
        key = asked.pop("key", "")
        try:
            printing = _printing(request, puzzle, asked)
        except ValidationError as error:
            raise InvalidQuery(error.detail) from error
        try:
            return files.puzzle_file(puzzle, format_name, key=key, printing=printing)
        except ExportError as error:
            raise ValidationError(said(error.sentence)) from error


# Sets of worksheets --------------------------------------------------------------------------


class SetPrintingSerializer(Strict, PrintingSerializer):
    """How the worksheets of a set are printed; what is not sent is as usual."""


class NewWorksheetSetSerializer(RequestSerializer):
    """What the worksheets of a new set contain, and for whom they are."""

    content = OneOf(choices=WorksheetSet.Content.choices)
    versions = serializers.IntegerField(
        min_value=2,
        max_value=services.MOST_VERSIONS,
        default=2,
        help_text="How many grids, if `content` is `versions`.",
    )
    classroom = IdOf(
        lambda person: classrooms(person, "see progress").filter(archived_at=None),
        required=False,
        allow_null=True,
        help_text="The class whose students get a sheet each, with their name.",
    )
    printing = SetPrintingSerializer(required=False)


class WorksheetSetSerializer(serializers.ModelSerializer[WorksheetSet]):
    """A set of worksheets; it is deleted after a week, because names of students are on it."""

    puzzle = serializers.CharField(source="puzzle.code", help_text="The code of the puzzle.")
    classroom = serializers.IntegerField(source="classroom_id", allow_null=True)
    state = OneOf(choices=SET_STATES)
    reason = serializers.SerializerMethodField(help_text="Why it could not be created.")
    files = serializers.SerializerMethodField(help_text="URLs of the PDFs once it is ready.")

    class Meta:
        model = WorksheetSet
        fields = [
            "id", "puzzle", "classroom", "content", "versions", "state", "reason", "files",
            "created_at",
        ]  # fmt: skip
        read_only_fields = fields

    def get_reason(self, made: WorksheetSet) -> str:
        return said(made.reason)

    @extend_schema_field(serializers.DictField(child=serializers.URLField()))
    def get_files(self, made: WorksheetSet) -> dict[str, str]:
        if made.state != WorksheetSet.State.READY:
            return {}
        request: Request = self.context["request"]
        return {
            which: request.build_absolute_uri(
                reverse("api:worksheet-set-file", args=[made.pk, which])
            )
            for which in files.SET_FILES
        }


class PuzzleWorksheetSetsView(ApiView, generics.ListAPIView[WorksheetSet]):
    serializer_class = WorksheetSetSerializer
    queryset = WorksheetSet.objects.none()
    asks = {"get": PAGES}

    def get_queryset(self) -> QuerySet[WorksheetSet]:
        puzzle = files.ready_puzzle(self.request, self.kwargs["code"])
        sets = services.worksheet_sets(self.request.user).filter(puzzle=puzzle)
        return sets.select_related("puzzle")

    @extend_schema(operation_id="puzzles_worksheets_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return your sets of worksheets of a ready puzzle that you may see, newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="puzzles_worksheets_create",
        request=NewWorksheetSetSerializer,
        responses={202: WorksheetSetSerializer},
    )
    def post(self, request: Request, code: str) -> Response:
        """Create a set of worksheets: a sheet for each student of a class, or versions A, B, C….

        It is drawn in the background: returns 202; repeat GET until `state` is `ready` or `failed`.
        The response is 400 if the class has no students, or you have too many sets in preparation.
        """
        puzzle = files.ready_puzzle(request, code)
        wanted = read_body(request, NewWorksheetSetSerializer)
        try:
            wanted["printing"] = _printing(request, puzzle, wanted.get("printing", {}))
        except ValidationError as error:
            raise ValidationError({"printing": error.detail}) from error
        made = services.request_set(puzzle=puzzle, created_by=user_of(request), **wanted)
        return Response(self.get_serializer(made).data, status=status.HTTP_202_ACCEPTED)


class WorksheetSetViewSet(
    ApiView,
    mixins.RetrieveModelMixin,
    mixins.DestroyModelMixin,
    viewsets.GenericViewSet[WorksheetSet],
):
    """Your sets of worksheets."""

    serializer_class = WorksheetSetSerializer
    queryset = WorksheetSet.objects.none()

    def get_queryset(self) -> QuerySet[WorksheetSet]:
        return services.worksheet_sets(self.request.user).select_related("puzzle")

    def retrieve(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return a set of worksheets of yours; `state` says whether it is ready."""
        return super().retrieve(request, *args, **kwargs)

    def destroy(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Delete a set of worksheets for good, with its files."""
        services.delete_set(worksheet_set=self.get_object())
        return Response(status=204)


class WorksheetSetFileView(ApiView):
    @extend_schema(
        operation_id="worksheets_file_retrieve",
        responses={(200, files.PDF): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int, which: str) -> HttpResponse:
        """Return the `worksheets` of a set of yours, or their `solutions`, as PDF.

        The response is 404 until the set is ready.
        """
        mine = services.worksheet_sets(request.user).filter(state=WorksheetSet.State.READY)
        made = get_object_or_404(mine.select_related("puzzle__vocabulary_list", "classroom"), pk=pk)
        if which not in files.SET_FILES:
            raise NotFound
        return files.set_file(made, which)
