"""When a word of a list is edited: is it the same word to its students, or another one?

A correction of a typo keeps what students remember. Another word starts again, and what was
remembered comes back if the edit is undone: each review says of which word it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from django.db import transaction
from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs.ledger import enqueue
from vocab.memory import reviews
from vocab.memory.rules import REPLAY
from vocab.models import Entry, Review
from vocab.text import compare

# With more reviews than this, summaries are rebuilt in the background.
_FEW_REVIEWS = 2000
# A word of so many letters that differs by about one is the same word.
_LONG = 6

Effect = Literal["", "kept", "restarted"]


def is_correction(before: str, after: str, language: str) -> bool:
    """Return whether *after* looks like the same word as *before*, spelt correctly.

    In short words, a letter makes another word: Haus, Maus.
    """
    compared = compare(before, after, language=language, accents="warn")
    is_long = len(compared.diff) >= _LONG
    return compared.is_right or (compared.is_near_miss and is_long)


@transaction.atomic
def terms_changed(
    entries: Iterable[Entry], before: Mapping[int, tuple[str, str]], *, is_same: bool | None = None
) -> None:
    """Bring what students remember up to date after the terms of entries were changed.

    *before* has (term, key) of each entry before the change. *is_same* says whether they are
    corrections; by default that is decided word by word, see `is_correction`.
    """
    changed = [entry for entry in entries if entry.key != before[entry.pk][1]]
    for entry in changed:
        term, key = before[entry.pk]
        same = is_same
        if same is None:
            same = is_correction(term, entry.term, entry.vocabulary_list.language)
        if same:
            _keep(entry, key)
    _rebuild(changed)


@transaction.atomic
def decide(*, entry: Entry, key: str, is_same: bool) -> None:
    """Say that what *entry* was before, by its *key*, is the same word or another one."""
    if is_same:
        _keep(entry, key)
    else:
        # Also what had been corrected to *key* before.
        gone = {key, *_corrected_to(entry, key)}
        pairs = [pair for pair in _pairs(entry) if pair[1] != entry.key or pair[0] not in gone]
        _write(entry, pairs)
    _rebuild([entry])


def _keep(entry: Entry, key: str) -> None:
    """Note that the entry is the word that it was under *key*, and what that had been before."""
    same = [(one, entry.key) for one in (key, *_corrected_to(entry, key)) if one != entry.key]
    _write(entry, [*_pairs(entry), *same])


def _corrected_to(entry: Entry, key: str) -> list[str]:
    return [before for before, after in _pairs(entry) if after == key]


def _pairs(entry: Entry) -> list[tuple[str, str]]:
    """Return the corrections of an entry: the key before and the key after."""
    lines = (line.partition("\t") for line in entry.former_keys.split("\n") if line)
    return [(before, after) for before, _tab, after in lines]


def _write(entry: Entry, pairs: Iterable[tuple[str, str]]) -> None:
    lines = [f"{before}\t{after}" for before, after in dict.fromkeys(pairs)]
    entry.former_keys = "\n".join(["", *lines, ""]) if lines else ""
    entry.save(update_fields=["former_keys"])


def effect(entry: Entry, key: str) -> Effect:
    """Return what became of what students remembered of *entry* when its key was *key*.

    "" if the word is the same, or nobody was asked it.
    """
    if key == entry.key or not Review.objects.filter(entry=entry, word=key).exists():
        return ""
    return "kept" if key in _corrected_to(entry, entry.key) else "restarted"


def _rebuild(entries: list[Entry]) -> None:
    asked = Review.objects.filter(entry__in=entries)
    students = list(asked.order_by().values_list("student", flat=True).distinct())
    if asked.count() > _FEW_REVIEWS:
        enqueue(
            REPLAY,
            key=f"{REPLAY}:words-{entries[0].pk}:{timezone.now().isoformat()}",
            arguments={"students": sorted(students)},
        )
        return
    for student in User.objects.filter(pk__in=students).select_related("school").order_by("pk"):
        reviews.rebuild_words(student, entries)
