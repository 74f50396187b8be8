"""What people delete stays in the bin for 30 days: its row is hidden, and can be restored."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar, TypeVar

from django.conf import settings
from django.db import models

# How long something stays in the bin, and how long imports and bulk edits can be undone.
KEPT = timedelta(days=30)

_Row = TypeVar("_Row", bound=models.Model, covariant=True)


class NotDeletedManager(models.Manager[_Row]):
    """The rows that are not in the bin; a model's `everything` contains the others too.

    `deleted_with` are lookups to further rows: while one of these is in the bin, so is the row.
    Conditional updates under concurrency need a manager without `deleted_with`: the database
    checks a joined condition before it waits for the row, not after.
    """

    deleted_with: ClassVar[tuple[str, ...]] = ()

    def get_queryset(self) -> models.QuerySet[_Row]:
        kept = {f"{path}__deleted_at": None for path in self.deleted_with}
        if any(field.name == "deleted_at" for field in self.model._meta.fields):
            kept["deleted_at"] = None
        return super().get_queryset().filter(**kept)


class Deletable(models.Model):
    """A row that can be deleted and restored; managed by `accounts.bin.services`."""

    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
    )

    class Meta:
        abstract = True
