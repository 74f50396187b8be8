"""Models of puzzles: puzzles created from lists, their assignments, and every move."""

from __future__ import annotations

import secrets
import uuid
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.accounts.models import JOIN_CODE_LETTERS, Classroom
from osmosmjerka.db.deletable import Deletable, NotDeletedManager
from puzzles.lti_models import (  # noqa: F401  (Django looks for all models of the app here)
    LtiCourse,
    LtiDeployment,
    LtiGrade,
    LtiInvitation,
    LtiLink,
    LtiNonce,
    LtiPerson,
    LtiPlatform,
    ToolKey,
)
from vocab.models import Entry, VocabularyList, WordProgress

# Of a student at one puzzle.
MOST_ATTEMPTS = 50


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


class ClassGoal(models.Model):
    """The number of words that a class wants to learn together by a date."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="goals")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    words = models.PositiveIntegerField(
        _("words to learn together"), validators=[MinValueValidator(1), MaxValueValidator(100_000)]
    )
    starts_on = models.DateField()
    ends_on = models.DateField(pgettext_lazy("class goal", "by"))

    class Meta:
        verbose_name = _("class goal")
        verbose_name_plural = _("class goals")
        ordering = ["-starts_on", "-pk"]

    def __str__(self) -> str:
        return f"{self.classroom} · {self.words} · {self.ends_on}"


class OwnGoal(models.Model):
    """How many words a day a student wants to practise."""

    student = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="own_goal"
    )
    words = models.PositiveSmallIntegerField(
        _("words a day"), validators=[MinValueValidator(1), MaxValueValidator(200)]
    )

    class Meta:
        verbose_name = _("daily goal")
        verbose_name_plural = _("daily goals")

    def __str__(self) -> str:
        return f"{self.student} · {self.words}"


class CompleteList(models.Model):
    """A student once knew all words of a list at a level, and was told so. It stays if words fall.

    Words that are added to the list later do not take it away either.
    """

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="complete_lists"
    )
    vocabulary_list = models.ForeignKey(VocabularyList, on_delete=models.CASCADE, related_name="+")
    level = models.PositiveSmallIntegerField(choices=WordProgress.Level)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("complete list")
        verbose_name_plural = _("complete lists")
        constraints = [
            models.UniqueConstraint(
                fields=["student", "vocabulary_list", "level"], name="a_list_is_complete_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.student} · {self.vocabulary_list} · {self.level}"


class SharedCompleteList(models.Model):
    """A list that a teacher shows to the class as complete: by how many, never by whom."""

    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, related_name="shared_complete_lists"
    )
    vocabulary_list = models.ForeignKey(VocabularyList, on_delete=models.CASCADE, related_name="+")
    level = models.PositiveSmallIntegerField(choices=WordProgress.Level)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("complete list")
        verbose_name_plural = _("complete lists")
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["classroom", "vocabulary_list", "level"],
                name="a_complete_list_is_shared_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.classroom} · {self.vocabulary_list} · {self.level}"


class Ranking(models.Model):
    """A class whose teacher switched its leaderboard on. Without this row it has none."""

    classroom = models.OneToOneField(Classroom, on_delete=models.CASCADE, related_name="ranking")

    def __str__(self) -> str:
        return str(self.classroom)


class Nickname(models.Model):
    """A student's name on the leaderboard of a class, chosen from the names that were offered."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="nicknames")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="nicknames"
    )
    name = models.CharField(max_length=40)

    class Meta:
        verbose_name = _("nickname")
        verbose_name_plural = _("nicknames")
        constraints = [
            models.UniqueConstraint(fields=["classroom", "student"], name="one_nickname_a_class"),
            models.UniqueConstraint(
                fields=["classroom", "name"], name="a_nickname_is_one_students"
            ),
        ]

    def __str__(self) -> str:
        return self.name


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

    class State(models.TextChoices):
        QUEUED = "queued", pgettext_lazy("puzzle", "In preparation")
        READY = "ready", pgettext_lazy("puzzle", "Ready")
        FAILED = "failed", pgettext_lazy("puzzle", "Failed")

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


class ShareLink(models.Model):
    """A link by which a teacher shows a list or a puzzle to others, until it ends.

    Only a hash of its token is stored: the link is shown once.
    """

    vocabulary_list = models.ForeignKey(
        VocabularyList, on_delete=models.CASCADE, null=True, related_name="share_links"
    )
    puzzle = models.ForeignKey(
        Puzzle, on_delete=models.CASCADE, null=True, related_name="share_links"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="share_links"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField()
    may_copy = models.BooleanField(
        default=False, help_text="Whether the words of the list may be copied and downloaded."
    )
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("share link")
        verbose_name_plural = _("share links")
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(vocabulary_list=None, puzzle__isnull=False)
                | models.Q(vocabulary_list__isnull=False, puzzle=None),
                name="a_link_shows_a_list_or_a_puzzle",
            )
        ]

    def __str__(self) -> str:
        return f"{self.vocabulary_list or self.puzzle} · {self.until:%Y-%m-%d}"


