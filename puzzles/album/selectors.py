"""The album of a student: for each list a place a word, empty until the word is met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q

from puzzles.album.looks import EMPTY, Place, Row, row_of
from puzzles.models import CompleteList
from puzzles.withheld import Waiting
from vocab.memory import selectors as memory
from vocab.memory.card import Level
from vocab.memory.selectors import BestLevel
from vocab.models import Entry, VocabularyList

# A strip is a glance at an album: of a longer list, the part with the words that matter.
MOST_IN_A_STRIP = 60
LATELY = 6


@dataclass(frozen=True, slots=True)
class Cover:
    """A list in the album: how many of its *words* have their capsule in it.

    *complete* is the highest level at which the student once knew all words of it, if any.
    """

    vocabulary_list: VocabularyList
    words: int
    filled: int
    complete: Level | None


@dataclass(frozen=True, slots=True)
class Strip:
    """Places of a list side by side, without words: *filled* and *of* count the whole list."""

    vocabulary_list: VocabularyList
    places: Sequence[Place]
    filled: int
    of: int


def covers_of(waiting: Waiting) -> list[Cover]:
    """Return all lists of a student, those practised last first: also of classes that ended."""
    student = waiting.moment.student
    met = {
        pk: (filled, last_at)
        for pk, filled, last_at in memory.progress_of(student)
        .exclude(entry__in=waiting.withheld)
        .order_by()
        .values_list("entry__vocabulary_list")
        .annotate(Count("pk"), Max("last_at"))
    }
    present = [one.pk for one in waiting.moment.lists]
    lists = VocabularyList.objects.filter(pk__in={*met, *present}).annotate(
        words=Count("entries", filter=Q(entries__deleted_at=None))
    )
    complete = dict(
        CompleteList.objects.filter(student=student)
        .order_by()
        .values_list("vocabulary_list")
        .annotate(Max("level"))
    )

    def last_first(one: VocabularyList) -> tuple[bool, float, int]:
        last_at: datetime | None = met[one.pk][1] if one.pk in met else None
        return last_at is None, -last_at.timestamp() if last_at else 0, -one.pk

    return [
        Cover(
            one,
            words=one.words,
            filled=met[one.pk][0] if one.pk in met else 0,
            complete=Level(complete[one.pk]) if one.pk in complete else None,
        )
        for one in sorted(lists.only("title", "language"), key=last_first)
    ]


def places_of(waiting: Waiting, vocabulary_list: VocabularyList) -> list[Place]:
    """Return the places of a list, in its order.

    A word that must not be told now has an empty place, like one that was never asked.
    """
    words = _words_of(vocabulary_list)
    levels = memory.best_levels(waiting.moment.student, words.keys() - waiting.withheld)
    return _places(vocabulary_list, words, levels)


def _words_of(vocabulary_list: VocabularyList) -> dict[int, str]:
    """Return the words of a list by the ids of their entries, in its order."""
    entries = Entry.objects.filter(vocabulary_list=vocabulary_list)
    return dict(entries.order_by("position", "pk").values_list("pk", "term"))


def _places(
    vocabulary_list: VocabularyList, words: Mapping[int, str], levels: Mapping[int, BestLevel]
) -> list[Place]:
    return [
        _place(pk, term, vocabulary_list, levels[pk]) if pk in levels else EMPTY
        for pk, term in words.items()
    ]


def _place(pk: int, term: str, of: VocabularyList, known: BestLevel) -> Place:
    return Place(pk, term, of.language, of.colour, level=Level(known.now), best=Level(known.best))


def strip_of(
    vocabulary_list: VocabularyList, places: Sequence[Place], around: Collection[int] = ()
) -> Strip:
    """Return the places of a list as a strip; of a long list, the part with most of some words."""
    return Strip(
        vocabulary_list,
        _part(places, around),
        filled=sum(place is not EMPTY for place in places),
        of=len(places),
    )


def _part(places: Sequence[Place], around: Collection[int]) -> Sequence[Place]:
    parts = Counter(
        number // MOST_IN_A_STRIP for number, one in enumerate(places) if one.key in around
    )
    first = parts.most_common(1)[0][0] * MOST_IN_A_STRIP if parts else 0
    return places[first : first + MOST_IN_A_STRIP]


@dataclass(frozen=True, slots=True)
class Glance:
    """What the home page shows of the album: the words *lately* answered, and their list."""

    lately: Sequence[Place]
    strip: Strip

    @property
    def row(self) -> Row | None:
        """The last word among letters."""
        return row_of(self.lately[0])


def glance(waiting: Waiting) -> Glance | None:
    """Return the words that a student answered last and the list of the last; None if none."""
    student = waiting.moment.student
    rows = (
        memory.progress_of(student)
        .exclude(entry__in=waiting.withheld)
        .select_related("entry__vocabulary_list")
        .only("entry__term", "entry__vocabulary_list__title", "entry__vocabulary_list__language")
        .order_by("-last_at", "-pk")[:LATELY]
    )
    entries = [row.entry for row in rows]
    if not entries:
        return None
    last = entries[0]
    words = _words_of(last.vocabulary_list)
    keys = words.keys() | {one.pk for one in entries}
    levels = memory.best_levels(student, keys - waiting.withheld)
    places = _places(last.vocabulary_list, words, levels)
    return Glance(
        [_place(one.pk, one.term, one.vocabulary_list, levels[one.pk]) for one in entries],
        strip_of(last.vocabulary_list, places, [last.pk]),
    )
