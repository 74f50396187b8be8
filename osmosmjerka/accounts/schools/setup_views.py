"""The page of the first start, which exists only while the site has no admin."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from osmosmjerka.accounts import languages
from osmosmjerka.accounts.schools import setup
from osmosmjerka.accounts.schools.forms import SetUpForm


@sensitive_post_parameters("password", "code")
@never_cache
@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """Create the first site admin, school and class, for whoever has the setup code."""
    if not setup.is_needed():
        raise Http404
    initial = {"code": request.GET.get("code", ""), "language": get_language()}
    form = SetUpForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        wanted = {name: value for name, value in form.cleaned_data.items() if name != "code"}
        try:
            person, classroom = setup.set_up_site(**wanted)
        except setup.AlreadySetUp:
            raise Http404 from None
        login(request, person)
        languages.speak_to(person)  # as the next page, on which the message stands
        messages.success(
            request,
            _(
                "This site is ready. Other teachers join by invitation: you can send one from “My "
                "school” in the menu."
            ),
        )
        # The next step: there is a class, without students.
        return redirect("roster", classroom.pk)
    status = 429 if form.has_error("code", "locked") else 200
    return render(request, "accounts/schools/setup.html", {"form": form}, status=status)
