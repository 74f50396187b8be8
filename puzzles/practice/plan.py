"""A student's plan for today: which words to practise, what is left, in which kind of puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import IntEnum
from typing import Any

from django.db.models import (
    Case,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
    prefetch_related_objects,
)

from osmosmjerka.accounts.models import User
from puzzles.access import Moment
from puzzles.kinds import KINDS
from puzzles.models import Placement
from puzzles.withheld import Waiting
from vocab.memory import planning
from vocab.memory.card import Card, card_from_json
from vocab.memory.planning import WORDS_A_DAY, Candidate
from vocab.memory.rules import today
from vocab.memory.selectors import know_translations
from vocab.models import Entry, Review, Translation, VocabularyList, WordProgress
from vocab.sounds import playback

WEEK = timedelta(days=7)
# So many words are offered to a student who goes on after the plan.
MORE = 12
# Of the words that are not due, so many are considered: those that are due first. Some of them may
# be in the first half of their wait.
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
    "entry", "its_list", "state", "missed_on", "last_at", "level", "right", "wrong",
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

    @classmethod
    def of(
        cls,
        moment: Moment,
        vocabulary_list: VocabularyList | None = None,
        more: int = 0,
        waiting: Waiting | None = None,
        on: date | None = None,
    ) -> Today:
        """Return the words of the day, enough of them for a plan and for *more* after it.

        *on* is the day, if it is not that of *moment*: a later one, as far as it is known now.
        """
        student, on = moment.student, on or today(moment.student, moment.at)
        waiting = waiting or Waiting(moment)
        lists = [
            one for one in moment.lists if vocabulary_list is None or one.pk == vocabulary_list.pk
        ]
        pks = [one.pk for one in lists]
        size = words_a_day(moment)
        most = size + max(more, MORE)
        of_week = _OfWeek.of(moment)
        rows = _progress(student.pk, pks).filter(last_on=on).order_by("pk")
        asked = [AskedWord(*row) for row in rows.values_list(*_ASKED_WORD)]
        words, list_of = [], {}
        for one in asked:
            words.append(Candidate(one.entry, one.before, one.entry in of_week.words, True))
            list_of[one.entry] = one.vocabulary_list
        may_ask: dict[str, Any] = {
            "student": student.pk, "silent": _silent(lists), "hidden": waiting.of_assignments
        }  # fmt: skip
        before = _asked_before(lists=pks, on=on, **may_ask)
        found = _due(before, on, of_week.words, most)
        # Every kind of word comes after those before it, so it is read only if these are too few.
        if len(found) < most:
            found += [(*row, Card()) for row in _new(may_ask, pks, of_week, most - len(found))]
        if len(found) < most:
            found += [
                _with_card(row)
                for row in before.filter(due_on__gt=on).order_by("due_on", "entry")[:_MOST_LATER]
            ]
        for key, its_list, card in found:
            words.append(Candidate(key, card, key in of_week.words))
            list_of[key] = its_list
        return cls(moment, waiting, on, size, pks, words, asked, list_of)

    def plan(self) -> DayPlan:
        """Return the plan of the day, which stays the same while lists and assignments do.

        Words that an open assignment asks for are not in it until they are found there.
        """
        made = planning.plan(self.words, self.on, self.size)
        missed = [one for one in self.asked if one.missed_on == self.on]
        missed.sort(key=lambda one: one.last_at)
        return DayPlan(made.words, made.left, [one.entry for one in missed])

    def tomorrow(self) -> int:
        """Return how many words the next day's plan has, if nothing else is asked before it."""
        lists = self._lists
        vocabulary_list = lists[0] if len(lists) == 1 < len(self.moment.lists) else None
        next_day = self.on + timedelta(days=1)
        of_day = Today.of(self.moment, vocabulary_list, waiting=self.waiting, on=next_day)
        return len(of_day.plan().words)

    def more(self, size: int) -> list[int]:
        """Return words for after the plan, at most *size*; no word is asked twice a day."""
        rest = [one for one in self.words if not one.is_done]
        return list(planning.plan(rest, self.on, size, is_early=True).words)

    def again(self) -> list[int]:
        """Return the words that were asked on that day already."""
        return [one.entry for one in self.asked]

    def beyond(self, size: int) -> list[int]:
        """Return words for a puzzle that has too few others: new ones, then today's once more."""
        new = _never_asked(
            self.moment.student.pk, _silent(self._lists), self.waiting.of_assignments
        ).filter(vocabulary_list__in=self.lists)
        return [*(key for key, _list in new[: 2 * size]), *self.again()]

    def with_question(self, keys: Collection[int]) -> set[int]:
        """Return those of these words that have a question: a meaning, or a sound."""
        silent = set(_silent(self._lists))
        asking = [key for key in keys if self.list_of[key] in silent]
        meant = set(
            Translation.objects.filter(entry__in=asking).order_by().values_list("entry", flat=True)
        )
        return {key for key in keys if self.list_of[key] not in silent or key in meant}

    @property
    def _lists(self) -> list[VocabularyList]:
        return [one for one in self.moment.lists if one.pk in self.lists]


