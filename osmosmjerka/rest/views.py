"""The base of the API's views.

Not in `rest.requests`, because REST framework imports that module while importing its views.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, ClassVar, NoReturn

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, ErrorDetail, Throttled, ValidationError
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.requests import teacher_of
from osmosmjerka.rest.serializers import InvalidQuery

# "page" and "format" are described with the view's pages and formats.
Asked = str | OpenApiParameter | type[Serializer[Any]]


class ApiView(APIView):
    """A view of the API: refuses parameters of the query that its description does not name.

    It tells programs how many requests their token has left, and refuses too many.
    """

    # For students, it is as if the view did not exist.
    is_for_teachers = False
    # By action, or method if there is none: the parameters of the query, and serializers of some.
    asks: ClassVar[Mapping[str, Sequence[Asked]]] = {}

    def asked(self, method: str) -> Sequence[Asked]:
        """Return what the operation of a method takes in the query."""
        name = getattr(self, "action", None) or ("get" if method == "HEAD" else method.lower())
        return self.asks.get(name, ())

    def parameters(self) -> set[str]:
        """Return the names of what the query of this request may hold."""
        return {name for one in self.asked(str(self.request.method)) for name in _names(one)}

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Choose the format of the answer; refuse a `format` that there is not as a parameter."""
        try:
            return super().perform_content_negotiation(request, force)
        except Http404:  # so says REST framework
            with suppress(APIException):
                request.user  # noqa: B018  (authenticates, which activates the reader's language)
            if "format" not in self.parameters():
                raise _unknown({"format"}) from None
            offered = OneOf([one.format for one in self.get_renderers()])
            try:
                offered.run_validation(request.query_params["format"])
            except ValidationError as error:
                raise InvalidQuery({"format": error.detail}) from None
            raise

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.META.get("QUERY_STRING") and self._is_offered(request):
            unknown = request.query_params.keys() - self.parameters()
            if unknown:
                raise _unknown(unknown)
        if self.is_for_teachers and self._is_offered(request):
            teacher_of(request)

    def _is_offered(self, request: Request) -> bool:
        """Return whether the view has the method; otherwise it is refused for that (405)."""
        method = str(request.method).lower()
        return method in self.http_method_names and hasattr(self, method)

    def throttled(self, request: Request, wait: float) -> NoReturn:
        seconds = round(wait)
        told = ngettext(
            "There were too many requests with this token. Try again in %(seconds)s second.",
            "There were too many requests with this token. Try again in %(seconds)s seconds.",
            seconds,
        )
        refusal = Throttled(detail=told % {"seconds": seconds})
        refusal.wait = wait  # type: ignore[attr-defined]  # read by rest.handle_exception
        raise refusal

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in getattr(request, "rate_headers", {}).items():
            response[name] = value
        return response


@cache
def _names(asked: Asked) -> frozenset[str]:
    if isinstance(asked, str):
        return frozenset([asked])
    return frozenset([asked.name] if isinstance(asked, OpenApiParameter) else asked().fields)


def _unknown(names: Iterable[str]) -> InvalidQuery:
    told = ErrorDetail(_("There is no such parameter."), "unknown")
    return InvalidQuery({name: [told] for name in sorted(names)})
