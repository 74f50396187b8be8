"""What a class did, as a file of xAPI statements."""

from __future__ import annotations

import json

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from osmosmjerka.http import SignedInRequest, teacher_required
from puzzles.class_pages import followed
from puzzles.xapi import statements as xapi
from puzzles.xapi import sync


@teacher_required
@require_safe
def xapi_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return what the class did as xAPI statements: one per line, actors by account only."""
    classroom = followed(request, pk)
    # The same site as for the record store, if there is one, so that ids are the same.
    site = sync.site() if settings.XAPI_URL else request.build_absolute_uri("/")
    statements = xapi.statements_of_class(classroom, site)
    return StreamingHttpResponse(  # type: ignore[return-value]  # a response all the same
        (json.dumps(statement, ensure_ascii=False) + "\n" for statement in statements),
        content_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="class-{classroom.pk}.ndjson"'},
    )
