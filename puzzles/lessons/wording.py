"""A lesson in words: what each student does, and why somebody counts as stuck."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy, pgettext_lazy

from puzzles.lessons.rules import Reason, State
from puzzles.lessons.selectors import Line

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
