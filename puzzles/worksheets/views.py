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
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.access import ClassroomAction, classrooms
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.accounts.selectors import told_apart
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.web.requests import ids_in
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles import access
from puzzles.class_pages import in_school_time
from puzzles.exports import FORMATS, ExportError, Printing
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.making.downloads import placements_to_print, puzzle_data
from puzzles.models import Puzzle, WorksheetSet
from puzzles.worksheets import files, results, services
from puzzles.worksheets.files import ready_puzzle, remember, remembered
from puzzles.worksheets.forms import PrintingForm, SetForm
from puzzles.worksheets.wording import told_of_fallbacks
from vocab.sentences import said


def _asked(request: SignedInRequest, puzzle: Puzzle) -> PrintingForm:
    """Return the form as the address says, or as the person last printed."""
    if request.GET:
        return files.printing_form(request, request.user, puzzle, request.GET)
    last = remembered(request) | {"instruction": str(KINDS[puzzle.kind].instruction)}
    return files.printing_form(request, request.user, puzzle, last)


@teacher_required
@in_school_time
@require_safe
def worksheet(request: SignedInRequest, code: str) -> HttpResponse:
    """Show how a worksheet of the puzzle will look, with all options and files."""
    seen = access.puzzles(request.user, "see").select_related("vocabulary_list")
    puzzle = get_object_or_404(seen, code=code)
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
    form = files.printing_form(request, request.user, puzzle, request.GET)
    set_form = SetForm(classes=(), initial={"printing": form.query()})
    return render(
        request,
        "puzzles/worksheets/_preview.html",
        _previewed(puzzle, form) | {"puzzle": puzzle, "set_form": set_form, "is_alone": True},
    )


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
    form = files.printing_form(request, request.user, puzzle, request.GET)
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

    A teacher who may see the progress of a class may print for it; one who may assign may enter
    results.
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
    form = files.printing_form(
        request, request.user, puzzle, QueryDict(request.POST.get("printing", ""))
    )
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


# Results from paper --------------------------------------------------------------------------

# What the page goes on with after it has saved.
_KEPT_IN_ADDRESS = ("classroom", "set", "shows", "day", "absent")


@teacher_required
@in_school_time
@require_http_methods(["GET", "POST"])
def paper_results(request: SignedInRequest, code: str) -> HttpResponse:
    """Let a teacher enter what students of a class knew on paper."""
    puzzle = ready_puzzle(request, code)
    classes = told_apart(classes_of(request, "assign"))
    context: dict[str, Any] = {"puzzle": puzzle, "kind": KINDS[puzzle.kind], "classes": classes}
    classroom = _chosen_class(_sent(request).get("classroom", ""), classes)
    if classroom is None:
        if request.method == "POST":
            raise Http404
        # Perhaps it is archived now, or they may not assign there: they choose another.
        return render(request, "puzzles/worksheets/results.html", context)
    entered = _Entered(request, puzzle, classroom)
    if request.method == "POST":
        if refusal := entered.refusal():
            messages.error(request, refusal)
        elif "show" not in request.POST:
            entered.save()
            return redirect(f"{request.path}?{entered.query()}")
    return render(request, "puzzles/worksheets/results.html", context | entered.context())


def _sent(request: SignedInRequest) -> QueryDict:
    return request.POST if request.method == "POST" else request.GET


