"""Games of students: sessions and every move, and how far they were told to a record store."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from puzzles.models.puzzles import Placement, Puzzle


class PlaySession(models.Model):
    """One attempt of one person at one puzzle, on any number of devices."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="sessions")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sessions"
    )
    number = models.PositiveSmallIntegerField(
        default=1, help_text="Which of the student's attempts it is."
    )
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    seconds = models.PositiveIntegerField(
        null=True, help_text="How long it was played, without pauses, once it is finished."
    )
    is_unaided = models.BooleanField(
        default=False, help_text="Whether all words were found, and none with a hint."
    )
    draft: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(
        default=dict, help_text="Letters typed so far: {'row,column': tile}"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["puzzle", "student", "number"], name="one_session_an_attempt"
            )
        ]

    def __str__(self) -> str:
        return f"{self.student} · {self.puzzle}"

    @property
    def found_count(self) -> int:
        """How many words the student found in this attempt."""
        return self.moves.filter(outcome=Move.Outcome.FOUND).count()


class Move(models.Model):
    """A student's move: a word found, a wrong answer, a hint, a word revealed. Append-only."""

    class Outcome(models.TextChoices):
        FOUND = "found", pgettext_lazy("move", "Found")
        WRONG = "wrong", pgettext_lazy("move", "Wrong")
        HINT = "hint", pgettext_lazy("move", "Hint")
        REVEALED = "revealed", pgettext_lazy("move", "Revealed")
        BONUS = "bonus", pgettext_lazy("move", "Bonus word found")

    session = models.ForeignKey(PlaySession, on_delete=models.CASCADE, related_name="moves")
    placement = models.ForeignKey(
        Placement, on_delete=models.CASCADE, null=True, related_name="moves"
    )
    client_id = models.UUIDField(help_text="Made by the client; sent twice, counted once.")
    outcome = models.CharField(max_length=10, choices=Outcome)
    answer: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    latency_ms = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["session", "client_id"], name="a_move_counts_once"),
            models.UniqueConstraint(
                fields=["session", "placement"],
                condition=models.Q(outcome__in=["found", "revealed", "bonus"]),
                name="a_word_is_found_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session} · {self.placement} · {self.outcome}"


class SyncCursor(models.Model):
    """How far one type of statement has been sent to the learning record store."""

    kind = models.CharField(max_length=20, unique=True)
    last_at = models.DateTimeField(null=True)
    last_key = models.CharField(max_length=40, blank=True)

    def __str__(self) -> str:
        return f"{self.kind} · {self.last_at}"


class RefusedStatement(models.Model):
    """A statement that the learning record store rejected while it accepted others.

    The statement itself is made again from the review or session when it is sent again.
    """

    kind = models.CharField(max_length=20, help_text="As in SyncCursor.")
    key = models.CharField(max_length=40, help_text="Of the review or session.")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="refused_statements"
    )
    reason = models.TextField(help_text="What the store answered.")
    at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("refused statement")
        verbose_name_plural = _("refused statements")
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["kind", "key"], name="a_statement_is_refused_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} · {self.key}"
