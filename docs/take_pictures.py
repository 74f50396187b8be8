"""Take the pictures of the documentation, as `make pictures` does: of the demo school."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from osmosmjerka import __version__

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/pictures"
HOST = "words.school.example"  # a site at 127.0.0.1 warns that phones cannot open it
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 664}


def main() -> None:
    """Serve a demo school, take the pictures, and note the version that they show."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "manage.py", "serve", "--demo", "--port", str(port)]
        environment = os.environ | {
            "OSMOSMJERKA_DATA_DIR": data, "OSMOSMJERKA_GTTS": "false", "ALLOWED_HOSTS": HOST,
        }  # fmt: skip
        shutil.copytree(ROOT / "var/static", Path(data, "static"))
        server = subprocess.Popen(  # noqa: S603
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
        )
        try:
            site = f"http://{HOST}:{port}"
            wait_for(f"http://127.0.0.1:{port}/readyz")
            known = json.loads(Path(data, "demo-log-ins.json").read_text(encoding="utf-8"))
            with sync_playwright() as playwright:
                path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
                browser = playwright.chromium.launch(
                    executable_path=path,
                    args=["--no-sandbox", f"--host-resolver-rules=MAP {HOST} 127.0.0.1"],
                )
                take_all(browser, site, known["password"])
        finally:
            server.terminate()
            server.wait()
    (FOLDER / "version.txt").write_text(f"{__version__}\n", encoding="utf-8")


def wait_for(address: str) -> None:
    """Wait until a site is ready. Raises TimeoutError after two minutes."""
    ends = time.monotonic() + 120
    while time.monotonic() < ends:
        try:
            with urllib.request.urlopen(address, timeout=5):  # noqa: S310  (our own site)
                return
        except OSError:
            time.sleep(0.3)
    raise TimeoutError(address)


def take_all(browser: Browser, site: str, password: str) -> None:
    """Take each picture at the size of a desk, and those of students also of a phone."""
    for size, suffix in ((DESK, ""), (PHONE, "-phone")):
        page = logged_in(browser, site, "luka", password, size)
        page.screenshot(path=FOLDER / f"student{suffix}.png")
        board = board_of(page)
        page.goto(site + board)
        page.locator("[data-grid]").wait_for()
        page.screenshot(path=FOLDER / f"board{suffix}.png")
        page.goto(f"{site}/words/")
        page.screenshot(path=FOLDER / f"album{suffix}.png")
        page.context.close()
    page = logged_in(browser, site, "ana", password, DESK)
    page.screenshot(path=FOLDER / "monday.png")
    page.goto(f"{site}{board.replace('/play/', '/puzzles/')}print/")
    page.screenshot(path=FOLDER / "worksheet.png")


def logged_in(browser: Browser, site: str, name: str, password: str, size: dict[str, int]) -> Page:
    """Return a page of a person of the demo school, at their first page."""
    context = browser.new_context(viewport=size, locale="en", reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{site}/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Log in", exact=True).click()
    page.locator("h1").wait_for()
    return page


def board_of(page: Page) -> str:
    """Return the address of a puzzle that the first page of a student offers."""
    return page.locator("main a[href^='/play/']").first.get_attribute("href") or ""


if __name__ == "__main__":
    main()
