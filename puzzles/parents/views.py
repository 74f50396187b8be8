"""Pages of links for parents: those of teachers, and what parents see."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.auth.card_sheet import qr_svg
from osmosmjerka.accounts.classrooms.requests import ids_of, managed_classroom
from osmosmjerka.accounts.selectors import by_name
from osmosmjerka.paper.lettering import MissingLetters
from osmosmjerka.web.views import SignedInRequest, download, teacher_required
from puzzles import wrong_tokens
from puzzles.link_pages import closed, ended, too_many_wrong
from puzzles.models import ParentLink
from puzzles.parents import selectors, services, sheet

# Their addresses may be typed from paper, at home.
MOST_WRONG = 30


@teacher_required
@require_safe
def class_links(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show for which students of a class there is a link for their parents."""
    classroom = managed_classroom(request, pk)
    students = sorted(services.students_reached(classroom, request.user), key=by_name())
    links = {link.student_id: link for link in services.working().filter(classroom=classroom)}
    with timezone.override(classroom.school.zone):
        return render(
            request,
            "puzzles/parents/class_links.html",
            {
                "classroom": classroom,
                "lines": [(student, links.get(student.pk)) for student in students],
                "missing": sum(student.pk not in links for student in students),
                "is_allowed": classroom.school.allows_parent_links,
            },
        )


@teacher_required
@require_POST
def print_links(request: SignedInRequest, pk: int) -> HttpResponse:
    """Create links and return them for printing at once: for who has none, or who is chosen."""
    classroom = managed_classroom(request, pk)
    students = services.students_reached(classroom, request.user)
    if request.POST.get("which") == "chosen":
        students = students.filter(pk__in=ids_of(request.POST.getlist("student")))
    else:
        having = services.working().filter(classroom=classroom)
        students = students.exclude(pk__in=having.values("student"))
    try:
        made = services.issue(
            students=sorted(students, key=by_name()), classroom=classroom, actor=request.user
        )
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("class-parents", pk)
    links = [
        (link, request.build_absolute_uri(reverse("parent-page", args=[token])))
        for link, token in made
    ]
    if not links:
        messages.info(request, _("Each student has a link already."))
        return redirect("class-parents", pk)
    if request.POST.get("format") == "pdf":
        try:
            return download(
                sheet.write(links, classroom=classroom), "application/pdf", "links-for-parents.pdf"
            )
        except MissingLetters as error:
            text = _(
                "The print fonts do not contain these letters: %(letters)s. Print the web page "
                "instead."
            )
            messages.warning(request, text % {"letters": error.shown})
    with timezone.override(classroom.school.zone):
        response = render(
            request,
            "puzzles/parents/sheet.html",
            {
                "classroom": classroom,
                "links": [(one, address, qr_svg(address)) for one, address in links],
            },
        )
    response["Cache-Control"] = "no-store, private"
    return response


@teacher_required
@require_POST
def end_links(request: SignedInRequest, pk: int) -> HttpResponse:
    """End all links of a class, or those of the students who are chosen."""
    classroom = managed_classroom(request, pk)
    reached = services.students_reached(classroom, request.user)
    links = ParentLink.objects.filter(classroom=classroom, student__in=reached)
    if request.POST.get("which") != "all":
        links = links.filter(student__in=ids_of(request.POST.getlist("student")))
    count = services.end(links=links, actor=request.user)
    text = ngettext("%(count)s link has ended.", "%(count)s links have ended.", count)
    messages.success(request, text % {"count": count})
    return redirect("class-parents", pk)


@require_safe
def parent_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show parents how their child is doing; without a link that works, only that it has ended."""
    try:
        look = partial(services.stored, token)
        stored = wrong_tokens.find(request, "parents", look, most=MOST_WRONG)
    except wrong_tokens.TooManyWrong:
        return too_many_wrong(request)
    link = services.opened(stored) if stored is not None else None
    if link is None:
        return ended(request)
    zone = link.student.school.zone if link.student.school else None
    with timezone.override(zone):
        told = selectors.told_to_parents(link.student, timezone.now())
        return closed(render(request, "puzzles/parents/page.html", {"told": told, "link": link}))
