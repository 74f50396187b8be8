"""What is counted for Prometheus; `status.metrics_page` adds what the database knows.

No label may contain a name, an id, a path or a text: labels are read by others, and each value is
kept for ever. With OSMOSMJERKA_METRICS_TOKEN, each process counts in a file of its own in the data
folder, and whoever is asked adds them up: gunicorn's processes, Celery's, and `serve`.
"""

from __future__ import annotations

from prometheus_client import Counter, Histogram

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_JOB_SECONDS = (0.05, 0.25, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0)

requests = Counter(
    "osmosmjerka_requests",
    "Requests by method, name of the route and class of the status.",
    ["method", "route", "status"],
)
request_seconds = Histogram(
    "osmosmjerka_request_seconds",
    "Seconds until the response begins.",
    ["method", "route"],
    buckets=_SECONDS,
)
moves = Counter(
    "osmosmjerka_moves",
    "Answers in games, by kind of puzzle and outcome; found: a word was found.",
    ["kind", "outcome"],
)
logins_refused = Counter("osmosmjerka_logins_refused", "Log-ins refused, by reason.", ["reason"])
job_runs = Counter(
    "osmosmjerka_job_runs", "Runs of background jobs, by how they ended.", ["kind", "outcome"]
)
job_seconds = Histogram(
    "osmosmjerka_job_seconds", "Seconds of runs of jobs.", ["kind"], buckets=_JOB_SECONDS
)
sound_requests = Counter(
    "osmosmjerka_sound_requests",
    "Requests to external voices: answered, refused (the service said no), timed_out, failed.",
    ["service", "outcome"],
)
