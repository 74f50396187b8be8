"""The words of which a day's plan is made, as they were when the day began.

A list may have ten thousand words, so each query reads no further than a plan can need.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)

from osmosmjerka.db.prepared import Prepared
from puzzles.access import Moment
from puzzles.models import Placement
from vocab.memory.card import Card, card_from_json
from vocab.models import Entry, Translation, VocabularyList, WordProgress
from vocab.sounds import playback

WEEK = timedelta(days=7)
# Of the words that are not due, so many are considered: those that are due first. Some of them may
# be in the first half of their wait.
_MOST_LATER = 200


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word that was asked on the day of a plan, with its summary."""

    entry: int
    state: dict[str, Any]
    missed_on: date | None
    last_at: datetime
    level: int
    right: int
    wrong: int
    vocabulary_list: int

    @property
    def before(self) -> Card:
        """The schedule as the day began."""
        return card_from_json(self.state["before"])

    @property
    def tries(self) -> int:
        """How often it was asked that day."""
        return int(self.state["tries"])


@dataclass(frozen=True, slots=True)
class OtherWord:
    """A word that was not asked on the day of a plan."""

    entry: int
    vocabulary_list: int
    card: Card


@dataclass(frozen=True, slots=True)
class MayAsk:
    """Which words a student may be asked on a day: those in *lists*, newest first, by id.

    *hidden* words wait in an assignment. A word has a question if it has a meaning, or a sound:
    the *silent* lists are in a language that no voice speaks.
    """

    student: int
    lists: Sequence[int]
    silent: Collection[int]
    hidden: Collection[int]
    on: date


def silent(lists: Iterable[VocabularyList]) -> list[int]:
    """Return the lists in a language that no voice speaks: their words are asked by a meaning."""
    return [one.pk for one in lists if not playback.is_speakable(one.language)]


def asked(may: MayAsk) -> list[AskedWord]:
    """Return the words of the lists that were asked on the day."""
    rows = _ASKED.rows(student=may.student, lists=may.lists, on=may.on)
    return [AskedWord(*row) for row in rows]


def others(may: MayAsk, of_week: WordsOfWeek, most: int) -> list[OtherWord]:
    """Return words that were not asked on the day, enough for a plan of *most*.

    Every kind of word comes after those before it in a plan, so it is read only if these are too
    few: the urgent words, new words, and words that can wait longer.
    """
    found = _urgent(may, of_week.words, most)
    if len(found) < most:
        found += _new(may, of_week, most - len(found))
    if len(found) < most:
        found += _cards(_LATER.rows(**_places(may)))
    return found


def count_urgent(may: MayAsk, words: Collection[int]) -> int:
    """Return how many of these words come before new ones, also of those that are hidden."""
    if not words:
        return 0
    rows = _OF_WEEK.rows(**_places(replace(may, hidden=())), words=words)
    return sum(one.card.is_urgent(may.on) for one in _cards(rows))


def new_words(may: MayAsk, most: int) -> list[int]:
    """Return so many words that were never asked, in the order in which to learn them."""
    rows = _new_of_lists(_up_to(most)).rows(**_places_of_new(may), lists=may.lists)
    return [key for key, _list in rows[:most]]


def _places(may: MayAsk) -> dict[str, Any]:
    return _places_of_new(may) | {"lists": may.lists, "on": may.on}


def _places_of_new(may: MayAsk) -> dict[str, Any]:
    return {"student": may.student, "silent": may.silent, "hidden": may.hidden}


def _up_to(most: int) -> int:
    """Return a limit for a query; there are few, because each has a query of its own."""
    return 1 << max(5, (most - 1).bit_length())


# Words that were asked ---------------------------------------------------------------------------


def _progress(student: int, lists: Collection[int]) -> QuerySet[WordProgress]:
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
        .filter(its_list__any_of=lists)
    )


def _has_question(silent: Collection[int], its_list: str, entry: str) -> Q:
    """Return the condition for words with a question; see `MayAsk`.

    *its_list* and *entry* are lookups to the list and to the entry.
    """
    has_meaning = Exists(Translation.objects.filter(entry=OuterRef(entry)))
    return ~Q(**{f"{its_list}__any_of": silent}) | Q(has_meaning)


def _asked_before(
    student: int,
    lists: Collection[int],
    silent: Collection[int],
    hidden: Collection[int],
    on: date,
) -> QuerySet[WordProgress]:
    """Return the words that were asked, but not on that day."""
    return (
        _progress(student, lists)
        .filter(_has_question(silent, "its_list", "entry"))
        .exclude(last_on=on)
        .exclude(entry__any_of=hidden)
        .exclude(rests_until__gt=on)
    )


_CARD = ("entry_id", "stability", "last_on", "due_on", "urgent_on", "rests_until")
_ITS_LIST: Mapping[str, Any] = {"its_list": IntegerField()}
_MAY_ASK: Mapping[str, type] = {
    "student": int, "lists": list, "silent": list, "hidden": list, "on": date
}  # fmt: skip
_ASKED = Prepared(
    WordProgress,
    lambda student, lists, on: _progress(student, lists).filter(last_on=on).order_by("pk"),
    ("entry_id", "state", "missed_on", "last_at", "level", "right", "wrong"),
    _ITS_LIST,
    student=int,
    lists=list,
    on=date,
)
_LATER = Prepared(
    WordProgress,
    lambda on, **may: (
        _asked_before(on=on, **may)
        .filter(Q(due_on__gt=on) | Q(urgent_on__gt=on))
        .order_by("due_on", "entry")[:_MOST_LATER]
    ),
    _CARD,
    _ITS_LIST,
    **_MAY_ASK,
)
# Neither sorted nor limited to due words, else a database looks for these few among all.
_OF_WEEK = Prepared(
    WordProgress,
    lambda words, **may: _asked_before(**may).filter(entry__any_of=words).order_by(),
    _CARD,
    _ITS_LIST,
    words=list,
    **_MAY_ASK,
)