def words_a_day(moment: Moment) -> int:
    """Return how many words the student's classes expect of them a day: the most of any class."""
    return max((one.words_a_day for one in moment.classes), default=WORDS_A_DAY)


def _silent(lists: Iterable[VocabularyList]) -> list[int]:
    """Return the lists in a language that no voice speaks: their words are asked by a meaning."""
    return [one.pk for one in lists if not playback.is_speakable(one.language)]


def _has_question(silent: Collection[int], its_list: str, entry: str) -> Q:
    """Return the condition for words with a question: a meaning, or a sound.

    *its_list* and *entry* are lookups to the list and to the entry.
    """
    has_meaning = Exists(Translation.objects.filter(entry=OuterRef(entry)))
    return ~Q(**{f"{its_list}__in": silent}) | Q(has_meaning)


def _never_asked(
    student: int, silent: Collection[int], hidden: Collection[int]
) -> QuerySet[Entry, tuple[int, int]]:
    """Return the words that may be asked and never were, in the order in which to learn them."""
    # Not `Exists`, which looks up each of the words that were asked: thousands, in a long list.
    asked = WordProgress.objects.filter(student=student).values("entry")
    return (
        Entry.objects.exclude(pk__in=asked)
        .filter(_has_question(silent, "vocabulary_list", "pk"))
        .exclude(pk__in=hidden)
        .order_by("-vocabulary_list", "position", "pk")
        .values_list("pk", "vocabulary_list")
    )


def _progress(student: int, lists: Collection[int]) -> QuerySet[WordProgress, Any]:
    """Return what the student remembers of words in these lists, with *its_list* of each.

    The list is a value of the row, not a join, and a word in the bin has none: a database that
    knows nothing yet of a new list would begin with all of its words, or look through an index of
    the words that are not in the bin for each, and need a second instead of milliseconds.
    """
    of_kept = Case(When(deleted_at=None, then=F("vocabulary_list")))
    entry = Entry.everything.filter(pk=OuterRef("entry")).order_by()
    return (
        WordProgress.objects.filter(student=student)
        .annotate(its_list=Subquery(entry.values_list(of_kept)))
        .filter(its_list__in=lists)
    )


_WORD = ("entry", "its_list", "stability", "last_on", "due_on", "rests_until")


def _asked_before(
    student: int,
    lists: Collection[int],
    silent: Collection[int],
    hidden: Collection[int],
    on: date,
) -> QuerySet[WordProgress, Any]:
    """Return the words that were asked, but not on that day."""
    return (
        _progress(student, lists)
        .filter(_has_question(silent, "its_list", "entry"))
        .exclude(last_on=on)
        .exclude(entry__in=hidden)
        .exclude(rests_until__gt=on)
        .values_list(*_WORD)
    )


def _with_card(row: Sequence[Any]) -> tuple[int, int, Card]:
    key, its_list, stability, last_on, due_on, rests_until = row
    return (
        key,
        its_list,
        Card(stability=stability, last_on=last_on, due_on=due_on, rests_until=rests_until),
    )


def _due(
    before: QuerySet[WordProgress, Any], on: date, of_week: Collection[int], most: int
) -> list[tuple[int, int, Card]]:
    """Return the words that are due, as far as a plan of so many words can need them."""
    rows = before.filter(due_on__lte=on).order_by("last_on", "entry")
    found = [_with_card(row) for row in rows[:most]]
    if of_week and len(found) == most:
        known = {key for key, *_rest in found}
        # Neither sorted nor limited to due ones, else a database looks for these few among all.
        for row in before.filter(entry__in=of_week).order_by():
            key, _its_list, card = one = _with_card(row)
            if card.is_due(on) and key not in known:
                found.append(one)
    return found


