"""Pages on which students see what to do, what they know, and practise it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.paper.charts import LineChart, line_chart
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, signed_in
from puzzles import access
from puzzles.access import Moment
from puzzles.assignments import services as assignments
from puzzles.daily import selectors as daily
from puzzles.goals import services as goals
from puzzles.home.growth import growth
from puzzles.home.now import now_of
from puzzles.kinds import KINDS
from puzzles.practice import services as practice
from puzzles.practice.forms import PracticeForm
from puzzles.practice.views import chosen_list
from vocab.memory import selectors as memory

ASSIGNMENTS_SHOWN = 5


def home(request: SignedInRequest) -> HttpResponse:
    """Show a student what to do now, what is left of today's practice, and what they know."""
    student, moment = request.user, Moment(request.user, timezone.now())
    chosen = chosen_list(moment, request.GET)
    now = now_of(moment, chosen)
    gained = now.gained
    return render(
        request,
        "puzzles/home/home_student.html",
        {
            "player": name_on_device(student.pk),
            "on": now.today.on,
            "step": now.step,
            "first": now.first,
            "daily": daily.of_student(moment),
            "together": goals.of_student(student, now.today.on, moment.classes),
            "goal": goals.own_goal(student),
            "words_today": memory.words_on(student, now.today.on),
            "todo": now.todo[:ASSIGNMENTS_SHOWN],
            "folded": now.todo[ASSIGNMENTS_SHOWN:],
            "done": now.done,
            "today": now.today,
            "offer": now.offer,
            "offered": now.offered,
            "open_practice": now.open_practice,
            "gained": gained,
            "lists": moment.lists,
            "chosen": chosen,
            "can_practise": bool(now.today.lists),
            "kinds": KINDS.values(),
            "days": now.days,
            "growth": growth(
                now.days.levels, [one.level for one in gained.risen] if gained else ()
            ),
            "resisting": memory.resisting(student, now.today.waiting.untold),
        },
    )


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
    with refusal_as_message(request, messages.INFO):
        puzzle = practice.request_practice(
            student=request.user,
            kind=kind,
            vocabulary_list=chosen_list(Moment(request.user, timezone.now()), request.POST),
            is_free="free" in request.POST,
        )
        return redirect("play", puzzle.code)
    return redirect("home")


@signed_in
@require_POST
def play_assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    """Redirect to the student's puzzle for an adaptive assignment; create it the first time."""
    given = access.given_to(request.user).filter(access.is_open_at(timezone.now()))
    assignment = get_object_or_404(given.select_related("puzzle__vocabulary_list"), pk=pk)
    with refusal_as_message(request):
        puzzle = assignments.own_puzzle(assignment=assignment, student=request.user)
        return redirect("play", puzzle.code)
    return redirect("home")
