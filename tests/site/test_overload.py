"""If more comes than can be answered, some is refused, and what is acknowledged is there."""

import json
import re
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
import requests
from django.contrib.staticfiles.storage import staticfiles_storage

from osmosmjerka.web import overload
from osmosmjerka.web.overload import BURST, OVERLOAD, Patience
from tests.jobs.test_kill import SETUP, embedded, free_port, stop
from tests.services import is_listening, wait_until

FLOOD = 200

TOKEN = """
from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.models import School
from osmosmjerka.accounts.people import create_person
school = School.objects.create(name="s")
teacher = create_person(username="t", display_name="T", role="teacher", school=school)
import json; print(json.dumps(tokens.create(person=teacher, scope="teach")[1]))
"""
TITLES = """
import json
from vocab.models import VocabularyList
print(json.dumps(list(VocabularyList.objects.values_list("title", flat=True))))
"""
PATIENCE = "from osmosmjerka import overload; overload.BURST = overload.OVERLOAD = {}\n"
IMPATIENT = PATIENCE.format(0.2)
ENDLESS = PATIENCE.format(1e9) + "from osmosmjerka import embedded; embedded.MOST_WAITING = 1e9\n"
FEW_MAY_WAIT = (
    PATIENCE.format(1e9) + "from osmosmjerka import embedded; embedded.MOST_WAITING = 9\n"
)

SERVE = """
from django.core.management import call_command
call_command("serve", port={port})
"""
# With the configuration of this folder, as the README starts it.
GUNICORN = """
import sys
from gunicorn.app.wsgiapp import run
sys.argv = ["gunicorn", "osmosmjerka.wsgi", "--threads=2", "--bind=127.0.0.1:{port}"]
run()
"""
site = embedded


class Web:
    """A site that is served, and a teacher's token."""

    def __init__(self, site, program):
        self.site = site
        self._token = json.loads(site.run(TOKEN))
        port = int(free_port())
        self.process = site.start("-c", SETUP + program.replace("{port}", str(port)))
        wait_until(lambda: is_listening(port) or self.process.poll() is not None)
        assert self.process.poll() is None, (site.data_dir / "log.txt").read_text()
        self._base = f"http://127.0.0.1:{port}"

    def get(self, path):
        return requests.get(self._base + path, timeout=60)

    def create(self, title):
        """Ask for a list with that title; return the answer."""
        body = {"title": title, "language": "hr", "translation_languages": ["en"]}
        return requests.post(
            f"{self._base}/api/lists/", json=body, headers=self._headers, timeout=60
        )

    def titles(self):
        """Return the titles of all lists there are."""
        found = json.loads(self.site.run(TITLES))
        assert len(set(found)) == len(found)
        return set(found)

    @property
    def _headers(self):
        return {"Authorization": f"Token {self._token}"}

    def flood(self):
        """Ask for many lists at once, and meanwhile for the health; return all answers."""
        is_over = threading.Event()
        health = []

        def keep_asking():
            while not is_over.is_set():
                health.append(self.get("/healthz").status_code)

        beside = threading.Thread(target=keep_asking)
        beside.start()
        titles = [f"list {number}" for number in range(FLOOD)]
        with ThreadPoolExecutor(FLOOD) as pool:
            answers = dict(zip(titles, pool.map(self.create, titles), strict=True))
        is_over.set()
        beside.join()
        return answers, health


def served(site, program):
    web = Web(site, program)
    yield web
    stop(web.process)


@pytest.fixture(
    params=[IMPATIENT + SERVE, FEW_MAY_WAIT + SERVE, IMPATIENT + GUNICORN],
    ids=["serve, by time", "serve, by number", "gunicorn"],
)
def web(request, site):
    yield from served(site, request.param)


# A flood of 200 is as large as the machine lets it be; how many of them are late, too. Daily, all
# threads are made to wait for the database instead, as long as the test wants.
@pytest.fixture(params=[ENDLESS + SERVE, ENDLESS + GUNICORN], ids=["serve", "gunicorn"])
def endless(request, site):
    yield from served(site, request.param)


