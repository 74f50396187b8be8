"""Queries for lists on pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from osmosmjerka.accounts.models import User
from osmosmjerka.db.collation import Alphabetical, sort_key
from vocab import access
from vocab.models import Entry, Share, VocabularyList
from vocab.text import search_key

# How many of a list's words a search shows.
SHOWN_WORDS = 5
_ORDERS: dict[str, Sequence[Any]] = {
    "changed": ("-updated_at", "pk"),
    "name": (Alphabetical("title"), "pk"),
}


def with_sizes(lists: QuerySet[VocabularyList]) -> QuerySet[VocabularyList]:
    """Annotate lists with their number of words as `size`; most recently changed first."""
    kept = Count("entries", filter=Q(entries__deleted_at=None))
    # Grouping drops the model's default order.
    return lists.annotate(size=kept).order_by("-updated_at", "pk")


def asked_for(query: Mapping[str, Any]) -> dict[str, str]:
    """Return the arguments for `find_lists` from the query string of a page."""
    names = {"search": "q", "tag": "tag", "order": "sort"}
    return {name: str(query.get(parameter, "")) for name, parameter in names.items()}


def find_lists(
    lists: QuerySet[VocabularyList],
    *,
    search: str = "",
    tag: str = "",
    language: str = "",
    order: str = "",
) -> QuerySet[VocabularyList]:
    """Return those of some lists that match by their title or by one of their words.

    The search ignores case and accents. *order* is "changed" (the default) or "name".
    """
    words = search_key(search).split()
    if words:
        matching = _matching(Entry.objects.filter(vocabulary_list=OuterRef("pk")), words)
        lists = lists.filter(_contain(words) | Exists(matching))
    if tag:
        lists = lists.filter(tag_line__contains=f"\n{tag}\n")
    if language:
        lists = lists.filter(language=language)
    return lists.order_by(*_ORDERS.get(order, _ORDERS["changed"]))


# Numbers of words by which a list of others is found: at least, and at most if there is a limit.
SIZES: dict[str, tuple[int, int | None]] = {
    "small": (1, 20),
    "medium": (21, 60),
    "large": (61, None),
}


def shared_with(person: User) -> QuerySet[VocabularyList]:
    """Return the lists of others that they share with *person*: by name, or with many.

    Admins may see private lists, too; these nobody shared.
    """
    lists = access.vocabulary_lists(person, "see").exclude(owner=person)
    by_name = Share.objects.filter(teacher=person).values("vocabulary_list")
    is_private = Q(visibility=VocabularyList.Visibility.PRIVATE)
    return lists.filter(~is_private | Q(pk__in=by_name), owner__is_active=True)


def of_size(lists: QuerySet[VocabularyList], size: str) -> QuerySet[VocabularyList]:
    """Return those of some lists, which `with_sizes` counted, that have a size of `SIZES`."""
    if size not in SIZES:
        return lists
    least, most = SIZES[size]
    return lists.filter(Q(size__gte=least) if most is None else Q(size__range=(least, most)))


def languages_of(lists: QuerySet[VocabularyList]) -> list[str]:
    """Return the languages of the words of some lists, as tags."""
    return sorted(set(lists.order_by().values_list("language", flat=True).distinct()))


def tags_of(lists: QuerySet[VocabularyList]) -> list[str]:
    """Return the tags of some lists, sorted in the reader's language."""
    lines = lists.exclude(tag_line="").order_by().values_list("tag_line", flat=True).distinct()
    return sorted({tag for line in lines for tag in line.split("\n") if tag}, key=sort_key())


@dataclass(frozen=True, slots=True)
class Match:
    """Words of a list that a search found: the first ones, and how many more there are."""

    entries: Sequence[Entry]
    more: int


def matches(lists: Iterable[VocabularyList], search: str) -> dict[int, Match]:
    """Return which words of some lists a search found, by the list's primary key."""
    words = search_key(search).split()
    if not words:
        return {}
    here = Entry.objects.filter(vocabulary_list__in=[each.pk for each in lists])
    its_list = F("vocabulary_list")
    numbered = _matching(here, words).annotate(
        place=Window(RowNumber(), partition_by=its_list, order_by=["position", "pk"]),
        total=Window(Count("pk"), partition_by=its_list),
    )
    first = numbered.filter(place__lte=SHOWN_WORDS).order_by("vocabulary_list", "place")
    found: dict[int, list[Any]] = {}
    for entry in first.prefetch_related("translations"):
        found.setdefault(entry.vocabulary_list_id, []).append(entry)
    return {pk: Match(entries, entries[0].total - len(entries)) for pk, entries in found.items()}


def _matching(entries: QuerySet[Entry], words: Iterable[str]) -> QuerySet[Entry]:
    return entries.filter(_contain(words))


def _contain(words: Iterable[str]) -> Q:
    wanted = Q()
    for word in words:
        wanted &= Q(search__contains=word)
    return wanted
