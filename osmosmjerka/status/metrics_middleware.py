"""Count and log requests by the name of their route, never by their path: codes in it are secrets.

/metrics is answered here, for any host, before sessions and before what refuses if too many come.
"""

from __future__ import annotations

import logging
from functools import cache
from time import perf_counter

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter, Histogram

from osmosmjerka.monitoring import metrics
from osmosmjerka.status.metrics_page import metrics_page
from osmosmjerka.web.requests import Handler

logger = logging.getLogger("osmosmjerka.requests")

_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class MetricsMiddleware:
    """Does nothing, and costs nothing, unless metrics or a log of requests are wanted."""

    def __init__(self, get_response: Handler) -> None:
        self.is_counting = bool(settings.METRICS_TOKEN)
        self.is_logging = bool(settings.LOG_REQUESTS)
        if not self.is_counting and not self.is_logging:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.is_counting and request.path_info == "/metrics":
            return metrics_page(request)
        began = perf_counter()
        response = self.get_response(request)
        seconds = perf_counter() - began
        method, route = _method_of(request), route_of(request)
        if self.is_counting:
            count, observe = _counters(method, route, response.status_code // 100)
            count.inc()
            observe.observe(seconds)
        if self.is_logging:
            _log(method, route, response.status_code, seconds)
        return response


def route_of(request: HttpRequest) -> str:
    """Return the name of the route that answered, such as "api:play"; "none" if there is none."""
    match = request.resolver_match
    if match is not None:
        return match.view_name
    path = request.path_info
    if path.startswith(settings.STATIC_URL):
        return "static"
    return path[1:] if path in ("/healthz", "/readyz") else "none"


def _method_of(request: HttpRequest) -> str:
    return request.method if request.method in _METHODS else "other"


@cache
def _counters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    """Return where such a request is counted; looking it up takes longer than counting."""
    return (
        metrics.requests.labels(method, route, f"{status}xx"),
        metrics.request_seconds.labels(method, route),
    )


def _log(method: str, route: str, status: int, seconds: float) -> None:
    ms = round(seconds * 1000, 1)
    logger.info(
        "%s %s %s %s ms",
        method,
        route,
        status,
        ms,
        extra={"method": method, "route": route, "status": status, "ms": ms},
    )
