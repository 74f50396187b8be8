"""Pages of one puzzle: its assignments and progress."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.bin.views import tell_of_bin
from osmosmjerka.http import SignedInRequest, teacher_required
from puzzles import access
from puzzles.assignments import selectors as assignments_selectors
from puzzles.assignments.pictures import picture_of
from puzzles.exports import FORMATS
from puzzles.kinds import KINDS
from puzzles.making import services as making


@teacher_required
@require_safe
def puzzle_detail(request: SignedInRequest, code: str) -> HttpResponse:
    """Show a puzzle to its creator and followers: progress, link, answers, who found what."""
    puzzle = get_object_or_404(access.puzzles(request.user, "see"), code=code)
    kind = KINDS[puzzle.kind]
    may_manage = access.puzzles(request.user, "manage").filter(pk=puzzle.pk).exists()
    followed = classrooms(request.user, "see progress")
    given = puzzle.assignments.filter(classroom__in=followed).select_related("classroom")
    return render(
        request,
        "puzzles/assignments/puzzle_detail.html",
        {
            "puzzle": puzzle,
            "kind": kind,
            "picture": picture_of(kind, puzzle),
            "job": making.job_of(puzzle),
            "may_agree": access.puzzles(request.user, "agree").filter(pk=puzzle.pk).exists(),
            "may_try_again": may_manage and making.was_given_up(puzzle),
            "may_manage": may_manage,
            "placements": puzzle.placements.all(),
            "play_url": request.build_absolute_uri(reverse("play", args=[puzzle.code])),
            "classes": [
                (assignment, assignments_selectors.progress_of_class(puzzle, assignment.classroom))
                for assignment in given
            ],
            "formats": FORMATS.values(),
        },
    )


@teacher_required
@require_POST
def puzzle_delete(request: SignedInRequest, code: str) -> HttpResponse:
    """Put a puzzle into the bin."""
    puzzle = get_object_or_404(access.puzzles(request.user, "manage"), code=code)
    making.delete_puzzle(puzzle=puzzle, actor=request.user)
    tell_of_bin(request, _("The puzzle “%(title)s” is now in the bin.") % {"title": puzzle})
    return redirect("list", puzzle.vocabulary_list_id)