def _new(
    may_ask: dict[str, Any], lists: Sequence[int], of_week: _OfWeek, most: int
) -> list[tuple[int, int]]:
    """Return so many new words, with their list; those of this week first.

    The rest comes from the newest list, and only if that has too few from the others: it is read in
    the order of its index, so that words after the first new ones cost nothing.
    """
    this_week = {key for key in of_week.may_be_new if key not in may_ask["hidden"]}
    words = _never_asked(**may_ask)
    found = list(words.filter(vocabulary_list__in=lists, pk__in=this_week)[:most])
    words = words.exclude(pk__in=of_week.words)
    # One list is read in the order of its index and no further than wanted; PostgreSQL would sort
    # whole lists, also if there is only one among those asked for.
    if lists:
        newest, others = lists[0], lists[1:]
        for some in (
            words.filter(vocabulary_list=newest), words.filter(vocabulary_list__in=others)
        ):  # fmt: skip
            if len(found) < most:
                found += some[: most - len(found)]
    return found


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
        was_asked = WordProgress.objects.filter(student=moment.student, entry=OuterRef("entry"))
        rows = list(
            Placement.objects.filter(puzzle__in=puzzles, entry__isnull=False)
            .order_by()
            .values_list("entry", Exists(was_asked))
        )
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

    *moment* is the student now, if their lists were read already.
    """
    if not keys:
        return None
    entries = entries_to_ask(keys, moment)
    rows = WordProgress.objects.filter(student=student, entry__in=keys)
    progress = {row.pop("entry"): row for row in rows.values("entry", *STAGE)}
    on = today(student, moment.at if moment else None)
    wanted = Counter(_kind_for(progress.get(entry.pk), entry, on) for entry in entries)
    can = {
        slug: count if (count := len(askable(slug, entries))) >= kind.fewest_words else 0
        for slug, kind in KINDS.items()
    }
    best = max(KINDS, key=lambda slug: (bool(can[slug]), min(wanted[slug], can[slug]), can[slug]))
    return Offer(best, can[best]) if can[best] else None


def _kind_for(known: dict[str, Any] | None, entry: Entry, on: date) -> str:
    kinds = list(KINDS)  # from the easiest way of asking to the hardest
    stage = stage_of(known, on)
    if stage == Stage.HEAR and not playback.is_speakable(entry.vocabulary_list.language):
        return kinds[-1]
    return kinds[stage]


class Stage(IntEnum):
    """How a word should be asked."""

    RECOGNISE = 0
    HEAR = 1
    PRODUCE = 2


# What `stage_of` needs to know of a word.
STAGE = ("right", "state__ways", "missed_on")


def stage_of(known: dict[str, Any] | None, on: date) -> Stage:
    """Return how to ask a word on a day, of which `STAGE` is *known*; None if it was never asked.

    It is recognised until it was right once, then heard once, then produced. A word that was missed
    on an earlier day is recognised again first: who only meets it in ways that are too hard learns
    little (`benchmarks.remembering`).
    """
    if known is None or not known["right"]:
        return Stage.RECOGNISE
    if known["missed_on"] is not None and known["missed_on"] < on:
        return Stage.RECOGNISE
    # Asked by ear once, right or not: who cannot hear well must not be asked so for ever.
    was_heard = Review.Skill.SOUND_TO_FORM in known["state__ways"]
    return Stage.PRODUCE if was_heard else Stage.HEAR


def entries(keys: Collection[int]) -> list[Entry]:
    """Return these entries, in any order."""
    return list(Entry.objects.filter(pk__in=keys).order_by())


def entries_to_ask(
    keys: Collection[int], moment: Moment | None = None, known: dict[int, Entry] | None = None
) -> list[Entry]:
    """Return entries in the order of *keys*, with what kinds need to know of them.

    Lists that were read already are those of *moment*, and entries those that are *known* by id;
    these others are added to.
    """
    known = {} if known is None else known
    read = {one.pk: one for one in entries([key for key in keys if key not in known])}
    know_translations([*read.values()])
    if moment is not None:
        moment.know_lists(read.values())
    else:
        prefetch_related_objects(list(read.values()), "vocabulary_list")
    known |= read
    return [known[key] for key in keys if key in known]


def askable(kind: str, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that a puzzle of this kind can ask, so that an answer counts."""
    return KINDS[kind].askable(entries, KINDS[kind].default_settings())
