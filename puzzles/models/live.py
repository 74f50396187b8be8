"""Class games: the game, its players and their moves."""

from __future__ import annotations

import secrets
import uuid
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.accounts.models import JOIN_CODE_LETTERS, Classroom
from puzzles.models.puzzles import Placement, Puzzle


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
