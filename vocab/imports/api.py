"""The HTTP API of imports: get the preview, apply the import, undo it."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.serializers import RequestSerializer, read_body
from osmosmjerka.rest.views import ApiView
from vocab import access
from vocab.formats import IMPORTS, OPTIONS
from vocab.formats.repairs import REPAIRS
from vocab.formats.rows import FormatError, Problem
from vocab.imports import changes
from vocab.imports import services as imports
from vocab.models import Import
from vocab.sentences import said

SHOWN = 500
_SWITCHES = ("has_header", "html", "mixed")
_SETTINGS = {"format", *OPTIONS}


class ColumnsField(serializers.JSONField):
    """Names of fields by headers; in a form, as JSON."""

    also_described = {"type": "object", "additionalProperties": {"type": "string"}}


class SettingsField(serializers.JSONField):
    """Options of the formats; in a form, as JSON."""

    also_described = {
        "type": "object",
        "properties": {
            name: {"type": "boolean" if name in _SWITCHES else "string"}
            for name in sorted(_SETTINGS)
        },
        "additionalProperties": False,
    }


class NewTextImportSerializer(RequestSerializer):
    """A text to import, with optional settings; anything omitted is guessed."""

    text = serializers.CharField(trim_whitespace=False)
    format = OneOf(choices=list(IMPORTS), required=False)
    policy = OneOf(choices=Import.Policy.choices, required=False)
    repair = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text=f"Names of repairs of a text, separated by spaces: {', '.join(REPAIRS)}. "
        "Those that may help are in `problems`; “” reads the lines as they are.",
    )
    columns = ColumnsField(required=False, help_text="Maps headers to fields.")
    settings = SettingsField(
        required=False,
        help_text="encoding, delimiter, row_separator, has_header, repair, sheet, html",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.get("file") and not attrs.get("text"):
            raise serializers.ValidationError(_("Send a file or text."))
        for name in ("columns", "settings"):
            if not isinstance(attrs.get(name, {}), dict):
                raise serializers.ValidationError({name: _("Send an object, in curly brackets.")})
        for header, field in attrs.get("columns", {}).items():
            if not isinstance(field, str):
                raise serializers.ValidationError(
                    {"columns": _("The value of “%(name)s” must be text.") % {"name": header}}
                )
        for name, value in attrs.get("settings", {}).items():
            if name in _SWITCHES and not isinstance(value, bool):
                raise serializers.ValidationError(
                    {
                        "settings": _("The value of “%(name)s” must be true or false.")
                        % {"name": name}
                    }
                )
            if name not in _SWITCHES and not isinstance(value, str):
                raise serializers.ValidationError(
                    {"settings": _("The value of “%(name)s” must be text.") % {"name": name}}
                )
        return attrs


class NewImportSerializer(NewTextImportSerializer):
    """A file or a text to import, with optional settings; anything omitted is guessed."""

    text = serializers.CharField(required=False, trim_whitespace=False)
    file = serializers.FileField(required=False)


class ImportSerializer(serializers.ModelSerializer[Import]):
    plan = serializers.SerializerMethodField(
        help_text=f"While it waits, the preview: the first {SHOWN} rows with outcomes."
    )
    problems = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField(help_text="In percent.")

    class Meta:
        model = Import
        fields = [
            "id",
            "vocabulary_list",
            "state",
            "policy",
            "name",
            "settings",
            "columns",
            "problems",
            "plan",
            "progress",
            "added",
            "changed",
        ]
        extra_kwargs = {
            "name": {"help_text": "The name of the file; empty for a text."},
            "settings": {"help_text": "As guessed or given: format, delimiter, encoding, …"},
        }

    def get_problems(self, import_: Import) -> list[dict[str, Any]]:
        found = [Problem.from_json(problem) for problem in import_.problems]
        return [
            {
                "line": one.line,
                "severity": one.severity,
                "message": said(one),
                "repairs": list(one.repairs),
            }
            for one in found
        ]

    def get_plan(self, import_: Import) -> list[dict[str, Any]]:
        if import_.state != Import.State.WAITING:
            return []
        return [
            {
                "line": item.row.line,
                "outcome": item.outcome,
                "term": item.row.term,
                "translations": item.row.translations,
                "changes": [change._asdict() for change in item.changes],
                "reason": said(item.problem) if item.problem else "",
            }
            for item in changes.plan_of(import_)[:SHOWN]
        ]

    def get_progress(self, import_: Import) -> int:
        if import_.state in {Import.State.APPLIED, Import.State.UNDONE}:
            return 100
        job = imports.job_of(import_)
        return job.progress if job else 0


def import_into(request: Request, vocabulary_list: Any) -> Import:
    """Start an import from a request to the API."""
    wanted = read_body(request, NewImportSerializer)
    settings = dict(wanted.get("settings") or {})
    settings |= {name: wanted[name] for name in ("format", "repair") if name in wanted}
    if unknown := settings.keys() - _SETTINGS:
        names = {"names": ", ".join(sorted(unknown))}
        raise serializers.ValidationError({"settings": _("Unknown settings: %(names)s.") % names})
    try:
        return imports.start_import(
            vocabulary_list=vocabulary_list,
            created_by=request.user,  # type: ignore[arg-type]  # authenticated
            file=wanted.get("file"),
            text=wanted.get("text", ""),
            policy=wanted.get("policy", Import.Policy.REPLACE),
            columns=wanted.get("columns"),
            **settings,
        )
    except FormatError as error:
        raise serializers.ValidationError({"file": said(error)}) from error


class ImportViewSet(ApiView, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Import]):
    """Return an import into a list that you may edit.

    Start an import at `/api/lists/{id}/import/`. While its `state` is `waiting`, `plan` is the
    preview; nothing in the list has changed.
    """

    queryset = Import.objects.none()
    serializer_class = ImportSerializer

    def get_queryset(self) -> QuerySet[Import]:
        return access.imports(self.request.user)

    @extend_schema(request=None, responses=ImportSerializer)
    @action(detail=True, methods=["post"])
    def apply(self, request: Request, pk: str | None = None) -> Response:
        """Apply a waiting import to its list.

        A large import continues in the background; poll its `state` and `progress`. The response is
        400 if the import is not waiting, or if another import into the list is in progress.
        """
        return self._done(imports.apply_import)

    @extend_schema(request=None, responses=ImportSerializer)
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, pk: str | None = None) -> Response:
        """Undo an applied import exactly; a large one in the background.

        The response is 400 if the import is not applied, or if the list has changed since, because
        undoing would lose those changes.
        """
        return self._done(imports.undo_import)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, pk: str | None = None) -> Response:
        """Discard a waiting import. The response is 400 if it is applied already."""
        imports.discard_import(import_=self.get_object())
        return Response(status=204)

    def _done(self, verb: Any) -> Response:
        verb(import_=self.get_object())
        return Response(self.get_serializer(self.get_object()).data)
