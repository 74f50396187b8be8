"""Play without a connection for a minute, with the tab closed and the server killed meanwhile.

    python -m benchmarks.offline [--seconds 60]

Serves the demo school from a temporary folder with `manage.py serve`. In a Chromium of a phone's
size a student begins a puzzle of each kind. Then the server is killed (SIGKILL); words are found
without it; the tab is closed; the puzzle is opened again without a connection and goes on for the
rest of the time; the server is started again. Printed for each kind: how many words were found on
the device, how many of them are stored, and how many were lost or stored twice.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.play_page import _answers, _demo, _free_port, _until, use_data_of

PHONE = {"width": 390, "height": 664}


class Server:
    """`manage.py serve` that can be killed and started again at the same address."""

    def __init__(self) -> None:
        self.port = _free_port()
        self.site = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--demo", "--port", str(self.port)],
            cwd=Path(__file__).parents[1],
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        _until(lambda: _answers(f"{self.site}/healthz"))

    def kill(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="without a connection")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        use_data_of(folder)
        server = Server()
        try:
            pages, cookie = _demo(server.site)
            own = [page for page in pages if page.language == "de"]
            print(f"{'kind':12} {'found':>6} {'stored':>7} {'lost':>5} {'twice':>6}")
            for page in own:
                _play(page.address, {**cookie, "url": server.site}, server, options.seconds)
        finally:
            server.kill()


def _play(address: str, cookie: dict[str, str], server: Server, seconds: int) -> None:
    from playwright.sync_api import sync_playwright

    from puzzles.models import Puzzle
    from tests.services import find_chromium

    puzzle = Puzzle.objects.get(code=address.rstrip("/").rsplit("/", 1)[1])
    words = list(puzzle.placements.all())
    half = len(words) // 2
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        device = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
        device.add_cookies([cookie])  # type: ignore[list-item]
        page = _opened(device, address)
        page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        _until(lambda: page.evaluate(_IS_KEPT, puzzle.code))
        server.kill()
        ends = time.monotonic() + seconds
        _find(page, puzzle.kind, words[:half])
        page.close(run_before_unload=False)
        page = _opened(device, address)
        _find(page, puzzle.kind, words[half:])
        time.sleep(max(0.0, ends - time.monotonic()))
        server.start()
        page.evaluate("() => { dispatchEvent(new Event('online')); }")
        _until(lambda: _stored(puzzle.pk).total() >= len(words))
        browser.close()
    stored = _stored(puzzle.pk)
    lost = sum(word.pk not in stored for word in words)
    twice = sum(count - 1 for count in stored.values())
    print(f"{puzzle.kind:12} {len(words):>6} {len(stored):>7} {lost:>5} {twice:>6}")


_IS_KEPT = """async (code) => {
    for (const name of await caches.keys()) {
        if (!name.startsWith("player-")) continue;
        const entries = await (await caches.open(name)).keys();
        const kept = entries.map(({ url }) => new URL(url).pathname);
        const isThere = (path) => kept.includes(path);
        const scripts = kept.filter((path) => path.endsWith(".js")).length;
        return isThere(`/play/${code}/`) && isThere(`/api/play/${code}/`) && scripts >= 3;
    }
    return false;
}"""


def _opened(device: Any, address: str) -> Any:
    page = device.new_page()
    page.goto(address)
    page.locator("[data-grid]").wait_for()
    return page


def _find(page: Any, kind: str, words: list[Any]) -> None:
    """Answer with each word, as a student does."""
    from tests.browser.playing import cell, drag_with_mouse, press_keys

    for word in words:
        if kind == "crossword":
            page.locator(f".clue[data-item='{word.slot}'] .clue-choose").click()
            cell(page, word.cells[0]).focus()
            page.keyboard.press("Home")
            press_keys(page, "".join(word.tiles))
            continue
        if kind == "finder":
            page.locator(f".finder-word[data-item='{word.slot}']").click()
        drag_with_mouse(page, [tuple(place) for place in word.cells])


def _stored(puzzle: int) -> Counter[int]:
    from puzzles.models import Move

    found = Move.objects.filter(session__puzzle=puzzle, outcome=Move.Outcome.FOUND)
    return Counter(found.values_list("placement", flat=True))


if __name__ == "__main__":
    main()
