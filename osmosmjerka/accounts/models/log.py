"""The activity log, and the programs of a school that are told of events."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.models.people import School, User


class AuditEntry(models.Model):
    """Who did what to whom. Append-only; people appear as ids, so that deletion removes names."""

    at = models.DateTimeField(auto_now_add=True)
    school = models.ForeignKey(
        School, on_delete=models.CASCADE, null=True, related_name="audit_entries"
    )
    actor_id = models.BigIntegerField(null=True, help_text="Who did it; nobody: the site itself.")
    action = models.CharField(max_length=40)
    subject_kind = models.CharField(max_length=20)
    subject_id = models.BigIntegerField(null=True)
    detail: models.JSONField[dict[str, int | str], dict[str, int | str]] = models.JSONField(
        default=dict, help_text="Numbers and fixed words only, never a name."
    )

    class Meta:
        verbose_name = _("activity")
        verbose_name_plural = _("activity log")
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["school", "-at"], name="audit_of_a_school")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action} {self.subject_kind} {self.subject_id}"


class Webhook(models.Model):
    """An address of a school's own program that is told of events, if the site allows its host."""

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=500, help_text=_("It begins with https://."))
    secret = models.TextField(
        editable=False, help_text="What signs the deliveries, encrypted: see accounts.secrets."
    )
    events: models.JSONField[list[str], list[str]] = models.JSONField(
        _("events"), default=list, help_text="Keys of accounts.webhooks.services.EVENTS."
    )
    has_names = models.BooleanField(
        _("send students’ names"),
        default=False,
        help_text=_("Otherwise only their numbers on this site are sent."),
    )
    is_on = models.BooleanField(default=True)
    failing_since = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Since when no delivery succeeded; empty if the last one did.",
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """An event that is sent to a webhook, with what became of it."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        DELIVERED = "delivered", _("Delivered")
        FAILED = "failed", _("Failed")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event_id = models.UUIDField(
        default=uuid.uuid4, help_text="The same in every attempt, so that receivers count it once."
    )
    payload: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    # Whom the event is about: erased with them.
    student = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=300, blank=True, help_text="Why the last attempt failed.")
    created_at = models.DateTimeField(auto_now_add=True)
    at = models.DateTimeField(null=True, help_text="When the last attempt ended.")

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.event_id} · {self.state}"

    @property
    def translated_reason(self) -> str:
        """Why the last attempt failed, in the reader's language; "" if it did not."""
        return self.translated(self.reason) if self.reason else ""

    @staticmethod
    def translated(reason: str) -> str:
        """Return a reason in the reader's language; what a receiver said stays as it is."""
        sentence, colon, said = reason.partition(": ")
        return f"{gettext(sentence)}{colon}{said}"
