"""The base of the API's views.

Not in `osmosmjerka.rest`, because REST framework imports that module while importing its views.
"""

from __future__ import annotations

from typing import Any, NoReturn

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from rest_framework.exceptions import ErrorDetail, Throttled
from rest_framework.request import Request
from rest_framework.views import APIView

from osmosmjerka.rest_requests import InvalidQuery
from osmosmjerka.rest_schema import parameters_of


class ApiView(APIView):
    """A view of the API: refuses parameters of the query that its description does not name.

    It tells programs how many requests their token has left, and refuses too many.
    """

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.META.get("QUERY_STRING") and self._is_offered(request):
            unknown = request.query_params.keys() - parameters_of(self)
            if unknown:
                told = ErrorDetail(_("There is no such parameter."), "unknown")
                raise InvalidQuery({name: [told] for name in sorted(unknown)})

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
        if rate := getattr(request, "rate", None):
            for name, value in rate.headers.items():
                response[name] = value
        return response
