"""Find a list's entries by search and filters, and check whether they fit into puzzles."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from osmosmjerka.db.collation import sort_key
from vocab.blocking.strong import strong_words
from vocab.entries import fitness
from vocab.models import BlockedWord, Entry, Pronunciation, Translation, VocabularyList
from vocab.text import search_key


def asked_for(query: Mapping[str, Any]) -> dict[str, str]:
    """Return the arguments for `find_entries` from the query string of a list's page."""
    names = {"search": "q", "tag": "tag", "part_of_speech": "pos", "missing": "missing"}
    return {name: str(query.get(parameter, "")) for name, parameter in names.items()}


def find_entries(
    vocabulary_list: VocabularyList,
    *,
    search: str = "",
    tag: str = "",
    part_of_speech: str = "",
    missing: str = "",
) -> QuerySet[Entry]:
    """Return matching entries of a list in order; the search ignores case and accents.

    *missing* is "translation", "audio" (no sound of the teacher's own) or "picture".
    """
    found = vocabulary_list.entries.order_by("position", "pk")
    for word in search_key(search).split():
        found = found.filter(search__contains=word)
    if tag:
        found = found.filter(tag_line__contains=f"\n{tag}\n")
    if part_of_speech:
        found = found.filter(part_of_speech=part_of_speech)
    if missing == "translation":
        # As a subquery, this adds nothing to the page's number of queries.
        found = found.exclude(pk__in=Translation.objects.values("entry"))
    elif missing == "audio":
        # A file name without the file, as in a CSV, is not a sound yet.
        recorded = Pronunciation.objects.filter(
            entry__vocabulary_list=vocabulary_list,
            engine=Pronunciation.Engine.RECORDING,
            state=Pronunciation.State.READY,
        )
        found = found.exclude(pk__in=recorded.values("entry"))
    elif missing == "picture":
        found = found.filter(image="")
    return found


def tags_of(vocabulary_list: VocabularyList) -> list[str]:
    """Return the tags used in a list, sorted in the reader's language."""
    lines = vocabulary_list.entries.exclude(tag_line="").order_by().values_list("tag_line")
    tags = {tag for (line,) in lines.distinct() for tag in line.split("\n") if tag}
    return sorted(tags, key=sort_key())


def parts_of_speech_of(vocabulary_list: VocabularyList) -> list[str]:
    """Return the parts of speech used in a list, sorted in the reader's language."""
    used = vocabulary_list.entries.exclude(part_of_speech="").order_by()
    return sorted(used.values_list("part_of_speech", flat=True).distinct(), key=sort_key())


def fitness_of(
    vocabulary_list: VocabularyList, entries: Iterable[Entry]
) -> dict[int, Sequence[fitness.Finding]]:
    """Return why *entries* do not fit into a puzzle, by primary key."""
    terms = {entry.pk: (entry.term, entry.tiles) for entry in entries}
    return fitness_of_terms(vocabulary_list, terms)


def fitness_of_terms(
    vocabulary_list: VocabularyList,
    wanted: Mapping[int, tuple[str, Sequence[str]]],
    beside: Iterable[tuple[str, Sequence[str]]] = (),
) -> dict[int, Sequence[fitness.Finding]]:
    """Return why *wanted* (key: term and tiles) do not fit into a puzzle of a list.

    They need not be in the list yet, nor need the list be stored; *beside* are other terms that
    come into it.
    """
    blocked = {word.key for word in blocked_words(vocabulary_list)}
    stored: Iterable[tuple[str, str]] = ()
    if vocabulary_list.pk:
        entries = vocabulary_list.entries.order_by()
        stored = entries.values_list("term", Cast("tiles", TextField()))
    terms, texts = zip(*stored, strict=True) if stored else ((), ())
    # Parsed as one document: with 10 000 words that takes a tenth of the time.
    all_tiles = zip(terms, json.loads(f"[{','.join(texts)}]"), strict=True)
    return fitness.check(wanted, chain(all_tiles, beside), blocked=blocked)


def blocked_words(vocabulary_list: VocabularyList) -> list[BlockedWord]:
    """Return the words blocked in the puzzles of a list: by its school, for everyone, and shipped.

    The strong words that are shipped for the language of the list are not stored. The owner of
    a list without a school cannot switch them off.
    """
    school = vocabulary_list.school
    wanted = Q(school=None)
    if school is not None:
        wanted |= Q(school=school)
    stored = BlockedWord.objects.filter(wanted)
    if school is not None and not school.blocks_strong_words:
        return list(stored)
    return [*stored, *strong_words(vocabulary_list.language)]


def forms_of(blocked: Iterable[BlockedWord]) -> list[str]:
    """Return blocked words with and without accents, because a grid is filled with both."""
    return list(dict.fromkeys(form for one in blocked for form in (one.word, one.key)))
