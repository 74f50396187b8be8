"""Pages on which students see their words: all of them, and the history of one."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from osmosmjerka.accounts.models import User
from osmosmjerka.http import SignedInRequest, signed_in
from puzzles import access
from puzzles.untold import untold_words
from vocab.entries import pictures
from vocab.memory import selectors as memory
from vocab.memory.rules import today
from vocab.models import Entry

WORDS_A_PAGE = 100


@signed_in
@require_safe
def word_list(request: SignedInRequest) -> HttpResponse:
    """Show every word that the student was asked, the weakest first.

    Words that the student is looking for in a puzzle are counted, not shown.
    """
    at = timezone.now()
    untold = untold_words(request.user, at)
    mine = memory.progress_of(request.user)
    words = memory.weakest_first(mine.exclude(entry__in=untold))
    page = Paginator(words, WORDS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "words": memory.remembered(page, today(request.user, at)),
        "untold": mine.filter(entry__in=untold).count(),
    }
    return render(request, "puzzles/home/words.html", context)


@signed_in
@require_safe
def word(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the history of one of the student's own words, also if it was only seen."""
    met = Entry.objects.filter(reviews__student=request.user).distinct()
    told = met.exclude(pk__in=untold_words(request.user, timezone.now()))
    entry = get_object_or_404(told, pk=pk)
    return word_page(request, request.user, entry)


@signed_in
@require_safe
def word_picture(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return the picture of a word that the student has seen or is asked."""
    mine = Q(reviews__student=request.user) | Q(
        vocabulary_list__in=access.lists_of_student(request.user)
    )
    entry = get_object_or_404(Entry.objects.filter(mine).distinct(), pk=pk)
    return pictures.file_response(request, entry, "image")


def word_page(request: HttpRequest, student: User, entry: Entry, **context: object) -> HttpResponse:
    """Render the history of a word of one student."""
    on = today(student)
    known = memory.words_of_student(student, on, Entry.objects.filter(pk=entry.pk))
    page = Paginator(memory.history(student, entry), WORDS_A_PAGE)
    return render(
        request,
        "puzzles/home/word_history.html",
        {
            "entry": entry,
            "word": known[0] if known else None,
            "student": student,
            "page": page.get_page(request.GET.get("page")),
            **context,
        },
    )
