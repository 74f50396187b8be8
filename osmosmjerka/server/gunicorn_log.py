"""The log of gunicorn, in the form that LOG_FORMAT names."""

from __future__ import annotations

import os
from typing import Any

from dotenv import dotenv_values
from gunicorn.glogging import Logger
from pythonjsonlogger.json import JsonFormatter

from osmosmjerka import paths
from osmosmjerka.monitoring import logs
from osmosmjerka.web.requests import RequestIdFilter

_ENV_FILE = paths.SITE / ".env"


class Log(Logger):  # type: ignore[misc]  # a library without types
    """Gunicorn's own lines, also of the process that starts the others and knows no settings.

    If it read Django's settings, workers that are started by a reload would not read them anew.
    """

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        given = os.environ.get("LOG_FORMAT") or dotenv_values(_ENV_FILE).get("LOG_FORMAT")
        if given != "json":
            return
        form = JsonFormatter(logs.FORMATTERS["json"]["format"], logs.TIME, style="{")
        for log in (self.error_log, self.access_log):
            for handler in log.handlers:
                handler.setFormatter(form)
                handler.addFilter(RequestIdFilter())
