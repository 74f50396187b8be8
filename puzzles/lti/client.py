"""Requests to learning platforms, which may be down, slow or wrong."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from osmosmjerka.web.addresses import may_be_asked
from vocab.message import message
from vocab.speech.engine import ServiceFailed
from vocab.speech.http import Answer, Exchange, Limits

LIMITS = Limits(connect=3, read=3, total=3, size=200_000)


class PlatformError(Exception):
    """The platform did not do what was asked.

    *message* is a sentence for people, made by `vocab.message.message`; *status* is the answer's,
    None if there was none.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status is None or self.status in {401, 408, 425, 429} or self.status >= 500


def get(url: str, *, accept: str = "application/json", token: str = "") -> Any:
    """Return the JSON at *url*. Raises PlatformError."""
    return json_of(get_answer(url, accept=accept, token=token))


def get_answer(url: str, *, accept: str = "application/json", token: str = "") -> Answer:
    """Return what is at *url*. Raises PlatformError unless it is a success."""
    headers = {"Accept": accept} | ({"Authorization": f"Bearer {token}"} if token else {})
    return _succeeded(_ask(url, None, headers), {200})


def post_form(url: str, fields: dict[str, str]) -> Any:
    """Send a form; return the JSON of the answer. Raises PlatformError."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    return json_of(_succeeded(_ask(url, urlencode(fields), headers), {200, 201}))


def post_json(url: str, data: Any, *, token: str, content_type: str = "application/json") -> Answer:
    """Send JSON; return the answer. Raises PlatformError unless it is a success."""
    headers = {"Content-Type": content_type, "Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return _succeeded(_ask(url, json.dumps(data), headers), {200, 201, 202, 204})


def _ask(url: str, body: str | None, headers: dict[str, str]) -> Answer:
    if not may_be_asked(url):
        raise PlatformError(message("{url} does not begin with https://.", url=url[:100]), 0)
    exchange = Exchange(limits=LIMITS)
    try:
        return exchange.get(url, headers) if body is None else exchange.post(url, body, headers)
    except ServiceFailed as error:
        raise PlatformError(error.message) from error


def _succeeded(answer: Answer, wanted: set[int]) -> Answer:
    if answer.status not in wanted:
        # Only the status: what stands in the answer may be of a server that is no platform.
        told = message("The answer was {status}.", status=str(answer.status))
        raise PlatformError(told, answer.status)
    return answer


def json_of(answer: Answer) -> Any:
    """Return the JSON of an answer. Raises PlatformError."""
    try:
        return json.loads(answer.body)
    except ValueError as error:
        raise PlatformError(message("The answer is not JSON."), answer.status) from error
