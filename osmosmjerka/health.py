"""Health checks: /healthz says that the process responds, /readyz that it can do its work.

A load balancer sends requests to an IP address over plain HTTP, so both are answered before
anything checks the host name or requires HTTPS.
"""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from osmosmjerka.celery import app
from osmosmjerka.jobs import clock
from osmosmjerka.jobs.models import WorkerHeartbeat
from osmosmjerka.middleware import Handler


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Report on the database, worker and broker; 503 unless all three work."""
    checks = {"database": _is_database_well(), "worker": False, "broker": _is_broker_well()}
    if checks["database"]:
        recently = clock.now() - timedelta(seconds=max(15, 5 * settings.JOB_SWEEP_SECONDS))
        checks["worker"] = WorkerHeartbeat.objects.filter(seen_at__gte=recently).exists()
    return JsonResponse(checks, status=200 if all(checks.values()) else 503)


_ANSWERS = {"/healthz": healthz, "/readyz": readyz}


class HealthMiddleware:
    """Answer health checks for any host name."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = _ANSWERS.get(request.path_info, self.get_response)
        return answer(request)


def _is_database_well() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _is_broker_well() -> bool:
    try:
        with app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
    except Exception:  # each broker's client has its own errors
        return False
    return True
