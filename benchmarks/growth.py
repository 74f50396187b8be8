"""Measure how the cost of each hot page and call grows with the words, the students or the puzzles.

    python -m benchmarks.growth --by words
    python -m benchmarks.growth --by students --most 100 --postgres postgres://user@host:5432/

Creates a school of 10 words, 3 students and 1 assignment, and others of 10, 100 and 1 000 times as
many words (or students, or assignments) beside it in one new database, so that tables grow too.
Opens each page through Django's test client and plays through the API. Prints milliseconds of
processor time and queries at each size, the exponent (the slope of the logarithm of the time over
the logarithm of the size, between the last two sizes; 0: constant, 1: linear), and in the last line
a bare view (`/healthz`) in the same run, by which runs on different machines can be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from math import log
from typing import Any

from benchmarks import harness

BASE = {"words": 10, "students": 3, "assignments": 1}
TRIES = 5
# What grows, and why.
WHY = {
    "words": {
        "home": "the words met are counted, the tricky ones sorted",
        "my words": "the words met are sorted before a page of them is shown",
        "list": "each word is looked for in all others",
        "lists": "the words of each list are counted",
        "progress of a student": "the words met are counted and sorted",
        "progress of a class": "each answer of the last weeks and each word of each student counts",
        "classes of a school": "the words known are counted",
        "class": "the words learned for the goal are counted",
    },
    "students": {
        "class": "each student has a line",
        "progress of a class": "each student has a line, and a column of the map",
        "classes of a school": "each student's words are counted",
    },
    "assignments": {
        "home": "each open assignment has a line",
        "class": "each assignment has a line, from the moves of all students",
    },
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What a request cost: milliseconds of processor time, the least of some tries, and queries."""

    ms: float
    queries: int


def costs_of(requests: Mapping[str, Callable[[], Any]]) -> dict[str, Cost]:
    """Return the cost of each request; the first one, which fills caches, is not timed."""
    queries = {name: queries_of(request) for name, request in requests.items()}
    times = harness.interleaved(requests, TRIES)
    return {name: Cost(round(times[name].least, 2), queries[name]) for name in requests}


def queries_of(request: Callable[[], Any]) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        _checked(request())
    return len(captured)


def spent_on(request: Callable[[], Any]) -> float:
    """Return the milliseconds of processor time that a request took."""
    start = time.process_time()
    reply = request()
    spent = time.process_time() - start
    _checked(reply)
    return round(1000 * spent, 2)


def _checked(reply: Any) -> None:
    if reply.status_code != 200:
        raise SystemExit(f"{reply.wsgi_request.path} answered {reply.status_code}.")


def client_of(person: Any) -> Any:
    from django.test import Client

    client = Client()
    client.force_login(person)
    return client


def pages_of(school: Any) -> dict[str, Callable[[], Any]]:
    """Return the requests of pages, by name."""
    student, teacher = client_of(school.student), client_of(school.teacher)
    admin = client_of(school.admin)
    classroom, code = school.classroom.pk, school.puzzle.code
    return {
        "home": lambda: student.get("/"),
        "review card": lambda: student.get("/review/?mode=typed"),
        "review card with choices": lambda: student.get("/review/?mode=chosen"),
        "review card answered": lambda: _answered(student),
        "my words": lambda: student.get("/words/"),
        "play page": lambda: student.get(f"/play/{code}/"),
        "class": lambda: teacher.get(f"/classes/{classroom}/"),
        "list": lambda: teacher.get(f"/lists/{school.words.pk}/"),
        "lists": lambda: teacher.get("/lists/"),
        "progress of a class": lambda: teacher.get(f"/classes/{classroom}/progress/"),
        "progress of a student": lambda: teacher.get(
            f"/classes/{classroom}/pupils/{school.student.pk}/"
        ),
        "classes of a school": lambda: admin.get("/school/"),
        "puzzles by API": lambda: teacher.get("/api/puzzles/"),
    }


