"""While what the site stands on hangs or is away, pages say so, and later all is well again."""

import errno
import sqlite3
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
import requests
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, override_settings
from django.urls import path
from django.utils import timezone
from redis import exceptions as redis_errors

from osmosmjerka import urls
from osmosmjerka.jobs.models import WorkerHeartbeat
from osmosmjerka.server import preparation
from osmosmjerka.status import health
from osmosmjerka.web import overload
from osmosmjerka.web.outages import Outage, outage_of
from tests.databases import new_postgresql
from tests.jobs.test_kill import embedded, killed_in_the_end, lend_static_files
from tests.outages import GUNICORN, SERVE, Site, Web, worker
from tests.own_services import PostgreSQL, Redis, binary
from tests.services import missing, wait_until

small_site = embedded


def own(kind):
    """Yield a server of *kind* that runs; pytest's folders are for their owner only."""
    if name := kind.missing():
        missing(name)
    with tempfile.TemporaryDirectory() as folder:
        service = kind(Path(folder))
        service.start()
        yield service
        service.stop()


@pytest.fixture(scope="module")
def postgres():
    yield from own(PostgreSQL)


@pytest.fixture(scope="module")
def redis():
    yield from own(Redis)


@pytest.fixture(scope="module")
def migrated(postgres):
    """Return the name of a database with all tables: a copy, for migrating takes five seconds."""
    postgres.create("migrated")
    command = [binary("pg_dump"), "--no-owner", "--no-privileges", new_postgresql()]
    dumped = subprocess.run(command, check=True, capture_output=True)
    load = [binary("psql"), "--quiet", "--set=ON_ERROR_STOP=1", postgres.url("migrated")]
    subprocess.run(load, check=True, capture_output=True, input=dumped.stdout)
    return "migrated"


@pytest.fixture
def site(tmp_path, postgres, redis, migrated):
    """A site whose database, broker and cache a test may break."""
    name = f"site_{tmp_path.name}".lower()[:60]
    postgres.create(name, migrated)
    redis.flush()
    lend_static_files(tmp_path)
    site = Site(
        tmp_path,
        DATABASE_URL=postgres.url(name),
        CELERY_BROKER_URL=redis.url,
        CACHE_URL=redis.url,
        LOG_LEVEL="WARNING",
    )
    yield site
    for service in (postgres, redis):
        service.thaw()
    site.close()


@pytest.fixture
def web(request, site):
    """The site as it is served; the parameter is run in the server first."""
    web = Web(site, getattr(request, "param", "") + SERVE)
    yield web
    web.stop()


def at_once(web, paths, **options):
    """Ask for all paths at the same time."""
    with ThreadPoolExecutor(len(paths)) as pool:
        return list(pool.map(lambda one: web.ask(one, **options), paths))


# ---- a broker that hangs ----

WITHOUT_TIMEOUTS = """
from django.conf import settings
settings.CELERY_BROKER_TRANSPORT_OPTIONS.clear()
"""


def or_in_time(*cases):
    """Return each case, a daily one, and again as "in time", with the seconds that are promised.

    Real seconds pass on a busy machine, too. What is daily is that answers come while the service
    hangs, at all: a page that waited for it would get none.
    """
    return [
        pytest.param(*case, *seconds, id=" ".join(filter(None, (name, told))), marks=marks)
        for name, case, promised in cases
        for told, seconds, marks in (
            ("", [60] * len(promised), ()),
            ("in time", promised, pytest.mark.thorough),
        )
    ]


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.xdist_group("kill")
@pytest.mark.parametrize(("soon", "at_last"), or_in_time(("", (), (5, 2.5))))
def test_a_broker_that_hangs_holds_up_one_page_for_seconds_and_later_the_jobs_are_done(
    soon, at_last, web, site, redis
):
    assert web.make_list("before").answer.status_code == 201
    redis.freeze()
    waited = 0.0
    for number in range(6):  # more than there are threads
        made = web.make_list(f"meanwhile {number}", seconds=60)
        assert made.answer.status_code == 201
        waited += made.seconds
    assert waited < soon  # the first one's wait, and no other's
    assert web.ask("/healthz", seconds=60).answer.status_code == 200
    ready = web.ask("/readyz", seconds=60)
    assert ready.answer.status_code == 503
    assert ready.answer.json()["broker"] is False
    assert ready.seconds < at_last
    redis.thaw()
    with killed_in_the_end(worker(site)):
        wait_until(lambda: site.run(UNFINISHED).strip() == "0")
        wait_until(lambda: web.ask("/readyz").answer.status_code == 200)


UNFINISHED = """
from osmosmjerka.jobs.models import Job
print(Job.objects.filter(kind="vocab.render_sounds").exclude(state="done").count())
"""


