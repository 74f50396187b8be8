"""Figures of progress in words: what each number is, with its count."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from osmosmjerka.accounts.models import User
from osmosmjerka.numbers import percent
from puzzles.dashboards.attention import SharedWord, StudentWeek
from puzzles.dashboards.monday import PACE_DAYS, Reason
from vocab.memory.estimates import Recalled
from vocab.templatetags.remembered import level_name


def said_reason(reason: Reason, count: int) -> str:
    """Return why a student is named, to stand after the name."""
    if reason == Reason.NEVER_LOGGED_IN:
        # Translators: why a student needs a teacher's attention; it stands after the name.
        return _("never logged in")
    if reason == Reason.NEVER_PRACTISED:
        # Translators: why a student needs a teacher's attention; it stands after the name.
        return _("has not practised yet")
    if reason == Reason.QUIET:
        # Translators: why a student needs a teacher's attention: nothing was practised.
        text = ngettext("nothing for %(count)s day", "nothing for %(count)s days", count)
        return text % {"count": count}
    if reason == Reason.RECALLS_LESS:
        # Translators: why a student needs a teacher's attention: remembers fewer words.
        return _("recalls less than most")
    if reason == Reason.BEHIND and count > PACE_DAYS:
        text = ngettext("more than %(count)s day behind", "more than %(count)s days behind", count)
        return text % {"count": PACE_DAYS}
    if reason == Reason.BEHIND:
        # Translators: why a student needs a teacher's attention: words that are due wait so long.
        text = ngettext("%(count)s day behind", "%(count)s days behind", count)
        return text % {"count": count}
    # Translators: why a student needs a teacher's attention; it stands after the name.
    text = ngettext("%(count)s assignment overdue", "%(count)s assignments overdue", count)
    return text % {"count": count}


def said_recalls(recalls: Recalled | None) -> str:
    """Return how many words a student recalls, with the margin of 95 %."""
    if recalls is None:
        # Translators: there are too few answers to say how many words a student recalls.
        return _("too little seen")
    # Translators: an estimate: so many words, give or take so many, of so many.
    return _("%(words)s ± %(margin)s of %(total)s") % {
        "words": round(recalls.words),
        "margin": max(1, ceil(recalls.margin)),
        "total": recalls.of,
    }


def said_waiting(line: StudentWeek) -> str:
    """Return how long the words that are due take at the student's own pace."""
    if not line.due:
        return pgettext("words due", "none")
    if line.waiting < 1:
        return _("under a day")
    if line.waiting > PACE_DAYS:
        count = PACE_DAYS
        text = ngettext("more than %(count)s day", "more than %(count)s days", count)
    else:
        count = int(line.waiting)
        text = ngettext("%(count)s day", "%(count)s days", count)
    return text % {"count": count}


def said_cell(level: int, right: int, asked: int) -> str:
    """Return what a student knows of a word, for a table in a file."""
    if not asked:
        return level_name(level)
    return _("%(level)s, %(right)s of %(asked)s right") % {
        "level": level_name(level), "right": right, "asked": asked,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class WeekInWords:
    """A student's line on the page; *low* to *high* and *middle* are per cent of all words."""

    student: User
    reasons: str
    recalls: str
    waiting: str
    played: int
    low: float | None = None
    middle: float | None = None
    high: float | None = None


def week_in_words(line: StudentWeek) -> WeekInWords:
    reasons = ", ".join(said_reason(*reason) for reason in line.reasons)
    said = (line.student, reasons, said_recalls(line.recalls), said_waiting(line), line.played)
    of = line.recalls
    if of is None:
        return WeekInWords(*said)
    low, high = max(0.0, of.words - of.margin), min(float(of.of), of.words + of.margin)
    return WeekInWords(*said, *(round(100 * words / of.of, 1) for words in (low, of.words, high)))


@dataclass(frozen=True, slots=True)
class WordInWords:
    """A word that a class shares, and the range in which the share missed probably lies."""

    word: SharedWord
    likely: str


def word_in_words(word: SharedWord) -> WordInWords:
    low, high = word.interval
    return WordInWords(word, f"{round(100 * low)}–{percent(round(100 * high))}")
