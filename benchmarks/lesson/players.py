"""The students: a process of its own that loads the site as their browsers do.

    python -m benchmarks.lesson.players ROLL PORT

Reads commands from its input, one JSON object a line, and answers each with one line. Arrivals are
an open loop: they follow a clock with a seed, whatever the site does, and how long something took
counts from when it was planned. A student has one answer on its way at a time, as in the browser.
What got no answer waits in their outbox, and is what they send next, under the same id.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import uuid
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.lesson.servers import HOST
from benchmarks.lesson.web import Browser, Reply, Unanswered

WRONG = 0.1  # of the answers
TWICE = 0.02  # of the answers are sent again though they were answered
_PLAYER = re.compile(rb'data-player="([^"]+)"')
# What happened: what, seconds until it was planned, seconds it took, status or why there is none,
# whether a Retry-After came.
Sent = tuple[str, float, float, int | str, bool]


class Unexpected(Exception):
    """The site answered with something that a browser could not go on with."""


class Student:
    """One student with a browser; remembers what the site confirmed."""

    def __init__(self, known: dict[str, Any], puzzles: dict[str, Any], port: int, rng: Random):
        self.browser = Browser(HOST, port)
        self.token: str = known["token"]
        self.codes: list[str] = known["codes"]
        self.puzzles = puzzles
        self.rng = rng
        self.turn = -1
        self.session = ""
        self.page: dict[str, str] = {}
        self.left: list[dict[str, Any]] = []
        self.outbox: dict[str, Any] | None = None
        self.confirmed: list[str] = []  # ids of the answers that found a word

    @property
    def api(self) -> str:
        return f"/api/play/{self.codes[self.turn % len(self.codes)]}/"

    @property
    def play_page(self) -> str:
        return f"/play/{self.codes[self.turn % len(self.codes)]}/"

    async def log_in(self) -> Reply:
        await self.browser.get("/card/")
        reply = await self.browser.post("/card/", {"token": self.token})
        _expect(reply, 302)
        return reply

    async def home(self) -> Reply:
        return await self.browser.get("/")

    async def open_page(self) -> Reply:
        """Open the page of the next puzzle, or of another attempt at one played before."""
        self.turn += 1
        if self.turn >= len(self.codes):
            reply = await self.browser.post(f"{self.play_page}again/", {})
            _expect(reply, 302)
        reply = await self.browser.get(self.play_page)
        found = _PLAYER.search(reply.body)
        if found is not None:
            self.page = {"X-Player": found[1].decode()}
        return reply

    async def see_state(self) -> Reply:
        """Load what the page's script does, which starts the session."""
        reply = await self.browser.get(self.api, **self.page)
        _expect(reply, 200)
        state = reply.json()
        self.session = state["session"]["id"]
        open_items = {item["id"] for item in state["items"] if not item["found"]}
        words = self.puzzles[self.codes[self.turn % len(self.codes)]]["words"]
        self.left = [word for word in words if word["slot"] in open_items]
        self.rng.shuffle(self.left)
        return reply

    async def answer(self, *, is_wrong: bool = False) -> tuple[str, Reply]:
        """Send what waits, or the next word; return what it was, and the response."""
        if self.outbox is None:
            word = self.left[-1]
            self.outbox = {
                "attempt": str(uuid.UUID(int=self.rng.getrandbits(128), version=4)),
                "session": self.session,
                "latency_ms": 4000,
                **word["wrong" if is_wrong else "right"],
            }
        sent = self.outbox
        reply = await self.browser.post(f"{self.api}attempts/", sent, **self.page)
        if reply.status != 200:
            return "find", reply
        self.outbox = None
        outcome = reply.json()["outcome"]
        if outcome in ("found", "already"):
            self.left.pop()
            self.confirmed.append(sent["attempt"])
            if self.rng.random() < TWICE:
                again = await self.browser.post(f"{self.api}attempts/", sent, **self.page)
                if again.status == 200 and again.json()["outcome"] != outcome:
                    raise Unexpected(f"the same answer twice: {outcome}, then {again.body!r}")
        return ("find" if outcome in ("found", "already") else "wrong"), reply

    async def finish(self) -> Reply:
        self.left = []
        return await self.browser.post(f"{self.api}finish/", {}, **self.page)

    async def review(self) -> Reply:
        return await self.browser.get("/review/")