@pytest.mark.thorough
@pytest.mark.xdist_group("kill")
@pytest.mark.parametrize("web", [WITHOUT_TIMEOUTS], indirect=True)
def test_without_timeouts_a_request_would_wait_for_the_broker(web, redis):
    """The control."""
    assert web.make_list("before").answer.status_code == 201
    redis.freeze()
    with pytest.raises(requests.Timeout):
        web.make_list("meanwhile", seconds=5)


@pytest.mark.thorough  # in two and a half seconds of real time
@pytest.mark.xdist_group("kill")
def test_a_cache_that_hangs_is_told(web, redis):
    """Only a log-in by passkey asks it, whether its challenge was used before."""
    site = f"http://127.0.0.1:{web.port}"
    csrf = requests.get(f"{site}/login/", timeout=15).cookies["csrftoken"]
    headers = {"X-CSRFToken": csrf, "Origin": site, "Cookie": f"csrftoken={csrf}"}

    def log_in():
        told = requests.post(f"{site}/login/passkey/options/", headers=headers, timeout=15)
        # As a browser does: a jar of Python would take the quotes of its value away.
        cookie = told.headers["Set-Cookie"].partition(";")[0]
        began = time.monotonic()
        answer = requests.post(
            f"{site}/login/passkey/",
            json={},
            headers=headers | {"Cookie": f"{headers['Cookie']}; {cookie}"},
            timeout=15,
        )
        assert time.monotonic() - began < 2.5
        return answer.text

    assert "does not belong to any account" in log_in()
    redis.freeze()
    assert "cannot reach its data" in log_in()
    assert web.ask("/login/").answer.status_code == 200
    redis.thaw()
    wait_until(lambda: "does not belong to any account" in log_in())


# ---- a database that hangs, is away, or is slow ----

PAGES = ["/", "/lists/", "/api/lists/", "/api/puzzles/"]
WITHOUT_A_LOOK = """
from osmosmjerka.db.sign_of_life import SignOfLife
SignOfLife.is_missing = lambda self: False
"""


def says_what_is_the_matter(one):
    answer = one.answer
    assert answer.status_code == 503, answer.text[:300]
    assert 4 <= int(answer.headers["Retry-After"]) <= 10
    if "json" in answer.headers["Content-Type"]:
        assert "cannot reach its data" in answer.json()["detail"]
    else:
        assert "cannot reach its data" in answer.text
        assert "<h1>" in answer.text


def is_back(web):
    return all(one.answer.status_code == 200 for one in at_once(web, PAGES))


@pytest.mark.slow
@pytest.mark.xdist_group("kill")
@pytest.mark.parametrize(
    ("server", "soon", "at_last", "is_well"),
    [
        *or_in_time(("serve", (SERVE,), (1, 2.5, 5))),
        pytest.param(GUNICORN, 1, 2.5, 5, id="gunicorn in time", marks=pytest.mark.thorough),
    ],
)
def test_while_the_database_hangs_every_page_says_so(
    server, soon, at_last, is_well, site, postgres
):
    web = Web(site, server)
    try:
        wait_until(lambda: is_back(web))
        postgres.freeze()
        for one in at_once(web, PAGES, seconds=60):
            says_what_is_the_matter(one)
            assert one.seconds < at_last
        for one in at_once(web, 3 * PAGES, seconds=60):  # now it is known
            says_what_is_the_matter(one)
            assert one.seconds < soon
        healthy = web.ask("/healthz", seconds=60)
        assert (healthy.answer.status_code, healthy.seconds < soon) == (200, True)
        ready = web.ask("/readyz", seconds=60)
        assert ready.answer.json()["database"] is False
        assert ready.seconds < at_last
        postgres.thaw()
        wait_until(lambda: is_back(web), seconds=is_well)
    finally:
        web.stop()


@pytest.mark.thorough  # waits for four seconds
@pytest.mark.xdist_group("kill")
@pytest.mark.parametrize("web", [WITHOUT_A_LOOK], indirect=True)
def test_without_the_sign_of_life_they_would_wait_as_long_as_it_hangs(web, postgres):
    """The control."""
    wait_until(lambda: is_back(web))
    postgres.freeze()
    with pytest.raises(requests.Timeout):
        web.ask("/api/lists/", seconds=4)


@pytest.mark.thorough  # in two and a half seconds of real time
@pytest.mark.xdist_group("kill")
def test_while_the_database_is_stopped_every_page_says_so(web, postgres):
    wait_until(lambda: is_back(web))
    postgres.stop()
    try:
        for one in at_once(web, PAGES):
            says_what_is_the_matter(one)
            assert one.seconds < 2.5
    finally:
        postgres.start()
    wait_until(lambda: is_back(web), seconds=5)


