"""The base of the API's views.

Not in `osmosmjerka.rest`, because REST framework imports that module while importing its views.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request
from rest_framework.views import APIView

from osmosmjerka.rest_requests import InvalidQuery
from osmosmjerka.rest_schema import parameters_of


class ApiView(APIView):
    """A view of the API: refuses parameters of the query that its description does not name."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.META.get("QUERY_STRING"):
            unknown = request.query_params.keys() - parameters_of(self)
            if unknown:
                told = ErrorDetail(_("There is no such parameter."), "unknown")
                raise InvalidQuery({name: [told] for name in sorted(unknown)})
