"""The first steps of a new teacher, hidden."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.web.views import SignedInRequest, teacher_required

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
