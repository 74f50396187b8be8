"""Links that log nobody in: to a list or a puzzle, and for parents."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.models import Classroom
from puzzles.models.puzzles import Puzzle
from vocab.models import VocabularyList


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
