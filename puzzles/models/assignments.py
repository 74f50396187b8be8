"""What a class is given: assignments, and its puzzle of the day."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.accounts.models import Classroom
from osmosmjerka.db.deletable import NotDeletedManager
from puzzles.models.puzzles import Puzzle

# Of a student at one puzzle.
MOST_ATTEMPTS = 50


class AssignmentManager(NotDeletedManager["Assignment"]):
    """The assignments whose puzzle and class are not in the bin."""

    deleted_with = ("puzzle", "classroom")


class Assignment(models.Model):
    """A puzzle assigned to a class or to some of its students."""

    class State(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("assignment", "Draft")
        SCHEDULED = "scheduled", pgettext_lazy("assignment", "Scheduled")
        OPEN = "open", pgettext_lazy("assignment", "Open")
        CLOSED = "closed", pgettext_lazy("assignment", "Closed")
        ARCHIVED = "archived", pgettext_lazy("assignment", "Archived")

    class Counting(models.TextChoices):
        BEST = "best", _("best attempt")
        LAST = "last", _("last attempt")

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="assignments")
    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="assignments")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignments"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    is_draft = models.BooleanField(pgettext_lazy("assignment", "draft"), default=False)
    opens_at = models.DateTimeField(pgettext_lazy("assignment", "opens"), null=True, blank=True)
    due_at = models.DateTimeField(pgettext_lazy("assignment", "due"), null=True, blank=True)
    closes_at = models.DateTimeField(pgettext_lazy("assignment", "closes"), null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    chosen_students = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        blank=True,
        related_name="+",
        help_text=_("None selected: the whole class."),
    )
    excused = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+")
    is_adaptive = models.BooleanField(
        _("personalised"),
        default=False,
        help_text=_("Each student gets a puzzle of the words they should review now."),
    )
    attempts = models.PositiveSmallIntegerField(
        _("attempts"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_ATTEMPTS)],
        help_text=_("How many times each student may play it."),
    )
    counting = models.CharField(
        _("which attempt counts"),
        max_length=4,
        choices=Counting,
        default=Counting.BEST,
        help_text=_("The best attempt is the one with the least help. Every attempt is practice."),
    )
    pinned: models.JSONField[list[int], list[int]] = models.JSONField(
        default=list, blank=True, help_text="Entries that everybody gets in an adaptive one."
    )

    objects = AssignmentManager()
    everything: models.Manager[Assignment] = models.Manager()

    class Meta:
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["puzzle", "classroom"], name="given_once_a_class")
        ]

    def __str__(self) -> str:
        return f"{self.puzzle} · {self.classroom}"

    def state_at(self, at: datetime) -> Assignment.State:
        """Return the assignment's state, which depends only on its dates: no job has to run."""
        if self.archived_at is not None:
            return self.State.ARCHIVED
        if self.is_draft:
            return self.State.DRAFT
        if self.closes_at is not None and self.closes_at <= at:
            return self.State.CLOSED
        if self.opens_at is not None and self.opens_at > at:
            return self.State.SCHEDULED
        return self.State.OPEN

    @property
    def state(self) -> Assignment.State:
        return self.state_at(timezone.now())

    def is_past_due(self, at: datetime) -> bool:
        """Return whether what is done at this moment is late."""
        return self.due_at is not None and self.due_at < at


class DailyPuzzle(models.Model):
    """A class's puzzle of one day of study: one for all, made when somebody first opens it.

    It is no assignment: nobody has to play it, and no list or table of teachers shows it.
    """

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="daily_puzzles")
    day = models.DateField()
    until = models.DateTimeField(help_text="When its day ends where the school is.")

    class Meta:
        verbose_name = _("puzzle of the day")
        verbose_name_plural = _("puzzles of the day")
        ordering = ["-day", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["classroom", "day"], name="one_daily_puzzle_a_class")
        ]

    def __str__(self) -> str:
        return f"{self.classroom} · {self.day}"
