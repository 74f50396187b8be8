"""How lines of the log look. Known to Django's settings and, before these are read, to gunicorn."""

from __future__ import annotations

import io
import logging
import sys
import threading
from types import TracebackType
from typing import Any

from pythonjsonlogger.core import RESERVED_ATTRS

# With the offset: the time zone is the site's, and its clocks change twice a year.
TIME = "%Y-%m-%dT%H:%M:%S%z"

FILTERS = {
    "request_id": {"()": "osmosmjerka.web.requests.RequestIdFilter"},
    "refusals": {"()": "osmosmjerka.monitoring.logs.RefusalFilter"},
    "one_line": {"()": "osmosmjerka.monitoring.logs.OneLineFilter"},
}
# Django's errors about what a stranger sent: a wrong host, a body that is too large.
OF_STRANGERS = (
    "DisallowedHost",
    "DisallowedRedirect",
    "RequestDataTooBig",
    "SuspiciousFileOperation",
    "SuspiciousMultipartForm",
    "SuspiciousOperation",
    "TooManyFieldsSent",
    "TooManyFilesSent",
)
FORMATTERS: dict[str, dict[str, Any]] = {
    "text": {
        "format": "{asctime} {levelname} {name} [{request_id}] {message}",
        "datefmt": TIME,
        "style": "{",
    },
    "json": {
        "()": "pythonjsonlogger.json.JsonFormatter",
        "format": "{asctime}{levelname}{name}{request_id}{message}",
        "datefmt": TIME,
        "style": "{",
        # Django adds the request, which is written with its whole address.
        "reserved_attrs": [*RESERVED_ATTRS, "request"],
    },
}


class RefusalFilter(logging.Filter):
    """Drop Django's line for each refusal of a site that is overloaded, closed or without data.

    The log says when that begins and ends. Nor is a line written for each wrong token for /metrics.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        path = getattr(getattr(record, "request", None), "path_info", "")
        match getattr(record, "status_code", None):
            case 503:
                return path == "/readyz"
            case 401:
                return path != "/metrics"
        return True


class OneLineFilter(logging.Filter):
    """Make a request that is refused one line of the log: a warning, without a traceback.

    It is no error of ours, and anybody could fill the log with tracebacks.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


class Lines(io.StringIO):
    """A stream whose lines become lines of the log."""

    def write(self, text: str) -> int:
        for line in filter(None, map(str.strip, text.splitlines())):
            logging.getLogger("osmosmjerka").info(line)
        return len(text)


def log_everything() -> None:
    """Let warnings and errors that nobody catches be lines of the log, too, in every thread."""
    logging.captureWarnings(True)
    logger = logging.getLogger("osmosmjerka.uncaught")

    def of_process(
        kind: type[BaseException], error: BaseException, where: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, where)
        else:
            logger.critical("An error stopped the process", exc_info=(kind, error, where))

    def of_thread(about: threading.ExceptHookArgs) -> None:
        if about.exc_value is not None and not isinstance(about.exc_value, SystemExit):
            told = (about.exc_type, about.exc_value, about.exc_traceback)
            logger.error("An error stopped a thread", exc_info=told)

    sys.excepthook, threading.excepthook = of_process, of_thread