class ParentLink(models.Model):
    """A link by which parents see how their child is doing, and nothing else.

    It logs nobody in. Only a hash of its token is stored: the link exists only on paper.
    """

    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="parent_links"
    )
    classroom = models.ForeignKey(
        Classroom,
        on_delete=models.CASCADE,
        related_name="parent_links",
        help_text="It ends with the class, and when the student leaves it.",
    )
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    last_opened_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("link for parents")
        verbose_name_plural = _("links for parents")
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.student} · {self.until:%Y-%m-%d}"


def new_game_code() -> str:
    """Return the code that players type: six letters without look-alikes."""
    return "".join(secrets.choice(JOIN_CODE_LETTERS) for _index in range(6))


class LiveGame(models.Model):
    """A puzzle that a class plays at once, in teams, in front of a projector."""

    class Mode(models.TextChoices):
        RACE = "race", pgettext_lazy("class game", "Race")
        LISTEN = "listen", pgettext_lazy("class game", "Listen")
        TOGETHER = "together", pgettext_lazy("class game", "Together")

    class State(models.TextChoices):
        LOBBY = "lobby"
        RUNNING = "running"
        PAUSED = "paused"
        ENDED = "ended"

    code = models.CharField(max_length=6, unique=True, default=new_game_code, editable=False)
    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="live_games")
    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="live_games")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="live_games"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    mode = models.CharField(max_length=8, choices=Mode)
    team_count = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(8)]
    )
    seconds = models.PositiveSmallIntegerField(
        default=0, help_text="For the game, or in Listen for a word; 0: no limit."
    )
    allows_guests = models.BooleanField(default=False)
    is_heard_on_board = models.BooleanField(
        default=True, help_text="Whether the projector says the words of Listen, not each device."
    )
    state = models.CharField(max_length=8, choices=State, default=State.LOBBY)
    version = models.PositiveIntegerField(
        default=1, help_text="Grows with each change that somebody else sees."
    )
    is_made = models.BooleanField(
        default=False, help_text="Whether devices were told what became of the puzzle."
    )
    round = models.PositiveSmallIntegerField(default=0, help_text="In Listen: which word is asked.")
    started_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True, help_text="Of the game, or in Listen of the round.")
    left_seconds = models.FloatField(null=True, help_text="Of that time, while it is paused.")
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("class game")
        verbose_name_plural = _("class games")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["classroom"],
                condition=models.Q(ended_at=None),
                name="one_live_game_a_class",
            )
        ]

    def __str__(self) -> str:
        return f"{self.classroom} · {self.puzzle}"


class LivePlayer(models.Model):
    """Who plays a class game: a student of the class, or a guest of whom only a nickname is known.

    Their devices are known by a signed cookie; see `puzzles.live.tokens`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey(LiveGame, on_delete=models.CASCADE, related_name="players")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="live_players"
    )
    name = models.CharField(max_length=80)
    team = models.PositiveSmallIntegerField()
    joined_at = models.DateTimeField(auto_now_add=True)
    joined_round = models.PositiveSmallIntegerField(default=0)
    here_at = models.DateTimeField(default=timezone.now, help_text="When their device last asked.")
    removed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["game", "student"], name="a_student_joins_once"),
            models.UniqueConstraint(
                fields=["game", "name"],
                condition=models.Q(student=None),
                name="a_nickname_is_one_guests",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class LiveMove(models.Model):
    """A move in a class game. Append-only, but for guests, of whom nothing is kept."""

    class Outcome(models.TextChoices):
        FOUND = "found"
        WRONG = "wrong"
        HINT = "hint"
        PASSED = "passed"
        SKIPPED = "skipped"

    game = models.ForeignKey(LiveGame, on_delete=models.CASCADE, related_name="moves")
    player = models.ForeignKey(
        LivePlayer, on_delete=models.CASCADE, null=True, related_name="moves"
    )
    for_team = models.PositiveSmallIntegerField(
        null=True, help_text="Of whom it is a word found; in Listen each finds it alone."
    )
    placement = models.ForeignKey(Placement, on_delete=models.CASCADE, null=True, related_name="+")
    client_id = models.UUIDField(help_text="Made by the client; sent twice, counted once.")
    version = models.PositiveIntegerField(default=0, help_text="Of the game; 0: seen by nobody.")
    outcome = models.CharField(max_length=8, choices=Outcome)
    answer: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["game", "client_id"], name="a_live_move_counts_once"),
            models.UniqueConstraint(
                fields=["game", "for_team", "placement"],
                condition=models.Q(outcome="found"),
                name="a_team_finds_a_word_once",
            ),
            models.UniqueConstraint(
                fields=["player", "placement"],
                condition=models.Q(outcome="found"),
                name="a_player_finds_a_word_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} · {self.placement} · {self.outcome}"
