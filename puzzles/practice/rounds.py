"""What is left of a student's practice today, and what it has brought.

The home page, the quick review and the API count with this module, so that they show one number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from django.db.models import Q, QuerySet

from osmosmjerka.accounts.models import User
from puzzles.models import PlaySession, Puzzle
from puzzles.practice import plan
from puzzles.untold import PRACTICE_IS_OPEN_FOR, untold_words, words_of_assignments
from vocab.memory import selectors as memory
from vocab.memory.card import card_from_json
from vocab.models import Entry, VocabularyList, WordProgress
from vocab.sounds import playback

# A word that is missed comes back at the end, until it is right or was asked so often that day.
MOST_TRIES = 3
MORE = 12


class Reason(StrEnum):
    """Why nothing can be reviewed."""

    DONE = "done"
    IN_PUZZLE = "in puzzle"
    NO_LISTS = "no lists"
    NO_WORDS = "no words"


@dataclass(frozen=True, slots=True)
class Round:
    """The words of a day's practice.

    *left* are the most urgent words first, then those that were missed today, which are *again*.
    *review* are those of them that the quick review may ask; the others are hidden in a puzzle that
    the student has begun. *asked* counts all words that were asked that day, in puzzles too.
    *lists* are the ids of the lists and *hidden* those of words that may not be told now.
    """

    on: date
    lists: Collection[int]
    hidden: Collection[int]
    total: int
    left: Sequence[Entry]
    review: Sequence[Entry]
    again: Collection[int]
    asked: int
    goal: int = 0

    @property
    def in_puzzles(self) -> int:
        """How many words left the quick review may not ask."""
        return len(self.left) - len(self.review)

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
    def of_one_list(self) -> list[Entry]:
        """The words for a puzzle, of the list with the most of them; none that was missed."""
        words = [entry for entry in self.review if entry.pk not in self.again]
        if not words:
            return []
        lists = Counter(entry.vocabulary_list_id for entry in words)
        ((most, _count),) = lists.most_common(1)
        return [entry for entry in words if entry.vocabulary_list_id == most]

    @property
    def next_goal(self) -> int:
        """The *goal* of `round_of` for whoever wants to practise more words."""
        return self.asked + MORE

    @property
    def may_go_on(self) -> bool:
        """Whether more words may be asked, as far as is known."""
        return self.goal <= self.asked


def round_of(
    student: User, at: datetime, vocabulary_list: VocabularyList | None = None, goal: int = 0
) -> Round:
    """Return the student's practice for the day of *at*, of all of their lists or of one.

    It is the plan for the day, and then more words until *goal* words were asked that day.
    """
    words_of_day = plan.Today.of(student, at, vocabulary_list)
    day, lists, on = words_of_day.plan(), words_of_day.lists, words_of_day.on
    rows = _asked(student, on, lists).values_list("entry", "state__tries")
    tries = {key: int(count) for key, count in rows}
    again = [key for key in day.missed if tries.get(key, MOST_TRIES) < MOST_TRIES]
    words, first = {*day.words, *again}, list(day.left)
    wanted = goal - len(tries)
    if wanted > len(first):
        first = list(dict.fromkeys([*first, *words_of_day.more(wanted)]))[:wanted]
    if goal:
        words |= {*tries, *first}
    entries = plan.entries_to_ask(list(dict.fromkeys([*first, *again])))
    left = [entry for entry in entries if can_ask(entry)]
    hidden = untold_words(student, at)
    return Round(
        on=on,
        lists=lists,
        hidden=hidden,
        total=len(words) - (len(entries) - len(left)),
        left=left,
        review=[entry for entry in left if entry.pk not in hidden],
        again=frozenset(again),
        asked=len(tries),
        goal=goal,
    )


def can_ask(entry: Entry) -> bool:
    """Return whether the quick review has a question for the word: a meaning, or its sound."""
    language = entry.vocabulary_list.language
    return bool(entry.translations.all()) or playback.is_speakable(language)


def _asked(student: User, on: date, lists: Collection[int]) -> QuerySet[WordProgress]:
    return memory.progress_of(student).filter(last_on=on, entry__vocabulary_list__in=lists)


@dataclass(frozen=True, slots=True)
class Gained:
    """What a day's practice brought.

    *right* of the *asked* words were right at once and without help, *risen* reached a higher level
    (those that may be told), and *tomorrow* counts the words that fall due then.
    """

    asked: int
    right: int
    risen: Sequence[WordProgress]
    tomorrow: int


def gained(student: User, today: Round) -> Gained | None:
    """Return what the student gained on the day of a round; None if no word was asked."""
    if not today.asked:
        return None
    rows = (
        _asked(student, today.on, today.lists)
        .select_related("entry__vocabulary_list")
        .order_by("-level", "last_at", "pk")
    )
    _today, (_day, tomorrow) = memory.load(student, today.on, today.lists, days=2)
    return Gained(
        asked=len(rows),
        right=sum(row.right > row.state["counts_before"]["right"] for row in rows),
        risen=[row for row in rows if _has_risen(row) and row.entry_id not in today.hidden],
        tomorrow=tomorrow,
    )


def _has_risen(row: WordProgress) -> bool:
    # A new word that was missed is learnt now, too; but that is nothing gained.
    was_missed = row.wrong > row.state["counts_before"]["wrong"]
    return not was_missed and row.level > card_from_json(row.state["before"]).level


def open_practice(student: User, at: datetime) -> Puzzle | None:
    """Return the practice puzzle that the student made last and has not finished, if any."""
    lately = at - PRACTICE_IS_OPEN_FOR
    sessions = PlaySession.objects.filter(student=student)
    finished = sessions.filter(finished_at__isnull=False)
    begun = sessions.filter(finished_at=None, started_at__gt=lately)
    return (
        Puzzle.objects.filter(
            created_by=student,
            adapted_for=None,
            state=Puzzle.State.READY,
        )
        .filter(Q(created_at__gt=lately) | Q(pk__in=begun.values("puzzle")))
        .exclude(pk__in=finished.values("puzzle"))
        .order_by("-created_at", "-pk")
        .first()
    )


def why_nothing(student: User, at: datetime, today: Round) -> Reason:
    """Return why a round has nothing to review."""
    if not today.lists:
        return Reason.NO_LISTS
    if today.in_puzzles:
        return Reason.IN_PUZZLE
    if today.asked:
        return Reason.DONE
    return Reason.IN_PUZZLE if words_of_assignments(student, at) else Reason.NO_WORDS