# ---- SQLite ----

IMPATIENT = """
from django.conf import settings
settings.DATABASES["default"]["OPTIONS"]["timeout"] = 0.2
"""


@pytest.mark.thorough
def test_a_database_that_others_write_to_for_too_long_is_called_busy(small_site):
    web = Web(small_site, IMPATIENT + SERVE)
    try:
        assert web.make_list("before").answer.status_code == 201
        file = small_site.data_dir / "osmosmjerka.sqlite3"
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            refused = web.make_list("meanwhile").answer
            assert web.ask("/api/lists/").answer.status_code == 200
        assert refused.status_code == 503
        assert "Too many people" in refused.json()["detail"]
        assert int(refused.headers["Retry-After"]) > 0
        assert web.make_list("after").answer.status_code == 201
    finally:
        web.stop()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite")
def test_a_database_without_room_is_told(sign_in, teacher):
    client = sign_in(teacher)
    client.raise_request_exception = False
    entries = [{"term": f"{number}-{'riječ' * 30}"} for number in range(400)]
    wanted = {"title": "l", "language": "hr", "translation_languages": ["en"], "entries": entries}
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA max_page_count = 1")  # as many as there are
        try:
            answer = client.post("/api/lists/", wanted, content_type="application/json")
        finally:
            cursor.execute("PRAGMA max_page_count = 1073741823")
    assert answer.status_code == 503, answer.content[:300]
    assert "no space left" in answer.json()["detail"]


def fail(request):
    raise OSError(errno.ENOSPC, "No space left on device")


handler500 = "osmosmjerka.web.views.server_error"
urlpatterns = [path("full/", fail), path("api/full/", fail), *urls.urlpatterns]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_disk_without_room_is_told(language, translated):
    overload._page.cache_clear()
    client = Client(raise_request_exception=False, headers={"Accept-Language": language})
    with override_settings(ROOT_URLCONF=__name__):
        page, answer = client.get("/full/"), client.get("/api/full/")
    assert (page.status_code, answer.status_code) == (503, 503)
    assert ("no space left" in page.text) == (language == "en")
    assert answer["Retry-After"] == "60"


def test_an_ordinary_error_is_no_outage():
    """The control."""
    assert outage_of(ZeroDivisionError()) is None
    assert outage_of(OSError(errno.ENOENT, "no such file")) is None
    assert outage_of(OSError(errno.ENOSPC, "full")) is Outage.DISK


def test_a_cache_that_is_away_and_a_database_that_others_write_to_are_outages():
    assert outage_of(redis_errors.TimeoutError()) is Outage.DATABASE
    assert outage_of(redis_errors.ConnectionError()) is Outage.DATABASE
    assert outage_of(redis_errors.ResponseError()) is None  # the control
    locked = OperationalError("database is locked")
    locked.__cause__ = sqlite3.OperationalError()
    locked.__cause__.sqlite_errorcode = sqlite3.SQLITE_BUSY
    assert outage_of(locked) is Outage.BUSY


# ---- readiness ----


@pytest.fixture
def ready(client, db):
    """Return what /readyz tells; a worker lives."""
    WorkerHeartbeat.objects.create(name="w", seen_at=timezone.now())
    return lambda: client.get("/readyz").json()


def test_readyz_tells_a_disk_that_is_full_or_cannot_be_written(
    ready, monkeypatch, settings, tmp_path
):
    assert all(ready().values())
    monkeypatch.setattr(health, "LEAST_ROOM", 10**18)
    assert ready()["disk"] is False
    monkeypatch.undo()
    (tmp_path / "media").write_text("a file, not a folder")
    settings.MEDIA_ROOT = tmp_path / "media"
    assert ready()["disk"] is False


def test_readyz_tells_tables_of_an_older_version(ready, monkeypatch):
    monkeypatch.setattr(preparation, "_is_migrated", False)
    last = MigrationRecorder.Migration.objects.filter(app="jobs").order_by("name").last()
    last.delete()
    assert ready()["migrations"] is False
    last.save(force_insert=True)
    assert ready()["migrations"] is True


def test_a_look_that_hangs_is_not_waited_for_and_is_made_once(monkeypatch):
    may_go_on, looks = threading.Event(), []

    def hang():
        looks.append(1)
        may_go_on.wait()

    look = health.Look(hang)
    ends = time.monotonic() + 0.1
    assert [health.found(look.begin(), ends) for _time in range(5)] == [False] * 5
    assert len(looks) == 1
    may_go_on.set()
    assert health.found(look.begin(), time.monotonic() + 60) is True
