"""Whom a teacher should look at first, and why. Pure.

A student is compared with the class, never with a calendar: after the holidays, everybody has
played nothing for two weeks, and nobody is named for it. Each threshold is the least difference
that a teacher can act on and that chance alone rarely makes in a class of 30.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from math import ceil
from statistics import median

from vocab.memory.estimates import FEWEST_TESTS, Recalled, share_interval

WEEK = timedelta(days=7)
PACE_DAYS = 14
# A class does what this share of its students does. A few keen players in the holidays do not make
# all others absent, and a few absent students do not stop the class.
CLASS_SHARE = 0.25
# A week, so that a class that plays in one lesson a week names who missed that lesson.
QUIET_DAYS = 7
# Who joined later than this has not had the time to begin.
DAYS_TO_BEGIN = 3
# One day's words wait for everybody in the morning, a weekend's on Monday.
BEHIND_DAYS = 2.0
# With fewer estimates, a median says nothing about a class.
FEWEST_ESTIMATES = 5
# One word that does not stick is bad luck, and is on the page's list of such words. From the second
# on, it is a student who needs another way to remember words.
FEWEST_FORGOTTEN = 2
# Where all forget much, the words are hard, and the list of them says so.
FORGOTTEN_TIMES = 2
# So many names fit in a line; the others are counted.
MOST_NAMES = 8


class Reason(StrEnum):
    """Why a student is named, the most urgent first."""

    NEVER_LOGGED_IN = "never logged in"
    NEVER_PRACTISED = "never practised"
    QUIET = "quiet"
    RECALLS_LESS = "recalls less"
    KEEPS_FORGETTING = "keeps forgetting"
    BEHIND = "behind"
    OVERDUE = "overdue"


class Outlook(StrEnum):
    """What may be said of a student: each is in one of these, the first that is true.

    Good is said only of who practised lately, owes nothing, and is known well enough to compare.
    """

    NAMED = "named"
    NOT_BEGUN = "not begun"
    OWING = "owing"
    IDLE = "idle"
    UNKNOWN = "unknown"
    WELL = "well"


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of one student.

    *last_on* is the last day on which they answered anything, *due* how many of their words are
    due, *pace* how many words a day they practised on the days of the last two weeks on which they
    did (None: on none), *forgotten* how many words they forgot again and again after these had been
    learnt, *owing* how many assignments are past due and not finished, *overdue* how many of these
    most of the class has done. Of so many *tests* of the last four weeks, at least a day after the
    word was last met, they *recalled* so many without help.
    """

    key: int
    joined_on: date
    has_logged_in: bool = True
    last_on: date | None = None
    played: int = 0
    due: int = 0
    pace: float | None = None
    forgotten: int = 0
    overdue: int = 0
    owing: int = 0
    recalls: Recalled | None = None
    tests: int = 0
    recalled: int = 0

    def waiting(self, words_a_day: int) -> float:
        """Return how many days the due words take at the student's own pace.

        *words_a_day*, what the class expects, stands for the pace of who has none.
        """
        return self.due / max(1.0, self.pace or words_a_day)


