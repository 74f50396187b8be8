"""If more comes than can be answered, some is refused, and what is acknowledged is there."""

import json
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from django.db import connection
from django.http import StreamingHttpResponse

from osmosmjerka.accounts.models import School
from osmosmjerka.db import sign_of_life
from osmosmjerka.server import admission
from osmosmjerka.server.admission import Admission
from osmosmjerka.web.outages import REFUSAL, Outage
from tests.jobs.test_kill import embedded
from tests.outages import GUNICORN, SERVE, Web
from tests.services import wait_until

FLOOD = 200

TITLES = """
import json
from vocab.models import VocabularyList
print(json.dumps(list(VocabularyList.objects.values_list("title", flat=True))))
"""
MOST = """
from osmosmjerka.server.admission import Admission
Admission.__init__.__kwdefaults__["most"] = {}
"""
FEW_MAY_WAIT, ENDLESS = MOST.format(10), MOST.format(10**9)

site = embedded


class Flooded(Web):
    """A site that is served, and asked for many lists."""

    def get(self, path):
        return self.ask(path, seconds=60).answer

    def create(self, title):
        """Ask for a list with that title; return the answer."""
        body = {"title": title, "language": "hr", "translation_languages": ["en"]}
        return self.ask("/api/lists/", body, seconds=60).answer

    def titles(self):
        """Return the titles of all lists there are."""
        found = json.loads(self.site.run(TITLES))
        assert len(set(found)) == len(found)
        return set(found)

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
    web = Flooded(site, program)
    yield web
    web.stop()


@pytest.fixture(
    params=[FEW_MAY_WAIT + SERVE, FEW_MAY_WAIT + GUNICORN],
    ids=["serve", "gunicorn"],
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
    web = Flooded(site, FEW_MAY_WAIT + SERVE)
    try:
        with closing(sqlite3.connect(site.data_dir / "osmosmjerka.sqlite3")) as database:
            database.isolation_level = None
            database.execute("BEGIN IMMEDIATE")
            with ThreadPoolExecutor(12) as pool:
                begun = [pool.submit(web.create, f"list {number}") for number in range(12)]
                wait_until(lambda: sum(answer.done() for answer in begun) == 2)
                assert web.get("/api/nothing/").status_code == 503
                assert web.get("/healthz").status_code == 200
                database.execute("ROLLBACK")
                answers = [answer.result().status_code for answer in begun]
        assert sorted(answers) == 10 * [201] + 2 * [503]
        assert len(web.titles()) == 10
        assert web.get("/api/nothing/").status_code == 404
    finally:
        web.stop()


BUSY = {REFUSAL: Outage.BUSY}


def test_a_refusal_costs_no_query_and_no_session(client, django_assert_num_queries, db):
    with django_assert_num_queries(0):
        page = client.get("/lists/", headers={"Accept-Language": "ar"}, **BUSY)
        answer = client.post("/api/lists/", headers={"Accept-Language": "de"}, **BUSY)
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


def test_django_logs_no_line_for_each_refusal(client, caplog):
    client.get("/lists/", **BUSY)
    client.get("/api/lists/", **BUSY)
    assert not caplog.records
    client.get("/readyz", **BUSY)  # its answer names what is the matter
    assert [record.status_code for record in caplog.records] == [503]


def test_what_is_not_late_is_answered(client, db):
    """Control."""
    assert client.get("/login/").status_code == 200
    assert client.get("/api/lists/").status_code == 401


# ---- who gets in ----


class Application:
    """An application that answers when a test wants it to, and knows what was refused."""

    def __init__(self):
        self.threads, self.may_go_on = [], threading.Event()

    def __call__(self, environ, start_response):
        if refused := environ.get(REFUSAL):
            start_response("503 Service Unavailable", [])
            return [refused.encode()]
        self.threads.append(threading.current_thread().name)
        if environ["PATH_INFO"] == "/slow/":
            self.may_go_on.wait(60)
        start_response("200 OK", [])
        return [b"answered"]


@pytest.fixture
def door():
    """Ask an application behind an admission of two at once and at most four."""
    application = Application()
    admission = Admission(application, at_once=2, most=4)

    def ask(path):
        return b"".join(admission({"PATH_INFO": path}, lambda *_begun: None))

    ask.application = application
    ask.is_full = lambda: admission._under_way == 4 and len(application.threads) == 2
    with ThreadPoolExecutor(8) as pool:
        ask.soon = lambda path: pool.submit(ask, path)
        yield ask
        application.may_go_on.set()


def test_who_waits_is_answered_and_who_is_too_many_refused(door, caplog):
    waiting = [door.soon("/slow/") for _number in range(4)]
    wait_until(door.is_full)
    assert door("/healthz") == b"answered"
    assert door("/lists/") == b"busy"
    needed = door.soon("/static/app.css")  # of a page that was just answered
    door.application.may_go_on.set()
    assert {one.result(60) for one in (*waiting, needed)} == {b"answered"}
    wait_until(lambda: door("/lists/") == b"answered")
    told = [record.message for record in caplog.records]
    assert told == ["Too many requests: some are refused.", "All requests are answered again."]


def test_as_many_answer_at_once_as_may(door):
    waiting = [door.soon("/slow/") for _number in range(4)]
    wait_until(door.is_full)
    door.application.may_go_on.set()
    assert [one.result(60) for one in waiting] == [b"answered"] * 4
    assert len({name for name in door.application.threads if name != "MainThread"}) == 2


@pytest.mark.django_db(transaction=True)
def test_what_is_read_while_it_is_sent_leaves_no_connection_in_the_servers_thread():
    def sent(_environ, start_response):
        start_response("200 OK", [])
        return StreamingHttpResponse(str(School.objects.count()) for _line in range(2))

    def ask(wrap):
        body = wrap(sent)({"PATH_INFO": "/"}, lambda *_begun: None)
        assert b"".join(body) == b"00"
        body.close()
        is_open = connection.connection is not None
        connection.close()
        return is_open

    with ThreadPoolExecutor(1) as thread:  # of a server
        assert not thread.submit(ask, Admission).result(60)
        assert thread.submit(ask, lambda application: application).result(60)  # the control


def test_who_waits_for_a_database_that_is_gone_is_told_and_so_is_who_comes(door, monkeypatch):
    monkeypatch.setattr(admission, "LONG", 0)
    monkeypatch.setattr(sign_of_life.database, "_asked_at", -1e9)
    monkeypatch.setattr(sign_of_life.database, "_is_away", False)
    monkeypatch.setattr(sign_of_life, "PAUSE", 0)
    monkeypatch.setattr(sign_of_life, "_answers", lambda: False)
    assert door("/slow/") == b"database"
    assert door("/lists/") == b"database"
    monkeypatch.setattr(sign_of_life, "_answers", lambda: True)
    assert door("/lists/") == b"answered"


def test_who_is_slow_while_the_database_lives_is_answered(door, monkeypatch):
    """The control: it is asked again and again, and answers."""
    asked = []
    monkeypatch.setattr(admission, "LONG", 0)
    monkeypatch.setattr(sign_of_life, "PAUSE", 0)
    monkeypatch.setattr(sign_of_life, "_answers", lambda: asked.append(1) or True)
    slow = door.soon("/slow/")
    wait_until(lambda: len(asked) > 3)
    door.application.may_go_on.set()
    assert slow.result(60) == b"answered"
