"""A begun puzzle goes on without a connection, and a shared tablet keeps nothing of anybody.

The browser reaches the site through a line that can be cut: then connections are refused, as
without network, or dead: then they are accepted, and nothing ever comes. (Playwright's own
`set_offline` does not reach what a service worker fetches.)
"""

from __future__ import annotations

import contextlib
import re
import selectors
import socket
import threading

import pytest
from playwright.sync_api import expect

from osmosmjerka.accounts.auth import cards
from osmosmjerka.accounts.classrooms import services as classes
from puzzles.models import Move, Placement
from tests.browser.conftest import DESKTOP, PHONE, session_of
from tests.browser.playing import drag_with_mouse
from tests.browser.test_crossword import in_order
from tests.services import wait_until

KINDS = ("word-search", "finder", "crossword")


class Line:
    """A line to the site: what it carries, and how it fails."""

    def __init__(self, site):
        self._site = ("127.0.0.1", int(site.rsplit(":", 1)[1]))
        self._open = []
        self._is_dead = False
        self._listener = None
        self.port = 0
        self.mend()

    def mend(self):
        self._is_dead = False
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
            with selectors.DefaultSelector() as ready:
                ready.register(near, selectors.EVENT_READ, far)
                ready.register(far, selectors.EVENT_READ, near)
                while True:
                    for key, _events in ready.select():
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        if not self._is_dead:
                            key.data.sendall(data)


@pytest.fixture
def line(served):
    line = Line(served)
    yield line
    line.cut()


@pytest.fixture
def site(line):
    """The address of the site for the pages of these tests: by the line."""
    return f"http://127.0.0.1:{line.port}"


@pytest.fixture
def visit(open_page, site):
    """Return pages of devices on which a service worker may begin."""

    def visit(path="/", person=None, size=PHONE, **options):
        return open_page(
            path,
            person=person,
            size=size,
            is_used_again=False,
            service_workers="allow",
            **options,
        )

    return visit


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


def is_kept(page, puzzle):
    """Wait until the device has all that the puzzle needs."""
    play, state = f"/play/{puzzle.code}/", f"/api/play/{puzzle.code}/"
    files = page.evaluate(
        """() => performance.getEntriesByType("resource").map((e) => new URL(e.name).pathname)"""
    )
    needed = {path for path in files if path.startswith(("/static/", "/script-texts/"))}
    try:
        wait_until(lambda: {play, state} | needed <= kept(page), 8)
    except AssertionError:
        raise AssertionError(({play, state} | needed) - kept(page), page.evaluate(ENTRIES))


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


@pytest.mark.parametrize("kind", KINDS)
def test_a_begun_puzzle_goes_on_without_a_connection(kind, visit, line, make_puzzle, student):
    puzzle = make_puzzle(kind)
    first, *others = words_of(puzzle)[:4]
    page = begin(visit, puzzle, student)
    answer(page, puzzle, first)
    expect(page.locator(".progress-label b")).to_have_text("1")
    line.cut()

    page = killed(page, f"/play/{puzzle.code}/")
    expect(page.locator(".progress-label b")).to_have_text("1")  # what was found is there
    expect(page.locator("[data-banner]")).to_contain_text("You are offline")
    for number, placement in enumerate(others, 1):
        answer(page, puzzle, placement)
        expect(page.locator("[data-banner]")).to_contain_text(f"{number} answer")
    assert found() == [first.slot]

    # Killed again, with what waits; then the line is mended, while the puzzle is open.
    page = killed(page, f"/play/{puzzle.code}/")
    expect(page.locator("[data-banner]")).to_contain_text(f"{len(others)} answers")
    line.mend()
    online(page)
    expect(page.locator(".progress-label b")).to_have_text(str(1 + len(others)))
    expect(page.locator("[data-banner]")).to_be_hidden()
    assert found() == sorted(placement.slot for placement in (first, *others))
    assert Move.objects.count() == 1 + len(others)
