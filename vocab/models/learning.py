"""What each student did with an entry, and the summaries of that."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from vocab.models.lists import Entry


class Review(models.Model):
    """One attempt to remember an entry. Append-only: every summary can be rebuilt from it."""

    class Skill(models.TextChoices):
        # Translators: a skill: the word was seen and recognised. The others are skills too.
        FORM = "form", _("Recognised")
        MEANING_TO_FORM = "meaning_to_form", _("From the meaning")
        SOUND_TO_FORM = "sound_to_form", _("From the sound")
        SPELLING = "spelling", _("Spelled")

    class Outcome(models.TextChoices):
        RIGHT = "right", _("Correct")
        HINTED = "hinted", _("Correct with help")
        WRONG = "wrong", _("Wrong or given up")

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reviews"
    )
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="reviews")
    skill = models.CharField(max_length=20, choices=Skill)
    outcome = models.CharField(max_length=10, choices=Outcome)
    hints = models.PositiveSmallIntegerField(default=0)
    wrong_tries = models.PositiveSmallIntegerField(default=0)
    latency_ms = models.PositiveIntegerField(null=True)
    source = models.CharField(
        max_length=100, unique=True, help_text="What it was recorded for; one review each."
    )
    session = models.UUIDField(null=True, help_text="The game in which it happened.")
    given = models.CharField(max_length=100, blank=True, help_text="A wrong answer.")
    is_free_practice = models.BooleanField(default=False, help_text="Moves no due date.")
    expected = models.FloatField(
        null=True, help_text="The chance of recall that was forecast, 0…1; none for a new word."
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]
        indexes = [
            models.Index(fields=["student", "at"], name="review_log"),
            models.Index(fields=["student", "entry", "skill", "at"], name="review_history"),
            models.Index(
                fields=["entry", "student"],
                condition=~models.Q(given=""),
                name="wrong_answers",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.student} · {self.entry} · {self.skill} · {self.outcome}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None and not self._state.adding:
            raise TypeError("A review is never changed. Append another.")
        super().save(*args, **kwargs)

    @property
    def moves_schedule(self) -> bool:
        """Whether it affects when the word is due; seeing a word is not recalling it."""
        return self.skill != self.Skill.FORM and not self.is_free_practice


class WordProgress(models.Model):
    """What one student knows of one entry in one skill: a summary of the reviews."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="progress"
    )
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="progress")
    skill = models.CharField(max_length=20, choices=Review.Skill)
    reviews = models.PositiveIntegerField(default=0)
    right = models.PositiveIntegerField(default=0)
    hinted = models.PositiveIntegerField(default=0)
    wrong = models.PositiveIntegerField(default=0)
    lapses = models.PositiveIntegerField(
        default=0, help_text="How often it was forgotten after it had been learned."
    )
    schedule: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, help_text="The state of vocab.memory.scheduling."
    )
    due_at = models.DateTimeField(null=True)
    stability = models.FloatField(
        null=True, help_text="Days until recall is expected with a chance of nine in ten."
    )
    last_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["student", "entry", "skill"], name="one_progress_each")
        ]
        indexes = [models.Index(fields=["student", "due_at"], name="what_is_due")]

    def __str__(self) -> str:
        return f"{self.student} · {self.entry} · {self.skill}"


class StudyDay(models.Model):
    """What one student did on one day: a summary of the reviews."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="study_days"
    )
    day = models.DateField()
    reviews = models.PositiveIntegerField(default=0)
    right = models.PositiveIntegerField(default=0)
    known_change = models.IntegerField(
        default=0, help_text="Words that became known, less those that were forgotten."
    )

    class Meta:
        ordering = ["day"]
        constraints = [models.UniqueConstraint(fields=["student", "day"], name="one_row_a_day")]

    def __str__(self) -> str:
        return f"{self.student} · {self.day}"