@cache
def _first_urgent(limit: int) -> Prepared:
    return Prepared(
        WordProgress,
        lambda on, **may: (
            _asked_before(on=on, **may)
            .filter(due_on__lte=on)
            .exclude(urgent_on__gt=on)
            .order_by("last_on", "entry")[:limit]
        ),
        _CARD,
        _ITS_LIST,
        **_MAY_ASK,
    )


def _urgent(may: MayAsk, of_week: Collection[int], most: int) -> list[OtherWord]:
    """Return the urgent words, as far as a plan of so many words can need them."""
    found = _cards(_first_urgent(_up_to(most)).rows(**_places(may)))[:most]
    if of_week and len(found) == most:
        known = {one.entry for one in found}
        rows = _OF_WEEK.rows(**_places(may), words=of_week)
        found += [
            one for one in _cards(rows) if one.card.is_urgent(may.on) and one.entry not in known
        ]
    return found


def _cards(rows: Iterable[Sequence[Any]]) -> list[OtherWord]:
    return [
        OtherWord(
            key,
            its_list,
            Card(
                stability=stability,
                last_on=last_on,
                due_on=due_on,
                urgent_on=urgent_on,
                rests_until=rests_until,
            ),
        )
        for key, stability, last_on, due_on, urgent_on, rests_until, its_list in rows
    ]


# New words ---------------------------------------------------------------------------------------


def _never_asked(student: int, silent: Collection[int], hidden: Collection[int]) -> QuerySet[Entry]:
    """Return the words that may be asked and never were, in the order in which to learn them."""
    # Not `Exists`, which looks up each of the words that were asked: thousands, in a long list.
    asked = WordProgress.objects.filter(student=student).values("entry")
    return (
        Entry.objects.exclude(pk__in=asked)
        .filter(_has_question(silent, "vocabulary_list", "pk"))
        .exclude(pk__any_of=hidden)
        .order_by("-vocabulary_list", "position", "pk")
    )


_NEW = ("id", "vocabulary_list_id")
_MAY_BEGIN: Mapping[str, type] = {"student": int, "silent": list, "hidden": list}


@cache
def _new_of_lists(limit: int) -> Prepared:
    return Prepared(
        Entry,
        lambda lists, **may: _never_asked(**may).filter(vocabulary_list__any_of=lists)[:limit],
        _NEW,
        None,
        lists=list,
        **_MAY_BEGIN,
    )


@cache
def _new_of_list(limit: int) -> Prepared:
    return Prepared(
        Entry,
        lambda of, **may: _never_asked(**may).filter(vocabulary_list=of)[:limit],
        _NEW,
        None,
        of=int,
        **_MAY_BEGIN,
    )


_NEW_OF_WEEK = Prepared(
    Entry,
    lambda lists, words, **may: _never_asked(**may).filter(
        vocabulary_list__any_of=lists, pk__any_of=words
    ),
    _NEW,
    None,
    lists=list,
    words=list,
    **_MAY_BEGIN,
)


def _new(may: MayAsk, of_week: WordsOfWeek, most: int) -> list[OtherWord]:
    """Return so many new words; those of this week first.

    The rest comes from the newest list, and only if that has too few from the others. One list is
    read in the order of its index and no further than wanted; PostgreSQL would sort whole lists,
    also if there is only one among those asked for.
    """
    places, found = _places_of_new(may), []
    if this_week := {key for key in of_week.may_be_new if key not in may.hidden}:
        found = _NEW_OF_WEEK.rows(**places, lists=may.lists, words=this_week)[:most]
    if may.lists:
        places["hidden"] = {*may.hidden, *of_week.words}
        newest, *older = may.lists
        if len(found) < most:
            found += _new_of_list(_up_to(most)).rows(**places, of=newest)
        if older and len(found) < most:
            found += _new_of_lists(_up_to(most)).rows(**places, lists=older)
    return [OtherWord(key, its_list, Card()) for key, its_list in found[:most]]


# The words of the week ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WordsOfWeek:
    """The words of what the student's classes were assigned in the last seven days.

    *may_be_new* are those that may never have been asked.
    """

    words: Collection[int]
    may_be_new: Collection[int]

    @classmethod
    def of(cls, moment: Moment) -> WordsOfWeek:
        lately = [one for one in moment.given if one.is_open and one.started_at > moment.at - WEEK]
        pinned = {key for one in lately if one.is_adaptive for key in one.pinned}
        puzzles = [one.puzzle for one in lately if not one.is_adaptive]
        if not puzzles:
            return cls(pinned, pinned)
        rows = _PLACED.rows(student=moment.student.pk, puzzles=puzzles)
        return cls(
            pinned.union(key for key, _was_asked in rows),
            pinned.union(key for key, was_asked in rows if not was_asked),
        )


_PLACED = Prepared(
    Placement,
    lambda student, puzzles: (
        Placement.objects.filter(puzzle__any_of=puzzles, entry__isnull=False)
        .order_by()
        .annotate(
            was_asked=Exists(WordProgress.objects.filter(student=student, entry=OuterRef("entry")))
        )
    ),
    ["entry_id"],
    {"was_asked": BooleanField()},
    student=int,
    puzzles=list,
)
