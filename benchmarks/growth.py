"""Measure how the cost of each hot page and call grows with the words, the students or the puzzles.

    DATABASE_URL=sqlite:////tmp/growth.sqlite3 python -m benchmarks.growth --by words
    python -m benchmarks.growth --by students --most 100
    python -m benchmarks.growth --by assignments --most 100

Creates a school of 10 words, 3 students and 1 assignment, and others of 10, 100 and 1 000 times as
many words (or students, or assignments) beside it in one (empty) database, so that tables grow too.
Opens each page through Django's test client and plays through the API. Prints milliseconds of
processor time and queries at each size, the exponent (the slope of the logarithm of the time over
the logarithm of the size, between the last two sizes; 0: constant, 1: linear), and in the last line
a bare view (`/healthz`) in the same run, by which runs on different machines can be compared.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import log
from typing import Any

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


def cost_of(request: Callable[[], Any], tries: int = TRIES) -> Cost:
    """Return the cost of a request; the first one, which fills caches, is not timed."""
    queries = queries_of(request)
    return Cost(min(spent_on(request) for _try in range(tries)), queries)


def queries_of(request: Callable[[], Any]) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        _checked(request())
    return len(captured)


def spent_on(request: Callable[[], Any]) -> float:
    """Return the milliseconds of processor time that a request took."""
    gc.collect()
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
    head = [f"{size:>8}" for size in sizes]
    lines = [f"{by:26}{''.join(f'{one:>16}' for one in head)}  exponent"]
    for name in costs[0]:
        row = [some[name] for some in costs]
        cells = "".join(f"{one.ms:>9.1f} ms {one.queries:>3}q" for one in row)
        grows = exponent(sizes, row)
        why = WHY[by].get(name, "") if grows > 0.1 else ""
        lines.append(f"{name:26}{cells}  {grows:>5.2f}  {why}".rstrip())
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--by", choices=BASE, default="words")
    parser.add_argument("--most", type=int, default=1000, help="How many times as much at most.")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "osmosmjerka.settings")
    os.environ.setdefault("ALLOWED_HOSTS", "testserver,localhost")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    from benchmarks.made_school import make_school
    from osmosmjerka.accounts.models import User

    call_command("migrate", verbosity=0)
    if User.objects.exists():
        raise SystemExit("This database is in use. Name an empty one in DATABASE_URL.")
    sizes, costs = [], []
    factor = 1
    while factor <= options.most:
        size = BASE | {options.by: BASE[options.by] * factor}
        start = time.perf_counter()
        school = make_school(
            words=size["words"], students=size["students"], assigned=size["assignments"]
        )
        made = time.perf_counter() - start
        one = {name: cost_of(request) for name, request in pages_of(school).items()}
        one |= calls_of(school)
        one["bare view"] = cost_of(partial(Client().get, "/healthz"), 50)
        sizes.append(size[options.by])
        costs.append(one)
        figures = {name: [cost.ms, cost.queries] for name, cost in one.items()}
        print(json.dumps({options.by: sizes[-1], "made": round(made, 1), **figures}), flush=True)
        factor *= 10
    print(f"\n{connection.vendor}\n{table(options.by, sizes, costs)}")


if __name__ == "__main__":
    main()
