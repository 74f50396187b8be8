"""A student's plan for today: which words to practise, what is left, in which kind of puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from osmosmjerka.accounts.models import User
from puzzles.access import Moment
from puzzles.kinds import KINDS
from puzzles.models import Placement
from puzzles.untold import Waiting
from vocab.memory import planning
from vocab.memory.card import Card, card_from_json
from vocab.memory.planning import MOST_DAYS_WAITING, MOST_NEW, WORDS_A_DAY, Candidate
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
    return Today.of(Moment(student, at), vocabulary_list).plan()


def more_words(
    student: User, at: datetime, vocabulary_list: VocabularyList | None = None, size: int = 12
) -> list[int]:
    """Return words for a student who goes on after the plan: new ones, and the next to forget.

    No word is asked twice a day, and no more new ones than on any day.
    """
    return Today.of(Moment(student, at), vocabulary_list, size).more(size)


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word that was asked on the day of a plan, with its summary."""

    entry: int
    vocabulary_list: int
    state: dict[str, Any]
    missed_on: date | None
    last_at: datetime
    level: int
    right: int
    wrong: int

    @property
    def before(self) -> Card:
        """The schedule as the day began."""
        return card_from_json(self.state["before"])

    @property
    def tries(self) -> int:
        """How often it was asked that day."""
        return int(self.state["tries"])


