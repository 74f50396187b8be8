"""The bin in the API."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.rest.requests import teacher_of, user_of
from osmosmjerka.rest.schema import refusal
from osmosmjerka.rest.views import ApiView


class BinnedSerializer(serializers.Serializer[Any]):
    """One thing in the bin."""

    section = serializers.CharField(help_text="For example `lists` or `students`.")
    id = serializers.IntegerField()
    name = serializers.CharField()
    detail = serializers.CharField(
        help_text="What tells things of one name apart: the type of a puzzle, a username; or empty."
    )
    deleted_at = serializers.DateTimeField()
    gone_at = serializers.DateTimeField(help_text="When it is permanently deleted.")


class BinView(ApiView):
    """What you can restore."""

    @extend_schema(
        responses={200: BinnedSerializer(many=True), 404: refusal("Students have no bin.")}
    )
    def get(self, request: Request) -> Response:
        """Return what was deleted in the last 30 days and you may restore, by type, newest first.

        Teachers see what they could delete; students have no bin (404).
        """
        person = teacher_of(request)
        rows = [
            {
                "section": section.name,
                "id": item.thing.pk,
                "name": str(item.thing),
                "detail": item.detail,
                "deleted_at": item.thing.deleted_at,
                "gone_at": item.gone_at,
            }
            for section, items in bin.contents(person)
            for item in items
        ]
        return Response(BinnedSerializer(rows, many=True).data)


class RestoreView(ApiView):
    """Restore what was deleted."""

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, section: str, pk: int) -> Response:
        """Restore one thing from the bin, with everything that belonged to it.

        Returns 400 with the reason if it cannot be restored now, for example a puzzle whose list is
        in the bin.
        """
        person = user_of(request)
        try:
            of, thing = bin.find(person, section, pk)
        except ObjectDoesNotExist:
            raise NotFound from None
        bin.restore(of, thing, person)
        return Response(status=204)
