"""Queries for lists on pages."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from vocab.models import VocabularyList


def with_sizes(lists: QuerySet[VocabularyList]) -> QuerySet[VocabularyList]:
    """Annotate lists with their number of words as `size`; most recently changed first."""
    kept = Count("entries", filter=Q(entries__deleted_at=None))
    # Grouping drops the model's default order.
    return lists.annotate(size=kept).order_by("-updated_at", "pk")
