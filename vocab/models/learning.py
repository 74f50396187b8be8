"""What each student did with an entry, and the summaries of that."""

from __future__ import annotations

from typing import Any, TypeAlias

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from vocab import asking
from vocab.asking import Mode, Skill
from vocab.models.lists import Entry

_SKILLS = {
    # Translators: a skill: the word was seen and recognised. The others are skills too.
    Skill.FORM: _("Recognised"),
    Skill.MEANING_TO_FORM: _("From the meaning"),
    Skill.SOUND_TO_FORM: _("From the sound"),
    Skill.SPELLING: _("Spelt"),
}
_MODES = {
    Mode.WORD_SEARCH: _("Word search"),
    Mode.FINDER: _("Listen and find"),
    Mode.CROSSWORD: _("Crossword"),
    # Translators: how a word was asked: one of four words was chosen.
    Mode.CHOSEN: _("Multiple choice"),
    # Translators: how a word was asked: its meaning was shown and the word was typed.
    Mode.TYPED: _("Typed"),
    # Translators: how a word was asked: it was heard and typed.
    Mode.HEARD: _("Dictation"),
    # Translators: how a word was asked: the student said whether they knew it.
    Mode.CARD: _("Flashcard"),
    # Translators: how a word was asked: it was matched with its meaning.
    Mode.MATCHED: _("Matching"),
    # On a worksheet, as the teacher entered it.
    Mode.PAPER: _("On paper"),
}


