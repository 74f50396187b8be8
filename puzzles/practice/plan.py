"""A student's plan for today: which words to practise, what is left, and in which kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import User
from puzzles.access import given_to, is_open_at, lists_of_student
from puzzles.kinds import KINDS
from puzzles.models import Placement
from puzzles.untold import words_of_assignments
from vocab.memory import planning
from vocab.memory.card import Card, card_from_json
from vocab.memory.planning import MOST_NEW, WORDS_A_DAY, Candidate
from vocab.memory.rules import today
from vocab.models import Entry, Translation, VocabularyList, WordProgress
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
    on = today(student, at)
    words = _candidates(student, at, on, vocabulary_list)
    made = planning.plan(words, on, words_a_day(student))
    missed = _in_lists(student, vocabulary_list).filter(missed_on=on).order_by("last_at", "pk")
    return DayPlan(made.words, made.left, list(missed.values_list("entry", flat=True)))


def more_words(
    student: User, at: datetime, vocabulary_list: VocabularyList | None = None, size: int = 12
) -> list[int]:
    """Return words for a student who goes on after the plan: new ones, and the next to forget.

    No word is asked twice a day, and no more new ones than on any day.
    """
    on = today(student, at)
    words = list(_candidates(student, at, on, vocabulary_list))
    learnt = sum(one.is_done and one.card.last_on is None for one in words)
    new = [one for one in words if one.card.last_on is None and not one.is_done]
    rest = [one for one in words if one.card.last_on is not None and not one.is_done]
    return list(planning.plan([*rest, *new[: max(0, MOST_NEW - learnt)]], on, size).words)


def words_a_day(student: User) -> int:
    """Return how many words the student's classes expect of them a day: the most of any class."""
    mine = classrooms(student, "play").filter(archived_at=None)
    return mine.aggregate(Max("words_a_day"))["words_a_day__max"] or WORDS_A_DAY


def _in_lists(student: User, vocabulary_list: VocabularyList | None) -> QuerySet[WordProgress]:
    return WordProgress.objects.filter(
        student=student,
        entry__vocabulary_list__in=_lists(student, vocabulary_list),
        entry__deleted_at=None,
    )


def _lists(student: User, vocabulary_list: VocabularyList | None) -> QuerySet[VocabularyList]:
    lists = lists_of_student(student).order_by()
    return lists if vocabulary_list is None else lists.filter(pk=vocabulary_list.pk)


def _candidates(
    student: User, at: datetime, on: date, vocabulary_list: VocabularyList | None
) -> Iterable[Candidate]:
    """Return the words that may be in the plan, as they were when the day began."""
    hidden = words_of_assignments(student, at)
    of_week = _words_of_week(student, at)
    mine = _in_lists(student, vocabulary_list)
    asked = {
        key: card_from_json(state["before"])
        for key, state in mine.filter(last_on=on).values_list("entry", "state")
    }
    words = [Candidate(key, before, key in of_week, True) for key, before in asked.items()]
    columns = ("entry", "stability", "last_on", "due_on", "rests_until")
    lists = _lists(student, vocabulary_list)
    can_be_asked = Entry.objects.filter(_can_be_asked(lists), vocabulary_list__in=lists)
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
    never = can_be_asked.exclude(pk__in=hidden).exclude(
        Exists(WordProgress.objects.filter(student=student, entry=OuterRef("pk")))
    )
    keys = [
        *never.filter(pk__in=of_week).order_by("pk").values_list("pk", flat=True)[:MOST_NEW],
        *never.exclude(pk__in=of_week)
        .order_by("-vocabulary_list", "position", "pk")
        .values_list("pk", flat=True)[:MOST_NEW],
    ]
    words += [Candidate(key, Card(), key in of_week) for key in keys]
    return words


def _can_be_asked(lists: QuerySet[VocabularyList]) -> Q:
    """Return the condition for entries with a question: a meaning, or a sound."""
    languages = lists.values_list("language", flat=True).distinct()
    spoken = [language for language in languages if playback.is_speakable(language)]
    has_meaning = Q(Exists(Translation.objects.filter(entry=OuterRef("pk"))))
    return Q(vocabulary_list__language__in=spoken) | has_meaning


def _words_of_week(student: User, at: datetime) -> set[int]:
    """Return the words of what the student's classes were assigned in the last seven days."""
    lately = Q(opens_at__gt=at - WEEK) | Q(opens_at=None, created_at__gt=at - WEEK)
    given = given_to(student).filter(is_open_at(at), lately)
    placed = Placement.objects.filter(
        puzzle__in=given.filter(is_adaptive=False).order_by().values("puzzle"),
        entry__isnull=False,
    )
    words = {key for key in placed.values_list("entry", flat=True) if key is not None}
    for pinned in given.filter(is_adaptive=True).values_list("pinned", flat=True):
        words.update(pinned)
    return words


@dataclass(frozen=True, slots=True)
class Offer:
    """The kind of puzzle that suits most of the words left, and how many of them it can ask."""

    kind: str
    words: int


def offer(student: User, keys: Collection[int]) -> Offer | None:
    """Return which kind suits most of these words; None if no kind can ask any of them.

    A new or a forgotten word is looked for first, then heard, then written.
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
    if row is None or row.missed_on is not None or not row.right:
        return stages[0]
    ways = row.state["ways"]
    is_heard = ways.get("sound_to_form", {}).get("right")
    if not is_heard and playback.is_speakable(entry.vocabulary_list.language):
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
