"""Measure what a play page and a student's home cost a phone: requests, bytes, Lighthouse's scores.

    python -m benchmarks.play_page [--runs 3] [--languages ar de hr]

Serves the demo school from a temporary folder with `manage.py serve`, static files collected and
compressed, and opens the home page and a puzzle of each kind and language as a student, in a
Chromium of a phone's size and the page's language: first with nothing stored, then again. Bytes are
those on the wire, with headers. If npm's package `lighthouse` is installed, it is run, and the
median of its runs by performance is printed; of a run that fails, what it says.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from benchmarks import harness

PHONE = {"width": 390, "height": 664}
MOST_REQUESTS, MOST_KILOBYTES = 15, 120
PATIENCE = 300  # seconds until the server listens, and until the worker has made the puzzles
LANGUAGES = ("en", "ar", "de", "hr")  # those of the demo's lists, and that of the home page
TYPES = ("Document", "Stylesheet", "Script", "Font", "Fetch")


@dataclass(frozen=True, slots=True)
class Page:
    kind: str
    language: str
    address: str

    @property
    def name(self) -> str:
        return f"{self.kind}, {self.language}"


@dataclass
class Visit:
    """What one visit of a page asked the network for."""

    requests: Counter[str] = field(default_factory=Counter)  # by type of resource
    sizes: Counter[str] = field(default_factory=Counter)

    @property
    def kilobytes(self) -> float:
        return self.sizes.total() / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="of Lighthouse for each page")
    parser.add_argument("--languages", nargs="*", help="of the puzzles; by default all")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= harness.settings_of(Path(folder))
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright has an event loop here
        with _served() as site:
            pages, cookie = _demo(site)
            pages = [one for one in pages if one.language in (options.languages or LANGUAGES)]
            with _chromium(folder, {**cookie, "url": site}) as (browser, port):
                _print_visits(browser, pages)
                _print_lighthouse(pages, port, options.runs)


@contextmanager
def _served() -> Iterator[str]:
    """Run `manage.py serve`; yield its address."""
    port = harness.free_port()
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--demo", "--port", str(port)],
        cwd=harness.BASE,
        stdout=subprocess.DEVNULL,
    )
    site = f"http://{harness.HOST}:{port}"
    try:
        _until(lambda: _answers(f"{site}/healthz"))
        yield site
    finally:
        server.terminate()
        server.wait()


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5) as reply:  # noqa: S310  (our own server)
            return bool(reply.status == 200)
    except OSError:
        return False


def _until(is_so: Any) -> None:
    ends = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > ends:
            raise SystemExit("The server did not become ready.")
        time.sleep(0.2)


def _demo(site: str) -> tuple[list[Page], dict[str, str]]:
    """Return the pages, and a student's session cookie."""
    import django

    django.setup()
    from django.conf import settings
    from django.test import Client

    from osmosmjerka.accounts.models import User
    from puzzles.models import Puzzle

    _until(lambda: not Puzzle.objects.exclude(state=Puzzle.State.READY).exists())
    client = Client()
    client.force_login(User.objects.get(username="luka"))
    name = settings.SESSION_COOKIE_NAME
    puzzles = Puzzle.objects.order_by("vocabulary_list__language", "kind")
    pages = [
        Page(puzzle.kind, puzzle.vocabulary_list.language, f"{site}/play/{puzzle.code}/")
        for puzzle in puzzles.select_related("vocabulary_list")
    ]
    pages.insert(0, Page("home", "en", f"{site}/"))
    return pages, {"name": name, "value": client.cookies[name].value}


@contextmanager
def _chromium(folder: str, cookie: dict[str, str]) -> Iterator[tuple[Any, int]]:
    """Open a browser in which the student is logged in; yield it, and its port for Lighthouse."""
    from playwright.sync_api import sync_playwright

    from tests.services import find_chromium

    port = harness.free_port()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            f"{folder}/browser",
            executable_path=find_chromium(),
            args=["--no-sandbox", "--disable-gpu", f"--remote-debugging-port={port}"],
            viewport=PHONE,  # type: ignore[arg-type]
            device_scale_factor=3,
            is_mobile=True,
            has_touch=True,
            service_workers="block",  # what it keeps would be counted as nothing
        )
        browser.add_cookies([cookie])  # type: ignore[list-item]
        yield browser, port
        browser.close()


