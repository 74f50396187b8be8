"""Views of a puzzle that is being created, and of its files."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.http import SignedInRequest, signed_in, teacher_required
from puzzles import access
from puzzles.exports import FORMATS, ExportError
from puzzles.exports.tables import name_of
from puzzles.making import services as making
from puzzles.making.downloads import write_puzzle
from puzzles.making.forms import PrintingForm
from puzzles.models import Puzzle
from vocab.sentences import said


@teacher_required
@require_safe
def puzzle_progress(request: SignedInRequest, code: str) -> HttpResponse:
    """Return the fragment that shows the progress; it polls until the puzzle is ready or failed."""
    puzzle = get_object_or_404(access.puzzles(request.user, "see"), code=code)
    job = making.job_of(puzzle)
    response = render(request, "puzzles/making/_making.html", {"puzzle": puzzle, "job": job})
    if puzzle.state != Puzzle.State.QUEUED:
        response["HX-Refresh"] = "true"
    return response


@teacher_required
@require_safe
def puzzle_download(request: SignedInRequest, code: str, format_name: str) -> HttpResponse:
    """Send a puzzle as a file, with its answers if ?key=1, printed as the query says."""
    puzzle = get_object_or_404(
        access.puzzles(request.user, "see"), code=code, state=Puzzle.State.READY
    )
    if format_name not in FORMATS:
        raise Http404
    is_key = request.GET.get("key") == "1"
    try:
        printing = PrintingForm(request.GET).printing()
        content = write_puzzle(puzzle, format_name, key=is_key, printing=printing)
    except ExportError as error:
        messages.error(request, said(error.sentence))
        return redirect("puzzle", puzzle.code)
    file_format = FORMATS[format_name]
    # The worksheet and its solution must not be mistaken for each other at the copier.
    name = f"{puzzle.title} – {_('Solution')}" if is_key else puzzle.title
    return HttpResponse(
        content,
        content_type=file_format.mime_type,
        headers={
            "Content-Disposition": content_disposition_header(
                True, f"{name_of(name)}{file_format.extension}"
            )
        },
    )


@signed_in
@require_POST
def puzzle_fewer(request: SignedInRequest, code: str) -> HttpResponse:
    """Create the puzzle with the offered number of words."""
    puzzle = get_object_or_404(access.puzzles(request.user, "agree"), code=code)
    try:
        making.accept_fewer(puzzle=puzzle)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("play" if request.user.is_student else "puzzle", puzzle.code)


@teacher_required
@require_POST
def puzzle_again(request: SignedInRequest, code: str) -> HttpResponse:
    """Try again to create a puzzle whose job failed."""
    puzzle = get_object_or_404(access.puzzles(request.user, "manage"), code=code)
    try:
        making.try_again(puzzle=puzzle)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("puzzle", puzzle.code)
