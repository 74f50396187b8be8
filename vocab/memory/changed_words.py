"""When a word of a list is edited: is it the same word to its students, or another one?

A correction of a typo keeps what students remember. Another word starts again, and what was
remembered comes back if the edit is undone: each review says of which word it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from django.db import transaction

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs.ledger import enqueue
from vocab.memory import reviews
from vocab.memory.rules import REPLAY
from vocab.models import Entry, Review
from vocab.text import compare

# With more reviews than this, summaries are rebuilt in the background.
_FEW_REVIEWS = 2000

Effect = Literal["", "kept", "restarted"]


def is_correction(before: str, after: str, language: str) -> bool:
    """Return whether *after* looks like the same word as *before*, spelt correctly."""
    compared = compare(before, after, language=language, accents="warn")
    return compared.is_right or compared.is_near_miss


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
            entry.former_keys = [*entry.former_keys, key]
            entry.save(update_fields=["former_keys"])
    _rebuild(changed)


@transaction.atomic
def decide(*, entry: Entry, key: str, is_same: bool) -> None:
    """Say that what *entry* was before, by its *key*, is the same word or another one."""
    others = [one for one in entry.former_keys if one != key]
    entry.former_keys = [*others, key] if is_same else others
    entry.save(update_fields=["former_keys"])
    _rebuild([entry])


def effect(entry: Entry, key: str) -> Effect:
    """Return what became of what students remembered of *entry* when its key was *key*.

    "" if the word is the same, or nobody was asked it.
    """
    if key == entry.key or not Review.objects.filter(entry=entry, word=key).exists():
        return ""
    return "kept" if key in entry.former_keys else "restarted"


def _rebuild(entries: list[Entry]) -> None:
    asked = Review.objects.filter(entry__in=entries)
    students = list(asked.order_by().values_list("student", flat=True).distinct())
    if asked.count() > _FEW_REVIEWS:
        versions = "-".join(f"{entry.pk}.{entry.version}" for entry in entries[:5])
        enqueue(REPLAY, key=f"{REPLAY}:words:{versions}", arguments={"students": sorted(students)})
        return
    for student in User.objects.filter(pk__in=students).select_related("school").order_by("pk"):
        reviews.rebuild_words(student, entries)
