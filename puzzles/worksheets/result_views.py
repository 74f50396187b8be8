"""The page on which a teacher enters what students knew on paper."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from osmosmjerka.accounts.models import Classroom
from osmosmjerka.accounts.selectors import told_apart
from osmosmjerka.web.requests import ids_in
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles.class_pages import in_school_time
from puzzles.kinds import KINDS
from puzzles.models import Puzzle, WorksheetSet
from puzzles.worksheets import results, services
from puzzles.worksheets.remembered import remembered
from puzzles.worksheets.views import classes_of, printing_form, ready_puzzle

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
        self._printed = printing_form(request, puzzle, {"shows": self._shows()})
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
            return _("Choose a day of the last two weeks. Nothing was saved.")
        is_as_seen = self._sent.get("words") == self._words and self._unsaved <= self._seen
        if not is_as_seen and "show" not in self._sent:
            return _("These are other students or words than before. Nothing was saved yet.")
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
                "%(count)s student’s results of this day were saved before and were not changed.",
                "%(count)s students’ results of this day were saved before and were not changed.",
                saved.before,
            )
            messages.info(self._request, told % {"count": saved.before})
        if not (saved.students or saved.before):
            told = (
                _("Nothing was saved: “nothing to enter” is selected for all of them.")
                if self._absent & self._seen
                else _("Nothing was saved: nobody had words on paper.")
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