def named(
    students: Sequence[Standing], today: date, words_a_day: int
) -> dict[int, list[tuple[Reason, int]]]:
    """Return the students of a class to look at with the reasons, the most urgent first.

    Of two with the same first reason, that one comes first for whom it is the greater: in days,
    words below the median, words forgotten, or assignments.
    """
    class_day = _day_of_class([one.last_on for one in students])
    has_class_logged_in = _is_share([one.has_logged_in for one in students])
    usual, usually = _usual_share(students), _usually_recalled(students)
    usual_waiting = median([one.waiting(words_a_day) for one in students if one.last_on] or [0.0])
    usually_forgotten = _usually_forgotten(students)
    order = list(Reason)
    found: list[tuple[int, float, int, list[tuple[Reason, int]]]] = []
    for one in students:
        reasons: list[tuple[Reason, int, float]] = []
        waiting = one.waiting(words_a_day)
        has_had_time = (today - one.joined_on).days >= DAYS_TO_BEGIN
        if one.last_on is None:
            if not one.has_logged_in and has_class_logged_in and has_had_time:
                reasons.append((Reason.NEVER_LOGGED_IN, 0, (today - one.joined_on).days))
            elif one.has_logged_in and class_day and has_had_time:
                reasons.append((Reason.NEVER_PRACTISED, 0, (today - one.joined_on).days))
        elif class_day and (class_day - one.last_on).days >= QUIET_DAYS:
            days = (today - one.last_on).days
            reasons.append((Reason.QUIET, days, days))
        elif waiting - usual_waiting >= BEHIND_DAYS:
            reasons.append((Reason.BEHIND, int(waiting), waiting))
        if usual and one.recalls and (is_below(one.recalls, usual) or _is_less(one, usually)):
            missing = usual * one.recalls.of - one.recalls.words
            if missing > 0:
                reasons.append((Reason.RECALLS_LESS, ceil(missing), missing))
        most_forgotten = max(FEWEST_FORGOTTEN, FORGOTTEN_TIMES * usually_forgotten + 1)
        if one.forgotten >= most_forgotten:
            reasons.append((Reason.KEEPS_FORGETTING, one.forgotten, one.forgotten))
        if one.overdue:
            reasons.append((Reason.OVERDUE, one.overdue, one.overdue))
        if reasons:
            reasons.sort(key=lambda reason: order.index(reason[0]))
            first, _number, size = reasons[0]
            told = [(reason, number) for reason, number, _size in reasons]
            found.append((order.index(first), -size, one.key, told))
    found.sort(key=lambda named: named[:2])
    return {key: told for _place, _size, key, told in found}


def outlooks(students: Sequence[Standing], named: Collection[int]) -> dict[int, Outlook]:
    """Return what may be said of each student of a class, some of whom are *named*."""
    is_known = _usual_share(students) is not None
    return {
        one.key: Outlook.NAMED if one.key in named else _outlook(one, is_known) for one in students
    }


def _outlook(one: Standing, is_class_known: bool) -> Outlook:
    if one.last_on is None:
        return Outlook.NOT_BEGUN
    if one.owing:
        return Outlook.OWING
    if not one.played:
        return Outlook.IDLE
    return Outlook.WELL if is_class_known and one.recalls else Outlook.UNKNOWN


def _usual_share(students: Sequence[Standing]) -> float | None:
    """Return the share of words that the class recalls, None if it is known of too few."""
    shares = [one.recalls.words / one.recalls.of for one in students if one.recalls]
    return median(shares) if len(shares) >= FEWEST_ESTIMATES else None


def _usually_recalled(students: Sequence[Standing]) -> float:
    """Return the median share of delayed tests that was recalled, 0 if it is known of too few."""
    shares = [one.recalled / one.tests for one in students if one.tests >= FEWEST_TESTS]
    return median(shares) if len(shares) >= FEWEST_ESTIMATES else 0.0


def _is_less(one: Standing, usually: float) -> bool:
    """Return whether a student surely recalled less in delayed tests than is usual.

    In a class that forgets most words, no estimate lies clearly below the median, but four weeks of
    tests tell who forgets more than most.
    """
    return share_interval(one.recalled, one.tests)[1] < usually


def _usually_forgotten(students: Sequence[Standing]) -> float:
    """Return the median of words forgotten again and again, 0 if too few students practised."""
    counts = [one.forgotten for one in students if one.last_on]
    return median(counts) if len(counts) >= FEWEST_ESTIMATES else 0


def is_below(recalls: Recalled, share: float) -> bool:
    """Return whether even the upper end of the estimate lies below this share of the words."""
    return (recalls.words + recalls.margin) / recalls.of < share


def hardest_first(counts: Mapping[int, tuple[int, int]]) -> list[int]:
    """Return words by the share of tests that was missed, the greatest first.

    *counts* has, by word, how many were missed of how many. What counts is the lower end of the
    share's interval, so that neither one miss in one test comes first nor what is asked most.
    """
    return sorted(counts, key=lambda word: -share_interval(*counts[word])[0])


def _day_of_class(days: Sequence[date | None]) -> date | None:
    """Return the last day since which at least a quarter of the class has played, if any."""
    played = sorted((day for day in days if day is not None), reverse=True)
    wanted = max(1, ceil(CLASS_SHARE * len(days)))
    return played[wanted - 1] if len(played) >= wanted else None


def _is_share(facts: Sequence[bool]) -> bool:
    return sum(facts) >= max(1, ceil(CLASS_SHARE * len(facts)))
