"""Figures of progress in words: what each number is, with its count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy, pgettext

from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.i18n import enumeration
from puzzles.dashboards.attention import StudentWeek
from puzzles.dashboards.monday import PACE_DAYS, Outlook, Reason
from puzzles.dashboards.today import News
from puzzles.kinds import KINDS
from vocab.memory.estimates import Recalled

_REASONS = {
    # Translators: why a student needs a teacher's attention; it stands after the name.
    Reason.NEVER_LOGGED_IN: gettext_lazy("never logged in"),
    # Translators: why a student needs a teacher's attention; it stands after the name.
    Reason.NEVER_PRACTISED: gettext_lazy("has not practised yet"),
    # Translators: why a student needs a teacher's attention: nothing was practised.
    Reason.QUIET: ngettext_lazy("nothing for %(count)s day", "nothing for %(count)s days", "count"),
    # Translators: why a student needs a teacher's attention: remembers fewer words.
    Reason.RECALLS_LESS: gettext_lazy("recalls less than most"),
    # Translators: why a student needs a teacher's attention: the same words are forgotten.
    Reason.KEEPS_FORGETTING: ngettext_lazy(
        "keeps forgetting %(count)s word", "keeps forgetting %(count)s words", "count"
    ),
    # Translators: why a student needs a teacher's attention: words that are due wait so long.
    Reason.BEHIND: ngettext_lazy("%(count)s day behind", "%(count)s days behind", "count"),
    # Translators: why a student needs a teacher's attention; it stands after the name.
    Reason.OVERDUE: ngettext_lazy(
        "%(count)s assignment overdue", "%(count)s assignments overdue", "count"
    ),
}


def said_reason(reason: Reason, count: int) -> str:
    """Return why a student is named, to stand after the name."""
    if reason == Reason.BEHIND and count > PACE_DAYS:
        text = ngettext(
            "more than %(count)s day behind", "more than %(count)s days behind", PACE_DAYS
        )
        return text % {"count": PACE_DAYS}
    return str(_REASONS[reason] % {"count": count})


def said_reasons(week: StudentWeek) -> SafeString:
    """Return why a student is named, as HTML; what to do follows from the first reason, in bold."""
    parts: list[str] = []
    for reason, count in week.reasons:
        text = said_reason(reason, count)
        if reason == Reason.RECALLS_LESS and week.recalls:
            text = f"{text} ({said_recalls(week.recalls)})"
        parts.append(escape(text) if parts else format_html("<b>{}</b>", text))
    return mark_safe(enumeration.enumeration(parts))  # noqa: S308  (each part is escaped above)


# So many names stand in a line; the others are counted.
NAMES = 3


@dataclass(frozen=True, slots=True)
class Line:
    """What is said of the students whom no reason names; *is_good* is said of nobody else."""

    text: SafeString
    is_good: bool = False


def said_outlooks(weeks: Iterable[StudentWeek], not_begun: Sequence[Classroom] = ()) -> list[Line]:
    """Return what may be said of the students who are not named, in all classes and in one.

    Who has not begun, owes something or did nothing for a week is told by name, and nobody of whom
    too little is known is praised. Of the classes *not_begun*, nobody has practised.
    """
    found: dict[Outlook, dict[int, User]] = {outlook: {} for outlook in Outlook}
    for week in weeks:
        found[week.outlook][week.student.pk] = week.student
    lines = []
    named, well, unknown = (
        len(found[one]) for one in (Outlook.NAMED, Outlook.WELL, Outlook.UNKNOWN)
    )
    if well and named and named + well == sum(map(len, found.values())) and not not_begun:
        text = ngettext(
            "The other student is on track: practised in the last 7 days, has nothing overdue, and "
            "recalls at least as much as most.",
            "The other %(count)s students are on track: practised in the last 7 days, have nothing "
            "overdue, and recall at least as much as most.",
            well,
        )
        lines.append(Line(_filled(text, count=well), is_good=True))
    elif well:
        text = ngettext(
            "%(count)s student is on track: practised in the last 7 days, has nothing overdue, and "
            "recalls at least as much as most.",
            "%(count)s students are on track: practised in the last 7 days, have nothing overdue, "
            "and recall at least as much as most.",
            well,
        )
        lines.append(Line(_filled(text, count=well), is_good=True))
    by_name = {
        # Translators: then follow the names of students.
        Outlook.OWING: _("Not finished by the due date: %(names)s"),
        # Translators: then follow the names of students.
        Outlook.IDLE: _("Nothing practised in the last 7 days: %(names)s"),
        # Translators: then follow the names of students.
        Outlook.NOT_BEGUN: _("Not practised yet: %(names)s"),
    }
    for outlook, text in by_name.items():
        if students := found[outlook]:
            lines.append(Line(_filled(text, names=enumeration.names(students.values(), NAMES))))
    if not_begun:
        # Translators: then follow the names of classes.
        text = _("Nobody has practised yet in %(names)s")
        lines.append(Line(_filled(text, names=enumeration.names(not_begun))))
    if unknown:
        text = ngettext(
            "For %(count)s student there are still too few answers to compare.",
            "For %(count)s students there are still too few answers to compare.",
            unknown,
        )
        lines.append(Line(_filled(text, count=unknown)))
    return lines


def said_news(news: News) -> list[SafeString]:
    """Return what a class did lately, a line each; names end a line, for they end in full stops."""
    if news.practised:
        text = ngettext(
            "%(count)s answer by %(names)s", "%(count)s answers by %(names)s", news.answers
        )
        who = enumeration.names(news.practised, NAMES)
        lines = [_filled(text, names=who, count=news.answers)]
    else:
        lines = [_filled(_("Nobody practised."))]
    for (title, kind), students in news.finished.items():
        lines.append(
            _filled(
                # Translators: a puzzle, its type, and who finished it.
                _("“%(title)s” (%(kind)s) finished by %(names)s"),
                title=format_html("<bdi>{}</bdi>", title),
                kind=escape(KINDS[kind].name),
                names=enumeration.names(students, NAMES),
            )
        )
    return lines


def _filled(text: str, **parts: SafeString | int) -> SafeString:
    """Return a translated text as HTML, with parts that are HTML."""
    return mark_safe(escape(text) % parts)  # noqa: S308  (the text is escaped)


def said_recalls(recalls: Recalled | None) -> str:
    """Return how many words a student recalls, with the margin of 95 %."""
    if recalls is None:
        # Translators: there are too few answers to say how many words a student recalls.
        return _("not enough data")
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


@dataclass(frozen=True, slots=True)
class WeekInWords:
    """A student's line on the page; *low* to *high* and *middle* are per cent of all words.

    *reasons* say why they need help; *is_told* says that these stand above on the page already.
    """

    week: StudentWeek
    reasons: str
    is_told: bool
    recalls: str
    waiting: str
    low: float | None = None
    middle: float | None = None
    high: float | None = None

    @property
    def played_on(self) -> list[date]:
        return [day for day, is_played in self.week.days.items() if is_played]


def week_in_words(line: StudentWeek, *, is_told: bool = False) -> WeekInWords:
    reasons = enumeration.enumeration([said_reason(*reason) for reason in line.reasons])
    said = line, reasons, is_told, said_recalls(line.recalls), said_waiting(line)
    of = line.recalls
    if of is None:
        return WeekInWords(*said)
    low, high = max(0.0, of.words - of.margin), min(float(of.of), of.words + of.margin)
    return WeekInWords(*said, *(round(100 * words / of.of, 1) for words in (low, of.words, high)))
