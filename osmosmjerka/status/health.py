"""Health checks: /healthz says that the process responds, /readyz that it can do its work.

A load balancer sends requests to an IP address over plain HTTP, so both are answered before
anything checks the host name or requires HTTPS. Both answer within two seconds, whatever hangs.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from osmosmjerka.celery import app
from osmosmjerka.db.sign_of_life import database
from osmosmjerka.jobs.models import WorkerHeartbeat
from osmosmjerka.jobs.worker import heard_since
from osmosmjerka.server import preparation
from osmosmjerka.web.requests import MEGABYTE, Handler

PATIENCE = 1.5  # seconds, for what may hang
LEAST_ROOM = 50 * MEGABYTE


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Report on the database, its tables, worker, broker and disk; 503 unless all are well."""
    ends = time.monotonic() + PATIENCE
    looks = {"broker": _broker.begin(), "disk": _disk.begin()}
    checks = _of_database() | {name: found(look, ends) for name, look in looks.items()}
    return JsonResponse(checks, status=200 if all(checks.values()) else 503)


_ANSWERS = {"/healthz": healthz, "/readyz": readyz}


class HealthMiddleware:
    """Answer health checks for any host name."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = _ANSWERS.get(request.path_info, self.get_response)
        return answer(request)


class Look:
    """A look at something that may hang, in a thread; one at a time, however often it is asked."""

    def __init__(self, is_well: Callable[[], object]) -> None:
        self._is_well = is_well
        self._lock = threading.Lock()
        self._last: Future[bool] | None = None

    def begin(self) -> Future[bool]:
        """Begin to look, unless somebody does; return what will be found."""
        with self._lock:
            if self._last is None or self._last.done():
                self._last = Future()
                look = threading.Thread(target=self._look, args=[self._last], daemon=True)
                look.start()
            return self._last

    def _look(self, found: Future[bool]) -> None:
        try:
            found.set_result(self._is_well() is not False)
        except Exception:  # each broker's client has its own errors, and so has each file system
            found.set_result(False)


def found(look: Future[bool], ends: float) -> bool:
    """Return what was found by that time of `time.monotonic`; False if nothing was."""
    try:
        return look.result(max(0.0, ends - time.monotonic()))
    except TimeoutError:
        return False


def _ask_broker() -> None:
    with app.connection_for_write(connect_timeout=2) as broker:
        broker.ensure_connection(max_retries=1, timeout=2)


def _is_room() -> bool:
    """Return whether files can be written, and there is room for some."""
    for folder in {Path(settings.DATA_DIR), Path(settings.MEDIA_ROOT)}:
        folder.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(folder).free < LEAST_ROOM:
            return False
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".readyz-") as file:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
    return True


def _is_cache_well() -> bool:
    token = uuid.uuid4().hex
    cache.set("osmosmjerka.health", token, 10)
    return bool(cache.get("osmosmjerka.health") == token)


_broker, _disk, _cache = Look(_ask_broker), Look(_is_room), Look(_is_cache_well)


def reachable(seconds: float) -> dict[str, bool]:
    """Return whether broker and cache answer within that time, by these names."""
    ends = time.monotonic() + seconds
    looks = {"broker": _broker.begin(), "cache": _cache.begin()}
    return {name: found(look, ends) for name, look in looks.items()}


def _of_database() -> dict[str, bool]:
    """Ask the database; if it hangs, `server.admission` answers without it."""
    checks = {"database": False, "migrations": False, "worker": False}
    if database.is_away():
        return checks
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        checks["database"] = True
        checks["migrations"] = not preparation.unapplied_migrations()
        seen = WorkerHeartbeat.objects.filter(seen_at__gte=heard_since())
        checks["worker"] = seen.exists()
    except Error:  # or there are no tables yet
        pass
    return checks
