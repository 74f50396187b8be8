"""What the status page shows. It names no person: jobs are told by their kind."""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import django
from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import connection
from django.db.models import Count, Min, Q, QuerySet

import osmosmjerka
from osmosmjerka.jobs.models import Job, OutsideService, WorkerHeartbeat
from osmosmjerka.jobs.worker import QUEUES, heard_since

MOST_FAILED = 50
ANSWER_SECONDS = 3.0  # that the broker and the cache have
COUNT_SECONDS = 1.0  # that counting the files of a folder may take
GOOGLE = "gtts"  # its row in the table of external services
_STATES = Job.State


@dataclass(frozen=True, slots=True)
class QueueLine:
    """A queue: how many of its jobs wait for a worker, wait for their time, and run."""

    name: str
    waiting: int
    later: int
    running: int
    longest: timedelta | None  # that a waiting job has waited
    slots: int  # jobs that the live workers can run at once

    @property
    def is_abandoned(self) -> bool:
        """Whether no worker takes jobs from this queue."""
        return self.slots == 0


@dataclass(frozen=True, slots=True)
class Worker:
    name: str
    slots: Mapping[str, int]
    silent_for: timedelta
    is_alive: bool


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, and the disk that it is on; sizes in bytes."""

    path: Path
    size: int
    is_counted: bool  # False: there was no time to count all, so it is larger
    free: int
    total: int

    @property
    def is_nearly_full(self) -> bool:
        return self.free < self.total / 20 or self.free < 500_000_000


@dataclass(frozen=True, slots=True)
class Backup:
    at: datetime
    file: str
    size: int


def workers(now: datetime) -> list[Worker]:
    """Return the workers of the last day, the latest sign of life first."""
    since = heard_since()
    return [
        Worker(beat.name, beat.slots, now - beat.seen_at, beat.seen_at >= since)
        for beat in WorkerHeartbeat.objects.order_by("-seen_at", "pk")
    ]


def queues(known: list[Worker], now: datetime) -> list[QueueLine]:
    """Return all queues, in the order of the worker's, with the slots of the *known* workers."""
    is_ready = Q(state=_STATES.QUEUED, ready_at__lte=now)
    rows: dict[str, Mapping[str, Any]] = {
        row["queue"]: row
        for row in Job.objects.filter(state__in=[_STATES.QUEUED, _STATES.RUNNING])
        .order_by()
        .values("queue")
        .annotate(
            waiting=Count("pk", filter=is_ready),
            later=Count("pk", filter=Q(state=_STATES.QUEUED, ready_at__gt=now)),
            running=Count("pk", filter=Q(state=_STATES.RUNNING)),
            first=Min("ready_at", filter=is_ready),
        )
    }
    lines = []
    for name in [*QUEUES, *sorted(rows.keys() - QUEUES.keys())]:
        row = rows.get(name, {})
        first = row.get("first")
        lines.append(
            QueueLine(
                name=name,
                waiting=row.get("waiting", 0),
                later=row.get("later", 0),
                running=row.get("running", 0),
                longest=now - first if first else None,
                slots=sum(worker.slots.get(name, 0) for worker in known if worker.is_alive),
            )
        )
    return lines


def kinds() -> list[Any]:
    """Return how many jobs of each kind are in each state: {"kind", "queued", "done", …}."""
    states = {state.value: Count("pk", filter=Q(state=state)) for state in _STATES}
    return list(Job.objects.order_by("kind").values("kind").annotate(**states))


def failed_jobs() -> QuerySet[Job]:
    """Return the jobs that failed last. Of an error, only `first_line` is to be shown."""
    jobs = Job.objects.filter(state=_STATES.FAILED).order_by("-finished_at", "pk")
    return jobs.only("kind", "attempts", "finished_at", "error")[:MOST_FAILED]


def first_line(error: str) -> str:
    """Return an error without its details: there, PostgreSQL writes the values of a row."""
    return error.strip().split("\n", 1)[0][:300]


def data_folder() -> Folder:
    return _folder(settings.DATA_DIR)


def media_folder() -> Folder | None:
    """Return the folder of sounds and pictures, or None if they are stored elsewhere."""
    if not isinstance(default_storage, FileSystemStorage):
        return None
    return _folder(Path(default_storage.location))


def _folder(path: Path) -> Folder:
    size, is_counted = _size_of(path)
    there = next(each for each in (path, *path.parents) if each.is_dir())
    disk = shutil.disk_usage(there)
    return Folder(path, size, is_counted, disk.free, disk.total)


def _size_of(folder: Path) -> tuple[int, bool]:
    """Return the bytes of all files below *folder*, and whether there was time to count all."""
    ends, size = monotonic() + COUNT_SECONDS, 0
    for where, _folders, names in os.walk(folder):
        for name in names:
            try:
                size += (Path(where) / name).lstat().st_size
            except OSError:  # deleted meanwhile
                continue
        if monotonic() > ends:
            return size, False
    return size, True


def database_name() -> str:
    """Return the database's engine with its version."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version")
            return f"PostgreSQL {cursor.fetchone()[0]}"
    return f"{connection.display_name} {'.'.join(map(str, connection.get_database_version()))}"


def database_size() -> int:
    """Return the size of the database in bytes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    file = str(connection.settings_dict["NAME"])
    files = [Path(file + ending) for ending in ("", "-wal")]
    return sum(each.stat().st_size for each in files if each.is_file())


def versions() -> dict[str, str]:
    """Return the versions of the site and of what it runs on."""
    return {
        "Osmosmjerka": osmosmjerka.__version__,
        "Django": django.get_version(),
        "Python": platform.python_version(),
    }


def last_backup() -> Backup | None:
    """Return what the last backup wrote about itself, if there was one."""
    try:
        told = json.loads((settings.DATA_DIR / "last_backup.json").read_text(encoding="utf-8"))
        return Backup(datetime.fromisoformat(told["at"]), str(told["file"]), int(told["size"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def google() -> OutsideService | None:
    """Return what is known of requests to Google's voice, if it is on and there were any."""
    if not settings.GTTS_ENABLED:
        return None
    return OutsideService.objects.filter(pk=GOOGLE).first()
