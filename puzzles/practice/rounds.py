"""What is left of a student's practice today, and what it has brought.

The home page, the quick review and the API count with this module, so that they show one number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property

from puzzles.access import Moment
from puzzles.models import Puzzle
from puzzles.practice import plan
from puzzles.practice.candidates import AskedWord, count_urgent
from puzzles.withheld import Waiting
from vocab.memory.selectors import KNOWN
from vocab.models import Entry, VocabularyList

# A word that is missed comes back at the end, until it is right or was asked so often that day.
MOST_TRIES = 3


class Reason(StrEnum):
    """Why nothing can be reviewed."""

    DONE = "done"
    IN_PUZZLE = "in puzzle"
    NO_LISTS = "no lists"
    NO_WORDS = "no words"


@dataclass(frozen=True, slots=True)
class Round:
    """The words of a day's practice, as ids of entries.

    *left* are the most urgent words first, then those that were missed today, which are *again*.
    *review* are those of them that the quick review may ask; the others are hidden in a puzzle that
    the student has begun. *asked* are all words that were asked that day, in puzzles too.
    """

    of_day: plan.Today
    total: int
    left: Sequence[int]
    review: Sequence[int]
    again: Collection[int]

    @property
    def on(self) -> date:
        return self.of_day.on

    @property
    def lists(self) -> Collection[int]:
        """The ids of the lists."""
        return self.of_day.lists

    @property
    def waiting(self) -> Waiting:
        """What may not be told now."""
        return self.of_day.waiting

    @property
    def asked(self) -> int:
        return len(self.of_day.asked)

    @property
    def in_puzzles(self) -> int:
        """How many words left the quick review may not ask."""
        return len(self.left) - len(self.review)

    @property
    def due_elsewhere(self) -> int:
        """How many due words the plan has not, because assignments that were begun ask for them."""
        return count_urgent(self.of_day.may, self.waiting.begun_for_assignments)

    @property
    def to_review(self) -> int:
        """How many words the quick review has left."""
        return len(self.review)

    @property
    def of(self) -> int:
        """How many words the quick review has in all: those done and those to review."""
        return self.total - self.in_puzzles

    @property
    def done(self) -> int:
        return self.total - len(self.left)

    @property
    def new(self) -> int:
        """How many of the words to review were never asked."""
        left = set(self.review)
        return sum(
            one.key in left and one.card.last_on is None and one.key not in self.again
            for one in self.of_day.words
        )

    @property
    def old(self) -> int:
        """How many of the words to review were asked before."""
        return len(self.review) - self.new

    @property
    def of_one_list(self) -> list[int]:
        """The words for a puzzle, of the list with the most of them; none that was missed."""
        words = [key for key in self.review if key not in self.again]
        if not words:
            return []
        list_of = self.of_day.list_of
        ((most, _count),) = Counter(list_of[key] for key in words).most_common(1)
        return [key for key in words if list_of[key] == most]

    def list_of(self, key: int) -> VocabularyList:
        """Return the list of a word of this round."""
        wanted = self.of_day.list_of[key]
        return next(one for one in self.of_day.moment.lists if one.pk == wanted)

    @property
    def next_goal(self) -> int:
        """The *goal* of `round_at` for whoever wants to practise more words."""
        return self.asked + plan.MORE

    @property
    def may_go_on(self) -> bool:
        """Whether there are more words for whoever goes on after the plan."""
        hidden = self.waiting.withheld
        return any(key not in hidden for key in self.of_day.more(plan.MORE))

    @property
    def may_play(self) -> bool:
        """Whether there are words to play with for fun: assignments may ask for all of them."""
        words = Entry.objects.filter(vocabulary_list__in=self.lists)
        return words.exclude(pk__in=self.waiting.of_assignments).exists()


def round_at(
    moment: Moment,
    vocabulary_list: VocabularyList | None = None,
    goal: int = 0,
    waiting: Waiting | None = None,
) -> Round:
    """Return the practice of a student for the day of *moment*, of all of their lists or of one.

    It is the plan for the day, and then more words until *goal* words were asked that day.
    """
    of_day = plan.Today.of(moment, vocabulary_list, goal, waiting)
    day = of_day.plan()
    tries = {one.entry: one.tries for one in of_day.asked}
    again = [key for key in day.missed if tries[key] < MOST_TRIES]
    words, first = {*day.words, *again}, list(day.left)
    wanted = goal - len(tries)
    if wanted > len(first):
        first = list(dict.fromkeys([*first, *of_day.more(wanted)]))[:wanted]
    if goal:
        words |= {*tries, *first}
    # The others of the plan were chosen because they have a question.
    has_question = of_day.with_question(again)
    left = list(dict.fromkeys([*first, *(key for key in again if key in has_question)]))
    hidden = of_day.waiting.withheld
    return Round(
        of_day=of_day,
        total=len(words) - (len(again) - len(has_question)),
        left=left,
        review=[key for key in left if key not in hidden],
        again=frozenset(again),
    )


@dataclass(frozen=True, slots=True)
class Risen:
    """A word that reached a higher level."""

    entry: Entry
    level: int


@dataclass(frozen=True)
class Gained:
    """What a day's practice brought.

    *right* of the *asked* words were right at once and without help, and *risen* reached a higher
    level (those that may be told).
    """

    today: Round
    asked: int
    right: int
    risen: Sequence[Risen]

    @cached_property
    def tomorrow(self) -> int | None:
        """How many words the next day's plan has; None while words are left, which change it."""
        return None if self.today.left else self.today.of_day.tomorrow()


def gained(today: Round) -> Gained | None:
    """Return what the student gained on the day of a round; None if no word was asked."""
    rows = sorted(today.of_day.asked, key=lambda one: (-one.level, one.last_at))
    if not rows:
        return None
    hidden = today.waiting.withheld
    risen = [one for one in rows if _has_risen(one) and one.entry not in hidden]
    moment = today.of_day.moment
    entries = {one.pk: one for one in plan.entries([one.entry for one in risen])}
    moment.know_lists(entries.values())
    return Gained(
        today,
        asked=len(rows),
        right=sum(one.right > one.state["counts_before"]["right"] for one in rows),
        risen=[Risen(entries[one.entry], one.level) for one in risen if one.entry in entries],
    )


def _has_risen(one: AskedWord) -> bool:
    # That a new word was met is nothing gained yet.
    return one.level >= KNOWN and one.level > one.before.level


def open_practice(waiting: Waiting) -> Puzzle | None:
    """Return the practice puzzle that the student made last and has not finished, if any."""
    if not waiting.practice:
        return None
    puzzles = Puzzle.objects.filter(
        pk__in=waiting.practice,
        created_by=waiting.moment.student,
        state=Puzzle.State.READY,
        is_free_practice=False,
    )
    return puzzles.order_by("-created_at", "-pk").first()


def why_nothing(today: Round) -> Reason:
    """Return why a round has nothing to review."""
    if not today.lists:
        return Reason.NO_LISTS
    if today.in_puzzles:
        return Reason.IN_PUZZLE
    if today.asked:
        return Reason.DONE
    return Reason.IN_PUZZLE if today.waiting.of_assignments else Reason.NO_WORDS
