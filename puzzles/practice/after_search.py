"""The words of a word search that are asked once when it is over, in about a minute.

A find proves no recall: the word was in view. So the words that the student missed, had help with
or met for the first time are asked by their meaning. What was asked is in the review history, so
that a page that is loaded again goes on where the student was, on any device.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from django.db.models import Count, Q, QuerySet

from osmosmjerka.accounts.models import User
from puzzles.models import PlaySession
from puzzles.practice import quiz
from puzzles.practice.quiz import Question, Verdict
from puzzles.withheld import Waiting
from vocab.memory import reviews
from vocab.memory.selectors import know_translations
from vocab.models import Entry, Review

MOST = 6
# No sound: what is asked fits into the summary of a game in a class that is quiet.
MODES = ("chosen", "typed")


@dataclass(frozen=True, slots=True)
class Searched:
    """A word search that is over, and its words as ids of entries.

    *missed* were shown or left, *helped* were found with a hint, and *found* without.
    """

    session: PlaySession
    missed: Sequence[int]
    helped: Sequence[int]
    found: Sequence[int]

    @property
    def words(self) -> list[int]:
        """All words, those first that are needed most."""
        return [*self.missed, *self.helped, *self.found]

    def attempt_of(self, key: int) -> uuid.UUID:
        """Return the id of the one answer to a word: what is sent again counts once."""
        return uuid.uuid5(self.session.pk, f"after:{key}")


@dataclass(frozen=True, slots=True)
class Before:
    """What the history said of a game's words when it began, as ids of entries."""

    met: Collection[int]
    right: Collection[int]


@dataclass(frozen=True, slots=True)
class Since:
    """An answer after the end of a game: the entry, its outcome, and whether it is asked here."""

    entry: int
    outcome: str
    is_here: bool


def words_to_ask(searched: Searched, before: Before, since: Sequence[Since]) -> list[int]:
    """Return the words that are worth a question after a game, those first that were missed.

    These are the words that were missed, helped with or new, without those that were asked
    elsewhere since.
    """
    others = {one.entry for one in since if not one.is_here}
    others -= {one.entry for one in since if one.is_here}
    known = {key for key in searched.found if key in before.met}
    return [key for key in searched.words if key not in others | known]


def mode_of(key: int, searched: Searched, before: Before) -> str:
    """Return how a word is asked: one that was missed or never right is easier to choose."""
    return "typed" if key in before.right and key not in searched.missed else "chosen"


@dataclass(frozen=True)
class Asking:
    """The questions after a game: its *entries* in order, and what came of those asked so far.

    *verdict* is that of an answer that was given just now.
    """

    searched: Searched
    waiting: Waiting
    before: Before
    entries: Sequence[Entry]
    outcomes: dict[int, str]
    verdict: Verdict | None = None

    @property
    def of(self) -> int:
        return len(self.entries)

    @property
    def left(self) -> list[Entry]:
        return [one for one in self.entries if one.pk not in self.outcomes]

    @property
    def explains(self) -> bool:
        """Whether a wrong answer is explained before the next question."""
        return self.verdict is not None and not self.verdict.comparison.is_right

    @property
    def number(self) -> int:
        """The number of the question that is shown, from 1 on."""
        return len(self.outcomes) + (not self.explains)

    @property
    def right(self) -> int:
        return sum(one == Review.Outcome.RIGHT for one in self.outcomes.values())

    @cached_property
    def question(self) -> Question | None:
        """The next question; None if all words were asked."""
        entry = next(iter(self.left), None)
        if entry is None:
            return None
        attempt = self.searched.attempt_of(entry.pk)
        # The same choices when the page is loaded again: other ones would give the word away.
        rng = Random(attempt.int)
        mode = mode_of(entry.pk, self.searched, self.before)
        # The student has just seen the words that were found: they may be choices though an
        # assignment that was not begun asks for them, else too few may be left to choose from.
        seen = {*self.searched.helped, *self.searched.found}
        hidden = self.waiting.withheld | (self.waiting.in_play - seen)
        lists = self.waiting.moment.lists
        return quiz.question_about(entry, mode, rng, hidden, attempt, lists)

    def answer(self, key: int, mode: str, given: str, *, gives_up: bool = False) -> Verdict:
        """Judge the answer to a word and add it to the history; only the first one counts.

        Raises KeyError for a word that is not asked here, and for a mode that there is not.
        """
        entry = {one.pk: one for one in self.entries}[key]
        if mode not in MODES:
            raise KeyError(mode)
        return quiz.answer(
            student=self.waiting.moment.student,
            entry=entry,
            mode=mode,
            given=given,
            gives_up=gives_up,
            attempt=self.searched.attempt_of(key),
        )


def asking_after(searched: Searched, waiting: Waiting, verdict: Verdict | None = None) -> Asking:
    """Return the questions after a game as they are now; there may be none. See `Asking`.

    No word is among them that must not be told now, or that has no meaning to ask for.
    """
    student = waiting.moment.student
    before, since = _before(student, searched), _since(student, searched)
    wanted = words_to_ask(searched, before, since)
    found = {one.pk: one for one in quiz.entries_to_review(waiting).filter(pk__in=wanted)}
    know_translations([*found.values()])
    entries = [found[key] for key in wanted if key in found and found[key].translations.all()]
    entries = entries[:MOST]
    asked = {one.pk for one in entries}
    outcomes = {one.entry: one.outcome for one in since if one.is_here and one.entry in asked}
    return Asking(searched, waiting, before, entries, outcomes, verdict)


def _before(student: User, searched: Searched) -> Before:
    is_right = Q(outcome=Review.Outcome.RIGHT, hints=0, wrong_tries=0, is_slip=False)
    rows = (
        _answers(student, searched)
        .filter(reviews.of_present_words(), at__lt=searched.session.started_at)
        .order_by()
        .values_list("entry")
        .annotate(right=Count("pk", filter=is_right))
    )
    counts = dict(rows)
    return Before(met=set(counts), right={key for key, right in counts.items() if right})


def _since(student: User, searched: Searched) -> list[Since]:
    sources = {quiz.source_of(student, searched.attempt_of(key)) for key in searched.words}
    rows = (
        _answers(student, searched)
        .filter(at__gte=searched.session.finished_at)
        .exclude(session=searched.session.pk)
        .order_by("at", "pk")
    )
    return [
        Since(entry, outcome, source in sources)
        for entry, outcome, source in rows.values_list("entry", "outcome", "source")
    ]


def _answers(student: User, searched: Searched) -> QuerySet[Review]:
    """Return the answers to a game's words, without what says nothing about the student."""
    return Review.objects.filter(
        student=student, entry__in=searched.words, was_tried=True, is_free_practice=False
    ).exclude(skill=Review.Skill.FORM)
