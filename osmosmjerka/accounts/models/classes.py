"""Classes, their members, and who asks to join."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.accounts.models.people import School, User
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.db.deletable import Deletable, NotDeletedManager

# Without letters and digits that look alike on a worksheet: no 0 O 1 I L.
JOIN_CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def new_join_code() -> str:
    """Return a class code of eight letters, about 40 bits."""
    return "".join(secrets.choice(JOIN_CODE_LETTERS) for _index in range(8))


class ClassroomManager(NotDeletedManager["Classroom"]):
    """The classes that are not in the bin."""


class Classroom(Deletable):
    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="classrooms")
    name = models.CharField(pgettext_lazy("class", "name"), max_length=100)
    join_code = models.CharField(max_length=12, unique=True, default=new_join_code)
    is_join_open = models.BooleanField(
        _("students can join with the class code"),
        default=False,
        help_text=_("Turn this on while your class is joining, then turn it off."),
    )
    uses_pictures = models.BooleanField(
        _("students log in by tapping their name and pictures"),
        default=False,
        help_text=_(
            "For students who cannot read yet. Anyone with the class code can see the names."
        ),
    )
    card_language = models.CharField(
        _("language of the login cards"),
        max_length=10,
        blank=True,
        help_text=_(
            "The words on newly printed cards are in this language, so that students can type them."
        ),
    )
    words_a_day = models.PositiveSmallIntegerField(
        _("words to practise per day"),
        default=24,
        validators=[MinValueValidator(4), MaxValueValidator(100)],
        help_text=_("For each student. At most eight of them are new."),
    )
    has_daily_puzzle = models.BooleanField(
        _("puzzle of the day"),
        default=False,
        help_text=_("One puzzle each day that all students of the class can play."),
    )
    is_daily_puzzle_declined = models.BooleanField(
        default=False, editable=False, help_text="Whether it is not to be offered any more."
    )
    archived_at = models.DateTimeField(null=True, blank=True)
    erasure_warned_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When an e-mail that warns was delivered."
    )
    erasure_seen_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When a page first warned who can keep it."
    )
    roster_id = models.CharField(
        max_length=255,
        blank=True,
        editable=False,
        help_text="The class's sourcedId in OneRoster files of the whole school.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    members = models.ManyToManyField(User, through="Membership", related_name="classrooms")

    objects = ClassroomManager()
    everything: models.Manager[Classroom] = models.Manager()

    # Set where classes with the same name are shown together: see `selectors.told_apart`.
    told_apart_by = ""

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")
        ordering = [Alphabetical("name"), "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["school", "roster_id"],
                condition=~models.Q(roster_id=""),
                name="one_class_a_roster_id",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} · {self.told_apart_by}" if self.told_apart_by else self.name

    @property
    def language_of_cards(self) -> str:
        """Return the language of the students' cards: chosen, else the school's or the site's."""
        return self.card_language or self.school.language or settings.LANGUAGE_CODE


class MembershipManager(NotDeletedManager["Membership"]):
    """The places of people who are not in the bin, in classes that are not in the bin."""

    deleted_with = ("user", "classroom")


class Membership(models.Model):
    """A person's membership of a class. People may be in several, and several teachers in one."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        CO_TEACHER = "co_teacher", _("Co-teacher")
        SUBSTITUTE = "substitute", _("Substitute")
        VIEWER = "viewer", _("Viewer")
        STUDENT = "student", _("Student")

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role, default=Role.STUDENT)
    until = models.DateField(
        _("last day"), null=True, blank=True, help_text="Of a teacher: the last day of access."
    )
    joined_at = models.DateTimeField(auto_now_add=True)

    objects = MembershipManager()
    everything: models.Manager[Membership] = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["classroom", "user"], name="one_membership_a_class"),
            models.CheckConstraint(
                condition=models.Q(until=None)
                | models.Q(role__in=["co_teacher", "substitute", "viewer"]),
                name="owners_and_students_stay",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.classroom} · {self.get_role_display()}"


class JoinRequest(models.Model):
    """A visitor who joined a class with its code, or waits until a teacher lets them in."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        ACCEPTED = "accepted", "accepted"  # the account is there; its student has not seen it yet
        JOINED = "joined", "joined"

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="join_requests")
    name = models.CharField(max_length=80)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    student = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at", "pk"]
        indexes = [models.Index(fields=["classroom", "created_at"], name="joins_of_a_class")]

    def __str__(self) -> str:
        return f"{self.classroom} · {self.state} · {self.pk}"
