"""Pagination of lists in the API.

Not in `osmosmjerka.rest`, because REST framework imports this module while importing that one.
"""

from __future__ import annotations

from typing import Any

from rest_framework.pagination import PageNumberPagination


class Pages(PageNumberPagination):
    """Numbered pages, described correctly in OpenAPI 3.1 for the first and last page."""

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            link = described["properties"][name]
            del link["nullable"]  # a keyword of OpenAPI 3.0
            link["type"] = ["string", "null"]
        return described
