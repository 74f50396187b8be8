"""What every answer carries, and the two questions that machines ask."""

import io
import json
import logging
from collections import Counter
from datetime import date, datetime, time

import pytest
from django.test import Client, override_settings
from django.urls import URLResolver, get_resolver
from django.utils import formats, timezone, translation
from django.utils.formats import date_format, time_format

from osmosmjerka.jobs.models import WorkerHeartbeat
from osmosmjerka.status import health


def test_healthz_answers_without_a_database(client):
    assert client.get("/healthz").content == b"ok\n"


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_is_told_whatever_name_the_site_is_asked_by(path, client, db, settings):
    """Load balancers ask by number, over plain HTTP."""
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["words.school.example"], True
    reply = client.get(path, headers={"Host": "10.0.0.7:8000"})
    assert reply.status_code in (200, 503)
    assert "X-Request-ID" in reply
    # The control: any other page is for the site's own name only.
    assert client.get("/login/", headers={"Host": "10.0.0.7:8000"}).status_code == 400


def test_health_is_only_read(client, db):
    assert client.post("/healthz").status_code == 405
    assert client.post("/readyz").status_code == 405


def test_every_address_has_a_name_of_its_own():
    names = [
        pattern.name
        for pattern in own_patterns(get_resolver().url_patterns)
        if pattern.name is not None
    ]
    assert sorted(name for name, count in Counter(names).items() if count > 1) == []


def own_patterns(patterns):
    """Yield the patterns outside of namespaces, whose names are told apart by these."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if pattern.namespace is None:
                yield from own_patterns(pattern.url_patterns)
        else:
            yield pattern


def test_readyz_wants_a_living_worker(client, db):
    told = client.get("/readyz").json()
    assert told.pop("worker") is False
    assert told == dict.fromkeys(["database", "migrations", "broker", "disk"], True)
    assert client.get("/readyz").status_code == 503
    WorkerHeartbeat.objects.create(name="w", seen_at=timezone.now())
    assert client.get("/readyz").status_code == 200


def test_readyz_tells_a_worker_that_died(client, db):
    WorkerHeartbeat.objects.create(name="w", seen_at=timezone.now() - timezone.timedelta(minutes=5))
    assert client.get("/readyz").json()["worker"] is False


def test_readyz_tells_a_broker_that_is_away(client, db, monkeypatch):
    from osmosmjerka.celery import app

    monkeypatch.setattr(health, "_broker", health.Look(health._ask_broker))
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
    monkeypatch.setattr(app.conf, "broker_write_url", "redis://127.0.0.1:1/0")
    assert client.get("/readyz").json()["broker"] is False


def test_every_page_forbids_inline_code_and_foreign_hosts(client, db):
    policy = client.get("/login/")["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy
    assert "unsafe-eval" not in policy
    assert "object-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy


def test_pages_for_a_person_are_never_cached(sign_in, teacher, student):
    for person in (teacher, student):
        assert "no-store" in sign_in(person).get("/")["Cache-Control"]


def test_an_answer_names_its_request(client):
    assert client.get("/healthz", headers={"X-Request-ID": "abcd-1234"})["X-Request-ID"] == (
        "abcd-1234"
    )


@pytest.mark.parametrize("forged", ["short", "x" * 200, "line\nbreak-here", "<script>alert"])
def test_a_forged_request_id_is_replaced(client, forged):
    assert client.get("/healthz", headers={"X-Request-ID": forged})["X-Request-ID"] != forged


def test_logs_carry_the_request_id_as_json(settings):
    stream = io.StringIO()
    config = settings.LOGGING
    handler = logging.StreamHandler(stream)
    from pythonjsonlogger.json import JsonFormatter

    from osmosmjerka.web.requests import RequestIdFilter, current_request_id

    handler.setFormatter(JsonFormatter(config["formatters"]["json"]["format"], style="{"))
    handler.addFilter(RequestIdFilter())
    logger = logging.getLogger("test.request_id")
    logger.addHandler(handler)
    token = current_request_id.set("abc-123-def")
    logger.warning("Something happened")
    current_request_id.reset(token)
    line = json.loads(stream.getvalue())
    assert line["request_id"] == "abc-123-def"
    assert line["message"] == "Something happened"


@override_settings(SECURE_SSL_REDIRECT=True)
def test_plain_http_is_turned_to_https_but_for_the_probes():
    client = Client()
    assert client.get("/login/").status_code == 301
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("language", "day", "minute"),
    [
        ("en", "2 Nov 2026", "2 Nov 2026, 14:05"),
        ("hr", "2. 11. 2026.", "2. 11. 2026. 14:05"),
        ("pl", "02.11.2026", "02.11.2026, 14:05"),
        ("de", "02.11.2026", "02.11.2026, 14:05"),
        ("ar", "2\u200f/11\u200f/2026", "2\u200f/11\u200f/2026، 14:05"),
    ],
)
def test_a_date_is_shown_as_readers_of_the_language_write_it(language, day, minute):
    with translation.override(language):
        assert date_format(date(2026, 11, 2), "SHORT_DATE_FORMAT") == day
        assert date_format(datetime(2026, 11, 2, 14, 5), "SHORT_DATETIME_FORMAT") == minute
        assert time_format(time(14, 5)) == "14:05"


def test_without_our_formats_a_date_is_not_as_its_readers_write_it(settings):
    """The control."""
    settings.FORMAT_MODULE_PATH = None
    formats.reset_format_cache()
    with translation.override("pl"):
        assert date_format(date(2026, 11, 2), "SHORT_DATE_FORMAT") == "02-11-2026"
    formats.reset_format_cache()
