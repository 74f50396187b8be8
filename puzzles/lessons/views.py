"""The page of a lesson for its teacher, and the board of a lesson for the whole class.

Both ask for their changing part again and again; if nothing has changed, they are told so with 204
and stay as they are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.auth.card_sheet import qr_svg
from osmosmjerka.accounts.classrooms.requests import door_address
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles.lessons import rules, wording
from puzzles.lessons.selectors import Lesson, lesson_of
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


def _moving(request: SignedInRequest, pk: int, name: str) -> HttpResponse:
    seen = classrooms(request.user, "see progress").select_related("school")
    classroom = get_object_or_404(seen, pk=pk)
    with timezone.override(zone_of(classroom.school)):
        now, wanted = timezone.localtime(), request.GET.get("since", "")
        if wanted == NOW:
            return redirect(f"{request.path}?{urlencode({'since': now.strftime('%H:%M')})}")
        since = rules.begins_at(wanted, now)
        lesson = lesson_of(classroom, now, since)
        version = lesson.board_version if name == "board" else lesson.version
        if request.GET.get("version") == version:
            return HttpResponse(status=204)
        part = "HX-Request" in request.headers
        template = f"puzzles/lessons/_{name}.html" if part else f"puzzles/lessons/{name}.html"
        query = {"since": since.strftime("%H:%M")} if since else {}
        context = {
            "classroom": classroom,
            "lesson": lesson,
            "since": since,
            "usual": int(rules.USUAL.total_seconds() // 60),
            "query": urlencode(query),
            "poll": f"{request.path}?{urlencode(query | {'version': version})}",
        }
        more = _code(request, classroom, lesson) if name == "board" else _groups(lesson)
        return render(request, template, context | more)


def _groups(lesson: Lesson) -> dict[str, Any]:
    """Return the students by state, each with their texts."""
    return {
        "groups": [
            (
                state,
                wording.NAMES[state],
                [
                    (line, wording.said_why(line), wording.said_done(line), wording.said_news(line))
                    for line in lines
                ],
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
        "code": _qr(address),
    }


@lru_cache(maxsize=256)
def _qr(address: str) -> str:
    return qr_svg(address)
