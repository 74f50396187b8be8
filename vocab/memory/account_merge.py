"""Merge what two accounts of a student know: move the reviews, rebuild the summaries."""

from __future__ import annotations

from osmosmjerka.accounts.models import User
from vocab.memory import reviews
from vocab.models import Review, VocabularyList


def merge(kept: User, gone: User) -> None:
    """Give *kept* everything that *gone* remembers."""
    Review.objects.filter(student=gone).update(student=kept)
    VocabularyList.objects.filter(owner=gone).update(owner=kept)
    reviews.replay(student=gone)
    reviews.replay(student=kept)
