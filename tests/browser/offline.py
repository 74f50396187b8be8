"""A line to the site that can be cut, and what tests of playing without one do.

Cut, connections are refused, as without network; dead, they are accepted, and nothing ever comes.
(Playwright's own `set_offline` does not reach what a service worker fetches.)
"""

from __future__ import annotations

import contextlib
import re
import selectors
import socket
import threading

from playwright.sync_api import expect

from osmosmjerka.assets import offline
from puzzles.models import Move
from tests.browser.playing import drag_with_mouse, in_order
from tests.services import wait_until

KINDS = ("word-search", "finder", "crossword")


class Line:
    """A line to the site: what it carries, and how it fails."""

    def __init__(self, site):
        self._site = ("127.0.0.1", int(site.rsplit(":", 1)[1]))
        self._open = []
        self._is_dead = self._is_deaf = False
        self._held, self._may_pass = "", threading.Semaphore(0)
        self._listener = None
        self.port = 0
        self.mend()

    def mend(self):
        self._is_dead = self._is_deaf = False
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port), reuse_port=False)
            self.port = self._listener.getsockname()[1]
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()
        else:
            self._hang_up()

    def cut(self):
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self._hang_up()

    def die(self):
        """Carry nothing any more, without saying so."""
        self._is_dead = True

    def lose_answers(self):
        """Carry what the browser asks, and nothing back."""
        self._is_deaf = True

    def hold(self, path):
        """Carry no answers to what is asked for at a path until they are released one by one."""
        self._held = path

    def release_one(self):
        self._may_pass.release()

    def _hang_up(self):
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def _accept(self, listener):
        while True:
            try:
                near, _address = listener.accept()
            except OSError:
                return
            self._open.append(near)
            threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near):
        with near, contextlib.suppress(OSError), socket.create_connection(self._site) as far:
            self._open.append(far)
            is_held = False
            with selectors.DefaultSelector() as ready:
                ready.register(near, selectors.EVENT_READ, far)
                ready.register(far, selectors.EVENT_READ, near)
                while True:
                    for key, _events in ready.select():
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        is_answer = key.fileobj is far
                        if not is_answer:
                            is_held = self._held and self._held.encode() in data.split(b"\r\n")[0]
                        elif is_held:
                            is_held = False
                            self._may_pass.acquire(timeout=30)
                        if not (self._is_dead or (self._is_deaf and is_answer)):
                            key.data.sendall(data)


ENTRIES = """async () => {
    const found = [];
    for (const name of await caches.keys()) {
        for (const request of await (await caches.open(name)).keys()) {
            const { pathname, search } = new URL(request.url);
            found.push([name.split("-")[0], pathname + search]);
        }
    }
    return found;
}"""
WORKER_IS_READY = "async () => { await navigator.serviceWorker.ready; return true; }"


def kept(page):
    """Return the paths that a device keeps for its players."""
    return {path for name, path in page.evaluate(ENTRIES) if name == "player"}


def board(page):
    return page.locator("[data-grid]")


NEEDED = """async (address) => {
    const found = performance.getEntriesByType("resource").map(({ name }) => name);
    const state = await (await caches.match(address))?.json();
    for (const { clue } of state?.items ?? []) found.push(clue.sound, clue.picture);
    return found.filter(Boolean).map((name) => new URL(name, location.origin))
        .map(({ pathname, search }) => pathname + search);
}"""
FILE = re.compile(r"/(static|script-texts)/.*\.[0-9a-f]{12}\.\w+$|/api/play/[^/]+/(sound|picture)/")


def is_kept(page, puzzle):
    """Wait until the device has all that the puzzle needs."""
    play, state = f"/play/{puzzle.code}/", f"/api/play/{puzzle.code}/"
    wait_until(lambda: {play, state} <= kept(page))
    needed = {path for path in page.evaluate(NEEDED, state) if FILE.match(path)}
    wait_until(lambda: needed <= kept(page))
    return needed


def begin(visit, puzzle, student, **options):
    """Open a puzzle for the first time, and leave its device when it is kept."""
    page = visit(f"/play/{puzzle.code}/", student, **options)
    expect(board(page)).to_be_visible()
    assert page.evaluate(WORKER_IS_READY)
    is_kept(page, puzzle)
    return page


def killed(page, path):
    """Close a page without a word to it, and open another one on its device."""
    context = page.context
    context.new_page()
    page.close(run_before_unload=False)
    other = context.pages[0]
    other.set_default_timeout(30_000)
    other.goto(path)
    return other


def answer(page, puzzle, placement):
    """Do what finds a word."""
    if puzzle.kind == "crossword":
        field = page.locator(f"#answer-{placement.slot}")
        field.fill("".join(placement.tiles))
        field.press("Enter")
        return
    if puzzle.kind == "finder":
        page.locator(f"[data-item='{placement.slot}']").first.click()
    drag_with_mouse(page, [tuple(place) for place in placement.cells])


def words_of(puzzle):
    return in_order(puzzle) if puzzle.kind == "crossword" else list(puzzle.placements.all())


def found():
    """Return the slots that were found, each as often as it was."""
    rows = Move.objects.filter(outcome=Move.Outcome.FOUND)
    return sorted(rows.values_list("placement__slot", flat=True))


def online(page):
    """As a device says it that has a connection again."""
    page.evaluate("dispatchEvent(new Event('online'))")


def changed(monkeypatch, old="", new=""):
    """Serve a service worker of another version; without some of what it does."""
    was = offline.worker()
    script = was.body.decode().replace(was.version, "another00000")
    assert old in script
    script = script.replace(old, new)
    other = offline.Script(script.encode(), "another00000")
    monkeypatch.setattr(offline, "worker", lambda: other)
