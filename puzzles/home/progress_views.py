"""The page on which students see how far they have come."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from osmosmjerka.web.views import SignedInRequest, signed_in
from puzzles.goals import services as goals
from puzzles.home import progress
from vocab.memory import selectors as memory
from vocab.memory.rules import today
from vocab.memory.streaks import longest_streak, streak

GOALS = (5, 10, 15, 20, 30)


@signed_in
@require_safe
def own_progress(request: SignedInRequest) -> HttpResponse:
    """Show a student their calendar, their own daily goal and their badges."""
    student = request.user
    if not student.is_student:
        raise Http404
    on = today(student)
    practised = memory.practised_days(student, on)
    first = _first_of_month(request.GET.get("month", ""), min(practised, default=on), on)
    month = progress.month_of(practised, first, on)
    badges = progress.badges_of(student, practised, on)
    return render(
        request,
        "puzzles/home/progress.html",
        {
            "on": on,
            "month": month,
            "streak": streak(practised, on),
            "longest": longest_streak(practised, on),
            "words_today": memory.words_on(student, on),
            "goal": goals.own_goal(student),
            "goals": GOALS,
            "badges": badges,
        },
    )


def _first_of_month(asked: str, begun: date, on: date) -> date:
    """Return the first day of the month that was asked for, as "2026-11", or of the present one.

    Before the month of the first practice there is nothing to see.
    """
    try:
        first = date.fromisoformat(f"{asked}-01")
    except ValueError:
        return on.replace(day=1)
    return min(max(first, begun.replace(day=1)), on.replace(day=1))
