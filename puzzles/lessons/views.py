"""The page of a lesson for its teacher, and the board of a lesson for the whole class.

Both ask for their changing part again and again; if nothing has changed, they are told so with 204
and stay as they are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.access import classroom_actions, classrooms
from osmosmjerka.accounts.auth.card_sheet import qr_svg
from osmosmjerka.accounts.classrooms.requests import door_address
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.web.requests import ids_in
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required
from puzzles.album import sharing
from puzzles.daily.selectors import together_today
from puzzles.lessons import rules
from puzzles.lessons.rules import Reason, State
from puzzles.lessons.selectors import Lesson, Line, lesson_of
from vocab.memory.rules import zone_of

NOW = "now"  # instead of a time: the lesson begins when the button is pressed


@teacher_required
@never_cache
@require_safe
def lesson_page(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show who plays, who is stuck and who has finished, by name."""
    return _moving(request, pk, "lesson")


@teacher_required
@never_cache
@require_safe
def board_page(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the class what it does together: nothing of one student, and no word."""
    return _moving(request, pk, "board")


@teacher_required
@require_POST
def complete_list(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the class on its projector view that a list is complete, or take that back."""
    led = classrooms(request.user, "lead games").filter(archived_at=None)
    classroom = get_object_or_404(led, pk=pk)
    chosen = next(iter(ids_in([request.POST.get("list", "")])), 0)
    with refusal_as_message(request):
        if request.POST.get("do") == "show":
            sharing.share(classroom=classroom, vocabulary_list=chosen)
            messages.success(request, _("The projector view of the class shows it for two weeks."))
        else:
            sharing.take_back(classroom=classroom, vocabulary_list=chosen)
    return redirect("classroom", pk)


def _moving(request: SignedInRequest, pk: int, name: str) -> HttpResponse:
    seen = classrooms(request.user, "see progress").select_related("school")
    classroom = get_object_or_404(seen, pk=pk)
    with timezone.override(zone_of(classroom.school)):
        now, wanted = timezone.localtime(), request.GET.get("since", "")
        if wanted == NOW:
            return redirect(f"{request.path}?{urlencode({'since': now.strftime('%H:%M')})}")
        since = rules.begins_at(wanted, now)
        lesson = lesson_of(classroom, now, since)
        is_board = name == "board"
        together = together_today(classroom, now) if is_board else None
        complete = sharing.shown_to(classroom, now) if is_board else []
        version = lesson.board_version if is_board else lesson.version
        if together:  # games that are over do not change
            version = f"{version}-{together.done}"
        if complete:
            shown = (f"{one.vocabulary_list.pk}.{one.students}" for one in complete)
            version = "-".join([version, *shown])
        if request.GET.get("version") == version:
            return HttpResponse(status=204)
        part = "HX-Request" in request.headers
        template = f"puzzles/lessons/_{name}.html" if part else f"puzzles/lessons/{name}.html"
        query = {"since": since.strftime("%H:%M")} if since else {}
        context = {
            "classroom": classroom,
            "lesson": lesson,
            "together": together,
            "complete": complete,
            "since": since,
            "usual": int(rules.USUAL.total_seconds() // 60),
            "query": urlencode(query),
            "poll": f"{request.path}?{urlencode(query | {'version': version})}",
        }
        if template == "puzzles/lessons/lesson.html" and classroom.archived_at is None:
            context["may_lead"] = "lead games" in classroom_actions(request.user, classroom)
        more = _code(request, classroom, lesson) if is_board else _groups(lesson)
        return render(request, template, context | more)


def _groups(lesson: Lesson) -> dict[str, Any]:
    """Return the students by state, each with their texts."""
    return {
        "groups": [
            (
                state,
                NAMES[state],
                [(line, said_why(line), said_done(line), said_news(line)) for line in lines],
            )
            for state, lines in lesson.groups.items()
        ]
    }


def _code(request: SignedInRequest, classroom: Classroom, lesson: Lesson) -> dict[str, Any]:
    """Return how to come in, while somebody is not here yet."""
    if classroom.archived_at is not None or not lesson.absent:
        return {}
    address = door_address(request, classroom)
    return {
        "host": request.get_host(),
        "door": address.partition(request.get_host())[2],
        "code": _qr_svg(address),
    }


_qr_svg = lru_cache(maxsize=256)(qr_svg)

NAMES = {
    # Translators: the heading above the names of students who are stuck. The others are alike.
    State.STUCK: pgettext_lazy("students in a lesson", "Stuck"),
    State.PAUSED: pgettext_lazy("students in a lesson", "Paused"),
    State.PLAYING: pgettext_lazy("students in a lesson", "Playing"),
    State.FINISHED: pgettext_lazy("students in a lesson", "Finished"),
    State.LOGGED_IN: pgettext_lazy("students in a lesson", "Logged in, not playing yet"),
    State.ABSENT: pgettext_lazy("students in a lesson", "Not here yet"),
}


_WHY = {
    Reason.WRONG_ANSWERS: ngettext_lazy(
        "%(count)s wrong answer in a row", "%(count)s wrong answers in a row", "count"
    ),
    Reason.NO_WORD: ngettext_lazy(
        "No word found in %(count)s minute of play",
        "No word found in %(count)s minutes of play",
        "count",
    ),
    State.PAUSED: ngettext_lazy(
        "No answer for %(count)s minute", "No answer for %(count)s minutes", "count"
    ),
}


def said_why(line: Line) -> str:
    """Return why a student needs their teacher, or "" if they do not."""
    text = _WHY.get(line.reason or line.state)
    return str(text % {"count": line.standing.count}) if text else ""


def said_done(line: Line) -> str:
    """Return how far a student is: "5 of 12 words found, help with 2"."""
    if line.played is None:
        if not line.answers:
            return ""
        text = ngettext(
            "%(right)s of %(count)s answer correct", "%(right)s of %(count)s answers correct",
            line.answers,
        )  # fmt: skip
        return text % {"right": line.right, "count": line.answers}
    text = ngettext(
        "%(found)s of %(total)s word found.", "%(found)s of %(total)s words found.",
        line.played.total,
    )  # fmt: skip
    said = text % {"found": line.played.found, "total": line.played.total}
    if not line.played.helped:
        return said
    helped = ngettext("Help with %(count)s word.", "Help with %(count)s words.", line.played.helped)
    return f"{said} {helped % {'count': line.played.helped}}"


def said_news(line: Line) -> str:
    """Return what a screen reader is told if a student comes to this state, or ""."""
    if line.state == State.STUCK:
        return _("%(student)s is stuck.") % {"student": line.name}
    if line.state == State.FINISHED:
        return _("%(student)s has finished.") % {"student": line.name}
    return ""