def _answered(student: Any) -> Any:
    """Answer the next card wrongly, which shows the correction."""
    from vocab.models import WordProgress

    entry = WordProgress.objects.filter(student=student.session["_auth_user_id"]).first()
    assert entry is not None
    answer = {
        "entry": entry.entry_id, "mode": "typed", "attempt": str(uuid.uuid4()), "answer": "x",
    }  # fmt: skip
    return student.post("/review/", answer)


def calls_of(school: Any) -> dict[str, Cost]:
    """Play the school's puzzle through the API and finish it; return what the calls cost.

    None can be sent twice, so queries are counted for the first student, and time for the others.
    """
    counter, *others = school.students
    queries = _played(school, counter, queries_of)
    spent = [_played(school, player, spent_on) for player in others[:TRIES]]
    return {name: Cost(min(one[name] for one in spent), int(queries[name])) for name in queries}


def _played(
    school: Any, player: Any, measure: Callable[[Callable[[], Any]], float]
) -> dict[str, float]:
    from puzzles.models import Placement

    client, path = client_of(player), f"/api/play/{school.puzzle.code}/"
    session = client.get(path).json()["session"]["id"]
    finish = {"session": session}
    finds = []
    for placement in Placement.objects.filter(puzzle=school.puzzle)[:3]:
        found = {"attempt": str(uuid.uuid4()), "session": session, "cells": placement.cells}
        finds.append(
            measure(lambda: client.post(f"{path}attempts/", found, "application/json"))  # noqa: B023
        )
    return {
        "state of a game": measure(lambda: client.get(path)),
        "find": min(finds),
        "finish": measure(lambda: client.post(f"{path}finish/", finish, "application/json")),
    }


def exponent(sizes: Sequence[int], costs: Sequence[Cost]) -> float:
    """Return the slope between the last two sizes, where constant costs hide the least."""
    (before, after), (small, large) = costs[-2:], sizes[-2:]
    return round(log(after.ms / before.ms) / log(large / small), 2)


def table(by: str, sizes: Sequence[int], costs: Sequence[Mapping[str, Cost]]) -> str:
    """Return what was measured, a line a page or call."""
    lines = [(by, *map(str, sizes), "exponent")]
    for name in costs[0]:
        row = [some[name] for some in costs]
        cells = [f"{one.ms:.1f} ms {one.queries:>3}q" for one in row]
        grows = exponent(sizes, row)
        why = WHY[by].get(name, "") if grows > 0.1 else ""
        lines.append((f"{name}: {why}" if why else name, *cells, f"{grows:.2f}"))
    return harness.table(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--by", choices=BASE, default="words")
    parser.add_argument("--most", type=int, default=1000, help="How many times as much at most.")
    parser.add_argument("--postgres", help="URL of a server on which a database may be made.")
    options = parser.parse_args()
    with ExitStack() as stack:
        variables = {"ALLOWED_HOSTS": "testserver,localhost"}
        if options.postgres:
            made = harness.postgresql_database(options.postgres, f"growth_{os.getpid()}")
            variables["DATABASE_URL"] = stack.enter_context(made)
        stack.enter_context(harness.throwaway_site(**variables))
        grow(options.by, options.most)


def grow(by: str, most: int) -> None:
    """Measure schools of which each is ten times as large as the one before; print a table."""
    from django.db import connection
    from django.test import Client

    from tests.schools import make_school

    sizes, costs = [], []
    factor = 1
    while factor <= most:
        size = BASE | {by: BASE[by] * factor}
        school = make_school(
            words=size["words"], students=size["students"], assigned=size["assignments"]
        )
        requests = pages_of(school) | {"bare view": partial(Client().get, "/healthz")}
        found = costs_of(requests) | calls_of(school)
        sizes.append(size[by])
        costs.append(found)
        figures = {name: [cost.ms, cost.queries] for name, cost in found.items()}
        print(json.dumps({by: sizes[-1], **figures}), flush=True)
        factor *= 10
    print(f"\n{connection.vendor}\n{table(by, sizes, costs)}")
    connection.close()


if __name__ == "__main__":
    main()
