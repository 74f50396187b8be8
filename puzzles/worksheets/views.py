"""The worksheet page of a puzzle, its files, sets of worksheets, and results from paper."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.access import ClassroomAction, classrooms
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.accounts.selectors import told_apart
from osmosmjerka.collation import Alphabetical
from osmosmjerka.http import SignedInRequest, teacher_required
from puzzles import access
from puzzles.class_pages import in_school_time
from puzzles.exports import FORMATS, ExportError, Printing
from puzzles.exports.tables import name_of
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.making.downloads import placements_to_print, puzzle_data, write_puzzle
from puzzles.models import Puzzle, WorksheetSet
from puzzles.worksheets import results, services
from puzzles.worksheets.forms import PrintingForm, SetForm
from puzzles.worksheets.remembered import remember, remembered
from puzzles.worksheets.wording import instruction_for, told_of_fallbacks
from vocab.sentences import said

# What the page of results goes on with after it has saved.
_KEPT_IN_ADDRESS = ("classroom", "set", "shows", "day", "absent")
# The values of ?key= that ask for the solution, after the student's sheet or without it.
WITH_KEY, ONLY_KEY = "1", "only"
PDF = "application/pdf"


def _puzzle(request: SignedInRequest, code: str, *, is_ready: bool = True) -> Puzzle:
    seen = access.puzzles(request.user, "see").select_related("vocabulary_list")
    if is_ready:
        seen = seen.filter(state=Puzzle.State.READY)
    return get_object_or_404(seen, code=code)


def _printing_form(
    request: SignedInRequest, puzzle: Puzzle, data: Any = None, initial: Any = None
) -> PrintingForm:
    """Return the form of a worksheet of this puzzle for this person."""
    address = ""
    if services.can_be_played(puzzle):
        address = request.build_absolute_uri(reverse("play", args=[puzzle.code]))
    school = request.user.school
    return PrintingForm(
        data,
        kind=KINDS[puzzle.kind],
        address=address,
        school=school.name if school else "",
        initial=initial,
    )


def _asked(request: SignedInRequest, puzzle: Puzzle) -> PrintingForm:
    """Return the form as the address says, or as the person last printed."""
    if request.GET:
        return _printing_form(request, puzzle, request.GET)
    last = remembered(request) | {"instruction": instruction_for(KINDS[puzzle.kind])}
    return _printing_form(request, puzzle, last)


@teacher_required
@in_school_time
@require_safe
def worksheet(request: SignedInRequest, code: str) -> HttpResponse:
    """Show how a worksheet of the puzzle will look, with all options and files."""
    puzzle = _puzzle(request, code, is_ready=False)
    if puzzle.state != Puzzle.State.READY:
        context = {"puzzle": puzzle, "kind": KINDS[puzzle.kind], "job": making.job_of(puzzle)}
        return render(request, "puzzles/worksheets/worksheet.html", context)
    form = _asked(request, puzzle)
    classes = list(_classes(request, "see progress"))
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
        "may_enter_results": _classes(request, "assign").exists(),
        "set_form": set_form,
        "classes": set_form.classes,
        "sets": services.worksheet_sets(request.user).filter(puzzle=puzzle)
        .select_related("classroom"),
        "formats": [
            format
            for format in FORMATS.values()
            if not (format.is_numbered and kind.shows_letters)
        ],
    }  # fmt: skip
    return render(request, "puzzles/worksheets/worksheet.html", context)


@teacher_required
@require_safe
def worksheet_preview(request: SignedInRequest, code: str) -> HttpResponse:
    """Return the fragment with the sheet as the options say."""
    puzzle = _puzzle(request, code)
    form = _printing_form(request, puzzle, request.GET)
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
    """Send a puzzle as a file, printed as the query says.

    With ?key=only it is the solution alone. With ?key=1 the solution follows the sheet, except in
    formats of one page (SVG, PNG), which then have the solution alone.
    """
    puzzle = _puzzle(request, code)
    if format_name not in FORMATS:
        raise Http404
    file_format, key = FORMATS[format_name], request.GET.get("key")
    is_key_only = key == ONLY_KEY
    has_key = is_key_only or key == WITH_KEY
    form = _printing_form(request, puzzle, request.GET)
    try:
        content = write_puzzle(
            puzzle,
            format_name,
            key=has_key,
            is_key_only=is_key_only,
            printing=form.printing(),
        )
    except ExportError as error:
        messages.error(request, said(error.sentence))
        if "whole" not in request.GET:
            return redirect("puzzle", puzzle.code)
        return redirect(f"{reverse('worksheet', args=[puzzle.code])}?{form.query()}")
    if "whole" in request.GET:
        remember(request, form)
    parts = [puzzle.title, str(KINDS[puzzle.kind].name)]
    if has_key:
        # The worksheet and its solution must not be mistaken for each other at the copier.
        parts.append(_("Solution"))
    elif not file_format.has_answers:
        parts.append(_("Worksheet"))
    return _file(content, file_format.mime_type, parts, file_format.extension)


def _file(content: bytes, mime_type: str, parts: list[str], extension: str) -> HttpResponse:
    filename = f"{' – '.join(map(name_of, parts))}{extension}"
    return HttpResponse(
        content,
        content_type=mime_type,
        headers={"Content-Disposition": content_disposition_header(True, filename) or ""},
    )


def _classes(request: SignedInRequest, action: ClassroomAction) -> QuerySet[Classroom]:
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
    puzzle = _puzzle(request, code)
    wanted = SetForm(request.POST, classes=_classes(request, "see progress"))
    form = _printing_form(request, puzzle, QueryDict(request.POST.get("printing", "")))
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
        and _classes(request, "assign").filter(pk=made.classroom_id).exists(),
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
    fields = {"worksheets": ("pdf", _("Worksheets")), "solutions": ("key_pdf", _("Solutions"))}
    if which not in fields or made.state != WorksheetSet.State.READY:
        raise Http404
    field, shown = fields[which]
    parts = [made.puzzle.title, str(KINDS[made.puzzle.kind].name)]
    if made.classroom:
        parts.append(made.classroom.name)
    return _file(bytes(getattr(made, field)), PDF, [*parts, shown], ".pdf")


@teacher_required
@require_POST
def worksheet_set_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Delete a set of worksheets for good."""
    made = _set(request, pk)
    code = made.puzzle.code
    services.delete_set(worksheet_set=made)
    messages.success(request, _("The worksheets were deleted."))
    return redirect("worksheet", code)


