"""Lists as pages show them."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from vocab.models import VocabularyList


def with_sizes(lists: QuerySet[VocabularyList]) -> QuerySet[VocabularyList]:
    """Give each list its number of words as `size`, the one that was changed last first."""
    kept = Count("entries", filter=Q(entries__deleted_at=None))
    # Grouping drops the model's own order.
    return lists.annotate(size=kept).order_by("-updated_at", "pk")
