"""Which words a student should practise on a day, and how each should be asked. Pure.

First the words that have waited until they were due, those of the class's week before others and
then those that were asked longest ago; then new words, again those of the week first; then the
words that will be due next. So new words are begun only while no other waits: who begins more
forgets more than they learn. A word that was right on many days gives way to new ones for some days
more: `vocab.memory.card.RIGHT_FOR_A_DAY`.

A word is not asked in the first half of its wait, unless the student wants more: who practises a
short list daily would otherwise meet every word every day, and no gap would ever be long enough to
show that a word is known.

When a word is due is decided by its card: `vocab.memory.card.WAIT`. With equal minutes this order
teaches more than random play where words are many, and not less where they are few; figures in
decision 0014 and `benchmarks.remembering`.

A plan depends on what was known when the day began. It is therefore the same all day. Who plays
other words that were waiting (due, new or this week's) has done as much: each replaces the least
urgent word that is left, so that what is left only shrinks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum

from vocab.memory.card import Card

WORDS_A_DAY = 24


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

    With *is_early*, also words in the first half of their wait, if there are too few others.
    """
    words = [one for one in in_order(candidates, on) if is_early or not _is_early(one, on)]
    chosen, others = words[:size], words[size:]
    left = [one.key for one in chosen if not one.is_done]
    instead = [one.key for one in others if one.is_done and (one.is_of_week or _waits(one, on))]
    replaced = set(left[max(0, len(left) - len(instead)) :])
    planned = [one.key for one in chosen if one.key not in replaced] + instead[: len(replaced)]
    return Plan(planned, {one.key for one in words if one.is_done}.intersection(planned))


def in_order(candidates: Iterable[Candidate], on: date) -> list[Candidate]:
    """Return the words that may be asked on a day, the most useful first."""
    words = [one for one in candidates if not one.card.rests(on)]
    urgent = [one for one in words if one.card.is_urgent(on)]
    urgent.sort(key=lambda one: (not one.is_of_week, one.card.last_on, one.key))
    new = [one for one in words if one.card.last_on is None]
    new.sort(key=lambda one: not one.is_of_week)
    later = [one for one in words if one.card.last_on is not None and not one.card.is_urgent(on)]
    later.sort(key=lambda one: (one.card.due_on, one.key))
    return [*urgent, *new, *later]


class Stage(IntEnum):
    """How a word should be asked."""

    RECOGNISE = 0
    HEAR = 1
    PRODUCE = 2


def stage(right: int, was_heard: bool, missed_on: date | None, on: date) -> Stage:
    """Return how to ask a word on a day.

    It is recognised until it was *right* once, then heard once, then produced; *right* is that of
    `vocab.memory.card.Counts`. A word that was missed on an earlier day is recognised again first:
    who only meets it in ways that are too hard learns little (`benchmarks.remembering`).
    """
    if not right or (missed_on is not None and missed_on < on):
        return Stage.RECOGNISE
    # Asked by ear once, right or not: who cannot hear well must not be asked so for ever.
    return Stage.PRODUCE if was_heard else Stage.HEAR


def _waits(one: Candidate, on: date) -> bool:
    return one.card.last_on is None or one.card.is_due(on)


def _is_early(one: Candidate, on: date) -> bool:
    """Whether less than half of the time until the next review has passed."""
    last_on, due_on = one.card.last_on, one.card.due_on
    if last_on is None or due_on is None:
        return False
    return (on - last_on) * 2 < due_on - last_on
