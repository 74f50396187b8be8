"""People at their browsers: a student who plays, a teacher who makes lists and puzzles."""

from __future__ import annotations

import re
import uuid
from random import Random
from typing import Any

from benchmarks.lesson.school import KINDS, LANGUAGE, words
from benchmarks.lesson.servers import HOST
from benchmarks.lesson.web import Browser, Reply

TWICE = 0.02  # of the answers are sent again though the site confirmed them
_PLAYER = re.compile(rb'data-player="([^"]+)"')
_RETRIED = (408, 429)  # and everything from 500: the answer stays in the outbox


class Unexpected(Exception):
    """The site answered with something that a browser could not go on with."""

    def __init__(self, reply: Reply, wanted: int) -> None:
        super().__init__(f"{reply.status} instead of {wanted}")
        self.reply = reply


def _expect(reply: Reply, status: int) -> Reply:
    if reply.status != status:
        raise Unexpected(reply, status)
    return reply


class Student:
    """One student with a browser; remembers what the site confirmed.

    What got no answer waits in the outbox, and is what they send next, under the same id.
    """

    def __init__(self, known: dict[str, Any], puzzles: dict[str, Any], rng: Random) -> None:
        self.browser = Browser(HOST)
        self.rng = rng
        self.left: list[dict[str, Any]] = []  # words to find in the open puzzle
        self.outbox: dict[str, Any] | None = None
        self.confirmed: list[str] = []  # ids of the answers that found a word
        self.changed = 0  # answers that were another when they were sent again
        self._token: str = known["token"]
        self._codes: list[str] = known["codes"]
        self._puzzles = puzzles
        self._turn = -1
        self._session = ""
        self._headers: dict[str, str] = {}

    @property
    def plays(self) -> bool:
        return bool(self._codes)

    @property
    def is_logged_in(self) -> bool:
        return "sessionid" in self.browser.cookies

    @property
    def code(self) -> str:
        return self._codes[self._turn % len(self._codes)]

    @property
    def kind(self) -> str:
        return str(self._puzzles[self.code]["kind"])

    @property
    def _api(self) -> str:
        return f"/api/play/{self.code}/"

    async def log_in(self) -> Reply:
        """Log in by card; the response is the home page."""
        _expect(await self.browser.get("/card/"), 200)
        _expect(await self.browser.post("/card/", {"token": self._token}), 302)
        return await self.home()

    async def home(self) -> Reply:
        return await self.browser.get("/")

    async def play_page(self) -> Reply:
        """Load the page of the open puzzle."""
        reply = await self.browser.get(f"/play/{self.code}/")
        if found := _PLAYER.search(reply.body):
            self._headers = {"X-Player": found[1].decode()}
        return reply

    async def open_next(self) -> Reply:
        """Load the page of the next puzzle, or of another attempt at one that was played before."""
        self._turn += 1
        if self._turn >= len(self._codes):
            _expect(await self.browser.post(f"/play/{self.code}/again/", {}), 302)
        return await self.play_page()

    async def see_state(self) -> Reply:
        """Load what the page's script does; the first time, this starts the session."""
        reply = _expect(await self.browser.get(self._api, **self._headers), 200)
        state = reply.json()
        self._session = state["session"]["id"]
        is_over = state["session"]["state"] == "finished"
        wanted = {item["id"] for item in state["items"] if not item["found"]}
        known = self._puzzles[self.code]["words"]
        self.left = [] if is_over else [word for word in known if word["slot"] in wanted]
        self.rng.shuffle(self.left)
        return reply

    async def answer(self, *, is_wrong: bool = False) -> tuple[str, Reply]:
        """Send what waits, or the next word; return what it was, and the response."""
        if self.outbox is None:
            self.outbox = {
                "attempt": str(uuid.UUID(int=self.rng.getrandbits(128), version=4)),
                "session": self._session,
                "latency_ms": 4000,
                **self.left[-1]["wrong" if is_wrong else "right"],
            }
        sent = self.outbox
        reply = await self._send(sent)
        if reply.status != 200:
            if reply.status < 500 and reply.status not in _RETRIED:
                self.outbox = None
            return "find", reply
        self.outbox = None
        outcome = reply.json()["outcome"]
        if outcome != "found":
            return outcome, reply
        self.left.pop()
        self.confirmed.append(sent["attempt"])
        if self.rng.random() < TWICE:
            again = await self._send(sent)
            self.changed += again.status == 200 and again.json()["outcome"] != outcome
        return "find", reply

    async def _send(self, sent: dict[str, Any]) -> Reply:
        return await self.browser.post(f"{self._api}attempts/", sent, **self._headers)

    async def hear(self) -> Reply:
        """Load the sound of the next word."""
        slot = self.left[-1]["slot"]
        return await self.browser.get(f"{self._api}sound/{slot}/", **self._headers)

    async def finish(self) -> Reply:
        """End the puzzle with the words that are left."""
        self.left = []
        return await self.browser.post(f"{self._api}finish/", {}, **self._headers)

    async def review(self) -> Reply:
        return await self.browser.get("/review/")


class Teacher:
    """A teacher who keeps the worker busy during a lesson."""

    def __init__(self, known: dict[str, Any]) -> None:
        self.browser = Browser(HOST)
        self._known = known
        self._rng = Random(known["username"])
        self._made = 0

    async def log_in(self) -> Reply:
        _expect(await self.browser.get("/login/"), 200)
        named = {name: self._known[name] for name in ("username", "password")}
        return _expect(await self.browser.post("/login/", named), 302)

    async def make_puzzle(self) -> Reply:
        self._made += 1
        wanted = {"vocabulary_list": self._known["list"], "kind": KINDS[self._made % len(KINDS)]}
        return _expect(await self.browser.post("/api/puzzles/", wanted), 202)

    async def make_list(self) -> Reply:
        """Save a new list; the worker makes its sounds."""
        entries = [
            {"term": term, "translations": {"en": [meaning]}}
            for term, meaning in words(20, self._rng).items()
        ]
        wanted = {
            "title": "Beside the lesson",
            "language": LANGUAGE,
            "translation_languages": ["en"],
            "entries": entries,
        }
        return _expect(await self.browser.post("/api/lists/", wanted), 201)
