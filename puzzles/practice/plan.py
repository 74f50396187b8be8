"""A student's plan for today: which words to practise, what is left, in which kind of puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import User
from puzzles.access import Given, assignments_at
from puzzles.kinds import KINDS
from puzzles.models import Placement
from puzzles.untold import words_of_assignments
from vocab.memory import planning
from vocab.memory.card import Card, card_from_json
from vocab.memory.planning import MOST_NEW, WORDS_A_DAY, Candidate
from vocab.memory.rules import today
from vocab.models import Entry, Review, Translation, VocabularyList, WordProgress
from vocab.sounds import playback

WEEK = timedelta(days=7)
# Of the words that are not due, so many are considered: those that are due first.
_MOST_LATER = 200


@dataclass(frozen=True, slots=True)
class DayPlan:
    """The words of the day, those not asked yet, and those missed today and not yet right again.

    Ids of entries, the most urgent first.
    """

    words: Sequence[int]
    left: Sequence[int]
    missed: Sequence[int]

    @property
    def done(self) -> int:
        return len(self.words) - len(self.left)


def day_plan(student: User, at: datetime, vocabulary_list: VocabularyList | None = None) -> DayPlan:
    """Return the student's plan for the day of *at*, from all of their lists or from one.

    Words that an open assignment asks for are not in it until they are found there. The plan stays
    the same all day while lists and assignments do.
    """
    return Today.of(student, at, vocabulary_list).plan()


def more_words(
    student: User, at: datetime, vocabulary_list: VocabularyList | None = None, size: int = 12
) -> list[int]:
    """Return words for a student who goes on after the plan: new ones, and the next to forget.

    No word is asked twice a day, and no more new ones than on any day.
    """
    return Today.of(student, at, vocabulary_list).more(size)


@dataclass(frozen=True, slots=True)
class Today:
    """What a plan is made of: a student's words on one day, as they were when it began."""

    student: User
    on: date
    lists: Sequence[int]
    words: Sequence[Candidate]
    never: QuerySet[Entry]
    """All words that were never asked and may be told, in the order in which to learn them."""

    @classmethod
    def of(
        cls, student: User, at: datetime, vocabulary_list: VocabularyList | None = None
    ) -> Today:
        on = today(student, at)
        given = assignments_at(student, at)
        wanted = {one.vocabulary_list for one in given if one.has_started}
        if vocabulary_list is not None:
            wanted &= {vocabulary_list.pk}
        rows = VocabularyList.objects.filter(pk__in=wanted).order_by()
        languages = dict(rows.values_list("pk", "language"))
        hidden = words_of_assignments(student, at, given)
        of_week = _words_of_week(given, at)
        never = _never_asked(student, languages, hidden)
        words = _candidates(student, on, languages, hidden, of_week, never)
        return cls(student, on, list(languages), words, never)

    def plan(self) -> DayPlan:
        """Return the plan of the day."""
        made = planning.plan(self.words, self.on, words_a_day(self.student))
        missed = _asked(self.student, self.lists).filter(missed_on=self.on)
        keys = missed.order_by("last_at", "pk").values_list("entry", flat=True)
        return DayPlan(made.words, made.left, list(keys))

    def more(self, size: int) -> list[int]:
        """Return words for after the plan, at most *size*."""
        new = [one for one in self.words if one.card.last_on is None]
        learnt = sum(one.is_done for one in new)
        may_learn = [one for one in new if not one.is_done][: max(0, MOST_NEW - learnt)]
        rest = [one for one in self.words if one.card.last_on is not None and not one.is_done]
        return list(planning.plan([*rest, *may_learn], self.on, size).words)

    def again(self) -> list[int]:
        """Return the words that were asked on that day already."""
        return [one.key for one in self.words if one.is_done]

    def beyond(self, size: int) -> list[int]:
        """Return words for a puzzle that has too few others: new ones, then today's once more."""
        return [*self.never.values_list("pk", flat=True)[: size + MOST_NEW], *self.again()]


def _never_asked(student: User, languages: dict[int, str], hidden: set[int]) -> QuerySet[Entry]:
    asked = WordProgress.objects.filter(student=student, entry=OuterRef("pk"))
    words = _to_ask(languages).exclude(pk__in=hidden).exclude(Exists(asked))
    return words.order_by("-vocabulary_list", "position", "pk")


def _to_ask(languages: dict[int, str]) -> QuerySet[Entry]:
    """Return the words of some lists that have a question."""
    can_be_asked = _can_be_asked(set(languages.values()))
    return Entry.objects.filter(can_be_asked, vocabulary_list__in=list(languages))


