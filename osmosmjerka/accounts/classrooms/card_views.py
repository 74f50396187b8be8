"""Pages that print login cards."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from osmosmjerka.accounts.auth import card_sheet, cards
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.classrooms.requests import door_address, ids_of, managed_classroom
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.paper.lettering import MissingLetters
from osmosmjerka.web.views import SignedInRequest, download, teacher_required


@teacher_required
@require_POST
def print_cards(request: SignedInRequest, pk: int) -> HttpResponse:
    """Create new cards and return them for printing at once; they are not stored."""
    classroom = managed_classroom(request, pk)
    try:
        chosen = classes.students_for_cards(
            classroom=classroom,
            actor=request.user,
            which=request.POST.get("which", ""),
            chosen=ids_of(request.POST.getlist("student")),
        )
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("classroom-people", pk)
    made = cards.issue_cards(students=chosen, actor=request.user, classroom=classroom)
    if request.POST.get("format") == "pdf":
        try:
            with translation.override(classroom.language_of_cards):
                sheet = card_sheet.write(
                    made,
                    classroom=classroom,
                    card_address=request.build_absolute_uri(reverse("card")),
                    class_address=door_address(request, classroom),
                    paper="letter" if request.POST.get("paper") == "letter" else "a4",
                )
        except MissingLetters as error:
            text = _(
                "The print fonts do not contain these letters: %(letters)s. Print the web page "
                "instead."
            )
            messages.warning(request, text % {"letters": error.shown})
        else:
            return _download(request, classroom, sheet, len(made))
    return card_page(request, classroom, made)


def _download(
    request: SignedInRequest, classroom: Classroom, sheet: bytes, cards: int
) -> HttpResponse:
    """Return the sheet as a file, after which the page below it is out of date.

    A script reloads the page once it sees the cookie, with the mark that it sent (downloads.js).
    """
    text = ngettext(
        "%(count)s login card created. It is in the downloaded file.",
        "%(count)s login cards created. They are in the downloaded file.",
        cards,
    )
    told = format_html(
        '{} <a class="button button--small" href="{}?classroom={}">{}</a>',
        text % {"count": cards},
        reverse("assign"),
        classroom.pk,
        _("Assign a puzzle"),
    )
    messages.success(request, told)
    response = download(sheet, "application/pdf", "login-cards.pdf")
    mark = request.POST.get("download", "")
    if mark.isascii() and mark.isalnum() and len(mark) <= 40:
        response.set_cookie(
            "downloaded", mark, max_age=60, secure=request.is_secure(), samesite="Lax"
        )
    return response


def card_page(
    request: HttpRequest,
    classroom: Classroom,
    made: Sequence[cards.PaperCard],
    *,
    is_own: bool = False,
) -> HttpResponse:
    """Show cards on a page for the browser to print, in any script."""
    address = request.build_absolute_uri(reverse("card"))
    shown = [(card, card_sheet.qr_svg(f"{address}#{card.token}")) for card in made]
    return render(
        request,
        "accounts/classrooms/cards.html",
        {
            "classroom": classroom,
            "cards": shown,
            "door": door_address(request, classroom).partition("://")[2],
            "is_own": is_own,
        },
    )