# Results from paper --------------------------------------------------------------------------


@teacher_required
@in_school_time
@require_http_methods(["GET", "POST"])
def paper_results(request: SignedInRequest, code: str) -> HttpResponse:
    """Let a teacher enter what students of a class knew on paper."""
    puzzle = _puzzle(request, code)
    sent = request.POST if request.method == "POST" else request.GET
    classes = told_apart(_classes(request, "assign"))
    context: dict[str, Any] = {"puzzle": puzzle, "kind": KINDS[puzzle.kind], "classes": classes}
    classroom = _chosen_class(sent.get("classroom", ""), classes)
    if classroom is None:
        if request.method == "POST":
            raise Http404
        # A class that is archived now, or where they may not assign: they choose another.
        return render(request, "puzzles/worksheets/results.html", context)
    own = services.worksheet_sets(request.user).filter(
        puzzle=puzzle,
        classroom=classroom,
        content=WorksheetSet.Content.OWN,
        state=WorksheetSet.State.READY,
    )
    chosen_set = _chosen_set(sent.get("set", ""), own)
    today = classroom.school.today()
    earliest = today - timedelta(days=results.MOST_DAYS_AGO)
    day = _day(sent.get("day", ""), earliest, today)
    words = f"{classroom.pk}:{chosen_set.pk if chosen_set else ''}"
    shows = sent.get("shows") if sent.get("words", words) == words else None
    if shows is None:
        printed_before = chosen_set.printing if chosen_set else remembered(request)
        shows = printed_before.get("shows", "usual")
    printed = _printing_form(request, puzzle, {"shows": shows})
    sheets = results.sheets_of(puzzle, classroom, chosen_set, printed.printing().shows)
    unsaved = {one.student.pk for one in sheets if (day or today) not in one.saved_on}
    if request.method == "POST":
        if day is None:
            messages.error(request, _("Choose a day of the last two weeks. Nothing was saved."))
        elif "show" in sent:
            pass
        elif sent.get("words") != words or unsaved - set(_numbers(sent.getlist("student"))):
            messages.error(
                request,
                _("These are other students or words than before. Nothing was saved yet."),
            )
        else:
            _save(request, puzzle, classroom, chosen_set, sheets, day)
            query = QueryDict(mutable=True)
            for name in _KEPT_IN_ADDRESS:
                query.setlist(name, [text for text in sent.getlist(name) if text])
            return redirect(f"{request.path}?{query.urlencode()}")
    day = day or today
    missed, absent = _missed(sent, sheets), set(_numbers(sent.getlist("absent")))
    context |= {
        "classroom": classroom,
        "words": words,
        "rows": [
            {
                "sheet": one,
                "is_saved": one.student.pk not in unsaved,
                "missed": missed[one.student.pk],
                "is_absent": one.student.pk in absent,
            }
            for one in sheets
        ],
        "is_open": bool(unsaved),
        "is_asked_again": results.is_asked_again(puzzle, classroom),
        "day": day,
        "today": today,
        "earliest": earliest,
        "sets": own.order_by("-created_at"),
        "chosen_set": chosen_set,
        "shows": printed["shows"],
    }
    return render(request, "puzzles/worksheets/results.html", context)


