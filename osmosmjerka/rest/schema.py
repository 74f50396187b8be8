"""The description of the API (OpenAPI), made from its views; every operation names its errors."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent
from drf_spectacular.utils import Direction, OpenApiParameter, OpenApiResponse
from rest_framework import serializers
from rest_framework.views import APIView

from osmosmjerka.rest.serializers import Strict
from osmosmjerka.web.problems import MEDIA_TYPE


class InvalidValueSerializer(serializers.Serializer[Any]):
    """An invalid value of the body, or an invalid parameter of the query."""

    pointer = serializers.CharField(
        required=False, help_text="A JSON pointer into the body, like `#/entries/1/term`."
    )
    parameter = serializers.CharField(required=False, help_text="The name of a parameter.")
    detail = serializers.CharField(help_text="For people, in their language.")
    code = serializers.CharField(help_text="For programs, like `required`.")


class ProblemSerializer(serializers.Serializer[Any]):
    """Why nothing was done: problem details (RFC 9457)."""

    type = serializers.CharField(help_text="`about:blank`: `status` and `code` say it all.")
    title = serializers.CharField(help_text="HTTP’s name of the status, in English.")
    status = serializers.IntegerField()
    code = serializers.CharField(
        help_text="For programs, like `invalid`, `not_found`, `session_finished` or `slow_down`."
    )
    detail = serializers.CharField(help_text="For people, in their language.")
    errors = InvalidValueSerializer(  # type: ignore[assignment]  # fields leave the class
        many=True, required=False, help_text="If single values are invalid."
    )


VERSION = OpenApiParameter(
    "v", description="Any text: a file that has changed has another URL, as it may be cached."
)


def refusal(description: str) -> OpenApiResponse:
    """Describe an error whose reason is special to an operation."""
    return OpenApiResponse(ProblemSerializer, description)


# {status: (name of the component, description)}
_ERRORS = {
    400: ("BadRequest", "A value is invalid, a field or a parameter unknown, or it cannot be now."),
    401: ("Unauthorized", "You are not logged in, or the token is unknown or has expired."),
    403: (
        "Forbidden",
        "You or your token may not do this, or the request did not come over HTTPS.",
    ),
    404: ("NotFound", "There is no such thing, or you may not know of it."),
    406: ("NotAcceptable", "You accept no format in which this can be answered."),
    413: ("ContentTooLarge", "The body is too large."),
    415: ("UnsupportedMediaType", "The body has a format that this operation does not read."),
    429: ("TooManyRequests", "There were too many requests with this token."),
    500: ("InternalServerError", "Something went wrong on our side."),
    503: (
        "ServiceUnavailable",
        "The site is busy, being updated, or cannot reach its data. Try again later.",
    ),
}
_RETRY_AFTER = {
    "Retry-After": {"description": "Seconds until the next try.", "schema": {"type": "integer"}}
}
_WITH_RETRY_AFTER = {429, 503}


class Schema(AutoSchema):
    """Describes an operation of the API with all its errors, and what its body may hold.

    A serializer that reads changes (PATCH) names the fields that must be sent all the same in
    `always_required`. A field names in `also_described` what else JSON Schema can say of it.
    """

    def _map_basic_serializer(self, serializer: Any, direction: Direction) -> dict[str, Any]:
        described: dict[str, Any] = super()._map_basic_serializer(serializer, direction)
        if not vars(type(serializer)).get("__doc__"):  # that of a base says nothing of this one
            described.pop("description", None)
        if direction == "request" and isinstance(serializer, Strict):
            described["additionalProperties"] = False
            if always := getattr(serializer, "always_required", ()):
                described["required"] = sorted({*described.get("required", ()), *always})
        return described

    def _map_serializer_field(
        self, field: Any, direction: Direction, bypass_extensions: bool = False
    ) -> dict[str, Any] | None:
        described: dict[str, Any] | None = super()._map_serializer_field(
            field, direction, bypass_extensions
        )
        if described is not None and direction == "request":
            if not getattr(field, "allow_empty", True) and described.get("type") == "array":
                described["minItems"] = 1
            if not getattr(field, "allow_empty_file", True):
                described["minLength"] = 1
            described |= getattr(field, "also_described", {})
        return described

    def _get_request_body(self, direction: Direction = "request") -> dict[str, Any] | None:
        body: dict[str, Any] | None = super()._get_request_body(direction)
        if body and [*body["content"]] == ["multipart/form-data"]:
            body["required"] = True  # a file; of several bodies, openapi-python-client takes none
        return body

    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, Any]:
        own: dict[str, Any] = super()._get_response_bodies(direction)
        common = {str(status): self._error(status) for status in self._possible_errors()}
        return dict(sorted((common | own).items()))

    def _get_response_for_code(
        self,
        serializer: Any,
        status_code: str,
        media_types: Any = None,
        direction: Direction = "response",
    ) -> dict[str, Any]:
        if status_code >= "400" and not media_types:
            media_types = [MEDIA_TYPE]
        described: dict[str, Any] = super()._get_response_for_code(
            serializer, status_code, media_types, direction
        )
        if int(status_code) in _WITH_RETRY_AFTER:
            described["headers"] = _RETRY_AFTER
        return described

    def names_of_parameters(self) -> frozenset[str]:
        """Return the names that a query may hold."""
        self.path = self.path_regex = ""
        self.registry = ComponentRegistry()
        return frozenset(one["name"] for one in self._get_parameters() if one["in"] == "query")

    def _possible_errors(self) -> set[int]:
        """Return the statuses with which the operation may refuse a request."""
        possible = {400, 403, 406, 500, 503}
        if self.view.get_authenticators():
            possible |= {401, 429}
        # Pages of lists that do not exist are not found either.
        has_pages = self._is_list_view() and self._get_paginator()
        if "{" in self.path or has_pages or getattr(self.view, "is_for_teachers", False):
            possible.add(404)
        if self._get_request_body():
            possible |= {413, 415}
        return possible

    def _error(self, status: int) -> dict[str, Any]:
        """Return the reference to the description of an error that many operations have."""
        name, description = _ERRORS[status]
        component = ResolvedComponent(name, ResolvedComponent.RESPONSE, object=ProblemSerializer)
        if component not in self.registry:
            component.schema = self._get_response_for_code(refusal(description), str(status))
            self.registry.register(component)
        reference: dict[str, Any] = component.ref
        return reference


# By view, action or method: what a view takes does not change while the site runs.
_parameters: dict[tuple[type[APIView], str, str], frozenset[str]] = {}


def parameters_of(view: APIView) -> frozenset[str]:
    """Return the names of the parameters that the operation of a request is described with.

    Of a method that the view does not have, none are known.
    """
    method = "GET" if view.request.method == "HEAD" else str(view.request.method)
    name = getattr(view, "action", None) or method.lower()
    key = (type(view), name, method)
    if key not in _parameters:
        described = getattr(getattr(view, name, None), "kwargs", {}).get("schema")
        schema = described() if described else Schema()
        schema.view, schema.method = view, method
        _parameters[key] = schema.names_of_parameters()
    return _parameters[key]
