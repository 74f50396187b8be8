"""What requests to the API may hold: a field or a parameter that is not described is refused.

A misspelt field that is ignored is worse than an error: the program believes that it was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.settings import api_settings

from osmosmjerka.rest.fields import OneOf

if TYPE_CHECKING:
    from osmosmjerka.accounts.access import Person

    _RelatedField = serializers.RelatedField[Any, Any, Any]
    _Serializer = serializers.Serializer[Any]
else:
    _RelatedField = _Serializer = object


class Strict(_Serializer):
    """For serializers that read requests: refuse fields that they do not have or only return."""

    serializer_choice_field: ClassVar[type[serializers.Field[Any, Any, Any, Any]]] = OneOf

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refused = {name: told for name in data if (told := self._refusal(name))}
            if not isinstance(data, QueryDict):  # a form has only texts
                for name in data.keys() - refused.keys():
                    if told := _of_other_type(self.fields[name], data[name]):
                        refused[name] = told
            if refused:
                raise ValidationError(refused)
        else:
            raise ValidationError({api_settings.NON_FIELD_ERRORS_KEY: _wrong_type(dict)})
        return super().to_internal_value(data)

    def _refusal(self, name: str) -> list[ErrorDetail] | None:
        field = self.fields.get(name)
        if field is None:
            return [ErrorDetail(_("There is no such field."), "unknown")]
        if field.read_only:
            return [ErrorDetail(_("This field cannot be set."), "read_only")]
        return None


# REST framework takes a number for a text, a text for a number, 1 for true, and so on; and names
# the types of Python for others.
_TYPES: dict[Any, set[type]] = {
    serializers.BooleanField: {bool},
    serializers.IntegerField: {int, float},  # 5.0 is a whole number, too
    serializers.FloatField: {int, float},
    serializers.PrimaryKeyRelatedField: {int, float},
    serializers.CharField: {str},
    serializers.UUIDField: {str},
    (serializers.ListField, serializers.ListSerializer, serializers.ManyRelatedField): {list},
    (serializers.DictField, serializers.Serializer): {dict},
}
_WANTED = {
    bool: gettext_lazy("Send true or false, without quotation marks."),
    int: gettext_lazy("Send a number, without quotation marks."),
    str: gettext_lazy("Send text, in quotation marks."),
    list: gettext_lazy("Send a list, in square brackets."),
    dict: gettext_lazy("Send an object, in curly brackets."),
}


def _of_other_type(field: Any, value: Any) -> Any:
    """Return what is wrong with the type of a JSON value, nested as it is; None if nothing is."""
    if isinstance(field, serializers.ListField) and isinstance(value, list):
        return _below(field, enumerate(value))
    if isinstance(field, serializers.DictField) and isinstance(value, dict):
        return _below(field, value.items())
    if value is None:  # whether it may be, the field knows
        return None
    if isinstance(field, serializers.ChoiceField):
        # A choice of Django is a subclass of what it is in JSON.
        types = {str if isinstance(one, str) else type(one) for one in field.choices}
        types |= {str} if field.allow_blank else set()
    else:
        kinds = (types for kind, types in _TYPES.items() if isinstance(field, kind))
        types = next(kinds, {type(value)})
    if type(value) in types:
        return None
    return _wrong_type(*types)


def _wrong_type(*types: type) -> list[ErrorDetail]:
    wanted = next(told for one, told in _WANTED.items() if one in types)
    return [ErrorDetail(str(wanted), "wrong_type")]


def _below(field: Any, values: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    return {name: told for name, one in values if (told := _of_other_type(field.child, one))}


class RequestSerializer(Strict, serializers.Serializer[Any]):
    """Base of the serializers of request bodies."""


class _Allowed(_RelatedField):
    """Names one of the rows that the person who asks may use; others must seem not to exist."""

    default_error_messages = {
        "does_not_exist": gettext_lazy("It does not exist, or you may not use it.")
    }

    def __init__(self, rows: Callable[[Person], QuerySet[Any]], **kwargs: Any) -> None:
        self._rows = rows
        super().__init__(queryset=rows(AnonymousUser()), **kwargs)  # of the same model

    def get_queryset(self) -> QuerySet[Any]:
        return self._rows(self.context["request"].user)


class IdOf(_Allowed, serializers.PrimaryKeyRelatedField[Any]):
    """The id of one of the *rows* that the person who asks may use."""


class CodeOf(_Allowed, serializers.SlugRelatedField[Any]):
    """The code of one of the *rows* that the person who asks may use."""

    def __init__(self, rows: Callable[[Person], QuerySet[Any]], **kwargs: Any) -> None:
        super().__init__(rows, slug_field="code", **kwargs)


class InvalidQuery(ValidationError):
    """Parameters of the query are invalid, not values of the body."""


def read_query(request: Request, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    """Return the parameters of the query that a serializer describes, or raise InvalidQuery.

    Parameters that nothing describes are refused by `rest_views.ApiView`.
    """
    asked = serializer(data=request.query_params.dict())
    if not asked.is_valid():
        raise InvalidQuery(asked.errors)
    return dict(asked.validated_data)


def read_body(request: Request, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    """Return the body of a request, checked by a serializer, or raise ValidationError."""
    asked = serializer(data=request.data, context={"request": request})
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)


@contextmanager
def about(field: str) -> Iterator[None]:
    """Report what a service refuses as an error of *field* of the body."""
    try:
        yield
    except DjangoValidationError as error:
        raise ValidationError({field: error.messages}) from error


@contextmanager
def within(field: str, *, but: Collection[str] = ()) -> Iterator[None]:
    """Report a service's errors of single values as errors of values in *field* of the body.

    Values in *but* are in the body itself.
    """
    try:
        yield
    except DjangoValidationError as error:
        if not hasattr(error, "error_dict"):
            raise
        told = error.message_dict
        of_body = {name: told.pop(name) for name in but if name in told}
        raise ValidationError(of_body | ({field: told} if told else {})) from error
