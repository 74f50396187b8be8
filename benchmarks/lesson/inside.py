"""What one process does for a request: its statements.

Requests are given to the WSGI application itself, with all of its middleware and without a server.
"""

from __future__ import annotations

import io
import json
import re
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Any

from benchmarks.lesson import school

Result = dict[str, Any]
_CONTROL = re.compile(r"^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)", re.IGNORECASE)


@dataclass(slots=True)
class Client:
    """A browser without a network: calls the application directly."""

    application: Any
    cookies: dict[str, str] = field(default_factory=dict)

    def __call__(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        sent = b"" if body is None else json.dumps(body).encode()
        path, _mark, query = path.partition("?")
        environment = {
            "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query,
            "SERVER_NAME": "localhost", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost", "HTTP_ACCEPT_LANGUAGE": "hr",
            "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "HTTP_X_CSRFTOKEN": self.cookies.get("csrftoken", ""),
            "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(sent)),
            "wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(sent),
            "wsgi.errors": sys.stderr, "wsgi.multithread": True, "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }  # fmt: skip
        began: list[str] = []
        answer = self.application(environment, lambda status, _headers: began.append(status))
        content = b"".join(answer)
        answer.close()
        return int(began[0].split()[0]), content


def _logged_in(student: Any) -> Client:
    from django.test import Client as TestClient

    from osmosmjerka.wsgi import django_application

    browser = TestClient()
    browser.force_login(student)
    client = Client(django_application, {name: one.value for name, one in browser.cookies.items()})
    client.cookies["csrftoken"] = "a" * 32
    return client


@dataclass(slots=True)
class Statements:
    """The statements of a request, without those that begin and end transactions."""

    queries: int = 0
    control: int = 0


@contextmanager
def _counted() -> Iterator[Statements]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    counted = Statements()
    with CaptureQueriesContext(connection) as captured:
        yield counted
    control = sum(bool(_CONTROL.match(one["sql"])) for one in captured)
    counted.control, counted.queries = control, len(captured) - control


def _body(word: dict[str, Any]) -> dict[str, Any]:
    return {"attempt": str(uuid.uuid4()), "latency_ms": 4000, **word["right"]}


def queries(review_sizes: Sequence[int]) -> Result:
    """Count the statements of a found word of each kind, of ending a puzzle, of a review card."""
    room, words = _class(2000, 4)
    results: Result = {"find": {}, "finish": {}, "review": {}, "other": {}}
    for kind in school.KINDS:
        puzzle = school.make(room, words, kind)
        results["find"][kind] = _of_find(_logged_in(room.students[0]), puzzle)
    long = school.build_list(room.teacher, "long", 200, Random("long"))
    for size in (12, 100):
        puzzle = school.make(room, long, "word-search", words=size)
        results["finish"][str(size)] = _of_finish(room.students, puzzle)
    for size in review_sizes:
        results["review"][str(size)] = _of_page(school.reviewers(size), "/review/")
    code = puzzle.code
    for name, path in (
        ("home", "/"),
        ("play page", f"/play/{code}/"),
        ("play state", f"/api/play/{code}/"),
    ):
        results["other"][name] = _of_page(room.students[:2], path)
    return results


def _of_find(client: Client, puzzle: Any) -> Result:
    api = f"/api/play/{puzzle.code}/"
    _expect(client("GET", api))
    for number, word in enumerate(school.answers(puzzle)["words"][:6]):
        with _counted() as counted:
            _expect(client("POST", f"{api}attempts/", _body(word)))
        if number == 0:  # the first of a day also begins the day
            first = counted.queries
    return {"queries": counted.queries, "control": counted.control, "first": first}


def _of_finish(students: Sequence[Any], puzzle: Any) -> Result:
    """End a puzzle of which nothing was found, once for each student."""
    api, took = f"/api/play/{puzzle.code}/", []
    for student in students:
        client = _logged_in(student)
        _expect(client("GET", api))
        began = time.perf_counter()
        if student != students[-1]:
            _expect(client("POST", f"{api}finish/", {}))
            took.append(1000 * (time.perf_counter() - began))
        else:
            with _counted() as counted:
                _expect(client("POST", f"{api}finish/", {}))
    return {"queries": counted.queries, "control": counted.control, "ms": median(took)}


def _of_page(students: Sequence[Any], path: str) -> Result:
    took = []
    for student in students:
        client = _logged_in(student)
        _expect(client("GET", path))
        for _time in range(3):
            began = time.perf_counter()
            _expect(client("GET", path))
            took.append(1000 * (time.perf_counter() - began))
        with _counted() as counted:
            _expect(client("GET", path))
    return {"queries": counted.queries, "control": counted.control, "ms": median(took)}


def _expect(answer: tuple[int, bytes]) -> None:
    if answer[0] != 200:
        raise SystemExit(f"{answer[0]}: {answer[1][:300]!r}")


def _class(number: int, size: int) -> tuple[Any, Any]:
    room = school.build_room(number, size)
    rng = Random(number)
    return room, school.build_list(room.teacher, f"Words of {number}", school.LIST_WORDS, rng)
