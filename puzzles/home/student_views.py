"""Pages on which students see what to do, what they know, and practise it."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.accounts.models import User
from osmosmjerka.charts import LineChart, line_chart
from osmosmjerka.http import SignedInRequest, signed_in
from puzzles import access
from puzzles.access import Moment
from puzzles.assignments import services as assignments
from puzzles.daily import selectors as daily
from puzzles.goals import services as goals
from puzzles.home.growth import growth
from puzzles.home.now import now_of
from puzzles.kinds import KINDS
from puzzles.practice import services as practice
from puzzles.practice.forms import PracticeForm
from puzzles.practice.views import chosen_list
from puzzles.untold import untold_words
from vocab.entries import pictures
from vocab.memory import selectors as memory
from vocab.memory.rules import today
from vocab.models import Entry

WORDS_A_PAGE = 100
ASSIGNMENTS_SHOWN = 5


def home(request: SignedInRequest) -> HttpResponse:
    """Show a student what to do now, what is left of today's practice, and what they know."""
    student, moment = request.user, Moment(request.user, timezone.now())
    chosen = chosen_list(moment, request.GET)
    now = now_of(moment, chosen)
    gained = now.gained
    return render(
        request,
        "puzzles/home/home_student.html",
        {
            "player": name_on_device(student.pk),
            "on": now.today.on,
            "step": now.step,
            "first": now.first,
            "daily": daily.of_student(moment),
            "together": goals.of_student(student, now.today.on, moment.classes),
            "goal": goals.own_goal(student),
            "todo": now.todo[:ASSIGNMENTS_SHOWN],
            "folded": now.todo[ASSIGNMENTS_SHOWN:],
            "done": now.done,
            "today": now.today,
            "offer": now.offer,
            "offered": now.offered,
            "open_practice": now.open_practice,
            "gained": gained,
            "lists": moment.lists,
            "chosen": chosen,
            "can_practise": bool(now.today.lists),
            "form": PracticeForm(initial={"kind": now.offer.kind} if now.offer else None),
            "days": now.days,
            "growth": growth(
                now.days.levels, [one.level for one in gained.risen] if gained else ()
            ),
            "resisting": memory.resisting(student, now.today.waiting.untold),
        },
    )


def known_chart(days: memory.Days, title: str) -> LineChart | None:
    """Return a chart of words known over time; None with fewer than two days.

    Its title depends on whom it is shown to: the student or their teacher.
    """
    if len(days.known) < 2:
        return None
    return line_chart(
        title,
        over=_("Day"),
        places=[day.toordinal() for day, _count in days.known],
        labels=[formats.date_format(day, "SHORT_DATE_FORMAT") for day, _count in days.known],
        series=[(title, [count for _day, count in days.known])],
    )


@signed_in
@require_POST
def practise(request: SignedInRequest) -> HttpResponse:
    """Create a puzzle of words left today, of all lists or of one, and redirect to it."""
    if not request.user.is_student:
        raise Http404
    form = PracticeForm(request.POST)
    kind = form.cleaned_data["kind"] if form.is_valid() else next(iter(KINDS))
    try:
        puzzle = practice.request_practice(
            student=request.user,
            kind=kind,
            vocabulary_list=chosen_list(Moment(request.user, timezone.now()), request.POST),
            is_free="free" in request.POST,
        )
    except ValidationError as error:
        messages.info(request, " ".join(error.messages))
        return redirect("home")
    return redirect("play", puzzle.code)


@signed_in
@require_POST
def play_assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    """Redirect to the student's puzzle for an adaptive assignment; create it the first time."""
    given = access.given_to(request.user).filter(access.is_open_at(timezone.now()))
    assignment = get_object_or_404(given.select_related("puzzle__vocabulary_list"), pk=pk)
    try:
        puzzle = assignments.own_puzzle(assignment=assignment, student=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("home")
    return redirect("play", puzzle.code)


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
