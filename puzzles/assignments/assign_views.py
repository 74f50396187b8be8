"""The page on which teachers assign words or a puzzle to classes, or create a worksheet."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from osmosmjerka.http import SignedInRequest, teacher_required
from puzzles.assignments.assign_page import Page
from puzzles.assignments.forms import SCREEN
from puzzles.class_pages import in_school_time


@teacher_required
@in_school_time
@require_http_methods(["GET", "POST"])
def assign(request: SignedInRequest) -> HttpResponse:
    """Assign words of a list, or a puzzle, to classes; or create a worksheet.

    A link may choose `vocabulary_list`, `entries` or a search of the list's page, `puzzle`,
    `classroom`, `student`, `kind`, `use`, or an earlier assignment to repeat (`again`). A form
    sent with `show` is shown again with the words and students that belong to it.
    """
    page = Page(request)
    if page.list is None and page.puzzle is None:
        return render(request, "puzzles/assignments/assign_empty.html")
    if page.is_valid:
        try:
            puzzle = page.assign()
        except ValidationError:
            pass  # is shown in the form
        else:
            given = [str(one) for one in page.form.cleaned_data["classroom"]]
            if page.form.cleaned_data.get("use", SCREEN) == SCREEN:
                messages.success(request, _("Assigned to %(class)s.") % {"class": ", ".join(given)})
            return redirect("puzzle", puzzle.code)
    return render(request, "puzzles/assignments/assign.html", page.context())