def _expect(reply: Reply, status: int) -> None:
    if reply.status != status:
        raise Unexpected(f"{reply.status} instead of {status}")


class Crowd:
    """All students, and the record of what they sent."""

    def __init__(self, roll: dict[str, Any], port: int) -> None:
        puzzles = roll["puzzles"]
        self.students = [
            Student(known, puzzles, port, Random(known["token"])) for known in roll["players"]
        ]
        self.reviewers = {
            size: [Student(known, puzzles, port, Random(size)) for known in people]
            for size, people in roll.get("reviewers", {}).items()
        }
        self.sent: list[Sent] = []
        self.began = 0.0

    def everybody(self) -> list[Student]:
        return [*self.students, *(one for some in self.reviewers.values() for one in some)]

    async def note(
        self, planned: float, what: str, does: Callable[[], Awaitable[Reply | tuple[str, Reply]]]
    ) -> Reply | None:
        """Do something and record what became of it; None if nothing came back."""
        reply: Reply | None = None
        status: int | str
        try:
            answer = await does()
            if isinstance(answer, tuple):
                what, reply = answer
            else:
                reply = answer
            status = reply.status
        except Unanswered as error:
            status = str(error)
        except Unexpected as error:
            status = f"unexpected: {error}"
        took = asyncio.get_running_loop().time() - planned
        is_told = reply is not None and "retry-after" in reply.headers
        self.sent.append((what, planned - self.began, took, status, is_told))
        return reply

    def taken(self) -> list[Sent]:
        sent, self.sent = self.sent, []
        return sent

    async def in_turn(
        self, students: list[Student], at_once: int, does: Callable[[Student], Awaitable[Any]]
    ) -> None:
        """Let students do something, *at_once* at a time."""
        waiting = deque(students)

        async def worker() -> None:
            while waiting:
                await does(waiting.popleft())

        async with asyncio.TaskGroup() as group:
            for _worker in range(at_once):
                group.create_task(worker())

    # Commands ----------------------------------------------------------------------------

    async def move(self, port: int) -> None:
        """Use another server from now on."""
        for student in self.everybody():
            student.browser.move_to(port)

    async def get_ready(self, at_once: int = 4) -> list[Sent]:
        """Log in whoever has not, and open a puzzle for whoever has none."""

        async def ready(student: Student) -> None:
            if "sessionid" not in student.browser.cookies:
                await student.log_in()
            if student.codes and not student.left:
                await student.open_page()
                await student.see_state()

        await self.in_turn(self.everybody(), at_once, ready)
        return []

    async def repeat(self, what: str, count: int, at_once: int = 4) -> list[Sent]:
        """Do one thing *count* times as fast as the site answers."""
        loop = asyncio.get_running_loop()
        self.began = loop.time()
        size = what.partition(" ")[2]
        does: dict[str, Callable[[Student], Callable[[], Awaitable[Any]]]] = {
            "bare": lambda student: lambda: student.browser.get("/healthz"),
            "find": lambda student: student.answer,
            "home": lambda student: student.home,
            "play page": lambda student: lambda: student.browser.get(student.play_page),
            "state": lambda student: student.see_state,
            "finish": lambda student: student.finish,
            "log-in": lambda student: student.log_in,
            f"review {size}": lambda student: student.review,
        }
        some = self.reviewers[size] if what.startswith("review ") else self.students
        if what == "find":
            some = [student for student in some if student.left]
        turns_of = [some[turn % len(some)] for turn in range(count)]
        await self.in_turn(
            turns_of, at_once, lambda student: self.note(loop.time(), what, does[what](student))
        )
        return self.taken()


async def serve(roll: Path, port: int) -> None:
    """Obey commands until the input ends."""
    crowd = Crowd(json.loads(roll.read_text(encoding="utf-8")), port)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        answer = await getattr(crowd, command.pop("do"))(**command)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), int(sys.argv[2])))
