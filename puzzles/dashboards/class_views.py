"""The page of a class: whom to help in it, what is new, its goal and its assignments."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from osmosmjerka.accounts.access import classroom_actions, classrooms
from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles.assignments.status import assignment_lines
from puzzles.class_pages import in_school_time
from puzzles.dashboards import wording
from puzzles.dashboards.today import most_urgent_first, today_of
from puzzles.dashboards.today_views import help_context
from puzzles.goals import services as goals
from puzzles.models import Assignment
from vocab.memory.rules import today

# What is new in a class is of so long.
A_WEEK = timedelta(days=7)
# More assignments are folded.
SHOWN_ASSIGNMENTS = 5


@teacher_required
@in_school_time
@require_safe
def classroom(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a class's own today: whom to help, what is new, its goal, and its assignments."""
    seen = classrooms(request.user, "see progress").select_related("school", "ranking")
    shown = get_object_or_404(seen, pk=pk)
    may = classroom_actions(request.user, shown) if shown.archived_at is None else set()
    given = Assignment.objects.filter(classroom=shown, archived_at=None).select_related("puzzle")
    given = given.defer("puzzle__grid", "puzzle__unplaced", "puzzle__entries", "puzzle__settings")
    at, on = timezone.now(), today(request.user)
    students = students_of(shown)
    lines = most_urgent_first(assignment_lines(given, students, at))
    since = on - A_WEEK
    of_day = today_of([shown], since, at, members={shown.pk: students}, lines={shown.pk: lines})
    [own] = of_day.classes
    context = {
        "classroom": shown,
        "students": students,
        "since": since,
        "news": wording.said_news(own.news),
        "together": goals.of_classroom(shown, on),
        "goal_form": goals.GoalForm(),
        "may_assign": "assign" in may,
        "lines": lines[:SHOWN_ASSIGNMENTS],
        "folded": lines[SHOWN_ASSIGNMENTS:],
        "assigned": len(lines),
        "may_add": "manage people" in may,
    }
    may_assign = {shown.pk} if "assign" in may else set()
    may_print = {shown.pk} if "manage people" in may else set()
    return render(
        request,
        "puzzles/dashboards/classroom.html",
        context | help_context(of_day, may_assign, may_print),
    )
