"""A whole school from a OneRoster file in the API."""

from __future__ import annotations

from typing import Any

from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.classrooms import roster_imports, school_file, school_imports
from osmosmjerka.accounts.classrooms.requests import administered_school, school_roster
from osmosmjerka.accounts.classrooms.school_plan import Options, Plan
from osmosmjerka.accounts.models import RosterImport
from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.schema import refusal
from osmosmjerka.rest.serializers import RequestSerializer, about, read_body
from osmosmjerka.rest.views import ApiView

STATES = RosterImport.State.choices


class SchoolFileSerializer(RequestSerializer):
    """A OneRoster file of a whole school (ZIP; 1.1 or 1.2; bulk or delta)."""

    file = serializers.FileField()
    shorten = serializers.BooleanField(
        default=True, help_text="Shorten students' surnames to their first letter."
    )
    renames = serializers.BooleanField(
        default=False, help_text="Change the names of known students to those in the file."
    )
    ends_missing = serializers.BooleanField(
        default=False,
        help_text="End memberships, and archive classes, that came from an earlier file and are "
        "not in this one.",
    )


class SkippedLineSerializer(serializers.Serializer[Any]):
    """A line that is skipped."""

    file = serializers.CharField()
    line = serializers.IntegerField()
    problem = serializers.CharField(source="text")


class SchoolRosterSerializer(serializers.ModelSerializer[RosterImport]):
    """The import of a OneRoster file: a preview until it is carried out."""

    state = OneOf(choices=STATES)
    counts = serializers.SerializerMethodField(
        help_text="How many changes of each type would be made, or were made."
    )
    is_delta = serializers.SerializerMethodField(
        help_text="true: the file has only what has changed."
    )
    mark = serializers.SerializerMethodField(
        help_text="Send it back to carry out what this preview says; empty if it is none."
    )
    skipped = serializers.SerializerMethodField(help_text="Of a preview.")
    missing = serializers.SerializerMethodField(
        help_text="Of a preview: who is in a class here but not in the file, and stays."
    )

    class Meta:
        model = RosterImport
        fields = (
            "id",
            "state",
            "added_at",
            "is_delta",
            "counts",
            "mark",
            "skipped",
            "missing",
        )

    @cached_property
    def plan(self) -> Plan | None:
        """Return what a preview would change; None if it was carried out."""
        roster = self.instance
        assert isinstance(roster, RosterImport)  # noqa: S101  (for the checker)
        is_preview = roster.state == RosterImport.State.WAITING
        return school_imports.preview(roster) if is_preview else None

    def get_counts(self, roster: RosterImport) -> dict[str, int]:
        return self.plan.counts if self.plan else roster.counts

    def get_is_delta(self, roster: RosterImport) -> bool:
        return not roster.lists_everybody

    def get_mark(self, _roster: RosterImport) -> str:
        return self.plan.mark if self.plan else ""

    @extend_schema_field(SkippedLineSerializer(many=True))
    def get_skipped(self, _roster: RosterImport) -> Any:
        return SkippedLineSerializer(self.plan.problems if self.plan else [], many=True).data

    def get_missing(self, _roster: RosterImport) -> list[str]:
        return [*self.plan.missing_classes, *self.plan.missing_people] if self.plan else []


class ConfirmSerializer(RequestSerializer):
    """Which preview is carried out."""

    mark = serializers.CharField(max_length=64)


class SchoolRosterSummarySerializer(serializers.ModelSerializer[RosterImport]):
    """The import of a OneRoster file, in a list."""

    state = OneOf(choices=STATES)

    class Meta:
        model = RosterImport
        fields = ("id", "state", "created_at", "added_at")


class SchoolRostersView(ApiView):
    @extend_schema(responses=SchoolRosterSummarySerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the imports of the last 30 days, newest first, with previews of the last day."""
        found = administered_school(request, pk).rosters.all()
        return Response(SchoolRosterSummarySerializer(found, many=True).data)

    @extend_schema(
        request={"multipart/form-data": SchoolFileSerializer},
        responses={201: SchoolRosterSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Read a OneRoster file of a whole school; return a preview. Nothing is changed yet.

        The response is 400 if it is no OneRoster file, is too large, or is of several schools.
        """
        school = administered_school(request, pk)
        wanted = read_body(request, SchoolFileSerializer)
        data = wanted["file"].read(school_file.MAX_FILE + 1)
        with about("file"):
            file = school_file.read(data, shorten=wanted["shorten"])
        made = school_imports.begin(
            school=school,
            file=file,
            actor=user_of(request),
            options=Options(wanted["ends_missing"], wanted["renames"]),
        )
        return Response(SchoolRosterSerializer(made).data, status=201)


class SchoolRosterView(ApiView):
    @extend_schema(responses=SchoolRosterSerializer)
    def get(self, request: Request, pk: int, roster_pk: int) -> Response:
        """Return an import: what it would change, how far it is, or what it changed."""
        return Response(SchoolRosterSerializer(school_roster(request, pk, roster_pk)).data)

    @extend_schema(
        operation_id="schools_rosters_import",
        request=ConfirmSerializer,
        responses={
            202: SchoolRosterSerializer,
            400: refusal("The school has changed since this preview, or it was carried out."),
        },
    )
    def post(self, request: Request, pk: int, roster_pk: int) -> Response:
        """Begin to carry out a preview: all of it, or if that fails nothing.

        If the school changes before that, the state is `waiting` again and nothing was changed.
        """
        wanted = read_body(request, ConfirmSerializer)
        found = school_roster(request, pk, roster_pk)
        try:
            school_imports.request_import(roster=found, actor=user_of(request), mark=wanted["mark"])
        except roster_imports.PreviewChanged:
            said = _("The school has changed since this preview was shown. Check it again.")
            raise serializers.ValidationError({"mark": [said]}) from None
        return Response(
            SchoolRosterSerializer(school_roster(request, pk, roster_pk)).data, status=202
        )

    @extend_schema(responses={204: None, 400: refusal("This can no longer be undone.")})
    def delete(self, request: Request, pk: int, roster_pk: int) -> Response:
        """Discard a preview, or begin to undo the last import, for 30 days.

        Accounts that were created and that nobody has used are deleted.
        """
        found = school_roster(request, pk, roster_pk)
        if found.state == RosterImport.State.WAITING:
            roster_imports.discard(roster=found)
        else:
            school_imports.request_undo(roster=found, actor=user_of(request))
        return Response(status=204)
