"""Pages of one puzzle: its creation, assignments and progress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.bin.views import tell_of_bin
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, signed_in, teacher_required
from puzzles import access
from puzzles.assignments.pictures import picture_of
from puzzles.assignments.results import Results
from puzzles.class_pages import in_school_time
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.models import Placement, Puzzle
from puzzles.worksheets.files import query_of
from vocab.access import list_actions


@teacher_required
@in_school_time
@require_safe
def puzzle_detail(request: SignedInRequest, code: str) -> HttpResponse:
    """Show a puzzle to its creator and followers: who plays it, link, settings, files."""
    seen = access.puzzles(request.user, "see").select_related("vocabulary_list")
    puzzle = get_object_or_404(seen, code=code)
    may = list_actions(request.user, puzzle.vocabulary_list)
    kind = KINDS[puzzle.kind]
    may_manage = access.puzzles(request.user, "manage").filter(pk=puzzle.pk).exists()
    followed = classrooms(request.user, "see progress")
    given = puzzle.assignments.filter(classroom__in=followed).select_related("classroom")
    results = Results.of(puzzle, list(given))
    placements = list(Placement.everything.filter(puzzle=puzzle))
    response = render(
        request,
        "puzzles/assignments/puzzle_detail.html",
        {
            "puzzle": puzzle,
            "kind": kind,
            "settings": kind.told(puzzle.settings),
            "picture": picture_of(kind, puzzle),
            "job": making.job_of(puzzle),
            "may_agree": access.puzzles(request.user, "agree").filter(pk=puzzle.pk).exists(),
            "may_try_again": may_manage and making.was_given_up(puzzle),
            "may_manage": may_manage,
            "has_links": settings.SHARE_LINKS != "off",
            # A class's other teachers see its puzzles, also of a list that is private to its owner.
            "may_see_list": "see" in may,
            "may_repeat": may_manage and "make puzzles" in may,
            "placements": [one for one in placements if not one.is_bonus],
            **_bonus_words(puzzle, placements),
            "play_url": request.build_absolute_uri(reverse("play", args=[puzzle.code])),
            "results": results,
            "printing": query_of(request, kind),
            "may_enter_results": classrooms(request.user, "assign")
            .filter(archived_at=None)
            .exists(),
        },
    )
    if puzzle.state == Puzzle.State.QUEUED:
        # The page is loaded again as soon as the puzzle is ready: say it again then.
        told = messages.get_messages(request)
        if isinstance(told, BaseStorage):
            told.used = False
    return response


def _bonus_words(puzzle: Puzzle, placements: Sequence[Placement]) -> dict[str, Any]:
    """Return the bonus words, how many were wanted, and whether the list had too few of them.

    Those that had no place are among the words that did not fit.
    """
    bonus = [one for one in placements if one.is_bonus]
    wanted = KINDS[puzzle.kind].bonus_words(puzzle.settings)
    unplaced = sum(bool(one.get("is_bonus")) for one in puzzle.unplaced)
    return {
        "bonus": bonus,
        "bonus_wanted": wanted,
        "has_too_few_words": len(bonus) + unplaced < wanted,
    }


@teacher_required
@require_POST
def puzzle_rename(request: SignedInRequest, code: str) -> HttpResponse:
    """Change the title of a puzzle."""
    puzzle = get_object_or_404(access.puzzles(request.user, "manage"), code=code)
    with refusal_as_message(request):
        making.rename(puzzle=puzzle, title=request.POST.get("title", ""))
        messages.success(request, _("Saved."))
    return redirect("puzzle", puzzle.code)


@teacher_required
@require_POST
def puzzle_delete(request: SignedInRequest, code: str) -> HttpResponse:
    """Put a puzzle into the bin."""
    puzzle = get_object_or_404(access.puzzles(request.user, "manage"), code=code)
    making.delete_puzzle(puzzle=puzzle, actor=request.user)
    text = _("The puzzle “%(title)s” is now in the bin.") % {"title": puzzle}
    tell_of_bin(request, text, undo=("puzzles", puzzle.pk))
    if "see" in list_actions(request.user, puzzle.vocabulary_list):
        return redirect("list", puzzle.vocabulary_list_id)
    return redirect("list-overview")


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
