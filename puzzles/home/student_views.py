"""Pages on which students see what to do, what they know, and practise it."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.charts import LineChart, line_chart
from osmosmjerka.http import SignedInRequest, signed_in
from puzzles import access
from puzzles.access import Moment
from puzzles.assignments import selectors as assignments_selectors
from puzzles.assignments import services as assignments
from puzzles.assignments.selectors import ToDo
from puzzles.goals import services as goals
from puzzles.home.growth import growth
from puzzles.home.next_step import Step, next_step
from puzzles.kinds import KINDS
from puzzles.practice import plan, rounds
from puzzles.practice import services as practice
from puzzles.practice.forms import PracticeForm
from puzzles.practice.views import chosen_list
from vocab.memory import selectors as memory

ASSIGNMENTS_SHOWN = 5


def home(request: SignedInRequest) -> HttpResponse:
    """Show a student what to do now, what is left of today's practice, and what they know."""
    student, moment = request.user, Moment(request.user, timezone.now())
    chosen = chosen_list(moment, request.GET)
    practised = rounds.round_at(moment, chosen)
    together = practised.of_one_list
    offer = plan.offer(student, together, moment)
    days = memory.days_of_student(student, practised.on)
    given = assignments_selectors.assignments_of_student(student, moment)
    given.sort(key=_next_first)
    todo = [line for line in given if not line.is_finished]
    done = [line for line in given if line.is_finished]
    open_practice = rounds.open_practice(student, moment.at)
    gained = rounds.gained(practised)
    step = next_step(
        has_begun=any(line.session for line in todo),
        has_assignment=bool(todo),
        has_open_practice=open_practice is not None,
        has_met_words=bool(days.met),
        left=len(practised.left),
        is_offered=offer is not None,
        may_review=bool(practised.review),
        has_practised=gained is not None,
        can_practise=bool(practised.lists),
    )
    # The large button starts the first one.
    first = todo.pop(0) if step in (Step.GO_ON, Step.START) else None
    return render(
        request,
        "puzzles/home/home_student.html",
        {
            "player": name_on_device(student.pk),
            "on": practised.on,
            "step": step,
            "first": first,
            "together": goals.of_student(student, practised.on, moment.classes),
            "todo": todo[:ASSIGNMENTS_SHOWN],
            "folded": todo[ASSIGNMENTS_SHOWN:],
            "done": done,
            "today": practised,
            "offer": offer,
            "offered": practised.list_of(together[0]) if together else None,
            "open_practice": open_practice,
            "gained": gained,
            "lists": moment.lists,
            "chosen": chosen,
            "can_practise": bool(practised.lists),
            "form": PracticeForm(initial={"kind": offer.kind} if offer else None),
            "days": days,
            "growth": growth(days.levels, [one.level for one in gained.risen] if gained else ()),
            "resisting": memory.resisting(student, practised.waiting.untold),
        },
    )


def _next_first(line: ToDo) -> tuple[bool, bool, datetime]:
    due_at = line.assignment.due_at
    return line.session is None, due_at is None, due_at or line.assignment.created_at


def known_chart(days: memory.Days, title: str) -> LineChart | None:
    """Return a chart of words known over time; None with fewer than two days.

    Its title depends on whom it is shown to: the student or their teacher.
    """
    if len(days.known) < 2:
        return None
    return line_chart(
        title,
        over=_("Day"),
        places=[day.toordinal() for day, _count in days.known],
        labels=[formats.date_format(day, "SHORT_DATE_FORMAT") for day, _count in days.known],
        series=[(title, [count for _day, count in days.known])],
    )


@signed_in
@require_POST
def practise(request: SignedInRequest) -> HttpResponse:
    """Create a puzzle of words left today, of all lists or of one, and redirect to it."""
    if not request.user.is_student:
        raise Http404
    form = PracticeForm(request.POST)
    kind = form.cleaned_data["kind"] if form.is_valid() else next(iter(KINDS))
    try:
        puzzle = practice.request_practice(
            student=request.user,
            kind=kind,
            vocabulary_list=chosen_list(Moment(request.user, timezone.now()), request.POST),
            is_free="free" in request.POST,
        )
    except ValidationError as error:
        messages.info(request, " ".join(error.messages))
        return redirect("home")
    return redirect("play", puzzle.code)


@signed_in
@require_POST
def play_assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    """Redirect to the student's puzzle for an adaptive assignment; create it the first time."""
    given = access.given_to(request.user).filter(access.is_open_at(timezone.now()))
    assignment = get_object_or_404(given.select_related("puzzle__vocabulary_list"), pk=pk)
    try:
        puzzle = assignments.own_puzzle(assignment=assignment, student=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("home")
    return redirect("play", puzzle.code)
