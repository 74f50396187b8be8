"""Changes of many entries at once, stored so that they can be undone: imports, bulk edits."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from vocab.models.lists import Entry, VocabularyList


class Import(models.Model):
    """A parsed file that waits to be applied to a list; then, what applying it changed.

    `rows` and `problems` are the preview: the list does not change until it is applied.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting for confirmation")
        APPLYING = "applying", _("Importing")
        APPLIED = "applied", _("Imported")
        UNDOING = "undoing", _("Undoing")
        UNDONE = "undone", _("Undone")

    class Policy(models.TextChoices):
        REPLACE = "replace", _("Replace it with the data from the file")
        ADD = "add", _("Only add what is new")
        KEEP = "keep", _("Leave it unchanged")

    # A worker is processing it, or its job failed.
    UNDER_WAY = (State.APPLYING, State.UNDOING)

    vocabulary_list = models.ForeignKey(
        VocabularyList, on_delete=models.CASCADE, related_name="imports"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="imports"
    )
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    policy = models.CharField(
        _("if a word is already in the list"), max_length=10, choices=Policy, default=Policy.REPLACE
    )
    name = models.CharField(max_length=255, blank=True, help_text="Of the file.")
    source = models.FileField(upload_to="imports/", blank=True)
    is_pasted = models.BooleanField(default=False)
    settings: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, help_text="As guessed or chosen: format, delimiter, encoding, …"
    )
    columns: models.JSONField[list[list[str]], list[list[str]]] = models.JSONField(
        default=list, help_text="Each header with its field, in the file's order."
    )
    rows: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(
        default=list
    )
    problems: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(
        default=list
    )
    media: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(
        default=dict, help_text="The name a row uses: the name in our storage."
    )
    playing_rules: models.JSONField[list[str] | None, list[str] | None] = models.JSONField(
        null=True, help_text="The rules that its words give an empty list; null for any other."
    )
    languages_before: models.JSONField[list[str] | None, list[str] | None] = models.JSONField(
        null=True, help_text="The list's translation languages before it was applied."
    )
    checksum_before = models.CharField(max_length=64, blank=True)
    checksum_after = models.CharField(max_length=64, blank=True)
    added = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name or self.get_state_display()} → {self.vocabulary_list}"

    @property
    def is_pull(self) -> bool:
        """Whether its rows come from a copied list's original, not from a file or a text."""
        return not self.settings and self.vocabulary_list.copied_from_id is not None


class ImportChange(models.Model):
    """An entry as it was before an import changed it; None if the import added the entry."""

    made_by = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="changes")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    before: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["made_by", "entry"], name="one_change_an_entry")
        ]

    def __str__(self) -> str:
        return f"{self.made_by} · {self.entry}"


class BulkEdit(models.Model):
    """A change of many entries by one person, or what they removed of one, to be undone."""

    class Action(models.TextChoices):
        # Translators: what was done to several words at once, in a list of recent changes.
        TAG = "tag", _("Tag added")
        UNTAG = "untag", _("Tag removed")
        DELETE = "delete", _("Deleted")
        MERGE = "merge", _("Merged")
        MOVE = "move", _("Moved")
        PICTURE = "picture", _("Picture removed")
        RECORDING = "recording", _("Recording removed")

    vocabulary_list = models.ForeignKey(
        VocabularyList, on_delete=models.CASCADE, related_name="bulk_edits"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bulk_edits"
    )
    action = models.CharField(max_length=10, choices=Action)
    count = models.PositiveIntegerField(default=0, help_text="How many entries changed.")
    staying = models.PositiveIntegerField(
        default=0, help_text="How many did not move, because they are there already."
    )
    undo: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    undone_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.get_action_display()} · {self.count} · {self.vocabulary_list}"
