"""How long lists are handed out through the API.

Apart from `osmosmjerka.rest`, because REST framework imports this while it imports that.
"""

from __future__ import annotations

from typing import Any

from rest_framework.pagination import PageNumberPagination


class Pages(PageNumberPagination):
    """Pages by their number, described so that OpenAPI 3.1 knows of the first and the last."""

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            link = described["properties"][name]
            del link["nullable"]  # a word of OpenAPI 3.0
            link["type"] = ["string", "null"]
        return described
