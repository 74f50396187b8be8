"""Views that change a class's goal, its leaderboard and a student's nickname there."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from osmosmjerka.accounts.models import Classroom
from osmosmjerka.web.views import (
    SignedInRequest,
    refusal_as_message,
    signed_in,
    student_required,
    teacher_required,
)
from puzzles.goals import services as goals


@teacher_required
@require_POST
def goal(request: SignedInRequest, pk: int) -> HttpResponse:
    """Set the class's goal, or end it."""
    classroom = _classroom(request, pk)
    form = goals.GoalForm(request.POST)
    if "end" in request.POST:
        goals.end_goal(classroom=classroom)
    elif not form.is_valid():
        messages.error(request, _("Enter how many words the class wants to learn, and by when."))
    else:
        with refusal_as_message(request):
            goals.set_goal(classroom=classroom, person=request.user, **form.cleaned_data)
    return redirect("classroom", pk)


@teacher_required
@require_POST
def ranking(request: SignedInRequest, pk: int) -> HttpResponse:
    """Switch the class's leaderboard on or off."""
    classroom = _classroom(request, pk)
    goals.switch_ranking(classroom=classroom, is_on="on" in request.POST)
    return redirect("classroom", pk)


def _classroom(request: SignedInRequest, pk: int) -> Classroom:
    return get_object_or_404(goals.classes_of_teacher(request.user), pk=pk)


@signed_in
@require_POST
def nickname(request: SignedInRequest, pk: int) -> HttpResponse:
    """Choose one's nickname on the leaderboard of a class, or leave the leaderboard."""
    classroom = get_object_or_404(goals.classes_of_student(request.user), pk=pk)
    name = request.POST.get("name", "")
    with refusal_as_message(request):
        goals.choose_nickname(classroom=classroom, student=request.user, name=name)
    return redirect("home")


@student_required
@require_POST
def own_goal(request: SignedInRequest) -> HttpResponse:
    """Set how many words a day a student wants to practise; without a number, take it away."""
    wanted = request.POST.get("words", "")
    try:
        goals.set_own_goal(student=request.user, words=int(wanted) if wanted else None)
    except (ValueError, ValidationError):
        messages.error(request, _("Choose a number of words from 1 to 200."))
    return redirect("own-progress")
