"""What comes after a game: its summary, and another puzzle of the same words."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, signed_in
from puzzles import access
from puzzles.home.after_game import after_game
from puzzles.kinds import KINDS
from puzzles.models import DailyPuzzle, PlaySession, Puzzle
from puzzles.play import attempts, games
from puzzles.play.ending import ending_of
from puzzles.play.selectors import again_url
from puzzles.practice import services as practice


@signed_in
@require_safe
def game_summary(request: SignedInRequest, code: str) -> HttpResponse:
    """Return the summary of the reader's last game of a puzzle, as a part of the play page.

    Returns 404 unless the game is over, and refuses the page of another student: two may share a
    tablet.
    """
    if request.headers.get("X-Player") not in (None, name_on_device(request.user.pk)):
        raise PermissionDenied
    mine = PlaySession.objects.filter(puzzle__code=code, student=request.user)
    last = mine.order_by("-number").values_list("pk", flat=True).first()
    if last is None:
        raise Http404
    try:
        game = games.current(games.Mine(request.user, code, last))
    except (Puzzle.DoesNotExist, PlaySession.DoesNotExist):
        raise Http404 from None
    if not game.is_over:
        raise Http404
    left = attempts.attempts_left(game.session)
    context: dict[str, object] = {
        "puzzle": game.puzzle,
        "new_kind": game.kind if game.kind.player_settings is not None else None,
        "left": left,
        "again_url": again_url(game.puzzle) if left else "",
    }
    if request.user.is_student:
        after = after_game(game, request.user, timezone.now())
        now = after.now
        # The button of what is next is that of the home page.
        context |= {
            "ending": after.ending,
            "after": after,
            "step": now.step,
            "first": now.first,
            "today": now.today,
            "offer": now.offer,
            "offered": now.offered,
            "open_practice": now.open_practice,
            "daily_class": _class_of_daily(game.puzzle),
        }
    else:
        may_see = access.puzzles(request.user, "see").filter(code=code).exists()
        context |= {
            "ending": ending_of(game),
            "next_url": reverse("puzzle", args=[code]) if may_see else reverse("home"),
        }
    return render(request, "puzzles/play/_summary.html", context)


def _class_of_daily(puzzle: Puzzle) -> int | None:
    """Return the class whose puzzle of the day it was, if it was one."""
    if puzzle.daily_id is None:
        return None
    return DailyPuzzle.objects.values_list("classroom", flat=True).get(pk=puzzle.daily_id)


@signed_in
@require_POST
def play_as(request: SignedInRequest, code: str, kind: str) -> HttpResponse:
    """Create a puzzle of another kind, or another grid, of the words of one that was finished."""
    if kind not in KINDS or not request.user.is_student:
        raise Http404
    puzzle = access.puzzle_to_play_or_404(request.user, code)
    with refusal_as_message(request, messages.INFO):
        again = practice.request_again(student=request.user, puzzle=puzzle, kind=kind)
        return redirect("play", again.code)
    return redirect("home")
