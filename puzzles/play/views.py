"""Pages for playing a puzzle."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.assets.offline import KEEP
from osmosmjerka.web.views import SignedInRequest, signed_in
from puzzles import access
from puzzles.kinds import KINDS
from puzzles.models import Puzzle
from puzzles.play import attempts


@signed_in
@require_safe
def play_page(request: SignedInRequest, code: str) -> HttpResponse:
    """Show the game; its content comes from the API, which never reveals an answer."""
    puzzle = access.puzzle_to_play(request.user, code)
    if puzzle is None:
        if access.is_adaptive_for(request.user, code):
            messages.info(request, _("Each student gets their own puzzle. Start yours here."))
            return redirect("home")
        raise Http404
    if request.headers.get("HX-Request"):  # polling by the page that waits for the puzzle
        is_waiting = puzzle.state == Puzzle.State.QUEUED
        return HttpResponse(status=204, headers={} if is_waiting else {"HX-Refresh": "true"})
    if puzzle.state != Puzzle.State.READY:
        may_agree = access.puzzles(request.user, "agree").filter(pk=puzzle.pk).exists()
        return render(
            request, "puzzles/play/waiting.html", {"puzzle": puzzle, "may_agree": may_agree}
        )
    is_leading_on = KINDS[puzzle.kind].player_settings is not None
    is_kept = request.user.is_student and not hasattr(request, "viewed_by")
    response = render(
        request,
        "puzzles/play/play.html",
        {
            "puzzle": puzzle,
            "state_url": reverse("api:play", args=[puzzle.code]),
            "player": name_on_device(request.user.pk),
            "new_url": reverse("play-another", args=[puzzle.code]) if is_leading_on else None,
            "summary_url": reverse("play-summary", args=[puzzle.code]),
            "is_kept": is_kept,
        },
    )
    if is_kept:
        response[KEEP] = "yes"
    return response


@signed_in
@require_POST
def play_again(request: SignedInRequest, code: str) -> HttpResponse:
    """Start another attempt at the same puzzle, if one is left."""
    puzzle = access.puzzle_to_play_or_404(request.user, code)
    try:
        attempts.play_again(puzzle=puzzle, student=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("play", puzzle.code)


@signed_in
@require_POST
def play_another(request: SignedInRequest, code: str) -> HttpResponse:
    """Create another puzzle of the same list for the current user, and redirect to it."""
    puzzle = access.puzzle_to_play_or_404(request.user, code)
    changes: dict[str, object] = {
        "difficulty": request.POST.get("difficulty", ""),
        "forwards_only": "forwards_only" in request.POST,
    }
    try:
        another = attempts.request_another(puzzle=puzzle, person=request.user, changes=changes)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("play", puzzle.code)
    return redirect("play", another.code)
