"""Views of a puzzle that is being created."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.web.views import SignedInRequest, refusal_as_message, signed_in, teacher_required
from puzzles import access
from puzzles.making import services as making
from puzzles.models import Puzzle


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


@signed_in
@require_POST
def puzzle_fewer(request: SignedInRequest, code: str) -> HttpResponse:
    """Create the puzzle with the offered number of words."""
    puzzle = get_object_or_404(access.puzzles(request.user, "agree"), code=code)
    with refusal_as_message(request):
        making.accept_fewer(puzzle=puzzle)
    return redirect("play" if request.user.is_student else "puzzle", puzzle.code)


@teacher_required
@require_POST
def puzzle_again(request: SignedInRequest, code: str) -> HttpResponse:
    """Try again to create a puzzle whose job failed."""
    puzzle = get_object_or_404(access.puzzles(request.user, "manage"), code=code)
    with refusal_as_message(request):
        making.try_again(puzzle=puzzle)
    return redirect("puzzle", puzzle.code)
