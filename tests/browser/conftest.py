"""A real Chromium against a real server with its worker."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack, contextmanager

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect, sync_playwright

from osmosmjerka.jobs.models import Job
from tests.browser.boards import PHONE as SHORT_PHONE
from tests.browser.boards import WORDS
from tests.browser.offline import Line
from tests.browser.sizes import DESKTOP
from tests.conftest import rows
from tests.puzzles.live.games import more_students, open_game
from tests.puzzles.practice.test_practice import find_all, remember
from tests.services import find_chromium, missing, wait_until
from tests.serving import worker_of_this_broker
from vocab.lists.services import create_list

__all__ = ["more_students", "open_game"]

# Playwright runs an event loop in the test's thread; the tests' own queries are synchronous.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# Milliseconds until what does not come fails the test; what comes is not waited for any longer.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)

PHONE = {"width": 390, "height": 844}


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium():
    path = find_chromium()
    if path is None:
        missing("Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--autoplay-policy=no-user-gesture-required",
                # A microphone that hums, and whose use is allowed.
                "--use-fake-device-for-media-stream",
                "--use-fake-ui-for-media-stream",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture
def site(served, request):
    """The address by which pages reach the site: by its line, if a test has one."""
    if "line" in request.fixturenames:
        return f"http://127.0.0.1:{request.getfixturevalue('line').port}"
    return served


@pytest.fixture
def line(served):
    """A line to the site that can be cut."""
    line = Line(served)
    yield line
    line.cut()


def come_to_rest():
    """Take back the jobs that have not begun; return whether those that have are over."""
    Job.objects.filter(state=Job.State.QUEUED).update(state=Job.State.CANCELLED)
    return not Job.objects.filter(state=Job.State.RUNNING).exists()


@pytest.fixture
def worker(transactional_db, django_db_blocker):
    """A worker beside the site, for this test alone: other tests run their jobs themselves.

    The database is emptied when no job writes into it any more: sounds that a late job kept would
    be found by later tests.
    """
    with worker_of_this_broker(django_db_blocker):
        yield
        wait_until(come_to_rest)


# What Chromium and htmx say of a request that got no answer: the device is offline, or the page was
# left meanwhile. What a page does then is asserted where it matters.
UNANSWERED = re.compile(r"Failed to load resource|htmx:(?:afterRequest|sendError|sendAbort)\b")


class Devices:
    """Browser contexts, each used by one test after another: a new one takes a second to make."""

    def __init__(self, browser):
        self._browser, self._free = browser, {}

    @contextmanager
    def lent(self, *, is_used_again, **options):
        """Lend a device on which nobody is logged in and nothing is stored."""
        free = self._free.setdefault(repr(sorted(options.items())), [])
        device = free.pop() if free and is_used_again else self._browser.new_context(**options)
        yield device
        if not is_used_again:
            device.close()
            return
        device.set_offline(False)
        for page in device.pages[1:]:
            page.close()
        for page in device.pages:  # what a page has stored is taken away through a page
            tools = device.new_cdp_session(page)
            where = {"origin": options["base_url"], "storageTypes": "all"}
            page.goto("about:blank")
            tools.send("Storage.clearDataForOrigin", where)
            page.close()
        device.clear_cookies()
        free.append(device)


@pytest.fixture(scope="session")
def devices(chromium):
    return Devices(chromium)


@pytest.fixture
def open_page(devices, site, transactional_db):
    """Return pages on devices of their own; each fails the test on an error of its scripts.

    Without *is_used_again* no other test gets the device: for what stays in it, as a clock does.
    A service worker begins only where a test asks for it, by service_workers="allow". With *by*,
    the page reaches the site by another address than the test's other pages.
    """
    lent, problems = ExitStack(), []

    def open_page(
        path="/",
        person=None,
        size=DESKTOP,
        host="127.0.0.1",
        by=site,
        is_used_again=True,
        **options,
    ):
        here = by.replace("127.0.0.1", host)
        options.setdefault("service_workers", "block")
        options |= {"viewport": size, "base_url": here, "reduced_motion": "reduce"}
        context = lent.enter_context(devices.lent(is_used_again=is_used_again, **options))
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda message: (
                problems.append(message.text)
                if message.type == "error" and not UNANSWERED.match(message.text)
                else None
            ),
        )
        page.on(
            "request",
            lambda request: (
                problems.append(f"third-party request: {request.url}")
                if not request.url.startswith((here, "data:", "blob:"))
                else None
            ),
        )
        if person is not None:
            context.add_cookies([{**session_of(person), "url": here}])
        page.goto(path)
        return page

    yield open_page
    lent.close()
    assert problems == []


def session_of(person):
    """Log somebody in without the form, which has tests of its own; return the cookie."""
    client = Client()
    client.force_login(person)
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value}


@pytest.fixture
def open_with_clock(open_page):
    """Return a page whose clock a test moves, by page.clock, instead of waiting."""

    def open_with_clock(path, person=None, **options):
        # A device keeps its clock, and only a page that comes after it goes by it.
        page = open_page("/healthz", person, is_used_again=False, **options)
        page.clock.install()
        page.goto(path)
        return page

    return open_with_clock


@pytest.fixture
def make_board(make_puzzle, teacher):
    def make(kind, language="hr", **settings):
        words = create_list(
            owner=teacher,
            title="Pločnik",
            language=language,
            translation_languages=["en"],
            rows=rows(WORDS[language]),
        )
        puzzle = make_puzzle(
            kind, vocabulary_list=words, **{"words": 10 if kind == "finder" else 12} | settings
        )
        assert puzzle.state == puzzle.State.READY, puzzle.reason
        return puzzle

    return make


@pytest.fixture
def open_board(make_board, open_page, student):
    """Open a puzzle of the kind; return its page and its words."""

    def open_board(kind, language="hr", size=SHORT_PHONE, settings=None, **options):
        puzzle = make_board(kind, language, **settings or {})
        page = open_page(f"/play/{puzzle.code}/", person=student, size=size, **options)
        expect(page.locator("[data-grid]")).to_be_visible()
        return page, list(puzzle.placements.all())

    return open_board


@pytest.fixture
def student_pages(animals, teacher, classroom, student, make_puzzle):
    """Pages of a student who has practised, has something to do, and has something done."""
    done = make_puzzle("finder", words=4)
    find_all(done, student)
    for entry in animals.entries.all()[:8]:
        remember(student, entry, 6)
    other = create_list(
        owner=teacher, title="Das ist eine ziemlich lange Überschrift", language="de",
        translation_languages=["en"],
        rows=rows({"Hund": "dog", "Katze": "cat", "Birnbaum": "pear tree", "Elefant": "elephant"}),
    )  # fmt: skip
    codes = {
        "word search": make_puzzle(vocabulary_list=other, words=4).code,
        "listen and find": make_puzzle("finder", vocabulary_list=other, words=4).code,
        "crossword": make_puzzle("crossword", vocabulary_list=other, words=4).code,
        "summary": done.code,
    }
    return {
        "home": "/",
        "words": "/words/",
        "review": "/review/",
        "progress": "/progress/",
    } | {name: f"/play/{code}/" for name, code in codes.items()}


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
