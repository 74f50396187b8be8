"""The ledger of background jobs. The row is authoritative; a broker only carries tickets."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Job(models.Model):
    """One background job, done exactly once, however many tickets are sent for it."""

    class State(models.TextChoices):
        """The job's state. FAILED means that every attempt failed; no more are made."""

        QUEUED = "queued", pgettext_lazy("task", "Queued")
        RUNNING = "running", pgettext_lazy("task", "Running")
        DONE = "done", pgettext_lazy("task", "Done")
        FAILED = "failed", pgettext_lazy("task", "Failed")
        CANCELLED = "cancelled", pgettext_lazy("task", "Cancelled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=60)
    key = models.CharField(
        max_length=200, unique=True, help_text=_("Tasks with the same key are done only once.")
    )
    queue = models.CharField(max_length=30, default="default")
    # What it is about, such as "puzzles.puzzle:12"; if that is gone, so is the job's purpose.
    subject = models.CharField(max_length=100, blank=True, editable=False)
    arguments: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    owner = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.CASCADE, related_name="jobs"
    )
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    # Of workers in the middle of it, in a row; no attempts, because they need not be its fault.
    deaths = models.PositiveSmallIntegerField(default=0, editable=False)
    # Both count only while the job is running.
    lease = models.UUIDField(
        null=True, blank=True, editable=False, help_text=_("ID of the worker process that runs it.")
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=200, blank=True, default="", editable=False)
    ready_at = models.DateTimeField(
        default=timezone.now, help_text=_("When it is (next) due to run.")
    )
    progress = models.PositiveSmallIntegerField(default=0, help_text=_("Percent."))
    message = models.TextField(blank=True)
    result: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("task")
        verbose_name_plural = _("tasks")
        ordering = ["-created_at"]
        indexes = [
            # The sweeper reads only unfinished rows, however long the ledger has become.
            models.Index(
                fields=["state", "lease_until"],
                name="jobs_unfinished",
                condition=models.Q(state__in=["queued", "running"]),
            ),
            # What is about an object, its latest job first.
            models.Index(fields=["subject", "-created_at"], name="jobs_about"),
            # Who waits in a queue, and when each was served last; see jobs.turns.
            models.Index(fields=["queue", "state", "ready_at"], name="jobs_waiting"),
            models.Index(fields=["queue", "started_at", "owner"], name="jobs_served"),
            models.Index(fields=["state", "finished_at"], name="jobs_finished"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} ({self.state})"

    @property
    def is_finished(self) -> bool:
        return self.state in {self.State.DONE, self.State.FAILED, self.State.CANCELLED}


class WorkerHeartbeat(models.Model):
    """When a worker was last alive, for /readyz, and how many jobs it runs at once, by queue."""

    name = models.CharField(max_length=200, primary_key=True)
    seen_at = models.DateTimeField()
    slots: models.JSONField[dict[str, int], dict[str, int]] = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.name


class OutsideService(models.Model):
    """What all processes share about an external service; see jobs.outside."""

    name = models.CharField(max_length=60, primary_key=True)
    next_at = models.DateTimeField(help_text="Until when the requests that were let out last.")
    failures = models.PositiveIntegerField(default=0, help_text="In a row.")
    left_alone_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name
