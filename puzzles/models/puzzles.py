"""Puzzles, their words, crossword searches, and worksheets."""

from __future__ import annotations

import secrets
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.accounts.models import JOIN_CODE_LETTERS, Classroom
from osmosmjerka.db.deletable import Deletable, NotDeletedManager
from vocab.models import Entry, VocabularyList


def new_code() -> str:
    """Return the code in a puzzle's URL: ten letters without look-alikes, about 49 bits."""
    return "".join(secrets.choice(JOIN_CODE_LETTERS.lower()) for _index in range(10))


def new_slot() -> str:
    """Return an identifier for a placement that reveals nothing about its word, order or place."""
    return secrets.token_hex(8)


class PuzzleManager(NotDeletedManager["Puzzle"]):
    """The puzzles that are not in the bin."""


class Puzzle(Deletable):
    class State(models.TextChoices):
        QUEUED = "queued", pgettext_lazy("puzzle", "In preparation")
        READY = "ready", pgettext_lazy("puzzle", "Ready")
        FAILED = "failed", pgettext_lazy("puzzle", "Failed")

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    kind = models.CharField(_("type"), max_length=20)
    title = models.CharField(_("title"), max_length=200)
    vocabulary_list = models.ForeignKey(
        VocabularyList, on_delete=models.CASCADE, related_name="puzzles"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzles"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    settings: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    reason = models.TextField(_("reason for the failure"), blank=True)
    offer = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="With how many words it can be made instead."
    )
    grid: models.JSONField[list[list[str | None]], list[list[str | None]]] = models.JSONField(
        default=list
    )
    unplaced: models.JSONField[list[dict[str, str]], list[dict[str, str]]] = models.JSONField(
        default=list, help_text="Words that are not in the grid: [{word, reason}]"
    )
    grids_tried = models.PositiveSmallIntegerField(
        default=1, help_text="How many grids the generator began until one kept its rules."
    )

    entries: models.JSONField[list[int], list[int]] = models.JSONField(
        default=list,
        blank=True,
        help_text="The entries it is made of; none: those of the whole list.",
    )
    is_free_practice = models.BooleanField(
        _("played for fun"),
        default=False,
        help_text=_("Does not change when words are due for review."),
    )

    pinned: models.JSONField[list[int], list[int]] = models.JSONField(
        default=list, blank=True, help_text="The ids of entries that it must contain."
    )
    adapted_for = models.ForeignKey(
        "Assignment",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="own_puzzles",
        help_text="The assignment of which this is one student's own version.",
    )
    daily = models.OneToOneField(
        "DailyPuzzle",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="puzzle",
        help_text="The day of a class for which it was made.",
    )

    objects = PuzzleManager()
    everything: models.Manager[Puzzle] = models.Manager()

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.title


class ListedPlacements(models.Manager["Placement"]):
    """The words of a puzzle that its student is told to find, without its bonus words."""

    def get_queryset(self) -> models.QuerySet[Placement]:
        return super().get_queryset().filter(is_bonus=False)


class Placement(models.Model):
    """A word in a puzzle: its place, and what is asked and answered there.

    Term and translations are copied, so that the list can change while the puzzle is played. A
    bonus word is hidden beside those that are to be found, and counts nowhere as one of them.
    """

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="placements")
    slot = models.CharField(max_length=16, default=new_slot)
    entry = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, related_name="+")
    position = models.PositiveSmallIntegerField()
    term = models.CharField(max_length=300)
    playing_form = models.CharField(
        max_length=300, blank=True, help_text="What is in the grid, if that is not the term."
    )
    spoken_form = models.CharField(
        max_length=300, blank=True, help_text="What a voice says, if that is not the played form."
    )
    translations: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    tiles: models.JSONField[list[str], list[str]] = models.JSONField()
    cells: models.JSONField[list[list[int]], list[list[int]]] = models.JSONField()
    echoes: models.JSONField[list[list[list[int]]], list[list[list[int]]]] = models.JSONField(
        default=list, help_text="Other cells that read the word, because other words contain it."
    )
    number = models.PositiveSmallIntegerField(null=True)
    direction = models.CharField(max_length=6, blank=True)
    sentence = models.TextField(
        blank=True, help_text="The entry's example with a gap for the term."
    )
    hint = models.TextField(blank=True, help_text="The entry's hint, which does not tell the term.")
    is_bonus = models.BooleanField(default=False)

    objects = ListedPlacements()
    everything: models.Manager[Placement] = models.Manager()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["puzzle", "slot"], name="a_slot_names_one_placement"),
            models.UniqueConstraint(fields=["puzzle", "position"], name="placements_are_ordered"),
        ]

    def __str__(self) -> str:
        return self.term

    @property
    def played(self) -> str:
        """The form of the term that is in the grid."""
        return self.playing_form or self.term

    @property
    def spoken(self) -> str:
        """The text that a voice says."""
        return self.spoken_form or self.played