def _visit(browser: Any, asked: Page, *, is_cold: bool) -> Visit:
    """Open a page until it is there and nothing more is asked for."""
    from tests.browser.weight import weigh

    page = browser.new_page()
    page.set_extra_http_headers({"Accept-Language": asked.language})
    if is_cold:
        browser.new_cdp_session(page).send("Network.clearBrowserCache")

    def show() -> None:
        page.goto(asked.address)
        page.locator("[data-grid], .home").first.wait_for()

    made = Visit()
    for loaded in weigh(page, show):
        made.requests[loaded.kind] += 1
        made.sizes[loaded.kind] += loaded.size
    page.close()
    return made


def _print_visits(browser: Any, pages: list[Page]) -> None:
    head = " ".join(f"{kind.lower():>11}" for kind in TYPES)
    print(f"{'page':18} {'visit':7} {'requests':>8} {'KB':>6}  {head}   (requests, KB)")
    for page in pages:
        for told, is_cold in (("first", True), ("second", False)):
            made = _visit(browser, page, is_cold=is_cold)
            parts = " ".join(
                f"{made.requests[kind]:>4} {made.sizes[kind] / 1024:6.1f}" for kind in TYPES
            )
            is_light = made.requests.total() <= MOST_REQUESTS and made.kilobytes <= MOST_KILOBYTES
            print(
                f"{page.name:18} {told:7} {made.requests.total():>8} {made.kilobytes:6.1f}  {parts}"
                f"   {'' if is_light else 'OVER THE BUDGET'}"
            )
    print(f"The budget of a first visit: {MOST_REQUESTS} requests, {MOST_KILOBYTES} KB.")


def _print_lighthouse(pages: list[Page], port: int, runs: int) -> None:
    lighthouse = shutil.which("lighthouse")
    if lighthouse is None:
        print("LIGHTHOUSE WAS NOT RUN, because it is not here: npm install --global lighthouse")
        return
    heads = ("performance", "accessibility", "best practices", "blocking", "FCP", "LCP")
    print(f"{'Lighthouse, mobile':18}", *(f"{head:>14}" for head in heads), " each performance")
    for page in pages:
        made = [_lighthouse(lighthouse, page, port) for _run in range(runs)]
        told = sorted((run for run in made if run is not None), key=_performance)
        if not told:
            print(f"{page.name:18} NOT MEASURED, see above")
            continue
        median = told[len(told) // 2]
        scores = [
            f"{100 * median['categories'][key]['score']:>14.0f}"
            for key in ("performance", "accessibility", "best-practices")
        ]
        times = [
            f"{median['audits'][key]['numericValue']:>11.0f} ms"
            for key in ("total-blocking-time", "first-contentful-paint", "largest-contentful-paint")
        ]
        each = ", ".join(f"{100 * _performance(run):.0f}" for run in told)
        print(f"{page.name:18}", *scores, *times, f" {each}")


def _performance(told: dict[str, Any]) -> float:
    return float(told["categories"]["performance"]["score"])


def _lighthouse(program: str, page: Page, port: int) -> dict[str, Any] | None:
    """Return what Lighthouse tells about a page, or None and print why, if it fails."""
    done = subprocess.run(
        [program, page.address, f"--port={port}", "--output=json", "--quiet",
         "--extra-headers", json.dumps({"Accept-Language": page.language}),
         "--only-categories=performance,accessibility,best-practices"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        print(f"{page.name:18} Lighthouse ended with {done.returncode}:\n{done.stderr.strip()}")
        return None
    told: dict[str, Any] = json.loads(done.stdout)
    return told


if __name__ == "__main__":
    main()
