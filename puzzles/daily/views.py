"""The page of a class's puzzle of the day, and the switch on the page of the class."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, signed_in, teacher_required
from puzzles import access
from puzzles.class_pages import in_school_time
from puzzles.daily import selectors
from puzzles.daily import services as daily


@signed_in
@in_school_time
@require_http_methods(["GET", "POST"])
def daily_page(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the class's puzzle of today and one's own result; a POST opens the puzzle."""
    mine = access.classes_with_daily_puzzle(request.user).select_related("school")
    classroom, at = get_object_or_404(mine, pk=pk), timezone.now()
    if request.method == "POST":
        with refusal_as_message(request, messages.INFO):
            opened = daily.begin(classroom=classroom, person=request.user, at=at)
            return redirect("play", opened.code)
        return redirect("home") if request.user.is_student else redirect("daily", pk)
    seen = selectors.seen_by(request.user, classroom, at)
    return render(request, "puzzles/daily/daily.html", {"classroom": classroom, "seen": seen})


@teacher_required
@require_POST
def switch(request: SignedInRequest, pk: int) -> HttpResponse:
    """Switch the puzzle of the day of a class on or off."""
    may = classrooms(request.user, "assign").filter(archived_at=None)
    classroom = get_object_or_404(may.select_related("school"), pk=pk)
    is_on = "on" in request.POST
    daily.switch(classroom=classroom, is_on=is_on, actor=request.user)
    messages.success(
        request,
        _("The puzzle of the day is on.") if is_on else _("The puzzle of the day is off."),
    )
    if request.POST.get("from") == "today":
        return redirect(f"{reverse('home')}?{urlencode({'class': pk})}")
    return redirect("classroom", pk)
