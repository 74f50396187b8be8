"""Rosters that were read, and what other programs call people."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from osmosmjerka.accounts.models.classes import Classroom
from osmosmjerka.accounts.models.people import School, User


class RosterImport(models.Model):
    """People read for a class, or a school: first a preview, then what adding changed, to undo it.

    Of a class, the lines of the preview are rows. Of a school, they are *school_file* until they
    are added: each line then is a change.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        ADDING = "adding", "adding"  # a school's, in a job
        ADDED = "added", "added"
        UNDOING = "undoing", "undoing"  # a school's, in a job
        UNDONE = "undone", "undone"

    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, null=True, related_name="rosters"
    )
    school = models.ForeignKey(
        School,
        on_delete=models.CASCADE,
        null=True,
        related_name="rosters",
        help_text="If it is of the whole school, and not of a class.",
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    ignored_columns: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    # The classes in a OneRoster file by their ids there, and the one that was chosen.
    file_classes: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict)
    file_class = models.CharField(max_length=255, blank=True)
    lists_everybody = models.BooleanField(
        default=False, help_text="Whether the file says who is in the class, and so who is not."
    )
    school_file: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True, help_text="What was read of a school, until it is added."
    )
    options: models.JSONField[dict[str, bool], dict[str, bool]] = models.JSONField(
        default=dict, help_text="Of a school: what the admin ticked."
    )
    mark = models.CharField(
        max_length=64, blank=True, help_text="Of a school: the preview that was confirmed."
    )
    counts: models.JSONField[dict[str, int], dict[str, int]] = models.JSONField(
        default=dict, help_text="Of a school: how many changes of each type were made."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    added_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(classroom=None) ^ models.Q(school=None),
                name="a_roster_is_of_a_class_or_school",
            )
        ]

    def __str__(self) -> str:
        return f"{self.classroom or self.school} · {self.created_at:%Y-%m-%d} · {self.state}"


class RosterLine(models.Model):
    """A line of a preview; after adding, what was done to one student."""

    class Did(models.TextChoices):
        NOTHING = "", "nothing yet"
        CREATED = "created", "created"
        JOINED = "joined", "joined"
        RENAMED = "renamed", "renamed"
        # Of a school:
        LEFT = "left", "left a class"
        BINNED = "binned", "put into the bin"
        KNOWN = "known", "got the id of the file"
        NEW_CLASS = "new_class", "created a class"
        SAME_CLASS = "same_class", "gave a class the id of the file"
        RENAMED_CLASS = "renamed_class", "renamed a class"
        CLOSED_CLASS = "closed_class", "archived a class"
        INVITE = "invite", "a teacher to be invited"

    roster = models.ForeignKey(RosterImport, on_delete=models.CASCADE, related_name="lines")
    line = models.PositiveIntegerField()
    # Before adding: what was read, and the name that the student would get.
    name = models.CharField(max_length=200, blank=True)
    shown = models.CharField(max_length=80, blank=True)
    ids: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict)
    file_classes: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    problem = models.CharField(max_length=300, blank=True)
    # After adding.
    student = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    did = models.CharField(max_length=13, choices=Did, blank=True)
    before = models.CharField(max_length=100, blank=True)
    after = models.CharField(max_length=100, blank=True)
    # Of a school: the class, the place in it, and whom to invite.
    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, null=True, related_name="+")
    place: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, help_text="Of who left a class: their role, last day, and since when."
    )
    invitation = models.ForeignKey(
        "Invitation", on_delete=models.SET_NULL, null=True, related_name="roster_lines"
    )

    class Meta:
        ordering = ["line", "pk"]

    def __str__(self) -> str:
        return f"{self.roster_id}:{self.line} {self.did}"


class ExternalId(models.Model):
    """What another program calls a person, from a roster. The next roster finds them by it."""

    class Source(models.TextChoices):
        ONEROSTER = "oneroster", "OneRoster sourcedId"
        KOLIBRI = "kolibri", "Kolibri database id"
        NUMBER = "number", "student's number at the school"
        LTI = "lti", "number of a learning platform, and the student's there"

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="+")
    source = models.CharField(max_length=10, choices=Source)
    value = models.CharField(max_length=255)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="external_ids")
    roster = models.ForeignKey(
        RosterImport, on_delete=models.SET_NULL, null=True, related_name="external_ids"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["school", "source", "value"], name="one_student_an_external_id"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} · {self.user_id}"
