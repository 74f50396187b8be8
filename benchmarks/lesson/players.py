"""The players: a process of its own that loads the site as a school's browsers do.

    python -m benchmarks.lesson.players ROLL

Reads commands from its input, one JSON object a line, and answers each with one line. Arrivals are
an open loop: they follow a clock with a seed, whatever the site does, and how long something took
counts from when it was planned. A student has one answer on its way at a time, as in the browser;
an arrival that finds nobody free counts as not answered.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.lesson.student import Student, Teacher, Unexpected
from benchmarks.lesson.web import PATIENCE, Reply, Unanswered

WRONG = 0.1  # of the answers
NOBODY_FREE = "nobody free"
# What was asked for, seconds from the beginning until it was planned, seconds it took, status or
# why there is none, whether it told when to try again.
Sent = tuple[str, float, float, int | str, bool]
_Does = Callable[[], Awaitable[Reply | tuple[str, Reply]]]
# One stretch of time: arrivals a second, seconds.
Stretch = tuple[float, float]


def _now() -> float:
    return asyncio.get_running_loop().time()


class Crowd:
    """All people of the roll, and the record of what they sent."""

    def __init__(self, roll: dict[str, Any]) -> None:
        def of(people: Sequence[dict[str, Any]]) -> list[Student]:
            return [Student(one, roll["puzzles"], Random(one["token"])) for one in people]

        self._students = of(roll["players"])
        self._reviewers = {size: of(some) for size, some in roll.get("reviewers", {}).items()}
        self._teacher = Teacher(roll["teacher"])
        self._sent: list[Sent] = []
        self._began = 0.0

    def _everybody(self) -> list[Student]:
        return [*self._students, *(one for some in self._reviewers.values() for one in some)]

    # Commands ----------------------------------------------------------------------------

    async def get_ready(self, at_once: int = 4) -> None:
        """Log in whoever has not, and open a puzzle for whoever has none."""

        async def ready(student: Student) -> None:
            if not student.is_logged_in:
                await student.log_in()
            while student.plays and not student.left:
                await student.open_next()
                await student.see_state()

        await _in_turn(self._everybody(), at_once, ready)

    async def repeat(
        self, what: str, count: int, rate: float = 0, seed: int = 0, at_once: int = 4
    ) -> list[Sent]:
        """Do one thing *count* times: at a *rate*, or else as fast as the site answers.

        A review names its list.
        """
        does: dict[str, Callable[[Student], _Does]] = {
            "bare": lambda student: lambda: student.browser.get("/healthz"),
            "find": lambda student: student.answer,
            "home": lambda student: student.home,
            "play page": lambda student: student.play_page,
            "state": lambda student: student.see_state,
            "finish": lambda student: student.finish,
            "login": lambda student: student.log_in,
            "review": lambda student: student.review,
        }
        name, _space, size = what.partition(" ") if what.startswith("review ") else (what, "", "")
        some = self._reviewers[size] if size else self._students
        turns = [some[turn % len(some)] for turn in range(count)]
        self._begin()
        if not rate:
            await _in_turn(turns, at_once, lambda one: self._note(_now(), what, does[name](one)))
            return self._taken()
        clock = self._clock([(rate, math.inf)], Random(seed))
        async with asyncio.TaskGroup() as group:
            for student in turns:
                planned = await anext(clock)
                group.create_task(self._note(planned, what, does[name](student)))
        return self._taken()

    async def load(
        self, finds: list[Stretch], pages: float, seed: int, with_teacher: bool = False
    ) -> list[Sent]:
        """Let found words and pages arrive for some time; `finds` are stretches, one by one.

        A page is that of the next puzzle, with its state, if somebody has ended theirs; else the
        home page.
        """
        rng = Random(seed)
        seconds = sum(length for _rate, length in finds)
        ready = deque(one for one in self._students if one.left or one.outbox)
        done = deque(one for one in self._students if not (one.left or one.outbox))
        rng.shuffle(ready)

        def back(student: Student) -> None:
            (ready if student.left or student.outbox else done).append(student)

        async def open_next(planned: float, student: Student) -> None:
            if await self._note(planned, "play page", student.open_next) is not None:
                await self._note(_now(), "state", student.see_state)

        async def find(planned: float) -> None:
            if ready:
                student = ready.popleft()
            elif done:  # more words are found than pages are opened
                student = done.popleft()
                await open_next(planned, student)
            else:
                self._give_up(planned, "find")
                return
            if student.left or student.outbox:
                does = partial(student.answer, is_wrong=rng.random() < WRONG)
                await self._note(planned, "find", does)
            back(student)

        async def page(planned: float) -> None:
            if done:
                student = done.popleft()
                await open_next(planned, student)
            elif ready:
                student = ready.popleft()
                await self._note(planned, "home", student.home)
            else:
                self._give_up(planned, "home")
                return
            back(student)

        async def arrivals(
            does: Callable[[float], Coroutine[Any, Any, None]], clock: AsyncIterator[float]
        ) -> None:
            async with asyncio.TaskGroup() as group:
                async for planned in clock:
                    group.create_task(does(planned))

        if with_teacher:
            await self._teacher.log_in()
        self._begin()
        # Of ten answers nine find their word: so many have to arrive.
        answers = [(rate / (1 - WRONG), length) for rate, length in finds]
        async with asyncio.TaskGroup() as group:
            group.create_task(arrivals(find, self._clock(answers, Random(f"{seed}:finds"))))
            group.create_task(arrivals(page, self._clock([(pages, seconds)], rng)))
            if with_teacher:
                group.create_task(self._teach(seconds))
        return self._taken()

    async def lesson(self, minutes: float, speed_up: float, seed: int) -> list[Sent]:
        """Let every student log in, play and end within so many minutes of a lesson."""
        self._begin()
        async with asyncio.TaskGroup() as group:
            for number, student in enumerate(self._students):
                rng = Random(f"{seed}:{number}")
                group.create_task(self._attend(student, 60 * minutes, speed_up, rng))
        return self._taken()

    async def settle(self) -> None:
        """Send what waits in outboxes until all of it is answered."""

        async def send(student: Student) -> None:
            while student.outbox is not None:
                try:
                    await student.answer()
                except Unanswered:
                    await asyncio.sleep(1)

        await _in_turn(self._students, 4, send)

    async def move(self, port: int) -> None:
        """Use the server at *port* from now on; everybody stays logged in."""
        for browser in (self._teacher.browser, *(one.browser for one in self._everybody())):
            browser.move_to(port)

    async def confirmed(self) -> dict[str, Any]:
        """Return the ids of all answers of which the site said that they found a word."""
        return {
            "ids": [attempt for student in self._students for attempt in student.confirmed],
            "changed": sum(student.changed for student in self._students),
        }

    # Parts -------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._began = _now()

    def _taken(self) -> list[Sent]:
        sent, self._sent = self._sent, []
        return sent

    def _give_up(self, planned: float, what: str) -> None:
        self._sent.append((what, planned - self._began, PATIENCE, NOBODY_FREE, False))

    async def _note(self, planned: float, what: str, does: _Does) -> Reply | None:
        """Do something and record what became of it; return a response that is no refusal."""
        reply: Reply | None = None
        status: int | str
        try:
            answer = await does()
            what, reply = (what, answer) if isinstance(answer, Reply) else answer
            status = reply.status
        except Unanswered as error:
            status = str(error)
        except Unexpected as error:
            reply, status = error.reply, error.reply.status
        is_told = reply is not None and "retry-after" in reply.headers
        self._sent.append((what, planned - self._began, _now() - planned, status, is_told))
        return reply if isinstance(status, int) and status < 400 else None

    async def _clock(self, stretches: Sequence[Stretch], rng: Random) -> AsyncIterator[float]:
        """Yield the times at which something is planned, when they come: a Poisson process."""
        ends = self._began
        for rate, length in stretches:
            planned, ends = ends, ends + length
            while rate and (planned := planned + rng.expovariate(rate)) < ends:
                await asyncio.sleep(planned - _now())
                yield planned

    async def _teach(self, seconds: float) -> None:
        """Ask for a puzzle every five seconds, and for the sounds of a new list every fifteen."""
        for turn in range(int(seconds / 5)):
            planned = self._began + 5 * turn
            await asyncio.sleep(planned - _now())
            await self._note(planned, "make a puzzle", self._teacher.make_puzzle)
            if turn % 3 == 0:
                await self._note(_now(), "make a list", self._teacher.make_list)

    async def _attend(self, student: Student, length: float, faster: float, rng: Random) -> None:
        """Be one student in a lesson of *length* seconds, that many times faster.

        They come in the first eighth of it, find a word every half minute or sooner, end what
        they have not found when a ninth of the lesson is left, review three words and see what they
        did. What follows something that took long comes late, and that counts as well.
        """
        at = rng.uniform(0, length / 8)

        async def then(what: str, does: _Does, pause: float) -> bool:
            nonlocal at
            at += pause
            planned = self._began + at / faster
            await asyncio.sleep(planned - _now())
            return await self._note(planned, what, does) is not None

        async def insist(what: str, does: _Does, pause: float) -> None:
            """Try again a little later until it succeeds, as a person does."""
            while not await then(what, does, pause) and at < 2 * length:
                pause = 5 * faster

        await insist("login", student.log_in, 0)
        ends = length * 8 / 9
        while at < ends:
            await insist("play page", student.open_next, rng.uniform(4, 12))
            await insist("state", student.see_state, 0.3)
            while (student.left or student.outbox) and at < 2 * length:
                if at >= ends and student.outbox is None:
                    await insist("finish", student.finish, 0)
                elif student.kind == "finder" and student.outbox is None:
                    await then("sound", student.hear, rng.uniform(1, 5))
                    await then("find", student.answer, rng.uniform(5, 20))
                else:
                    is_wrong = rng.random() < WRONG
                    does = partial(student.answer, is_wrong=is_wrong)
                    await then("find", does, rng.uniform(6, 30))
            await insist("home", student.home, rng.uniform(5, 15))
        for _card in range(3):
            await then("review", student.review, rng.uniform(3, 10))
        await then("home", student.home, rng.uniform(1, 5))


async def _in_turn(
    students: Sequence[Student], at_once: int, does: Callable[[Student], Awaitable[Any]]
) -> None:
    """Let students do something, *at_once* at a time."""
    waiting = deque(students)

    async def worker() -> None:
        while waiting:
            await does(waiting.popleft())

    async with asyncio.TaskGroup() as group:
        for _worker in range(at_once):
            group.create_task(worker())


async def obey(roll: Path) -> None:
    """Obey commands until the input ends."""
    crowd = Crowd(json.loads(roll.read_text(encoding="utf-8")))
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        command = json.loads(line)
        answer = await getattr(crowd, command.pop("do"))(**command)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(obey(Path(sys.argv[1])))
