"""Schools and their people."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import date
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.db.deletable import Deletable


class School(models.Model):
    name = models.CharField(pgettext_lazy("school", "name"), max_length=200)
    retention_days = models.PositiveIntegerField(
        _("days until an archived class is deleted"),
        default=365,
        help_text=_(
            "Its students who are in no other class are deleted with it. Its teachers are "
            "warned first."
        ),
    )
    language = models.CharField(_("language"), max_length=10, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    recall_target = models.FloatField(
        _("recall target"),
        default=0.9,
        validators=[MinValueValidator(0.7), MaxValueValidator(0.97)],
        help_text=_(
            "A word is due for review when the chance of recalling it falls to this value. A "
            "higher target means more reviews."
        ),
    )
    blocks_strong_words = models.BooleanField(
        _("block the strong words that come with Osmosmjerka"), default=True
    )
    allows_parent_links = models.BooleanField(
        _("teachers can create links for parents"),
        default=False,
        help_text=_(
            "A person with such a link sees the student’s given name, the days and words of this "
            "week, what is due, and difficult words. Turning this off ends all links."
        ),
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("school")
        verbose_name_plural = _("schools")
        ordering = [Alphabetical("name"), "pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("school", args=[self.pk])

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone or settings.TIME_ZONE)

    def sign_in_services(self) -> models.QuerySet[Any]:
        """Return the services with which the school's people sign in now."""
        return self.identity_providers.filter(is_on=True)

    def today(self) -> date:
        """Return the date where the school is."""
        return timezone.localdate(timezone=self.zone)


class User(Deletable, AbstractUser):
    """A person who logs in. A student has no e-mail address or real name, only a display name."""

    class Role(models.TextChoices):
        STUDENT = "student", _("Student")
        TEACHER = "teacher", _("Teacher")
        SCHOOL_ADMIN = "school_admin", _("School admin")

    first_name = None  # type: ignore[assignment]  # one display name suits every culture
    last_name = None  # type: ignore[assignment]

    class Letters(models.TextChoices):
        STANDARD = "standard", _("Standard")
        EASY = "easy", _("Easier to tell apart")

    class Contrast(models.TextChoices):
        AS_DEVICE = "device", _("As on this device")
        HIGH = "high", _("High")

    class Motion(models.TextChoices):
        AS_DEVICE = "device", _("As on this device")
        LESS = "less", _("Less")

    display_name = models.CharField(_("display name"), max_length=80)
    email = models.EmailField(_("e-mail"), blank=True, help_text=_("Teachers only."))
    role = models.CharField(_("role"), max_length=20, choices=Role, default=Role.STUDENT)
    school = models.ForeignKey(
        School, on_delete=models.CASCADE, null=True, blank=True, related_name="people"
    )
    language = models.CharField(_("language"), max_length=10, blank=True)

    # How pages look to this person, on every device: base.html writes it on <html>.
    letters = models.CharField(
        _("letters"), max_length=10, choices=Letters, default=Letters.STANDARD
    )
    contrast = models.CharField(
        _("contrast"), max_length=10, choices=Contrast, default=Contrast.AS_DEVICE
    )
    motion = models.CharField(_("motion"), max_length=10, choices=Motion, default=Motion.AS_DEVICE)

    credential_stamp = models.CharField(
        max_length=32,
        blank=True,
        editable=False,
        help_text="Changes when every session of this person must end.",
    )

    merged: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="In the bin: the account with which this one was merged, and what it got.",
    )

    opened_on = models.DateField(
        null=True, blank=True, editable=False, help_text="When a teacher last opened Today."
    )
    opened_before = models.DateField(
        null=True, blank=True, editable=False, help_text="The last day before that one."
    )

    REQUIRED_FIELDS: ClassVar[list[str]] = []
    _loses_password = False

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")

    def __str__(self) -> str:
        return self.display_name or self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        has_new_password = getattr(self, "_password", None) is not None or self._loses_password
        super().save(*args, **kwargs)
        if has_new_password:  # log out anybody who knew the old password, and revoke API tokens
            self._loses_password = False
            self._forget_sessions()

    def set_unusable_password(self) -> None:
        super().set_unusable_password()
        self._loses_password = True

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)

    def get_session_auth_hash(self) -> str:
        """Bind sessions to the password and the stamp; Django compares it at each request."""
        return self._hash_for_sessions()

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        return map(self._hash_for_sessions, settings.SECRET_KEY_FALLBACKS)

    def _hash_for_sessions(self, secret: str | bytes | None = None) -> str:
        return salted_hmac(
            "osmosmjerka.accounts.session",
            f"{self.password}:{self.credential_stamp}",
            secret=secret,
            algorithm="sha256",
        ).hexdigest()

    def end_access(self) -> None:
        """End every session and API token of this person.

        A view whose own session is to continue calls update_session_auth_hash afterwards.
        """
        # The new stamp also ends sessions that a request which runs meanwhile writes again.
        self.credential_stamp = secrets.token_hex(16)
        self.save(update_fields=["credential_stamp"])
        self._forget_sessions()

    def _forget_sessions(self) -> None:
        self.browser_sessions.all().delete()
        self.api_tokens.all().delete()

    @property
    def is_student(self) -> bool:
        return self.role == self.Role.STUDENT and not self.is_superuser

    @property
    def is_teacher(self) -> bool:
        """Whether this person may own lists and run classes."""
        return not self.is_student
