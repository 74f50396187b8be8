"""The statements of a class as a file: for page and API alike."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse

from osmosmjerka.accounts.models import Classroom
from puzzles.xapi import statements as xapi
from puzzles.xapi import sync

# {format: its media type}: a statement in each line, or all of them in one array.
FORMATS = {"ndjson": "application/x-ndjson", "json": "application/json"}


def statements_file(classroom: Classroom, file_format: str, address: str) -> HttpResponse:
    """Return what a class did as xAPI statements to download, written as they are read.

    *file_format* is a key of FORMATS, and *address* the URL of this site.
    """
    # The same site as for the record store, if there is one, so that ids are the same.
    site = sync.site() if settings.XAPI_URL else address
    statements = xapi.statements_of_class(classroom, site)
    written = {"json": _array, "ndjson": _lines}[file_format](statements)
    name = f"class-{classroom.pk}.{file_format}"
    return StreamingHttpResponse(  # type: ignore[return-value]  # a response all the same
        written,
        content_type=FORMATS[file_format],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _lines(statements: Iterable[dict[str, Any]]) -> Iterator[str]:
    for statement in statements:
        yield f"{_text(statement)}\n"


def _array(statements: Iterable[dict[str, Any]]) -> Iterator[str]:
    before = "["
    for statement in statements:
        yield f"{before}\n{_text(statement)}"
        before = ","
    yield "[]\n" if before == "[" else "\n]\n"


def _text(statement: dict[str, Any]) -> str:
    return json.dumps(statement, ensure_ascii=False)
