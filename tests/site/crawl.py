"""Reading the whole site in one language: pages, messages, mails, files and errors of the API."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import openpyxl
import pypdfium2
from django.conf import settings
from django.core import mail
from django.db import transaction
from django.test import Client

from tests.accounts.house import _handler, _session_of, sent_as
from tests.accounts.permission_table import (
    ADMIN,
    ANYBODY,
    COLLEAGUE,
    OWNER,
    STUDENT,
    TABLE,
    path_of,
)
from tests.accounts.sweep import Request, let_in
from tests.layers import IS_THOROUGH
from tests.mailing import deliver

READERS = (OWNER, STUDENT, ADMIN, ANYBODY)
# Attributes that are read out or shown, and data for scripts that is shown later.
_READ = {"alt", "title", "placeholder", "aria-label", "aria-description", "data-label"}
_READ |= {"data-confirm", "data-message", "label"}
_NOT_READ = {"script", "style"}
# What stands within a sentence; all else ends it.
_INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "code",
    "em",
    "i",
    "kbd",
    "mark",
    "small",
    "span",
    "strong",
    "time",
}


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = [""]
        self._hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end(tag)
        self._hidden = tag in _NOT_READ
        is_button = tag == "input" and dict(attrs).get("type") in {"submit", "button", "reset"}
        is_about = tag == "meta" and dict(attrs).get("name") == "description"
        read = [
            value
            for name, value in attrs
            if value
            and (
                name in _READ or (is_button and name == "value") or (is_about and name == "content")
            )
        ]
        self.found[:-1] += read

    def handle_endtag(self, tag: str) -> None:
        self._hidden = False
        self._end(tag)

    def _end(self, tag: str) -> None:
        if tag in _INLINE:
            self.found[-1] += "\u200b"  # words are two where a tag parts them
        else:
            self.found.append("")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.found[-1] += data


def texts_of_page(html: str) -> list[str]:
    """Return what is read on a page, also by a screen reader, one text each, spaces joined."""
    reader = _Texts()
    reader.feed(html)
    joined = (" ".join(text.split()) for text in reader.found)
    return [text for text in joined if text.strip("\u200b ")]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _texts_of_workbook(content: bytes) -> Iterator[str]:
    for sheet in openpyxl.load_workbook(io.BytesIO(content)):
        yield sheet.title
        for row in sheet.iter_rows(values_only=True):
            yield from (value for value in row if isinstance(value, str))


def _texts_of_pdf(content: bytes) -> Iterator[str]:
    for page in pypdfium2.PdfDocument(content):
        yield from page.get_textpage().get_text_range().splitlines()


def texts_of(reply, path: str) -> list[str]:
    """Return what is read in an answer. Of an API's success, only its messages, not its data."""
    kind = reply.headers.get("Content-Type", "").split(";")[0]
    content = b"".join(reply.streaming_content) if reply.streaming else reply.content
    if kind == "text/html":
        return texts_of_page(content.decode())
    if kind == "application/problem+json":
        told = json.loads(content)  # its other members, and names of values, are for programs
        return [one["detail"] for one in told.get("errors", [told])]
    if kind == "application/json":
        value = json.loads(content)
        if reply.status_code < 400:
            value = _messages_in(value)
        return list(_strings(value))
    if kind == "application/pdf":
        return list(_texts_of_pdf(content))
    if kind.endswith("spreadsheetml.sheet"):
        return list(_texts_of_workbook(content))
    if kind == "text/csv" and "attachment" in reply.headers.get("Content-Disposition", ""):
        is_list = "/lists/" in path or path.startswith("/s/")  # its columns are for programs
        return [] if is_list else content.decode("utf-8-sig").splitlines()[:1]
    return []


def _messages_in(value: object) -> list[object]:
    """Return what of an answer's data is a sentence for people."""
    if isinstance(value, list):
        return [message for each in value for message in _messages_in(each)]
    if not isinstance(value, dict):
        return []
    named = [value[name] for name in ("detail", "message", "reason", "warning") if name in value]
    return named + [message for each in value.values() for message in _messages_in(each)]


# Data, another language's pages, and the guides, which are in no catalogue.
NOT_READ = {"api/schema/", "language/", "help/", "help/<topic>/"}


def questions(house, other) -> Iterator[Request]:
    """Yield what a visitor, a student, a teacher and a school admin may ask.

    Each address is asked with its right bodies, with an empty one and, in the API, with a wrong
    one. Daily one person asks each address, with the first of its bodies; what has no parameter is
    everybody's own, and read by each. The thorough run also asks by methods that an address does
    not know, and for things that are not there.
    """
    asked = set()
    most = None if IS_THOROUGH else 1
    for right in let_in(house, other, *READERS, most=most):
        route, method, path = right.route, right.method, right.path
        if route in NOT_READ:
            continue
        is_own = method == "GET" and "<" not in route
        if not (IS_THOROUGH or is_own) and (route, method) in asked:
            continue
        yield right
        if (route, method, right.who) in asked:
            continue
        asked |= {(route, method), (route, method, right.who)}
        if method != "GET" and right.body:
            yield replace(right, body={})
        if method != "GET" and route.startswith("api/"):
            yield replace(right, body=_wrong(right.body))
    for route in TABLE.keys() - NOT_READ if IS_THOROUGH else ():
        path = path_of(route, house)
        if route.startswith("api/"):
            yield Request(OWNER, house.teacher, route, "PATCH", path, {})
        if "<" in route:
            yield Request(OWNER, house.teacher, route, "GET", _missing(path), {})
            yield Request(COLLEAGUE, house.colleague, route, "GET", path, {})


def answers(question: Request, language: str) -> Iterator[str]:
    """Ask, follow where it leads, and yield every text read, mails too; nothing stays written."""
    client = Client(headers={"Accept-Language": language})
    client.handler = _handler
    if question.person is not None:
        client.cookies[settings.SESSION_COOKIE_NAME] = _session_of(question.person)
    method, path, body = question.method, question.path, question.body
    sent = sent_as(method, path, body)
    with transaction.atomic():
        mail.outbox = []
        reply = getattr(client, method.lower())(path, **sent)
        replies = [reply]
        for _each in range(3):
            if reply.status_code != 302 or not reply.url.startswith("/"):
                break
            reply = client.get(reply.url)
            replies.append(reply)
        for each in replies:
            yield from texts_of(each, path)
        deliver()
        for letter in mail.outbox:
            yield from f"{letter.subject}\n{letter.body}".splitlines()
        transaction.set_rollback(True)


def _wrong(body: dict) -> dict:
    """Return a body whose values are of a type that none of its fields takes."""
    return {name: {"x": ["?"]} for name in body}


def _missing(path: str) -> str:
    return re.sub(r"/\d+/", "/987654321/", path)