def words_a_day(student: User) -> int:
    """Return how many words the student's classes expect of them a day: the most of any class."""
    mine = classrooms(student, "play").filter(archived_at=None)
    return mine.aggregate(Max("words_a_day"))["words_a_day__max"] or WORDS_A_DAY


def _asked(student: User, lists: Sequence[int]) -> QuerySet[WordProgress]:
    return WordProgress.objects.filter(
        student=student, entry__vocabulary_list__in=lists, entry__deleted_at=None
    )


def _candidates(
    student: User,
    on: date,
    languages: dict[int, str],
    hidden: set[int],
    of_week: set[int],
    never_asked: QuerySet[Entry],
) -> list[Candidate]:
    """Return the words that may be in the plan, as they were when the day began."""
    mine = _asked(student, list(languages))
    asked = mine.filter(last_on=on).values_list("entry", "state")
    words = [
        Candidate(key, card_from_json(state["before"]), key in of_week, True)
        for key, state in asked
    ]
    columns = ("entry", "stability", "last_on", "due_on", "rests_until")
    can_be_asked = _to_ask(languages)
    waiting = (
        mine.filter(entry__in=can_be_asked.order_by())
        .exclude(last_on=on)
        .exclude(entry__in=hidden)
        .order_by("due_on", "pk")
    )
    due = waiting.filter(due_on__lte=on).values_list(*columns)
    later = waiting.filter(due_on__gt=on).values_list(*columns)[:_MOST_LATER]
    for key, stability, last_on, due_on, rests_until in (*due, *later):
        card = Card(stability=stability, last_on=last_on, due_on=due_on, rests_until=rests_until)
        words.append(Candidate(key, card, key in of_week))
    never = never_asked.values_list("pk", flat=True)
    new = [*never.exclude(pk__in=of_week)[:MOST_NEW]]
    if of_week:
        new = [*never.filter(pk__in=of_week)[:MOST_NEW], *new]
    return words + [Candidate(key, Card(), key in of_week) for key in new]


def _can_be_asked(languages: Collection[str]) -> Q:
    """Return the condition for entries with a question: a meaning, or a sound."""
    spoken = [language for language in languages if playback.is_speakable(language)]
    has_meaning = Exists(Translation.objects.filter(entry=OuterRef("pk")))
    return Q(vocabulary_list__language__in=spoken) | Q(has_meaning)


def _words_of_week(given: Iterable[Given], at: datetime) -> set[int]:
    """Return the words of what the student's classes were assigned in the last seven days."""
    lately = [one for one in given if one.is_open and one.started_at > at - WEEK]
    puzzles = [one.puzzle for one in lately if not one.is_adaptive]
    placed = Placement.objects.filter(puzzle__in=puzzles, entry__isnull=False)
    words = {key for key in placed.values_list("entry", flat=True) if key is not None}
    return words.union(*(one.pinned for one in lately if one.is_adaptive))


@dataclass(frozen=True, slots=True)
class Offer:
    """The kind of puzzle that suits most of the words left, and how many of them it can ask."""

    kind: str
    words: int


def offer(student: User, keys: Collection[int]) -> Offer | None:
    """Return which kind suits most of these words; None if no kind can ask any of them.

    A word that was never right is looked for first, then heard, then written.
    """
    entries = entries_to_ask(keys)
    progress = {
        row.entry_id: row for row in WordProgress.objects.filter(student=student, entry__in=keys)
    }
    wanted = Counter(_stage(progress.get(entry.pk), entry) for entry in entries)
    can = {slug: len(askable(slug, entries)) for slug in KINDS}
    best = max(KINDS, key=lambda slug: (bool(can[slug]), min(wanted[slug], can[slug]), can[slug]))
    return Offer(best, can[best]) if can[best] else None


def _stage(row: WordProgress | None, entry: Entry) -> str:
    stages = list(KINDS)  # from the easiest way of asking to the hardest
    if row is None or not row.right:
        return stages[0]
    was_heard = Review.Skill.SOUND_TO_FORM in row.state["ways"]
    if not was_heard and playback.is_speakable(entry.vocabulary_list.language):
        return stages[1]
    return stages[-1]


def entries_to_ask(keys: Collection[int]) -> list[Entry]:
    """Return entries in the order of *keys*, with what kinds need to know of them."""
    found = (
        Entry.objects.select_related("vocabulary_list")
        .prefetch_related("translations")
        .in_bulk(list(keys))
    )
    return [found[key] for key in keys if key in found]


def askable(kind: str, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that a puzzle of this kind can ask, so that an answer counts."""
    settings = KINDS[kind].default_settings()
    return [entry for entry in entries if KINDS[kind].asks(entry, settings)]


__all__ = [
    "DayPlan", "Offer", "askable", "day_plan", "entries_to_ask", "more_words", "offer",
    "words_a_day",
]  # fmt: skip
