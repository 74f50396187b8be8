"""The page on which teachers assign words or a puzzle to classes, or create a worksheet."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_http_methods

from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles.assignments.assign_page import Page
from puzzles.assignments.forms import SCREEN
from puzzles.class_pages import in_school_time
from puzzles.models import Puzzle


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
            if page.form.cleaned_data.get("use", SCREEN) == SCREEN:
                messages.success(request, _said(page, puzzle))
                return redirect("puzzle", puzzle.code)
            return redirect("worksheet", puzzle.code)
    return render(request, "puzzles/assignments/assign.html", page.context())


def _said(page: Page, puzzle: Puzzle) -> str:
    """Return to whom the puzzle was assigned and until when, with what may come next."""
    wanted = page.form.cleaned_data
    chosen = set(wanted["student"])
    assignments = {one.classroom_id: one.pk for one in puzzle.assignments.all()}
    classes = [(one, some) for one, some in page.members_of(wanted["classroom"])]
    told = ", ".join(
        ngettext("%(class)s (%(count)s student)", "%(class)s (%(count)s students)", count)
        % {"class": one, "count": count}
        for one, some in classes
        for count in [len(chosen.intersection(some)) or len(some)]
    )
    if wanted["due_at"]:
        due = formats.date_format(
            # Translators: a weekday, a day and a month, in the letters of Django’s “date” filter.
            timezone.localtime(wanted["due_at"]),
            pgettext("date format", "l, j F"),
        )
        text = _("Assigned to %(classes)s, due %(day)s.") % {"classes": told, "day": due}
    else:
        text = _("Assigned to %(classes)s.") % {"classes": told}
    first = classes[0][0].pk
    links = [(reverse("assignment", args=[first, assignments[first]]), _("Open assignment"))]
    if page.classes_left(assignments):
        links.append((f"{reverse('assign')}?puzzle={puzzle.code}", _("Assign to another class")))
    return format_html(
        "{} {}",
        text,
        format_html_join(" ", '<a class="button button--small" href="{}">{}</a>', links),
    )
