"""Pages on which students see what to do, what a game brought, and how far they have come."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.paper.charts import LineChart, line_chart
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, signed_in, student_required
from puzzles import access
from puzzles.access import Moment
from puzzles.album import selectors as album
from puzzles.album.services import newly_complete
from puzzles.assignments import services as assignments
from puzzles.daily import selectors as daily
from puzzles.goals import services as goals
from puzzles.home import progress
from puzzles.home.after_game import after_game, searched
from puzzles.home.now import now_of
from puzzles.kinds import KINDS
from puzzles.live.selectors import games_now
from puzzles.models import DailyPuzzle, PlaySession, Puzzle
from puzzles.play import attempts, games
from puzzles.play.ending import ending_of
from puzzles.play.games import Game
from puzzles.play.selectors import again_url
from puzzles.practice import services as practice
from puzzles.practice.after_search import Asking, asking_after
from puzzles.practice.forms import PracticeForm
from puzzles.practice.quiz import Verdict
from puzzles.practice.views import chosen_list, number
from puzzles.withheld import Waiting
from vocab.memory import selectors as memory
from vocab.memory.rules import today
from vocab.memory.streaks import longest_streak, streak

ASSIGNMENTS_SHOWN = 5
GOALS = (5, 10, 15, 20, 30)
# In the session: the last games after which the student wanted no questions.
SKIPPED, MOST_SKIPPED = "skipped_questions", 20


def home(request: SignedInRequest) -> HttpResponse:
    """Show a student what to do now, what is left of today's practice, and what they know."""
    student, moment = request.user, Moment(request.user, timezone.now())
    chosen = chosen_list(moment, request.GET)
    now = now_of(moment, chosen)
    return render(
        request,
        "puzzles/home/home_student.html",
        vars(now)
        | {
            "player": name_on_device(student.pk),
            "on": now.today.on,
            "games": games_now(moment.classes),
            "daily": daily.of_student(moment),
            "together": goals.of_student(student, now.today.on, moment.classes),
            "goal": goals.own_goal(student),
            "words_today": memory.words_on(student, now.today.on),
            "todo": now.todo[:ASSIGNMENTS_SHOWN],
            "folded": now.todo[ASSIGNMENTS_SHOWN:],
            "is_in_classes": len(moment.classes) > 1,
            "lists": moment.lists,
            "chosen": chosen,
            "can_practise": bool(now.today.lists),
            "kinds": KINDS.values(),
            "glance": album.glance(now.today.waiting),
            "resisting": memory.resisting(student, now.today.waiting.withheld),
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


@student_required
@require_POST
def practise(request: SignedInRequest) -> HttpResponse:
    """Create a puzzle of words left today, of all lists or of one, and redirect to it.

    A step of the path of a list may be taken at any time: if no words are left, for fun.
    """
    form = PracticeForm(request.POST)
    kind = form.cleaned_data["kind"] if form.is_valid() else next(iter(KINDS))
    chosen = chosen_list(Moment(request.user, timezone.now()), request.POST)
    with refusal_as_message(request, messages.INFO):
        if chosen is not None and "path" in request.POST:
            step = practice.request_step(student=request.user, kind=kind, vocabulary_list=chosen)
            return redirect("play", step.code)
        puzzle = practice.request_practice(
            student=request.user,
            kind=kind,
            vocabulary_list=chosen,
            is_free="free" in request.POST,
        )
        return redirect("play", puzzle.code)
    return redirect("home")


@signed_in
@require_POST
def play_assignment(request: SignedInRequest, pk: int) -> HttpResponse:
    """Redirect to the student's puzzle for an adaptive assignment; create it the first time."""
    given = access.given_to(request.user).filter(access.is_open_at(timezone.now()))
    assignment = get_object_or_404(given.select_related("puzzle__vocabulary_list"), pk=pk)
    with refusal_as_message(request):
        puzzle = assignments.own_puzzle(assignment=assignment, student=request.user)
        return redirect("play", puzzle.code)
    return redirect("home")


@signed_in
@require_safe
def game_summary(request: SignedInRequest, code: str) -> HttpResponse:
    """Return the summary of the reader's last game of a puzzle, as a part of the play page.

    Returns 404 unless the game is over, and refuses the page of another student: two may share a
    tablet.
    """
    game = _finished_game(request, code)
    left = attempts.attempts_left(game.session)
    context: dict[str, object] = {
        "puzzle": game.puzzle,
        "new_kind": game.kind if game.kind.player_settings is not None else None,
        "left": left,
        "again_url": again_url(game.puzzle) if left else "",
    }
    if request.user.is_student:
        after = after_game(game, request.user, timezone.now())
        # The button of what is next is that of the home page.
        context |= vars(after.now) | {
            "ending": after.ending,
            "after": after,
            "daily_class": _class_of_daily(game.puzzle),
        }
        # What a teacher sees in a student's name is not told to the student by it.
        if not hasattr(request, "viewed_by"):
            of_list = (game.vocabulary_list, after.places)
            context["completed"] = newly_complete(request.user, [of_list])
        asking = _asking(request, game, after.now.today.waiting)
        if asking is not None and asking.left:
            context["asking"] = asking
    else:
        may_see = access.puzzles(request.user, "see").filter(code=code).exists()
        context |= {
            "ending": ending_of(game),
            "next_url": reverse("puzzle", args=[code]) if may_see else reverse("home"),
        }
    return render(request, "puzzles/play/_summary.html", context)


def _finished_game(request: SignedInRequest, code: str) -> Game:
    """Return the reader's last game of a puzzle; 404 unless it is over. See `game_summary`."""
    if request.headers.get("X-Player") not in (None, name_on_device(request.user.pk)):
        raise PermissionDenied
    mine = PlaySession.objects.filter(puzzle__code=code, student=request.user)
    last = mine.order_by("-number").values_list("pk", flat=True).first()
    if last is None:
        raise Http404
    try:
        game = games.current(games.Mine(request.user, code, last))
    except (Puzzle.DoesNotExist, PlaySession.DoesNotExist):
        raise Http404 from None
    if not game.is_over:
        raise Http404
    return game


def _asking(request: SignedInRequest, game: Game, waiting: Waiting) -> Asking | None:
    """Return the questions after a game, None if it has none or the student did not want them."""
    if not game.kind.asks_words_after or game.puzzle.is_free_practice:
        return None
    if str(game.session.pk) in request.session.get(SKIPPED, ()):
        return None
    asking = asking_after(searched(game), waiting)
    return asking if asking.entries else None


@student_required
@require_http_methods(["GET", "POST"])
def ask_after_game(request: SignedInRequest, code: str) -> HttpResponse:
    """Ask for the next word of the student's last game of a puzzle, as a part of its summary.

    Judge an answer first, or ask no more if the student wants to skip the rest. Returns 404 unless
    the game is over and has questions.
    """
    game = _finished_game(request, code)
    waiting = Waiting(Moment(request.user, timezone.now()))
    asking = _asking(request, game, waiting)
    if asking is None:
        raise Http404
    if "skip" in request.POST:
        skipped = [*request.session.get(SKIPPED, ()), str(game.session.pk)]
        request.session[SKIPPED] = skipped[-MOST_SKIPPED:]
        return HttpResponse(status=204)
    context: dict[str, object] = {"puzzle": game.puzzle}
    if request.method == "POST":
        verdict = _judged(request, asking)
        # The answer changes what the summary says of today's words, and what is next.
        after = after_game(game, request.user, timezone.now())
        asking = asking_after(asking.searched, after.now.today.waiting, verdict)
        context |= vars(after.now) | {"after": after}
    context["asking"] = asking
    return render(request, "puzzles/practice/after_search.html", context)


def _judged(request: SignedInRequest, asking: Asking) -> Verdict:
    try:
        return asking.answer(
            number(request.POST, "entry"),
            request.POST.get("mode", ""),
            request.POST.get("answer", ""),
            gives_up="give_up" in request.POST,
        )
    except KeyError as error:
        raise Http404 from error


def _class_of_daily(puzzle: Puzzle) -> int | None:
    """Return the class whose puzzle of the day it was, if it was one."""
    if puzzle.daily_id is None:
        return None
    return DailyPuzzle.objects.values_list("classroom", flat=True).get(pk=puzzle.daily_id)


@student_required
@require_POST
def play_as(request: SignedInRequest, code: str, kind: str) -> HttpResponse:
    """Create a puzzle of another kind, or another grid, of the words of one that was finished."""
    if kind not in KINDS:
        raise Http404
    puzzle = access.puzzle_to_play_or_404(request.user, code)
    with refusal_as_message(request, messages.INFO):
        again = practice.request_again(student=request.user, puzzle=puzzle, kind=kind)
        return redirect("play", again.code)
    return redirect("home")


@student_required
@require_safe
def own_progress(request: SignedInRequest) -> HttpResponse:
    """Show a student their calendar, their own daily goal and their badges."""
    student = request.user
    on = today(student)
    practised = memory.practised_days(student, on)
    first = _first_of_month(request.GET.get("month", ""), min(practised, default=on), on)
    month = progress.month_of(practised, first, on)
    badges = progress.badges_of(student, practised, on)
    return render(
        request,
        "puzzles/home/progress.html",
        {
            "on": on,
            "month": month,
            "streak": streak(practised, on),
            "longest": longest_streak(practised, on),
            "words_today": memory.words_on(student, on),
            "goal": goals.own_goal(student),
            "goals": GOALS,
            "badges": badges,
        },
    )


def _first_of_month(asked: str, begun: date, on: date) -> date:
    """Return the first day of the month that was asked for, as "2026-11", or of the present one.

    Before the month of the first practice there is nothing to see.
    """
    try:
        first = date.fromisoformat(f"{asked}-01")
    except ValueError:
        return on.replace(day=1)
    return min(max(first, begun.replace(day=1)), on.replace(day=1))
