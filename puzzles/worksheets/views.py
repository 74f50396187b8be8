"""The worksheet page of a puzzle, its files, sets of worksheets, and results from paper."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.access import ClassroomAction, classrooms
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles import access
from puzzles.class_pages import in_school_time
from puzzles.exports import FORMATS, ExportError, Printing
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.making.downloads import placements_to_print, puzzle_data
from puzzles.models import Puzzle, WorksheetSet
from puzzles.worksheets import files, services
from puzzles.worksheets.forms import PrintingForm, SetForm
from puzzles.worksheets.remembered import remember, remembered
from puzzles.worksheets.wording import instruction_for, told_of_fallbacks
from vocab.sentences import said


def ready_puzzle(request: SignedInRequest, code: str, *, or_not: bool = False) -> Puzzle:
    """Return a puzzle that the person may see, only a ready one unless *or_not*."""
    seen = access.puzzles(request.user, "see").select_related("vocabulary_list")
    if not or_not:
        seen = seen.filter(state=Puzzle.State.READY)
    return get_object_or_404(seen, code=code)


def printing_form(
    request: SignedInRequest, puzzle: Puzzle, data: Any = None, initial: Any = None
) -> PrintingForm:
    """Return the form of a worksheet of this puzzle for this person."""
    play_url = request.build_absolute_uri(reverse("play", args=[puzzle.code]))
    return files.printing_form(
        puzzle, person=request.user, play_url=play_url, data=data, initial=initial
    )


def _asked(request: SignedInRequest, puzzle: Puzzle) -> PrintingForm:
    """Return the form as the address says, or as the person last printed."""
    if request.GET:
        return printing_form(request, puzzle, request.GET)
    last = remembered(request) | {"instruction": instruction_for(KINDS[puzzle.kind])}
    return printing_form(request, puzzle, last)


@teacher_required
@in_school_time
@require_safe
def worksheet(request: SignedInRequest, code: str) -> HttpResponse:
    """Show how a worksheet of the puzzle will look, with all options and files."""
    puzzle = ready_puzzle(request, code, or_not=True)
    if puzzle.state != Puzzle.State.READY:
        context = {"puzzle": puzzle, "kind": KINDS[puzzle.kind], "job": making.job_of(puzzle)}
        return render(request, "puzzles/worksheets/worksheet.html", context)
    form = _asked(request, puzzle)
    classes = list(classes_of(request, "see progress"))
    set_form = SetForm(classes=classes, initial={"printing": form.query()})
    return _worksheet_page(request, puzzle, form, set_form)


def _worksheet_page(
    request: SignedInRequest, puzzle: Puzzle, form: PrintingForm, set_form: SetForm
) -> HttpResponse:
    kind = KINDS[puzzle.kind]
    context: dict[str, Any] = _previewed(puzzle, form) | {
        "puzzle": puzzle,
        "kind": kind,
        "form": form,
        "may_enter_results": classes_of(request, "assign").exists(),
        "set_form": set_form,
        "classes": set_form.classes,
        "sets": services.worksheet_sets(request.user).filter(puzzle=puzzle)
        .select_related("classroom"),
        "formats": files.formats_of(kind),
    }  # fmt: skip
    return render(request, "puzzles/worksheets/worksheet.html", context)


@teacher_required
@require_safe
def worksheet_preview(request: SignedInRequest, code: str) -> HttpResponse:
    """Return the fragment with the sheet as the options say."""
    puzzle = ready_puzzle(request, code)
    form = printing_form(request, puzzle, request.GET)
    return render(
        request,
        "puzzles/worksheets/_preview.html",
        _previewed(puzzle, form)
        | {"puzzle": puzzle, "set_form": _empty_set_form(form), "is_alone": True},
    )


def _empty_set_form(form: PrintingForm) -> SetForm:
    return SetForm(classes=(), initial={"printing": form.query()})


def _previewed(puzzle: Puzzle, form: PrintingForm) -> dict[str, Any]:
    """Return the sheet as SVG, and what of it is not as asked for."""
    printing, placements = form.printing(), placements_to_print(puzzle)
    return {
        "sheet": _drawn(puzzle, printing, placements),
        "fallbacks": told_of_fallbacks(puzzle, placements, printing.shows),
    }


def _drawn(puzzle: Puzzle, printing: Printing, placements: Any) -> SafeString:
    """Return the sheet as SVG for a page; our writer escapes all text in it."""
    data = puzzle_data(puzzle, printing, placements)
    svg = FORMATS["svg"].write(data).decode()
    return mark_safe(svg[svg.index("<svg") :])  # noqa: S308


@teacher_required
@require_safe
def puzzle_download(request: SignedInRequest, code: str, format_name: str) -> HttpResponse:
    """Send a puzzle as a file, printed as the query says; see `files.puzzle_file` for ?key=."""
    puzzle = ready_puzzle(request, code)
    if format_name not in FORMATS:
        raise Http404
    key: files.Key = ""
    if (asked := request.GET.get("key")) in (files.WITH_KEY, files.ONLY_KEY):
        key = asked
    form = printing_form(request, puzzle, request.GET)
    try:
        file = files.puzzle_file(puzzle, format_name, key=key, printing=form.printing())
    except ExportError as error:
        messages.error(request, said(error.sentence))
        if "whole" not in request.GET:
            return redirect("puzzle", puzzle.code)
        return redirect(f"{reverse('worksheet', args=[puzzle.code])}?{form.query()}")
    if "whole" in request.GET:
        remember(request, form)
    return file


def classes_of(request: SignedInRequest, action: ClassroomAction) -> QuerySet[Classroom]:
    """Return the classes on which the person may carry out *action*, by name.

    Whoever may see the progress of a class may print for it; who may assign may enter results.
    """
    mine = classrooms(request.user, action).filter(archived_at=None).select_related("school")
    return mine.order_by(Alphabetical("name"), "pk")


# Sets of worksheets --------------------------------------------------------------------------


@teacher_required
@in_school_time
@require_POST
def worksheet_set_new(request: SignedInRequest, code: str) -> HttpResponse:
    """Request a set of worksheets of the puzzle."""
    puzzle = ready_puzzle(request, code)
    wanted = SetForm(request.POST, classes=classes_of(request, "see progress"))
    form = printing_form(request, puzzle, QueryDict(request.POST.get("printing", "")))
    if not wanted.is_valid():
        return _worksheet_page(request, puzzle, form, wanted)
    try:
        made = services.request_set(
            puzzle=puzzle,
            created_by=request.user,
            content=wanted.cleaned_data["content"],
            classroom=wanted.cleaned_data["classroom"],
            versions=wanted.cleaned_data["versions"] or 2,
            printing=form.printing(),
        )
    except ValidationError as error:
        wanted.add_error(None, error)
        return _worksheet_page(request, puzzle, form, wanted)
    remember(request, form)
    return redirect("worksheet-set", made.pk)


def _set(request: SignedInRequest, pk: int) -> WorksheetSet:
    mine = services.worksheet_sets(request.user)
    return get_object_or_404(mine.select_related("puzzle__vocabulary_list", "classroom"), pk=pk)


@teacher_required
@in_school_time
@require_safe
def worksheet_set(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a set of worksheets: its progress, which polls itself, or its files."""
    made = _set(request, pk)
    is_polling = bool(request.headers.get("HX-Request"))
    template = "_set.html" if is_polling else "set.html"
    context = {
        "set": made,
        "puzzle": made.puzzle,
        "kind": KINDS[made.puzzle.kind],
        "job": services.job_of(made),
        "kept_until": made.created_at + services.KEPT,
        "may_enter_results": made.classroom_id is not None
        and classes_of(request, "assign").filter(pk=made.classroom_id).exists(),
        "has_own_words": made.content == WorksheetSet.Content.OWN,
        "has_repeated_grids": made.state == made.State.READY and services.has_repeated_grids(made),
        "results": _address_of_results(made),
    }
    return render(request, f"puzzles/worksheets/{template}", context)


def _address_of_results(made: WorksheetSet) -> str:
    """Return where the results of a set are entered: with its words, as its list showed them."""
    query = QueryDict(mutable=True)
    query["classroom"] = str(made.classroom_id or "")
    if made.content == WorksheetSet.Content.OWN:
        query["set"] = str(made.pk)
    if shows := made.printing.get("shows"):
        query["shows"] = shows
    return f"{reverse('paper-results', args=[made.puzzle.code])}?{query.urlencode()}"


@teacher_required
@require_safe
def worksheet_set_file(request: SignedInRequest, pk: int, which: str) -> HttpResponse:
    """Send the worksheets of a set, or their solutions, as PDF."""
    made = _set(request, pk)
    if which not in files.SET_FILES or made.state != WorksheetSet.State.READY:
        raise Http404
    return files.set_file(made, which)


@teacher_required
@require_POST
def worksheet_set_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Delete a set of worksheets for good."""
    made = _set(request, pk)
    code = made.puzzle.code
    services.delete_set(worksheet_set=made)
    messages.success(request, _("The worksheets were deleted."))
    return redirect("worksheet", code)