_ASKED_WORD = (
    "entry", "entry__vocabulary_list", "state", "missed_on", "last_at", "level", "right", "wrong",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Today:
    """What a plan is made of: a student's words on one day, as they were when it began.

    *asked* are those that were asked since, and *list_of* has the list of each word.
    """

    moment: Moment
    waiting: Waiting
    on: date
    size: int
    lists: Sequence[int]
    words: Sequence[Candidate]
    asked: Sequence[AskedWord]
    list_of: Mapping[int, int]
    never: QuerySet[Entry]
    """All words that were never asked and may be told, in the order in which to learn them."""

    @classmethod
    def of(
        cls,
        moment: Moment,
        vocabulary_list: VocabularyList | None = None,
        more: int = 0,
        waiting: Waiting | None = None,
    ) -> Today:
        """Return the words of the day, enough of them for a plan and for *more* after it."""
        student, on = moment.student, today(moment.student, moment.at)
        waiting = waiting or Waiting(moment)
        lists = [
            one for one in moment.lists if vocabulary_list is None or one.pk == vocabulary_list.pk
        ]
        hidden = waiting.of_assignments
        size = words_a_day(moment)
        of_week = _OfWeek.of(moment)
        never = _never_asked(student, lists, hidden)
        asked = _asked_on(student, lists, on)
        words, list_of = [], {}
        for one in asked:
            words.append(Candidate(one.entry, one.before, one.entry in of_week.words, True))
            list_of[one.entry] = one.vocabulary_list
        rows = [
            *_waiting_words(student, lists, on, hidden, of_week.words, size + more),
            *((*row, Card()) for row in _new_words(never, lists, hidden, of_week)),
        ]
        for key, its_list, card in rows:
            words.append(Candidate(key, card, key in of_week.words))
            list_of[key] = its_list
        pks = [one.pk for one in lists]
        return cls(moment, waiting, on, size, pks, words, asked, list_of, never)

    def plan(self) -> DayPlan:
        """Return the plan of the day."""
        made = planning.plan(self.words, self.on, self.size)
        missed = [one for one in self.asked if one.missed_on == self.on]
        missed.sort(key=lambda one: one.last_at)
        return DayPlan(made.words, made.left, [one.entry for one in missed])

    def more(self, size: int) -> list[int]:
        """Return words for after the plan, at most *size*."""
        new = [one for one in self.words if one.card.last_on is None]
        learnt = sum(one.is_done for one in new)
        may_learn = [one for one in new if not one.is_done][: max(0, MOST_NEW - learnt)]
        rest = [one for one in self.words if one.card.last_on is not None and not one.is_done]
        return list(planning.plan([*rest, *may_learn], self.on, size).words)

    def again(self) -> list[int]:
        """Return the words that were asked on that day already."""
        return [one.entry for one in self.asked]

    def beyond(self, size: int) -> list[int]:
        """Return words for a puzzle that has too few others: new ones, then today's once more."""
        return [*self.never.values_list("pk", flat=True)[: size + MOST_NEW], *self.again()]

    def with_question(self, keys: Collection[int]) -> set[int]:
        """Return those of these words that have a question: a meaning, or a sound."""
        spoken = {one.pk for one in self.moment.lists if playback.is_speakable(one.language)}
        silent = [key for key in keys if self.list_of[key] not in spoken]
        meant = Translation.objects.filter(entry__in=silent).order_by() if silent else None
        found = set(meant.values_list("entry", flat=True)) if meant is not None else set()
        return {key for key in keys if self.list_of[key] in spoken or key in found}


def words_a_day(moment: Moment) -> int:
    """Return how many words the student's classes expect of them a day: the most of any class."""
    return max((one.words_a_day for one in moment.classes), default=WORDS_A_DAY)


def _never_asked(
    student: User, lists: Sequence[VocabularyList], hidden: set[int]
) -> QuerySet[Entry]:
    asked = WordProgress.objects.filter(student=student, entry=OuterRef("pk"))
    words = Entry.objects.filter(_has_question(lists), vocabulary_list__in=lists)
    return (
        words.exclude(pk__in=hidden)
        .exclude(Exists(asked))
        .order_by("-vocabulary_list", "position", "pk")
    )


def _new_words(
    never: QuerySet[Entry], lists: Sequence[VocabularyList], hidden: set[int], of_week: _OfWeek
) -> list[tuple[int, int]]:
    """Return as many new words as anybody learns a day, with their list; those of this week first.

    They come from the newest list, and only if that has too few from the others: it is read in the
    order of its index, so that a long list costs no more than a short one.
    """
    columns = never.values_list("pk", "vocabulary_list")
    this_week = {key for key in of_week.may_be_new if key not in hidden}
    found = [*columns.filter(pk__in=this_week)[:MOST_NEW]] if this_week else []
    others = columns.exclude(pk__in=of_week.words)
    first = [*others.filter(vocabulary_list__in=lists[:1])[:MOST_NEW]]
    if lists[1:] and len(first) < MOST_NEW:
        rest = others.filter(vocabulary_list__in=lists[1:])
        first += rest[: MOST_NEW - len(first)]
    return [*found, *first]


def _progress(student: User, lists: Sequence[VocabularyList]) -> QuerySet[WordProgress]:
    return WordProgress.objects.filter(
        student=student, entry__vocabulary_list__in=lists, entry__deleted_at=None
    )


def _asked_on(student: User, lists: Sequence[VocabularyList], on: date) -> list[AskedWord]:
    rows = _progress(student, lists).filter(last_on=on).order_by("pk")
    return [AskedWord(*row) for row in rows.values_list(*_ASKED_WORD)]


def _waiting_words(
    student: User,
    lists: Sequence[VocabularyList],
    on: date,
    hidden: set[int],
    of_week: Collection[int],
    size: int,
) -> Iterator[tuple[int, int, Card]]:
    """Yield the words that were asked before, as far as a plan of *size* words can need them.

    A plan takes the words that fell due first, those of this week before others, and counts those
    that have waited, up to `MOST_DAYS_WAITING` days' words. So nothing changes if the others, in a
    long list thousands, are left out.
    """
    mine = (
        _progress(student, lists)
        .filter(_has_question(lists, "entry"))
        .exclude(last_on=on)
        .exclude(entry__in=hidden)
        .order_by("due_on", "entry")
        .values_list(
            "entry", "entry__vocabulary_list", "stability", "last_on", "due_on", "rests_until"
        )
    )
    most = MOST_DAYS_WAITING * size
    rows = list(mine.filter(due_on__lte=on)[:most])
    if of_week and len(rows) == most:
        rows = list(dict.fromkeys([*rows, *mine.filter(due_on__lte=on, entry__in=of_week)[:size]]))
    rows += mine.filter(due_on__gt=on)[:_MOST_LATER]
    for key, its_list, stability, last_on, due_on, rests_until in rows:
        yield (
            key,
            its_list,
            Card(stability=stability, last_on=last_on, due_on=due_on, rests_until=rests_until),
        )


def _has_question(lists: Sequence[VocabularyList], entry: str = "") -> Q:
    """Return the condition for entries with a question: a meaning, or a sound.

    *entry* is the lookup to the entry, if others are asked for than entries.
    """
    silent = [one.pk for one in lists if not playback.is_speakable(one.language)]
    if not silent:
        return Q()
    path = f"{entry}__" if entry else ""
    has_meaning = Exists(Translation.objects.filter(entry=OuterRef(entry or "pk")))
    return ~Q(**{f"{path}vocabulary_list__in": silent}) | Q(has_meaning)


@dataclass(frozen=True, slots=True)
class _OfWeek:
    """The words of what the student's classes were assigned in the last seven days.

    *may_be_new* are those that may never have been asked.
    """

    words: Collection[int]
    may_be_new: Collection[int]

    @classmethod
    def of(cls, moment: Moment) -> _OfWeek:
        lately = [one for one in moment.given if one.is_open and one.started_at > moment.at - WEEK]
        pinned = {key for one in lately if one.is_adaptive for key in one.pinned}
        puzzles = [one.puzzle for one in lately if not one.is_adaptive]
        if not puzzles:
            return cls(pinned, pinned)
        asked = WordProgress.objects.filter(student=moment.student, entry=OuterRef("entry"))
        placed = Placement.objects.filter(puzzle__in=puzzles, entry__isnull=False).order_by()
        rows = [
            (key, was_asked)
            for key, was_asked in placed.values_list("entry", Exists(asked))
            if key is not None
        ]
        return cls(
            pinned.union(key for key, _was_asked in rows),
            pinned.union(key for key, was_asked in rows if not was_asked),
        )


@dataclass(frozen=True, slots=True)
class Offer:
    """The kind of puzzle that suits most of the words left, and how many of them it can ask."""

    kind: str
    words: int


def offer(student: User, keys: Collection[int], moment: Moment | None = None) -> Offer | None:
    """Return which kind suits most of these words; None if no kind can ask any of them.

    A word that was never right is looked for first, then heard, then written. *moment* is the
    student now, if their lists were read already.
    """
    if not keys:
        return None
    entries = entries_to_ask(keys, moment)
    rows = WordProgress.objects.filter(student=student, entry__in=keys)
    progress = {
        key: (right, ways) for key, right, ways in rows.values_list("entry", "right", "state__ways")
    }
    wanted = Counter(_stage(progress.get(entry.pk), entry) for entry in entries)
    can = {slug: len(askable(slug, entries)) for slug in KINDS}
    best = max(KINDS, key=lambda slug: (bool(can[slug]), min(wanted[slug], can[slug]), can[slug]))
    return Offer(best, can[best]) if can[best] else None


def _stage(row: tuple[int, dict[str, Any]] | None, entry: Entry) -> str:
    stages = list(KINDS)  # from the easiest way of asking to the hardest
    if row is None or not row[0]:
        return stages[0]
    was_heard = Review.Skill.SOUND_TO_FORM in row[1]
    if not was_heard and playback.is_speakable(entry.vocabulary_list.language):
        return stages[1]
    return stages[-1]


def entries_to_ask(keys: Collection[int], moment: Moment | None = None) -> list[Entry]:
    """Return entries in the order of *keys*, with what kinds need to know of them.

    Lists that were read already are those of *moment*.
    """
    entries = Entry.objects.prefetch_related("translations").order_by()
    if moment is None:
        entries = entries.select_related("vocabulary_list")
    found = entries.in_bulk(list(keys))
    if moment is not None:
        moment.know_lists(found.values())
    return [found[key] for key in keys if key in found]


def askable(kind: str, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that a puzzle of this kind can ask, so that an answer counts."""
    settings = KINDS[kind].default_settings()
    return [entry for entry in entries if KINDS[kind].asks(entry, settings)]


__all__ = [
    "DayPlan", "Offer", "askable", "day_plan", "entries_to_ask", "more_words", "offer",
    "words_a_day",
]  # fmt: skip
