"""Pages on which students see their words: all of them, and the history of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.models import User
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, signed_in, student_required
from puzzles import access
from puzzles.access import Moment
from puzzles.album import selectors as album
from puzzles.album.selectors import Cover
from puzzles.home import words
from puzzles.home.paths import path_of
from puzzles.kinds import KINDS
from puzzles.practice import plan
from puzzles.practice import services as practice
from puzzles.practice.picked import MOST, Picked
from puzzles.practice.views import number
from puzzles.withheld import Waiting, withheld_words
from vocab.entries import pictures
from vocab.memory import selectors as memory
from vocab.memory.rules import today
from vocab.models import Entry, WordProgress
from vocab.sounds import playback

WORDS_A_PAGE = 100
# Each is drawn in a way of its own in the album; a word that slips is drawn as it was at best.
DRAWN_LEVELS = [level for level in words.LEVELS if level != WordProgress.Level.SLIPPING]


@signed_in
@require_safe
def word_list(request: SignedInRequest) -> HttpResponse:
    """Show a student's words: as an album, or as a list of those that are searched for.

    Words that the student is looking for in a puzzle are counted, not shown.
    """
    waiting = Waiting(Moment(request.user, timezone.now()))
    asked = words.Asked.read(request.GET)
    mine = memory.progress_of(request.user)
    covers = [] if asked.is_list else album.covers_of(waiting)
    opened = _opened(request, covers)
    # Under the album it is the words of its list that can be practised.
    to_practise = replace(asked, vocabulary_list=opened.vocabulary_list.pk) if opened else asked
    counts = words.count(mine, to_practise, waiting)
    context = {
        "asked": asked,
        "to_practise": to_practise,
        "lists": words.lists_of(mine),
        "levels": words.LEVELS,
        "kinds": KINDS.values(),
        "has_words": bool(counts.found) or any(one.filled for one in covers),
        "can_practise": counts.can_practise,
        "picked": min(counts.can_practise, MOST),
        "withheld": counts.withheld,
    }
    if asked.is_list:
        context |= _as_list(request, waiting, asked, mine, counts)
    elif opened is not None:
        context |= _as_album(request, waiting, opened, covers)
    return render(request, "puzzles/home/words.html", context)


def _opened(request: SignedInRequest, covers: Sequence[Cover]) -> Cover | None:
    """Return the list at which the album is open: the one that is asked for, or the first."""
    wanted = number(request.GET, "album")
    asked_for = [one for one in covers if one.vocabulary_list.pk == wanted]
    return next(iter([*asked_for, *covers]), None)


def _as_album(
    request: SignedInRequest, waiting: Waiting, opened: Cover, covers: Sequence[Cover]
) -> dict[str, object]:
    """Return the album: a page of the places of one list, and the covers of the others."""
    places = album.places_of(waiting, opened.vocabulary_list)
    page = Paginator(places, WORDS_A_PAGE).get_page(request.GET.get("page"))
    return {
        "cover": opened,
        "others": [one for one in covers if one is not opened],
        "places": page,
        "drawn_levels": DRAWN_LEVELS,
        # Of a class that ended, there is nothing to play any more.
        "path": path_of(request.user, opened.vocabulary_list)
        if opened.vocabulary_list in waiting.moment.lists
        else [],
    }


def _as_list(
    request: SignedInRequest,
    waiting: Waiting,
    asked: words.Asked,
    mine: QuerySet[WordProgress],
    counts: words.Counts,
) -> dict[str, object]:
    """Return a page of the words that are searched for, with when each comes back."""
    found = mine.filter(words.asked_for(asked), words.may_tell(waiting))
    pages = Paginator(words.in_order(found, asked.order), WORDS_A_PAGE)
    pages.count = counts.found  # instead of by a query of its own
    page = pages.get_page(request.GET.get("page"))
    shown = memory.remembered(page, today(request.user, waiting.moment.at))
    memory.know_translations([word.entry for word in shown])
    present = {one.pk for one in waiting.moment.lists}
    asked_still = [one.entry for one in shown if one.entry.vocabulary_list_id in present]
    return {
        "page": page,
        "words": shown,
        "present": present,
        # What today's plan asks again comes back today, also before it is due.
        "planned": set(plan.Today.of(waiting.moment, waiting=waiting).plan().left),
        "speakable": {one.pk for one in playback.speakable(asked_still)},
    }


@student_required
@require_POST
def practise_words(request: SignedInRequest) -> HttpResponse:
    """Practise the words that are searched for, as the student wants: at most a round of them."""
    waiting = Waiting(Moment(request.user, timezone.now()))
    asked = words.Asked.read(request.POST)
    found = memory.progress_of(request.user).filter(
        words.asked_for(asked), words.can_practise(waiting)
    )
    how = request.POST.get("how", "")
    with refusal_as_message(request, messages.INFO):
        if how in KINDS:
            needed = words.needed_most(found, WORDS_A_PAGE)
            puzzle = practice.request_picked(student=request.user, kind=how, words=needed)
            return redirect("play", puzzle.code)
        return redirect(f"{reverse(_ROUNDS.get(how, 'flashcards'))}?{_round_of(found).query}")
    return redirect(f"{reverse('words')}?{asked.query}")


_ROUNDS = {"cards": "flashcards", "match": "match"}


def _round_of(found: QuerySet[WordProgress]) -> Picked:
    needed = words.needed_most(found)
    if not needed:
        told = _("No words to practise today. Words return just before you would forget them.")
        raise ValidationError(told)
    return Picked.of(needed)


@signed_in
@require_safe
def word(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the history of one of the student's own words, also if it was only seen."""
    met = Entry.objects.filter(reviews__student=request.user).distinct()
    told = met.exclude(pk__in=withheld_words(request.user, timezone.now()))
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
