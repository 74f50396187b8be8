"""The page of a class."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.access import classroom_actions, classrooms
from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.accounts.models import Membership
from osmosmjerka.accounts.selectors import members_by_name
from osmosmjerka.http import SignedInRequest, teacher_required
from puzzles.assignments.status import assignment_lines
from puzzles.goals import services as goals
from puzzles.models import Assignment
from vocab.memory.rules import today

HIDDEN_STEPS = "first-steps"  # a cookie: whose first steps are hidden on this device


@teacher_required
@require_POST
def hide_first_steps(request: SignedInRequest) -> HttpResponse:
    """Leave the first steps out of the teacher's home page on this device."""
    response = redirect("home")
    response.set_cookie(
        HIDDEN_STEPS,
        name_on_device(request.user.pk),
        max_age=timedelta(days=365),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response


@teacher_required
@require_safe
def classroom(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a class: its people, its assignments, and their progress."""
    seen = classrooms(request.user, "see progress").select_related("school", "ranking")
    shown = get_object_or_404(seen, pk=pk)
    may = classroom_actions(request.user, shown) if shown.archived_at is None else set()
    given = Assignment.objects.filter(classroom=shown, archived_at=None).select_related("puzzle")
    given = given.defer("puzzle__grid", "puzzle__unplaced", "puzzle__entries", "puzzle__settings")
    members = members_by_name(shown.memberships.select_related("user"))
    students = [one.user for one in members if one.role == Membership.Role.STUDENT]
    return render(
        request,
        "puzzles/home/classroom.html",
        {
            "classroom": shown,
            "memberships": sorted(members, key=lambda membership: membership.role),
            "together": goals.of_classroom(shown, today(request.user)),
            "goal_form": goals.GoalForm(),
            "may_assign": "assign" in may,
            "lines": assignment_lines(given, students, timezone.now()),
            "may_add": "manage people" in may,
        },
    )
