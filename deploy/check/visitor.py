"""A teacher and a student over HTTPS, as programs: a list, a puzzle, a class code, a word found.

python3 visitor.py ADDRESS CERTIFICATE USERNAME PASSWORD prints each step. It needs Python alone.
"""

from __future__ import annotations

import http.cookiejar
import json
import re
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any

WORDS = {"labud": "swan", "jelen": "deer", "zmija": "snake", "gavran": "raven", "slon": "elephant"}
DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


class Browser:
    """Keeps cookies and sends forms as a browser does."""

    def __init__(self, address: str, certificate: str) -> None:
        self.address = address
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=certificate)),
            urllib.request.HTTPCookieProcessor(self.jar),
        )
        self.token = ""

    def ask(self, path: str, data: bytes | None = None, **headers: str) -> str:
        """Return the text of an answer, after its redirects."""
        request = urllib.request.Request(f"{self.address}{path}", data)  # noqa: S310
        headers.setdefault("Referer", f"{self.address}{path}")
        if self.token:
            headers["Authorization"] = f"Token {self.token}"
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        try:
            with self.opener.open(request, timeout=60) as answer:
                return str(answer.read(), "utf-8")
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{path}: {error.code} {error.read()[:2000]!r}") from None

    def send_form(self, path: str, page: str = "", **fields: str) -> str:
        """Fill in the form of *page*, or of the page at *path*, and return the page after it."""
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.ask(page or path))
        if not found:
            raise SystemExit(f"{page or path} has no form.")
        sent = urllib.parse.urlencode(fields | {"csrfmiddlewaretoken": found[1]})
        return self.ask(path, sent.encode())

    def call(self, path: str, sent: Any = None) -> Any:
        """Call the API, with the token or as scripts of a page do."""
        cookies = {cookie.name: cookie.value or "" for cookie in self.jar}
        token = cookies.get("__Host-csrftoken", "")
        data = None if sent is None else json.dumps(sent).encode()
        headers = {"Content_Type": "application/json", "X_CSRFToken": token}
        return json.loads(self.ask(path, data, **headers))


def cells_of(word: str, grid: list[list[str]]) -> list[tuple[int, int]]:
    """Look for a word in a grid, as a student does."""
    for row in range(len(grid)):
        for col in range(len(grid[0])):
            for down, right in DIRECTIONS:
                cells = [(row + n * down, col + n * right) for n in range(len(word))]
                if all(0 <= r < len(grid) and 0 <= c < len(grid[0]) for r, c in cells) and all(
                    grid[r][c].lower() == letter for (r, c), letter in zip(cells, word, strict=True)
                ):
                    return cells
    raise SystemExit(f"{word} is not in the grid.")


def step(text: str) -> None:
    print(text, flush=True)


def main(address: str, certificate: str, username: str, password: str) -> None:
    teacher = Browser(address, certificate)
    teacher.send_form("/login/", username=username, password=password)
    classes = re.findall(r'"/classes/(\d+)/', teacher.ask("/classes/"))
    if not classes:
        raise SystemExit("After the login there is no class.")
    step(f"{username} is logged in and has a class")

    page = f"/classes/{classes[0]}/people/"
    settings = {"name": "6b", "is_join_open": "on", "card_language": "en", "words_a_day": "10"}
    after = teacher.send_form(f"/classes/{classes[0]}/change/", page, **settings)
    found = re.search(r'class="class-code">\s*([A-Z0-9-]+)', after)
    if not found:
        raise SystemExit("The page of the class shows no code.")
    code = found[1]
    step("students can join with the class code")

    program = Browser(address, certificate)
    login = {"username": username, "password": password}
    program.token = program.call("/api/token/", login)["token"]
    entries = [{"term": term, "translations": {"en": [text]}} for term, text in WORDS.items()]
    languages = {"language": "hr", "translation_languages": ["en"]}
    words = program.call("/api/lists/", {"title": "Animals", **languages, "entries": entries})
    asked = {"vocabulary_list": words["id"], "kind": "word-search", "title": "Animals"}
    puzzle = program.call("/api/puzzles/", asked)
    began = time.monotonic()
    while puzzle["state"] not in {"ready", "failed"}:
        if time.monotonic() > began + 120:
            raise SystemExit("The puzzle was not made in two minutes.")
        time.sleep(0.2)
        puzzle = program.call(f"/api/puzzles/{puzzle['code']}/")
    if puzzle["state"] != "ready":
        raise SystemExit(f"The puzzle could not be made: {puzzle['reason']}")
    step(f"a word list and its puzzle are made (waited {time.monotonic() - began:.1f} s)")
    program.call(f"/api/classes/{classes[0]}/assignments/", {"puzzle": puzzle["code"]})

    student = Browser(address, certificate)
    student.send_form(f"/c/{code}/join/", f"/c/{code}/", display_name="Iva")
    student.ask("/")
    step("a student has joined the class")
    game = student.call(f"/api/play/{puzzle['code']}/")
    student.ask(f"/play/{puzzle['code']}/")
    for number, word in enumerate(WORDS, start=1):
        cells = cells_of(word, game["puzzle"]["grid"])
        sent = {"attempt": str(uuid.uuid4()), "cells": cells}
        answer = student.call(f"/api/play/{puzzle['code']}/attempts/", sent)
        if answer["outcome"] != "found":
            raise SystemExit(f"{word} was not counted as found: {answer}")
        step(f"the student found {number} of {len(WORDS)} words")


if __name__ == "__main__":
    main(*sys.argv[1:])
