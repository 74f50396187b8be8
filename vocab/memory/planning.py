"""Which words a student should practise on a day. Pure.

A day has a number of words that a class can expect of a student. Words that are due come first, but
take at most half of it while there are others: the rest is for the words that the class works on
this week, for new words and, if there are none, for the words that will be forgotten next. So a
backlog after the holidays does not keep a student from this week's lesson.

A word is not asked in the first half of its interval, unless the student wants more: who practises
a short list daily would otherwise meet every word every day, and no gap would ever be long enough
to show that a word is known. With 30 words this saves a third of the answers, and those that are
left are worth more than random ones; with 100 and 300 words nothing changes
(`benchmarks/remembering.py`).

A plan depends on what was known when the day began. It is therefore the same all day. Who plays
other words that were waiting (due, new or this week's) has done as much: each replaces the least
urgent word that is left, so that what is left only shrinks.

Personalised review beside the week's new words: Lindsey, Shroyer, Pashler and Mozer (2014),
"Improving students' long-term knowledge retention through personalized review".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from vocab.memory.card import Card

WORDS_A_DAY = 24
MOST_NEW = 8
# While so many days' words have been waiting for some days, only the week's words are begun. Words
# that fell due since the last lesson are no backlog: counting them too kept students who forget
# much from most of their list (`benchmarks/remembering.py`).
MOST_DAYS_WAITING = 2
WAITING = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word as it was when the day began.

    *is_done* is true if it was asked since, *is_of_week* if the class works on it this week.
    Candidates that were never asked come in the order in which they should be learnt.
    """

    key: int
    card: Card
    is_of_week: bool = False
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The words of a day, the most urgent first, and those of them that were asked already."""

    words: Sequence[int] = ()
    done: Collection[int] = ()

    @property
    def left(self) -> list[int]:
        return [key for key in self.words if key not in self.done]

    def __len__(self) -> int:
        return len(self.words)


def plan(
    candidates: Iterable[Candidate], on: date, size: int = WORDS_A_DAY, *, is_early: bool = False
) -> Plan:
    """Return the words to practise on a day: at most *size*, each once.

    With *is_early*, also words in the first half of their interval, if there are too few others.
    """
    words = [one for one in candidates if not _rests(one.card, on)]
    if not is_early:
        words = [one for one in words if one.is_done or not _is_early(one.card, on)]
    keys = _chosen(words, on, size)
    done = {one.key for one in words if one.is_done}
    others = [
        one.key
        for one in words
        if one.is_done and one.key not in keys and (_is_waiting(one.card, on) or one.is_of_week)
    ]
    left = [key for key in keys if key not in done]
    replaced = set(left[max(0, len(left) - len(others)) :])
    kept = [key for key in keys if key not in replaced]
    planned = (*kept, *others[: len(replaced)])
    return Plan(planned, done.intersection(planned))


def _chosen(words: Sequence[Candidate], on: date, size: int) -> Collection[int]:
    """Return the plan as the day begins."""
    due = sorted((one for one in words if _is_due(one.card, on)), key=_urgency)
    new = [one for one in words if one.card.last_on is None]
    new.sort(key=lambda one: not one.is_of_week)
    later = [one for one in words if one.card.last_on is not None and not _is_due(one.card, on)]
    later.sort(key=lambda one: one.card.chance(on))
    if has_backlog(due, on, size):
        new = [one for one in new if one.is_of_week]
    new = new[:MOST_NEW]
    of_week = [one for one in (*new, *later) if one.is_of_week]
    chosen = _Choice(size)
    chosen.add(due, size // 2)
    chosen.add(of_week, len(chosen.keys) + size // 4)
    chosen.add(new, size)
    chosen.add(due, size)
    chosen.add(later, size)
    return chosen.keys


def has_backlog(words: Iterable[Candidate], on: date, size: int) -> bool:
    """Return whether so many of the words have been waiting that only the week's are begun."""
    waiting = (one for one in words if _is_due(one.card, on - WAITING) and not _rests(one.card, on))
    return sum(1 for _one in waiting) >= MOST_DAYS_WAITING * size


class _Choice:
    def __init__(self, size: int) -> None:
        self.size = size
        self.keys: dict[int, None] = {}

    def add(self, words: Iterable[Candidate], most: int) -> None:
        for one in words:
            if len(self.keys) >= min(most, self.size):
                return
            self.keys[one.key] = None


def _rests(card: Card, on: date) -> bool:
    return card.rests_until is not None and on < card.rests_until


def _is_due(card: Card, on: date) -> bool:
    return card.due_on is not None and card.due_on <= on


def _is_early(card: Card, on: date) -> bool:
    """Whether less than half of the time until the next review has passed."""
    if card.last_on is None or card.due_on is None:
        return False
    return (on - card.last_on) * 2 < card.due_on - card.last_on


def _is_waiting(card: Card, on: date) -> bool:
    return card.last_on is None or _is_due(card, on)


def _urgency(one: Candidate) -> tuple[bool, date, int]:
    assert one.card.due_on is not None  # noqa: S101  (callers ask only for words that are due)
    return (not one.is_of_week, one.card.due_on, one.key)