def _save(
    request: SignedInRequest,
    puzzle: Puzzle,
    classroom: Classroom,
    worksheet_set: WorksheetSet | None,
    sheets: list[results.Sheet],
    day: date,
) -> None:
    shown = set(_numbers(request.POST.getlist("student")))
    absent = set(_numbers(request.POST.getlist("absent")))
    saved = results.save_results(
        puzzle=puzzle,
        classroom=classroom,
        worksheet_set=worksheet_set,
        sheets=[one for one in sheets if one.student.pk in shown],
        missed=_missed(request.POST, sheets),
        absent=absent,
        day=day,
    )
    if saved.students:
        answers = ngettext("%(count)s answer", "%(count)s answers", saved.answers)
        told = ngettext(
            "Saved for %(students)s student: %(answers)s.",
            "Saved for %(students)s students: %(answers)s.",
            saved.students,
        )
        messages.success(
            request,
            told % {"students": saved.students, "answers": answers % {"count": saved.answers}},
        )
    if saved.before:
        messages.info(
            request,
            ngettext(
                "%(count)s student’s results of this day were saved before and were not changed.",
                "%(count)s students’ results of this day were saved before and were not changed.",
                saved.before,
            )
            % {"count": saved.before},
        )
    if not (saved.students or saved.before):
        told = (
            _("Nothing was saved: all of them were absent.")
            if absent & {one.student.pk for one in sheets}
            else _("Nothing was saved: nobody had words on paper.")
        )
        messages.info(request, told)


def _missed(sent: QueryDict, sheets: list[results.Sheet]) -> dict[int, set[int]]:
    return {
        one.student.pk: set(_numbers(sent.getlist(f"missed-{one.student.pk}"))) for one in sheets
    }


def _numbers(texts: list[str]) -> list[int]:
    return [int(text) for text in texts if text.isdecimal() and len(text) < 19]


def _chosen_class(wanted: str, classes: list[Classroom]) -> Classroom | None:
    """Return the class that is wanted; if none is named, the only one it can be."""
    if wanted:
        return next((one for one in classes if str(one.pk) == wanted), None)
    return classes[0] if len(classes) == 1 else None


def _chosen_set(wanted: str, sets: QuerySet[WorksheetSet]) -> WorksheetSet | None:
    """Return the set that is wanted; None if it is of another class, or no longer kept."""
    return sets.defer(None).defer("pdf", "key_pdf").filter(pk__in=_numbers([wanted])).first()


def _day(wanted: str, earliest: date, today: date) -> date | None:
    """Return the day that is wanted, by default today; None if it is no day of these."""
    if not wanted:
        return today
    try:
        day = date.fromisoformat(wanted)
    except ValueError:
        return None
    return day if earliest <= day <= today else None