class CrosswordSearchManager(NotDeletedManager["CrosswordSearch"]):
    """The searches that are not in the bin."""


class CrosswordSearch(Deletable):
    """A search for a crossword that a teacher watches: its goal, and the best results so far."""

    class State(models.TextChoices):
        SEARCHING = "searching", _("Searching")
        OVER = "over", _("Time is up")
        STOPPED = "stopped", _("Stopped")
        FAILED = "failed", _("Nothing found")

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    vocabulary_list = models.ForeignKey(
        VocabularyList, on_delete=models.CASCADE, related_name="crossword_searches"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="crossword_searches"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    title = models.CharField(_("title"), max_length=200)
    settings: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.SEARCHING)
    reason = models.TextField(blank=True)
    seconds = models.FloatField(help_text="How long it may search in all.")
    spent = models.FloatField(default=0, help_text="Seconds that it has searched.")
    rounds = models.PositiveIntegerField(default=0, help_text="How often it began afresh.")
    goes = models.PositiveSmallIntegerField(default=1, help_text="How often it was asked to go on.")
    stop_wanted = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=0, help_text="Grows when `found` changes.")
    found: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, help_text="What puzzles.searches.shortlist.Shortlist keeps."
    )
    kept: models.JSONField[list[int], list[int]] = models.JSONField(
        default=list, help_text="Candidates that no better one may push out."
    )
    taken: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(
        default=dict, help_text="{candidate: code of the puzzle that was made of it}"
    )

    objects = CrosswordSearchManager()
    everything: models.Manager[CrosswordSearch] = models.Manager()

    class Meta:
        verbose_name = _("crossword search")
        verbose_name_plural = _("crossword searches")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.title


class WorksheetSet(models.Model):
    """Worksheets that belong together, as one PDF: versions of a puzzle, or one a student.

    The names of students are in it, so it is kept for some days only. Its files are in the row:
    they go with it, with the class, and with whoever is named.
    """

    class Content(models.TextChoices):
        SAME = "same", _("The same puzzle for all")
        VERSIONS = "versions", _("Versions A, B, C…: the same words in different grids")
        EACH = "each", _("A different grid for each student")
        OWN = "own", _("For each student, the words they should review now")

    State = Puzzle.State

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="worksheet_sets")
    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, null=True, blank=True, related_name="worksheet_sets"
    )
    named = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="+", help_text="Students on the sheets."
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="worksheet_sets"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    content = models.CharField(max_length=10, choices=Content)
    versions = models.PositiveSmallIntegerField(
        default=1, help_text="How many grids of the same words."
    )
    printing: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, help_text="What of puzzles.exports.Printing is not as usual."
    )
    language = models.CharField(max_length=10, help_text="Of what is written beside the puzzle.")
    seed = models.BigIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    reason = models.TextField(_("reason for the failure"), blank=True)
    sheets: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(
        default=list, help_text="[{student, grid, words}]; see puzzles.worksheets.layouts."
    )
    pdf = models.BinaryField(default=b"")
    key_pdf = models.BinaryField(default=b"", help_text="The solutions.")

    class Meta:
        verbose_name = _("set of worksheets")
        verbose_name_plural = _("sets of worksheets")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.puzzle} · {self.classroom or self.versions}"