class Review(models.Model):
    """One answer to an entry. Append-only: every summary can be rebuilt from it."""

    Skill: TypeAlias = asking.Skill
    Mode: TypeAlias = asking.Mode

    class Outcome(models.TextChoices):
        RIGHT = "right", _("Correct")
        HINTED = "hinted", _("Correct with help")
        WRONG = "wrong", _("Wrong or given up")

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reviews"
    )
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="reviews")
    word = models.CharField(
        max_length=300,
        help_text="The key of the word that was asked: the entry may become another.",
    )
    mode = models.CharField(
        max_length=20, choices=[(mode.value, name) for mode, name in _MODES.items()]
    )
    skill = models.CharField(
        max_length=20, choices=[(skill.value, name) for skill, name in _SKILLS.items()]
    )
    outcome = models.CharField(max_length=10, choices=Outcome)
    hints = models.PositiveSmallIntegerField(default=0)
    wrong_tries = models.PositiveSmallIntegerField(default=0)
    is_slip = models.BooleanField(
        default=False,
        help_text="Wrong only by an accent or one letter, if that was accepted or not.",
    )
    was_tried = models.BooleanField(
        default=True, help_text="False for a word left when a puzzle was finished early."
    )
    latency_ms = models.PositiveIntegerField(null=True)
    source = models.CharField(
        max_length=100, unique=True, help_text="What it was recorded for; one review each."
    )
    session = models.UUIDField(null=True, help_text="The game in which it happened.")
    given = models.CharField(max_length=100, blank=True, help_text="A wrong answer.")
    is_free_practice = models.BooleanField(default=False, help_text="Moves no due date.")
    is_taken_back = models.BooleanField(
        default=False, help_text="The student said at once that it was a typo: it shows nothing."
    )
    gap = models.PositiveIntegerField(
        null=True,
        help_text="Days since the word was last met, if it was the first answer of its day.",
    )
    expected = models.FloatField(
        null=True, help_text="The chance of recall that was forecast, 0…1; none for a new word."
    )
    at = models.DateTimeField(help_text="When it was answered, perhaps on a device without a line.")
    day = models.DateField(help_text="The day of study, in the time zone of the student's school.")
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]
        indexes = [
            models.Index(fields=["student", "at"], name="review_log"),
            models.Index(fields=["student", "entry", "at"], name="review_history"),
            models.Index(
                fields=["entry", "student"],
                condition=~models.Q(given=""),
                name="wrong_answers",
            ),
            models.Index(
                fields=["student", "day"],
                condition=models.Q(gap__isnull=False),
                name="delayed_reviews",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.student} · {self.entry} · {self.mode} · {self.outcome}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None and not self._state.adding:
            raise TypeError("A review is never changed. Append another.")
        super().save(*args, **kwargs)


class WordProgress(models.Model):
    """What one student remembers of one entry: a summary of the reviews.

    Words without a row are new to the student: they were never tried, whether seen or not.
    """

    class Level(models.IntegerChoices):
        """How well a word is known; all but the first two were shown by unaided recall."""

        # Translators: a level of a word: never tried. The next ones are levels too.
        NEW = 0, pgettext_lazy("word level", "new")
        LEARNING = 1, pgettext_lazy("word level", "learning")
        SLIPPING = 2, pgettext_lazy("word level", "slipping")
        DAYS = 3, _("known for days")
        WEEKS = 4, _("known for weeks")
        MONTHS = 5, _("known for months")

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="progress"
    )
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="progress")
    asked = models.PositiveIntegerField(
        default=0, help_text="How often it was asked: once a day, as the schedule counts."
    )
    right = models.PositiveIntegerField(default=0, help_text="Right at once, without help.")
    helped = models.PositiveIntegerField(
        default=0, help_text="Right with hints, after wrong tries, or almost."
    )
    wrong = models.PositiveIntegerField(default=0)
    delayed = models.PositiveIntegerField(
        default=0, help_text="First tests at least a day after the word was last met."
    )
    recalled = models.PositiveIntegerField(
        default=0, help_text="Those of them that were right without help."
    )
    lapses = models.PositiveIntegerField(
        default=0, help_text="How often it was forgotten after it had been learned."
    )
    level = models.PositiveSmallIntegerField(choices=Level, default=Level.LEARNING)
    stability = models.FloatField(
        help_text="Days until recall is expected with a chance of nine in ten."
    )
    last_on = models.DateField(help_text="The day of study on which it was last met.")
    due_on = models.DateField()
    urgent_on = models.DateField(
        null=True, help_text="The day from which it comes before new words; by default, due_on."
    )
    known_since = models.DateField(null=True)
    rests_until = models.DateField(null=True, help_text="After it was forgotten again and again.")
    missed_on = models.DateField(
        null=True, help_text="The day on which it was missed, until it is right again."
    )
    last_at = models.DateTimeField()
    state: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, help_text="What else vocab.memory.card.Memory remembers."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["student", "entry"], name="one_progress_a_word")
        ]
        indexes = [
            # What a plan of the day reads, so that it reads no others.
            models.Index(fields=["student", "due_on", "entry"], name="words_by_due_day"),
            models.Index(fields=["student", "last_on"], name="words_by_last_day"),
            models.Index(
                fields=["student", "known_since"],
                condition=models.Q(known_since__isnull=False),
                name="words_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.student} · {self.entry}"


class StudyDay(models.Model):
    """What one student did on one day of study: a summary of the reviews."""

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="study_days"
    )
    day = models.DateField()
    reviews = models.PositiveIntegerField(default=0, help_text="Words that were tried.")
    right = models.PositiveIntegerField(default=0, help_text="Of these, right without help.")

    class Meta:
        ordering = ["day"]
        constraints = [models.UniqueConstraint(fields=["student", "day"], name="one_row_a_day")]

    def __str__(self) -> str:
        return f"{self.student} · {self.day}"


class FittedParameters(models.Model):
    """Parameters of the schedule, fitted to the reviews of this site; the last row is used."""

    parameters: models.JSONField[list[float], list[float]] = models.JSONField()
    log_loss_before = models.FloatField()
    log_loss_after = models.FloatField()
    reviews = models.PositiveIntegerField(help_text="On which it was fitted and tested.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d} · {self.log_loss_before} → {self.log_loss_after}"
