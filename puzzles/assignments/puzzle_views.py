"""Pages of one puzzle: its assignments and progress."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.bin.views import tell_of_bin
from osmosmjerka.http import SignedInRequest, teacher_required
from puzzles import access
from puzzles.assignments import selectors as assignments_selectors
from puzzles.assignments import services as assignments
from puzzles.assignments.forms import AssignForm, PuzzleForm
from puzzles.exports import FORMATS
from puzzles.kinds import KINDS
from puzzles.making import services as making
from vocab.access import vocabulary_lists


@teacher_required
@require_safe
def puzzle_detail(request: SignedInRequest, code: str) -> HttpResponse:
    """Show a puzzle to its creator and followers: progress, link, answers, who found what."""
    puzzle = get_object_or_404(access.puzzles(request.user, "see"), code=code)
    followed = classrooms(request.user, "see progress")
    given = puzzle.assignments.filter(classroom__in=followed).select_related("classroom")
    return render(
        request,
        "puzzles/assignments/puzzle_detail.html",
        {
            "puzzle": puzzle,
            "kind": KINDS[puzzle.kind],
            "job": making.job_of(puzzle),
            "may_agree": access.puzzles(request.user, "agree").filter(pk=puzzle.pk).exists(),
            "may_try_again": making.was_given_up(puzzle)
            and access.puzzles(request.user, "manage").filter(pk=puzzle.pk).exists(),
            "may_delete": access.puzzles(request.user, "manage").filter(pk=puzzle.pk).exists(),
            "placements": puzzle.placements.all(),
            "play_url": request.build_absolute_uri(reverse("play", args=[puzzle.code])),
            "classes": [
                (assignment, assignments_selectors.progress_of_class(puzzle, assignment.classroom))
                for assignment in given
            ],
            "form": AssignForm(person=request.user),
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


@teacher_required
@require_POST
def puzzle_assign(request: SignedInRequest, code: str) -> HttpResponse:
    puzzle = get_object_or_404(access.puzzles(request.user, "manage"), code=code)
    form = AssignForm(request.POST, person=request.user)
    if form.is_valid():
        given_to = form.cleaned_data["classroom"]
        assignments.assign(puzzle=puzzle, classroom=given_to, created_by=request.user)
        messages.success(request, _("Assigned to %(class)s.") % {"class": given_to})
    else:
        messages.error(request, _("Choose one of your classes."))
    return redirect("puzzle", puzzle.code)


@teacher_required
@require_http_methods(["GET", "POST"])
def puzzle_new(request: SignedInRequest, list_pk: int) -> HttpResponse:
    vocabulary_list = get_object_or_404(vocabulary_lists(request.user, "make puzzles"), pk=list_pk)
    data = request.POST or None
    form = PuzzleForm(data, person=request.user, initial={"kind": next(iter(KINDS))})
    settings_forms = {
        slug: kind.settings_form(data if data and data.get("kind") == slug else None, prefix=slug)
        for slug, kind in KINDS.items()
    }
    if data and form.is_valid() and settings_forms[form.cleaned_data["kind"]].is_valid():
        wanted = form.cleaned_data
        try:
            puzzle = assignments.make_and_assign(
                vocabulary_list=vocabulary_list,
                kind=wanted["kind"],
                created_by=request.user,
                settings=settings_forms[wanted["kind"]].cleaned_data,
                title=wanted["title"],
                classroom=wanted["classroom"],
            )
        except ValidationError as error:
            form.add_error(None, list(error.messages))
        else:
            return redirect("puzzle", puzzle.code)
    return render(
        request,
        "puzzles/assignments/puzzle_new.html",
        {
            "list": vocabulary_list,
            "form": form,
            "kinds": [(kind, settings_forms[slug]) for slug, kind in KINDS.items()],
            "size": vocabulary_list.entries.count(),
        },
    )
