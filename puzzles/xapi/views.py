"""What a class did as a file of xAPI statements: the page, and what the API needs of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from osmosmjerka.accounts.models import Classroom
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles.class_pages import followed
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


@teacher_required
@require_safe
def xapi_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return what the class did as xAPI statements: one per line, or with ?format=json an array."""
    classroom, wanted = followed(request, pk), request.GET.get("format", "ndjson")
    if wanted not in FORMATS:
        raise Http404
    return statements_file(classroom, wanted, request.build_absolute_uri("/"))