class _Entered:
    """The results of a class: what the request chooses and ticks, on the sheets that there are."""

    def __init__(self, request: SignedInRequest, puzzle: Puzzle, classroom: Classroom) -> None:
        self._request, self._puzzle, self._classroom = request, puzzle, classroom
        self._sent = sent = _sent(request)
        self._own = services.worksheet_sets(request.user).filter(
            puzzle=puzzle,
            classroom=classroom,
            content=WorksheetSet.Content.OWN,
            state=WorksheetSet.State.READY,
        )
        self._set = _chosen_set(sent.get("set", ""), self._own)
        self._today = results.today_of(classroom)
        self._earliest = self._today - timedelta(days=results.MOST_DAYS_AGO)
        self._day = _day(sent.get("day", ""), self._earliest, self._today)
        # The page says whose words it shows, which may not be those that are chosen in it.
        self._words = f"{classroom.pk}:{self._set.pk if self._set else ''}"
        self._seen = set(ids_in(sent.getlist("student")))
        self._printed = files.printing_form(request, request.user, puzzle, {"shows": self._shows()})
        shows = self._printed.printing().shows
        self._sheets = results.sheets_of(puzzle, classroom, self._set, shows)
        self._unsaved = {
            one.student.pk for one in self._sheets if (self._day or self._today) not in one.saved
        }
        # Most do a sheet once: who has results of another day does not count as present.
        self._absent = set(ids_in(sent.getlist("absent"))) | {
            one.student.pk for one in self._sheets if one.saved and one.student.pk not in self._seen
        }
        self._missed = {
            one.student.pk: set(ids_in(sent.getlist(f"missed-{one.student.pk}")))
            for one in self._sheets
        }

    def _shows(self) -> str:
        """Return what the list on paper showed: as is chosen, or as it was printed."""
        if "shows" in self._sent and self._sent.get("words", self._words) == self._words:
            return str(self._sent["shows"])
        printed = self._set.printing if self._set else remembered(self._request)
        return str(printed.get("shows", "usual"))

    def _is_on_screen(self) -> bool:
        """Return whether the class has to do these very words on screen as well."""
        on_screen = results.assignments_on_screen(self._puzzle, self._classroom)
        return self._set is None and on_screen.exists()

    def refusal(self) -> str:
        """Return why nothing of a form can be saved or shown, or ""."""
        if self._day is None:
            return _("Choose a day in the last two weeks. Nothing was saved.")
        is_as_seen = self._sent.get("words") == self._words and self._unsaved <= self._seen
        if not is_as_seen and "show" not in self._sent:
            return _(
                "The students or words have changed since you opened this page. Nothing was "
                "saved yet."
            )
        return ""

    def save(self) -> None:
        """Save them, and tell the teacher how many."""
        saved = results.save_results(
            puzzle=self._puzzle,
            classroom=self._classroom,
            worksheet_set=self._set,
            sheets=[one for one in self._sheets if one.student.pk in self._seen],
            missed=self._missed,
            absent=self._absent,
            day=self._day or self._today,
            is_excused=self._is_on_screen() and "excuse" in self._sent,
        )
        if saved.students:
            answers = ngettext("%(count)s answer", "%(count)s answers", saved.answers)
            told = ngettext(
                "Saved for %(students)s student: %(answers)s.",
                "Saved for %(students)s students: %(answers)s.",
                saved.students,
            )
            counts = {"students": saved.students, "answers": answers % {"count": saved.answers}}
            messages.success(self._request, told % counts)
        if saved.before:
            told = ngettext(
                "The results of %(count)s student for this day were already saved and were not "
                "changed.",
                "The results of %(count)s students for this day were already saved and were not "
                "changed.",
                saved.before,
            )
            messages.info(self._request, told % {"count": saved.before})
        if not (saved.students or saved.before):
            told = (
                _("Nothing was saved: “nothing to enter” is selected for all students.")
                if self._absent & self._seen
                else _("Nothing was saved: no student has words on this worksheet.")
            )
            messages.info(self._request, told)

    def query(self) -> str:
        """Return what the page goes on with after it has saved, for its address."""
        query = QueryDict(mutable=True)
        for name in _KEPT_IN_ADDRESS:
            query.setlist(name, [text for text in self._sent.getlist(name) if text])
        return query.urlencode()

    def context(self) -> dict[str, Any]:
        """Return what the page shows."""
        return {
            "classroom": self._classroom,
            "words": self._words,
            "rows": [
                {
                    "sheet": one,
                    "is_saved": one.student.pk not in self._unsaved,
                    "missed": self._missed[one.student.pk],
                    "is_absent": one.student.pk in self._absent,
                }
                for one in self._sheets
            ],
            "is_open": bool(self._unsaved),
            "is_on_screen": self._is_on_screen(),
            "is_excused": self._request.method == "GET" or "excuse" in self._sent,
            "is_asked_again": results.is_asked_again(self._puzzle, self._classroom),
            "day": self._day or self._today,
            "today": self._today,
            "earliest": self._earliest,
            "sets": self._own.order_by("-created_at"),
            "chosen_set": self._set,
            "shows": self._printed["shows"],
        }


def _chosen_class(wanted: str, classes: list[Classroom]) -> Classroom | None:
    """Return the class that is wanted; if none is named, the only one it can be."""
    if wanted:
        return next((one for one in classes if str(one.pk) == wanted), None)
    return classes[0] if len(classes) == 1 else None


def _chosen_set(wanted: str, sets: QuerySet[WorksheetSet]) -> WorksheetSet | None:
    """Return the set that is wanted; None if it is of another class, or no longer kept."""
    return sets.defer(None).defer("pdf", "key_pdf").filter(pk__in=ids_in([wanted])).first()


def _day(wanted: str, earliest: date, today: date) -> date | None:
    """Return the day that is wanted, by default today; None if it is no day of these."""
    if not wanted:
        return today
    try:
        day = date.fromisoformat(wanted)
    except ValueError:
        return None
    return day if earliest <= day <= today else None
