"""Home pages, and the page of a class."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.access import classroom_actions, classrooms
from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.accounts.models import Membership
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.accounts.selectors import members_by_name, number_of_students
from osmosmjerka.collation import Alphabetical
from osmosmjerka.http import SignedInRequest, signed_in, teacher_required
from puzzles import access
from puzzles.assignments.status import assignment_lines
from puzzles.goals import services as goals
from puzzles.home import student_views
from puzzles.home.first_steps import first_steps
from puzzles.models import Assignment
from puzzles.trial.views import first_page
from vocab.access import vocabulary_lists
from vocab.lists.selectors import with_sizes
from vocab.memory.rules import today

HIDDEN_STEPS = "first-steps"  # a cookie: whose first steps are hidden on this device


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what this is to a stranger, and their own home page to everybody else."""
    if request.user.is_authenticated:
        return _own_home(request)
    return first_page(request)


@signed_in
def _own_home(request: SignedInRequest) -> HttpResponse:
    """Show a student what to do now; show a teacher their lists, classes and newest puzzles."""
    if request.user.is_student:
        return student_views.home(request)
    followed = (
        classrooms(request.user, "see progress")
        .filter(archived_at=None)
        .annotate(
            students=number_of_students(),
            is_given=Exists(Assignment.objects.filter(classroom=OuterRef("pk"))),
        )
        .order_by(Alphabetical("name"), "pk")
    )
    lists = list(with_sizes(vocabulary_lists(request.user, "edit"))[:6])
    puzzles = list(
        access.puzzles(request.user, "manage").select_related("vocabulary_list")[:8],
    )
    steps = []
    if request.COOKIES.get(HIDDEN_STEPS) != name_on_device(request.user.pk):
        steps = first_steps(
            lists=lists,
            puzzles=puzzles,
            classrooms=list(followed),
            has_assigned=any(one.is_given for one in followed),
        )
    return render(
        request,
        "puzzles/home/home_teacher.html",
        {
            "endings": retention.show_endings(request.user),
            "lists": lists,
            "classrooms": followed,
            "puzzles": puzzles,
            "steps": steps,
            "next": next((step for step in steps if not step.is_done), None),
        },
    )


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
