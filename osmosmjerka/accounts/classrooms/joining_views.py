"""Answers of teachers to those who join with the class code."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from osmosmjerka.accounts.classrooms import joining
from osmosmjerka.accounts.classrooms.requests import ids_of, running_classroom
from osmosmjerka.accounts.classrooms.roster_views import tell_of_removal
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required


@teacher_required
@require_POST
def answer(request: SignedInRequest, pk: int) -> HttpResponse:
    """Let the selected of the waiting in, or refuse them."""
    classroom = running_classroom(request, pk)
    chosen = ids_of(request.POST.getlist("request"))
    if request.POST.get("answer") == "refuse":
        refused = joining.refuse(classroom=classroom, requests=chosen)
        said = ngettext("%(count)s request refused.", "%(count)s requests refused.", refused)
        messages.success(request, said % {"count": refused})
        return redirect("classroom-people", pk)
    with refusal_as_message(request):
        let_in = joining.accept(classroom=classroom, requests=chosen, actor=request.user)
        said = ngettext("%(count)s student added.", "%(count)s students added.", let_in)
        messages.success(request, said % {"count": let_in})
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def remove_recent(request: SignedInRequest, pk: int) -> HttpResponse:
    """Remove the selected of the students who have just joined with the class code."""
    classroom = running_classroom(request, pk)
    done = joining.remove_recent(
        classroom=classroom, students=ids_of(request.POST.getlist("student")), actor=request.user
    )
    tell_of_removal(request, done)
    return redirect("classroom-people", pk)
