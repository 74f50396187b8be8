"""Home pages, and the page of a class."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from osmosmjerka.accounts.access import classroom_actions, classrooms
from osmosmjerka.accounts.models import Membership
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.accounts.selectors import members_by_name, number_of_students
from osmosmjerka.collation import Alphabetical
from osmosmjerka.http import SignedInRequest, signed_in, teacher_required
from puzzles import access
from puzzles.assignments.status import assignment_lines
from puzzles.goals import services as goals
from puzzles.home import student_views
from puzzles.models import Assignment
from vocab.access import vocabulary_lists
from vocab.lists.selectors import with_sizes
from vocab.memory.rules import today


@signed_in
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """Show a student what to do now; show a teacher their lists, classes and newest puzzles."""
    if request.user.is_student:
        return student_views.home(request)
    return render(
        request,
        "puzzles/home/home_teacher.html",
        {
            "endings": retention.show_endings(request.user),
            "lists": with_sizes(vocabulary_lists(request.user, "edit"))[:6],
            "classrooms": classrooms(request.user, "see progress")
            .filter(archived_at=None)
            .annotate(students=number_of_students())
            .order_by(Alphabetical("name"), "pk"),
            "puzzles": access.puzzles(request.user, "manage").select_related("vocabulary_list")[:8],
        },
    )


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