@pytest.mark.thorough
def test_in_a_flood_some_are_refused_and_what_is_acknowledged_is_there(web):
    answers, health = web.flood()
    created = {title for title, answer in answers.items() if answer.status_code == 201}
    refused = [answer for answer in answers.values() if answer.status_code == 503]
    assert created
    assert refused
    assert len(created) + len(refused) == FLOOD, {one.status_code for one in answers.values()}
    assert web.titles() == created
    for answer in refused:
        assert 1 <= int(answer.headers["Retry-After"]) <= 10
        assert answer.json()["detail"].startswith("Too many people")
        assert answer.headers.get("Connection") != "close"
    assert set(health) == {200}
    # Afterwards all is normal: what was refused can be sent again.
    for title in answers.keys() - created:
        wait_until(lambda title=title: web.create(title).status_code == 201)
    assert web.titles() == set(answers)


@pytest.mark.thorough
def test_without_the_limits_nobody_is_refused_however_long_it_takes(endless):
    """Control."""
    answers, _health = endless.flood()
    assert {answer.status_code for answer in answers.values()} == {201}


@pytest.mark.slow
def test_while_all_threads_are_busy_others_are_refused_and_the_health_is_told(site):
    """And what has begun is finished: the threads wait for the database here."""
    web = Web(site, SERVE)
    threads = 4
    try:
        with closing(sqlite3.connect(site.data_dir / "osmosmjerka.sqlite3")) as database:
            database.isolation_level = None
            database.execute("BEGIN IMMEDIATE")
            with ThreadPoolExecutor(threads) as pool:
                begun = [pool.submit(web.create, f"list {number}") for number in range(threads)]
                wait_until(lambda: web.get("/api/nothing/").status_code == 503)
                assert web.get("/healthz").status_code == 200
                assert not any(answer.done() for answer in begun)
                database.execute("ROLLBACK")
                assert {answer.result().status_code for answer in begun} == {201}
        assert len(web.titles()) == threads
        wait_until(lambda: web.get("/api/nothing/").status_code == 404)
    finally:
        stop(web.process)


@pytest.fixture
def late():
    token = overload.is_late.set(True)
    yield
    overload.is_late.reset(token)


def test_a_refusal_costs_no_query_and_no_session(late, client, django_assert_num_queries, db):
    with django_assert_num_queries(0):
        page = client.get("/lists/", headers={"Accept-Language": "ar"})
        answer = client.post("/api/lists/", headers={"Accept-Language": "de"})
    assert page.status_code == answer.status_code == 503
    assert not page.cookies and not answer.cookies
    assert '<html lang="ar" dir="rtl">' in page.text
    assert 'class="empty-mark' in page.text
    assert page["Cache-Control"] == answer["Cache-Control"] == "no-store"
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json() == {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "code": "unavailable",
        "detail": "Gerade benutzen zu viele Leute diese Website. Versuch es gleich noch einmal.",
    }


def test_django_logs_no_line_for_each_refusal(late, client, caplog):
    client.get("/lists/")
    client.get("/api/lists/")
    assert not caplog.records
    client.get("/readyz")  # its answer names what is the matter
    assert [record.status_code for record in caplog.records] == [503]


def test_what_a_page_needs_is_not_refused(late, client):
    page = client.get("/lists/")
    styles = re.findall(r'href="(/static/[^"]+)"', page.text)
    assert len(styles) > 1
    assert {client.get(path).status_code for path in styles} == {200}
    assert client.get(staticfiles_storage.url("osmosmjerka/app.js")).status_code == 200
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 503


def test_what_is_not_late_is_answered(client, db):
    """Control."""
    assert client.get("/login/").status_code == 200
    assert client.get("/api/lists/").status_code == 401


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(overload, "monotonic", clock)
    return clock


def test_a_class_that_opens_a_page_together_waits_but_is_answered(clock):
    patience = Patience()
    assert patience.covers(0.9 * BURST)
    assert not patience.covers(1.1 * BURST)


def test_when_requests_wait_all_the_time_each_waits_less(clock):
    patience = Patience()
    clock.now += 1.1 * BURST
    assert not patience.covers(0.9 * BURST)
    assert patience.covers(0.9 * OVERLOAD)
    patience.begin(0.9 * OVERLOAD)
    assert not patience.covers(0.9 * BURST)
    patience.begin(0)  # nobody waits any more
    assert patience.covers(0.9 * BURST)


def test_the_log_says_when_it_begins_and_when_it_ends_but_not_each_refusal(clock, caplog):
    patience = Patience()
    for _refusal in range(100):
        patience.begin(2 * BURST)
    assert overload.is_late.get()
    for _request in range(100):
        patience.begin(0)
    assert not overload.is_late.get()
    assert len(caplog.records) == 2
