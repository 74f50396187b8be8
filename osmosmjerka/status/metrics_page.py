"""The page /metrics: what the processes of this machine counted, and what the database knows."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import datetime
from secrets import compare_digest

from django.conf import settings
from django.db import Error, connection
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

import osmosmjerka
from osmosmjerka.db.sign_of_life import database
from osmosmjerka.jobs import clock
from osmosmjerka.jobs.models import Job, OutsideService
from osmosmjerka.status import facts, health

PATIENCE = 1.5  # seconds for what may hang


@require_safe
@never_cache
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Answer who knows the token."""
    expected = f"Bearer {settings.METRICS_TOKEN}"
    given = request.headers.get("Authorization", "")
    if not compare_digest(given.encode(), expected.encode()):
        refusal = HttpResponse(status=401, content_type="text/plain; charset=utf-8")
        refusal["WWW-Authenticate"] = "Bearer"
        return refusal
    registry = CollectorRegistry()
    registry.register(Site())
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if folder is None:  # in tests, which count in memory
        text = generate_latest(registry) + generate_latest(REGISTRY)
    else:
        # It adds up the files of all processes, also of those that have ended.
        MultiProcessCollector(registry, path=folder)
        text = generate_latest(registry)
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST)


class Site(Collector):
    """What is looked up when somebody asks, with few statements, however many jobs are done."""

    def collect(self) -> Iterator[Metric]:
        version = GaugeMetricFamily(
            "osmosmjerka_build_info", "The version that runs.", labels=["version"]
        )
        version.add_metric([osmosmjerka.__version__], 1)
        yield version
        yield from _disk()
        reachable = GaugeMetricFamily(
            "osmosmjerka_reachable", "1 if the service answers.", labels=["service"]
        )
        for name, is_well in health.reachable(PATIENCE).items():
            reachable.add_metric([name], float(is_well))
        found = [] if database.is_away() else _found()
        reachable.add_metric(["database"], float(bool(found)))
        yield reachable
        yield from found


def _disk() -> Iterator[Metric]:
    try:
        usage = shutil.disk_usage(settings.DATA_DIR)
    except OSError:
        return
    about = "of the file system of the data folder, in bytes."
    yield GaugeMetricFamily("osmosmjerka_data_free_bytes", f"Free space {about}", usage.free)
    yield GaugeMetricFamily("osmosmjerka_data_size_bytes", f"Size {about}", usage.total)


def _found() -> list[Metric]:
    """Return what the database knows; nothing if it does not answer."""
    try:
        return _of_database()
    except Error:
        connection.close()
        return []


def _of_database() -> list[Metric]:
    now = clock.now()
    return [_jobs(), *_queues(now), _services(now)]


def _jobs() -> Metric:
    # Done jobs are many, and counted as they end: osmosmjerka_job_runs.
    states = [Job.State.QUEUED, Job.State.RUNNING, Job.State.FAILED]
    jobs = GaugeMetricFamily(
        "osmosmjerka_jobs",
        "Background jobs that are queued, running, or failed for good.",
        labels=["kind", "state"],
    )
    rows = Job.objects.filter(state__in=states).order_by().values_list("kind", "state")
    for kind, state, count in rows.annotate(count=Count("pk")):
        jobs.add_metric([kind, state], count)
    return jobs


def _queues(now: datetime) -> Iterator[Metric]:
    workers = facts.workers(now)
    alive = sum(worker.is_alive for worker in workers)
    yield GaugeMetricFamily("osmosmjerka_workers", "Workers that are alive.", alive)
    length = GaugeMetricFamily(
        "osmosmjerka_queue_length", "Jobs that could run now.", labels=["queue"]
    )
    age = GaugeMetricFamily(
        "osmosmjerka_queue_oldest_seconds",
        "How long the oldest of them has been ready to run.",
        labels=["queue"],
    )
    slots = GaugeMetricFamily(
        "osmosmjerka_worker_slots", "How many jobs can run at once.", labels=["queue"]
    )
    for queue in facts.queues(workers, now):
        length.add_metric([queue.name], queue.waiting)
        age.add_metric([queue.name], queue.longest.total_seconds() if queue.longest else 0.0)
        slots.add_metric([queue.name], queue.slots)
    yield from (length, age, slots)


def _services(now: datetime) -> Metric:
    resting = GaugeMetricFamily(
        "osmosmjerka_service_left_alone",
        "1 while an external service is left alone after failures in a row.",
        labels=["service"],
    )
    rows = OutsideService.objects.values_list("name", "failures", "left_alone_until")
    for name, failures, until in rows:
        resting.add_metric([name], float(failures > 0 and until is not None and until > now))
    return resting
