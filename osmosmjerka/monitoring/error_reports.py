"""Reports of errors to a service that speaks Sentry's protocol, without anything about people.

Students are children. The values of variables, the texts of exceptions, addresses of pages and
what was logged before contain their names, their answers and codes that log them in. So a report is
not cleaned but composed anew, of what is known to be about the program: types of exceptions, lines
of our source code, the name of the route, the kind of the job.
"""

from __future__ import annotations

from typing import Any

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration

import osmosmjerka
from osmosmjerka.web.requests import current_request_id

_OURS = ("osmosmjerka.", "vocab.", "puzzles.")
_KEPT = ("event_id", "timestamp", "platform", "level", "logger", "release", "sdk", "modules")
_KEPT_OF_FRAME = (
    "filename", "module", "function", "lineno", "in_app", "pre_context", "context_line",
    "post_context",
)  # fmt: skip


def start(address: str) -> None:
    """Report errors of this process to *address* (a DSN). A thread sends them: nobody waits."""
    sentry_sdk.init(
        dsn=address,
        release=f"osmosmjerka@{osmosmjerka.__version__}",
        before_send=compose,
        # What `compose` leaves out is not collected in the first place.
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        # Neither performance nor visits; no headers are added to requests to other services.
        traces_sample_rate=None,
        auto_session_tracking=False,
        send_client_reports=False,
        trace_propagation_targets=[],
        auto_enabling_integrations=False,
        integrations=[
            DjangoIntegration(middleware_spans=False, signals_spans=False),
            CeleryIntegration(propagate_traces=False),
        ],
        shutdown_timeout=1,
    )


def compose(event: Any, _hint: dict[str, Any]) -> Any:
    """Return a report with what in *event* is about the program, and nothing else."""
    report = {name: event[name] for name in _KEPT if name in event}
    report["tags"] = {"request_id": current_request_id.get()}
    if kind := _kind_of_job(event):
        report["tags"]["job"] = kind
    # Where no route was found, the name is the path.
    if event.get("transaction_info", {}).get("source") in ("route", "component", "task"):
        report["transaction"] = event["transaction"]
    if runtime := event.get("contexts", {}).get("runtime"):
        report["contexts"] = {"runtime": runtime}
    if method := event.get("request", {}).get("method"):
        report["request"] = {"method": method}
    if errors := event.get("exception", {}).get("values"):
        report["exception"] = {"values": [_exception(error) for error in errors]}
    elif str(event.get("logger", "")).startswith(_OURS):
        # Without the values that are filled in.
        report["logentry"] = {"message": event.get("logentry", {}).get("message", "")}
    return report


def _kind_of_job(event: Any) -> str:
    is_of_ledger = event.get("logger") == "osmosmjerka.jobs.ledger"
    return str(event.get("extra", {}).get("kind", "")) if is_of_ledger else ""


def _exception(error: dict[str, Any]) -> dict[str, Any]:
    frames = (error.get("stacktrace") or {}).get("frames") or []
    mechanism = error.get("mechanism") or {}
    return {
        "type": error.get("type"),
        "module": error.get("module"),
        "value": "",
        "mechanism": {name: mechanism[name] for name in ("type", "handled") if name in mechanism},
        "stacktrace": {
            "frames": [
                {name: frame[name] for name in _KEPT_OF_FRAME if name in frame} for frame in frames
            ]
        },
    }
