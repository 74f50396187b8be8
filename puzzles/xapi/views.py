"""What a class did, as a file of xAPI statements."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles.class_pages import followed
from puzzles.xapi import files


@teacher_required
@require_safe
def xapi_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return what the class did as xAPI statements: one per line, or with ?format=json an array."""
    classroom, wanted = followed(request, pk), request.GET.get("format", "ndjson")
    if wanted not in files.FORMATS:
        raise Http404
    return files.statements_file(classroom, wanted, request.build_absolute_uri("/"))
