"""HTTP API of a teacher's links to lists and puzzles."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.serializers import RequestSerializer, read_body
from osmosmjerka.rest.views import ApiView
from puzzles import access
from puzzles.models import ShareLink
from puzzles.sharing import services
from vocab.access import vocabulary_lists

LASTING = services.Lasting.values


class ShareLinkSerializer(serializers.ModelSerializer[ShareLink]):
    """A link to a list or to a puzzle."""

    list = serializers.IntegerField(
        source="vocabulary_list_id", allow_null=True, help_text="The id of the list, if it is one."
    )
    puzzle = serializers.CharField(
        source="puzzle.code", default=None, allow_null=True, help_text="Its code, if it is one."
    )

    class Meta:
        model = ShareLink
        fields = ["id", "list", "puzzle", "made_at", "until", "may_copy"]
        read_only_fields = fields


class MadeLinkSerializer(ShareLinkSerializer):
    """A new link, whose URL is told only now."""

    url = serializers.CharField(read_only=True)

    class Meta(ShareLinkSerializer.Meta):
        fields = [*ShareLinkSerializer.Meta.fields, "url"]
        read_only_fields = fields


class NewLinkSerializer(RequestSerializer):
    """A link to create: to a list, or to a puzzle."""

    list = serializers.IntegerField(required=False, help_text="The id of a list that you share.")
    puzzle = serializers.CharField(
        required=False, max_length=16, help_text="The code of a puzzle that you created."
    )
    lasts = OneOf(choices=LASTING, default=services.Lasting.MONTH.value)
    may_copy = serializers.BooleanField(
        default=False, help_text="Whether the words of the list may be copied and downloaded."
    )


class ShareLinksView(ApiView):
    is_for_teachers = True

    @extend_schema(operation_id="links_list", responses=ShareLinkSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return your links that work, the newest first, without their URLs."""
        found = services.links_of(user_of(request))
        return Response(ShareLinkSerializer(found, many=True).data)

    @extend_schema(request=NewLinkSerializer, responses={201: MadeLinkSerializer})
    def post(self, request: Request) -> Response:
        """Create a link to a list or to a puzzle, and return its URL, which is told once.

        Returns 400 if the site has no links, or if not exactly one of the two is named.
        """
        wanted: dict[str, Any] = read_body(request, NewLinkSerializer)
        if ("list" in wanted) == ("puzzle" in wanted):
            raise ValidationError(_("Send either a list or a puzzle."))
        shared: dict[str, Any]
        if "list" in wanted:
            lists = vocabulary_lists(request.user, "share")
            shared = {"vocabulary_list": get_object_or_404(lists, pk=wanted["list"])}
        else:
            made = access.puzzles(request.user, "manage")
            shared = {"puzzle": get_object_or_404(made, code=wanted["puzzle"])}
        link, token = services.create(
            actor=user_of(request), lasts=wanted["lasts"], may_copy=wanted["may_copy"], **shared
        )
        url = request.build_absolute_uri(reverse("shared", args=[token]))
        return Response(ShareLinkSerializer(link).data | {"url": url}, status=201)


class ShareLinkView(ApiView):
    is_for_teachers = True

    @extend_schema(operation_id="links_end", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """End one of your links at once."""
        link = get_object_or_404(ShareLink.objects.filter(made_by=user_of(request)), pk=pk)
        services.end(link=link, actor=user_of(request))
        return Response(status=204)
