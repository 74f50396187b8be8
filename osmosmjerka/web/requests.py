"""What any module may ask of a request: its id, who sent it, and how large it may be."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.http import url_has_allowed_host_and_scheme

Handler = Callable[[HttpRequest], HttpResponse]

KILOBYTE = 1024
MEGABYTE = 1024 * KILOBYTE
# The largest file that is read, see vocab.formats.sandbox, and the rest of its form.
LARGEST_BODY = 301_000_000

current_request_id: ContextVar[str] = ContextVar("request_id", default="-")


class RequestIdFilter(logging.Filter):
    """Add the id of the current request to each log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id.get()
        return True


def is_for_program(request: HttpRequest) -> bool:
    """Return whether the request is one to the API, whose answers are JSON.

    The page at /api/ itself is for people.
    """
    return request.path_info.startswith("/api/") and request.path_info != "/api/"


def ids_in(texts: Iterable[str]) -> list[int]:
    """Return those texts that can be the id of a row as numbers: at most 18 digits."""
    return [int(text) for text in texts if text.isdecimal() and len(text) < 19]


def page_in(sent: QueryDict) -> str:
    """Return the page of this site that a form's or link's `next` names, or ""."""
    page = sent.get("next", "")
    is_here = page.startswith("/") and url_has_allowed_host_and_scheme(page, allowed_hosts=None)
    return page if is_here else ""


def with_query(path: str, query: str, place: str = "") -> str:
    """Return the URL of *path* with a query that a form sent back, and with the fragment *place*.

    The query is read and written again, so that no character in it means anything else.
    """
    kept = QueryDict(query).urlencode()
    return path + (f"?{kept}" if kept else "") + (f"#{place}" if place else "")
