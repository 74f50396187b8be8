"""Helpers for all API views: whose request it is, parsing its body, reporting errors."""

from __future__ import annotations

import math
from contextlib import suppress
from json import JSONDecodeError
from typing import IO, TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.exceptions import ValidationError as DjangoValidationError
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request

from osmosmjerka.rest.serializers import InvalidQuery
from osmosmjerka.web.outages import outage_of
from osmosmjerka.web.problems import invalid, problem
from osmosmjerka.web.views import too_large

if TYPE_CHECKING:
    from osmosmjerka.accounts.models import User


class PlainJSONParser(JSONParser):
    """Parse a JSON object whose text can be stored: no lone surrogates or nulls, no deep nesting.

    No address of the API takes anything but an object.
    """

    def parse(self, stream: IO[Any], *args: Any, **kwargs: Any) -> Any:
        try:
            try:
                parsed = super().parse(stream, *args, **kwargs)
            except exceptions.ParseError as error:  # the framework's sentence is in English only
                raise exceptions.ParseError(_reason(error.__context__)) from error
            if not isinstance(parsed, dict):
                raise exceptions.ParseError(_("Send an object, in curly brackets."))
            _refuse_half_characters(parsed)
        except RecursionError:
            raise exceptions.ParseError(_("The JSON is nested too deeply.")) from None
        return parsed


def _reason(error: BaseException | None) -> str:
    """Return why a text is not JSON: the parser's own reason is in English only."""
    if isinstance(error, JSONDecodeError):
        return _("This is not JSON. Check line %(line)s, character %(column)s.") % {
            "line": error.lineno,
            "column": error.colno,
        }
    if isinstance(error, UnicodeDecodeError):
        return _("The request is not in UTF-8.")
    return _("This is not valid JSON: NaN and Infinity are not allowed.")


class PlainMultiPartParser(MultiPartParser):
    """Parse multipart forms; say in the reader's language if that is impossible."""

    def parse(self, stream: IO[Any], *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(stream, *args, **kwargs)
        except exceptions.ParseError as error:
            raise exceptions.ParseError(_("This is not a multipart form.")) from error


def _refuse_half_characters(value: Any) -> None:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise exceptions.ParseError(_("The text contains an invalid character.")) from None
        if "\0" in value:
            raise exceptions.ParseError(_("The text contains a null character."))
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_half_characters(key)
            _refuse_half_characters(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_half_characters(item)


def handle_exception(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Return the problem details of an error; None if it is ours or an outage (`web.views`).

    400 for a service's ValidationError, 413 for a body that is too large. A 404 says "Not found."
    in the reader's language, because Django's message names our models. What is refused before
    authentication is said in the language of the token's owner, too.
    """
    if outage_of(error) is not None:  # nobody can be authenticated
        return None
    with suppress(exceptions.APIException):
        context["request"].user  # noqa: B018  (authenticates, which activates the language)
    if isinstance(error, DjangoValidationError):
        return invalid(error.message_dict if hasattr(error, "error_dict") else error.messages)
    if isinstance(error, exceptions.ValidationError):
        return invalid(error.detail, of_query=isinstance(error, InvalidQuery))
    if isinstance(error, RequestDataTooBig):
        return too_large()
    if isinstance(error, Http404):
        error = NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    elif isinstance(error, NotAuthenticated):  # keeps its challenge
        told = _("Log in first. Programs send a token, which they get at /api/token/.")
        error.detail = exceptions.ErrorDetail(told, NotAuthenticated.default_code)
    elif isinstance(error, exceptions.NotAcceptable):
        error = exceptions.NotAcceptable(available_renderers=error.available_renderers)
    if not isinstance(error, exceptions.APIException):
        return None
    return problem(
        error.status_code, str(error.detail), str(error.get_codes()), headers=_headers_of(error)
    )


def _headers_of(error: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(math.ceil(wait))
    return headers


def user_of(request: Request) -> User:
    """Return the user of a request; every API view but the token's needs one."""
    if not request.user.is_authenticated:
        raise NotAuthenticated
    return request.user


def teacher_of(request: Request) -> User:
    """Return the user if they are a teacher; for students, raise NotFound."""
    person = user_of(request)
    if not person.is_teacher:
        raise NotFound
    return person


def student_of(request: Request) -> User:
    """Return the user if they are a student; for anybody else, raise NotFound."""
    person = request.user
    if not person.is_authenticated or not person.is_student:
        raise NotFound
    return person
