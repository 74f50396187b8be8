"""Which of their words a student wants to see, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Count, Q, QuerySet
from django.http import QueryDict
from django.utils.http import urlencode

from osmosmjerka.db.collation import Alphabetical
from puzzles.practice.picked import MOST
from puzzles.practice.views import number
from puzzles.withheld import Waiting
from vocab.memory import selectors as memory
from vocab.models import VocabularyList, WordProgress
from vocab.text import search_key

LEVELS = [level for level in WordProgress.Level if level != WordProgress.Level.NEW]


class Order(StrEnum):
    """How words are sorted."""

    NEED = "need"
    ALPHABET = "alphabet"
    NEWEST = "newest"


_SORTS: dict[Order | None, Callable[[QuerySet[WordProgress]], QuerySet[WordProgress]]] = {
    Order.ALPHABET: memory.alphabetically,
    Order.NEWEST: memory.newest_first,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for; a list or a level of 0 is any, without an order it is the album."""

    search: str = ""
    vocabulary_list: int = 0
    level: int = 0
    order: Order | None = None

    @classmethod
    def read(cls, sent: QueryDict) -> Asked:
        """Return what a page or a form asks for; what makes no sense is left out."""
        order, level = sent.get("sort", ""), number(sent, "level")
        return cls(
            search=sent.get("q", "").replace("\0", "")[:100],
            vocabulary_list=number(sent, "list"),
            level=level if level in LEVELS else 0,
            order=Order(order) if order in list(Order) else None,
        )

    @property
    def query(self) -> str:
        """What of an address asks for the same words."""
        asked: dict[str, str | int] = {
            "q": self.search,
            "list": self.vocabulary_list,
            "level": self.level,
        }
        return urlencode({name: value for name, value in asked.items() if value})

    @property
    def is_filter(self) -> bool:
        return bool(self.search or self.vocabulary_list or self.level)

    @property
    def is_list(self) -> bool:
        """Whether a list of words is asked for, not the album."""
        return self.is_filter or self.order is not None


def asked_for(asked: Asked) -> Q:
    """Return the condition for words that are asked for; the search ignores case and accents."""
    wanted = Q()
    for word in search_key(asked.search).split():
        wanted &= Q(entry__search__contains=word)
    if asked.vocabulary_list:
        wanted &= Q(entry__vocabulary_list=asked.vocabulary_list)
    if asked.level:
        wanted &= Q(level=asked.level)
    return wanted


def can_practise(waiting: Waiting) -> Q:
    """Return the condition for words to practise now: of lists that the student is still asked."""
    lists = [one.pk for one in waiting.moment.lists]
    return may_tell(waiting) & Q(entry__vocabulary_list__in=lists)


def may_tell(waiting: Waiting) -> Q:
    """Return the condition for words that may be told to the student now."""
    return ~Q(entry__in=waiting.withheld)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many words are found, how many of them can be practised, and how many are not told."""

    found: int
    can_practise: int
    withheld: int


def count(rows: QuerySet[WordProgress], asked: Asked, waiting: Waiting) -> Counts:
    """Return how many of a student's words are what, in one query."""
    wanted = asked_for(asked)
    counted = rows.order_by().aggregate(
        found=Count("pk", filter=wanted & may_tell(waiting)),
        can_practise=Count("pk", filter=wanted & can_practise(waiting)),
        withheld=Count("pk", filter=Q(entry__in=waiting.withheld)),
    )
    return Counts(**counted)


def in_order(rows: QuerySet[WordProgress], order: Order | None) -> QuerySet[WordProgress]:
    """Return words in an order; by default those that need practice most first."""
    return _SORTS.get(order, memory.weakest_first)(rows)


def lists_of(rows: QuerySet[WordProgress]) -> QuerySet[VocabularyList]:
    """Return the lists of words, by title."""
    of_words = rows.order_by().values("entry__vocabulary_list")
    return (
        VocabularyList.objects.filter(pk__in=of_words)
        .only("title")
        .order_by(Alphabetical("title"), "pk")
    )


def needed_most(rows: QuerySet[WordProgress], most: int = MOST) -> list[int]:
    """Return the words that need practice most, as ids of entries."""
    return list(memory.weakest_first(rows).values_list("entry", flat=True)[:most])
