"""Pagination of lists in the API.

Not in `rest.requests`, because REST framework imports this module while importing that one.
"""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.fields import IntegerField
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.views import APIView

from osmosmjerka.rest.serializers import InvalidQuery

LARGEST_PAGE = 500
PAGES = ("page", "page_size")


class Pages(PageNumberPagination):
    """Numbered pages, described correctly in OpenAPI 3.1 for the first and last page.

    A size that cannot be is refused, not corrected: a program that asks for 1000 would take the
    first 500 for all there is.
    """

    page_size_query_param = "page_size"
    page_query_description = "The number of a page, from 1, or `last`."
    page_size_query_description = "How many results a page has."

    def get_page_size(self, request: Request) -> int | None:
        asked = request.query_params.get("page_size")
        if asked is None:
            return self.page_size
        try:
            size: int = IntegerField(min_value=1, max_value=LARGEST_PAGE).run_validation(asked)
        except ValidationError as error:
            raise InvalidQuery({"page_size": error.detail}) from error
        return size

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        parameters: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        for each in parameters:
            if each["name"] == "page_size":
                most, usual = LARGEST_PAGE, self.page_size
                each["schema"] |= {"minimum": 1, "maximum": most, "default": usual}
            else:  # a number, or `last`
                each["schema"] = {"type": "string"}
        return parameters

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            link = described["properties"][name]
            del link["nullable"]  # a keyword of OpenAPI 3.0
            link["type"] = ["string", "null"]
        return described
