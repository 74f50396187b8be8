"""A real Chromium against a real server with its worker."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from playwright.sync_api import expect, sync_playwright
from waitress.server import create_server

from osmosmjerka.jobs import worker as job_worker
from osmosmjerka.wsgi import application
from tests.services import find_chromium, missing

# Playwright runs an event loop in the test's thread; the tests' own queries are synchronous.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# Milliseconds until what does not come fails the test; what comes is not waited for any longer.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}


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


@pytest.fixture(scope="session")
def site():
    """The address of the site, served as `manage.py serve` does: waitress, WhiteNoise, hashes."""
    server = create_server(application, host="127.0.0.1", port=0, threads=8)
    thread = threading.Thread(target=server.run, name="site", daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()
    thread.join(timeout=5)


@pytest.fixture(scope="package")
def running_worker(django_db_setup, django_db_blocker):
    """One worker for all browser tests, of the sort that this broker has in production."""
    if settings.CELERY_BROKER_URL == "memory://":
        embedded = job_worker.EmbeddedWorker()
        with django_db_blocker.unblock():
            embedded.start()
            yield
            embedded.stop()
        return
    database = connection.settings_dict
    server = os.environ["DATABASE_URL"].rsplit("/", 1)[0]
    celery = subprocess.Popen(
        [
            *(sys.executable, "-m", "celery", "-A", "osmosmjerka", "worker", "--concurrency=2"),
            *("--queues", ",".join(job_worker.QUEUES), "--hostname", f"{database['NAME']}@%h"),
        ],
        env=os.environ
        | {"DATABASE_URL": f"{server}/{database['NAME']}", "OSMOSMJERKA_GTTS": "false"},
    )
    yield
    celery.terminate()
    celery.wait(timeout=60)


@pytest.fixture
def worker(running_worker, transactional_db):
    """A worker beside the site, and a database that both see."""


@pytest.fixture
def open_page(chromium, site, transactional_db):
    """Return pages on devices of their own; each fails the test on an error of its scripts."""
    contexts, problems = [], []

    def open_page(path="/", person=None, size=DESKTOP, host="127.0.0.1", **options):
        here = site.replace("127.0.0.1", host)
        context = chromium.new_context(
            viewport=size, base_url=here, reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda message: (
                problems.append(message.text)
                if message.type == "error" and "Failed to load resource" not in message.text
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
    for context in contexts:
        context.close()
    assert problems == []


def session_of(person):
    """Log somebody in without the form, which has tests of its own; return the cookie."""
    client = Client()
    client.force_login(person)
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value}
