"""The description of the API (OpenAPI), made from its views; every operation names its errors."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import Direction, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

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
    """Describes an operation of the API with all its errors."""

    def get_override_parameters(self) -> list[Any]:
        """Return what the view asks of the query, but what is described for all such views."""
        asked = self.view.asked(self.method) if hasattr(self.view, "asked") else ()
        return [one for one in asked if not isinstance(one, str)]

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        body = operation.get("requestBody")
        if body and [*body["content"]] == ["multipart/form-data"]:
            body["required"] = True  # a file; of several bodies, openapi-python-client takes none
        common = {str(status): self._error(status) for status in self._possible_errors(operation)}
        for status, response in operation["responses"].items():
            if status >= "400" and [*response["content"]] == ["application/json"]:
                response["content"] = {MEDIA_TYPE: response["content"]["application/json"]}
            if int(status) in _WITH_RETRY_AFTER:
                response["headers"] = _RETRY_AFTER
        operation["responses"] = dict(sorted((common | operation["responses"]).items()))
        return operation

    def _possible_errors(self, operation: dict[str, Any]) -> set[int]:
        """Return the statuses with which the operation may refuse a request."""
        possible = {400, 403, 406, 500, 503}
        if self.view.get_authenticators():
            possible |= {401, 429}
        # Pages of lists that do not exist are not found either.
        has_pages = any(one["name"] == "page" for one in operation.get("parameters", ()))
        if "{" in self.path or has_pages or getattr(self.view, "is_for_teachers", False):
            possible.add(404)
        if "requestBody" in operation:
            possible |= {413, 415}
        return possible

    def _error(self, status: int) -> dict[str, Any]:
        """Return the reference to the description of an error that many operations have."""
        name, description = _ERRORS[status]
        told = self.resolve_serializer(ProblemSerializer(), "response").ref
        schema: dict[str, Any] = {"content": {MEDIA_TYPE: {"schema": told}}}
        if status in _WITH_RETRY_AFTER:
            schema["headers"] = _RETRY_AFTER
        component = ResolvedComponent(
            name,
            ResolvedComponent.RESPONSE,
            schema | {"description": description},
            object=ProblemSerializer,
        )
        self.registry.register_on_missing(component)
        reference: dict[str, Any] = component.ref
        return reference


class BodyExtension(OpenApiSerializerExtension):
    """Describes more of what a serializer takes.

    A serializer that reads changes (PATCH) names the fields that must be sent all the same in
    `always_required`. A field names in `also_described` what else JSON Schema can say of it.
    """

    target_class = serializers.Serializer
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        described: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        if not vars(type(self.target)).get("__doc__"):  # that of a base says nothing of this one
            described.pop("description", None)
        if direction == "request":
            if isinstance(self.target, Strict):
                described["additionalProperties"] = False
                if always := getattr(self.target, "always_required", ()):
                    described["required"] = sorted({*described.get("required", ()), *always})
            for name, field in described.get("properties", {}).items():
                _describe_further(self.target.fields[name], field)
        return described


def _describe_further(field: serializers.Field[Any, Any, Any, Any], described: Any) -> None:
    if isinstance(field, serializers.ListField):
        _describe_further(field.child, described["items"])
        if not field.allow_empty:
            described["minItems"] = 1
    if not getattr(field, "allow_empty_file", True):
        described["minLength"] = 1
    described |= getattr(field, "also_described", {})
