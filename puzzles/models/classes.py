"""Goals, complete lists and leaderboards of classes and students."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.accounts.models import Classroom
from vocab.models import VocabularyList, WordProgress


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
