"""How many requests a token may make, and what programs are told of it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from redis.exceptions import ConnectionError as RedisAway

from osmosmjerka.accounts.auth import tokens
from osmosmjerka.rest import throttling as rest_limits

pytestmark = pytest.mark.django_db

START = datetime(2026, 9, 7, 9, 0, 10, tzinfo=UTC)  # ten seconds after the full minute


def program(person):
    text = tokens.create(person=person, scope="teach")[1]
    return Client(headers={"Authorization": f"Token {text}"})


@pytest.fixture(autouse=True)
def two_requests_a_minute(settings, monkeypatch):
    settings.API_RATE = 2
    monkeypatch.setattr(rest_limits.TokenThrottle, "_away_until", 0.0)
    cache.clear()


def told(reply):
    names = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
    return tuple(int(reply[name]) for name in names)


def test_a_token_may_make_so_many_requests_a_minute(teacher, time_machine):
    time_machine.move_to(START, tick=False)
    own = program(teacher)
    first, second, third = (own.get("/api/lists/") for _each in range(3))
    assert [told(first), told(second), told(third)] == [(2, 1, 50), (2, 0, 50), (2, 0, 50)]
    assert (first.status_code, second.status_code) == (200, 200)
    assert (third.status_code, third["Retry-After"]) == (429, "50")
    assert third["Content-Type"] == "application/problem+json"
    assert third.json()["code"] == "throttled"
    assert third.json()["detail"].endswith("Try again in 50 seconds.")
    time_machine.move_to(START + timedelta(seconds=50), tick=False)
    assert told(own.get("/api/lists/")) == (2, 1, 60)


def test_each_token_is_counted_alone(teacher, stranger):
    own, other, strangers = program(teacher), program(teacher), program(stranger)
    for _each in range(3):
        last = own.get("/api/lists/")
    assert last.status_code == 429
    assert other.get("/api/lists/").status_code == strangers.get("/api/lists/").status_code == 200


def test_what_is_refused_tells_the_rate_too(teacher):
    reply = program(teacher).post("/api/lists/", {}, content_type="application/json")
    assert reply.status_code == 400
    assert told(reply)[:2] == (2, 1)


def test_who_plays_in_a_browser_is_not_counted(make_puzzle, student, sign_in):
    puzzle, client = make_puzzle(), sign_in(student)
    for _each in range(5):
        reply = client.get(f"/api/play/{puzzle.code}/")
        assert reply.status_code == 200
        assert "RateLimit-Limit" not in reply


def test_a_token_is_counted_without_the_database(teacher, django_assert_num_queries):
    own = program(teacher)
    own.get("/api/tokens/")  # the day of use is noted
    with django_assert_num_queries(2):  # the token with its owner, and the tokens
        assert own.get("/api/tokens/").status_code == 200


def test_while_the_cache_is_away_nobody_is_refused(teacher, monkeypatch):
    asked = []

    def fail(*args, **kwargs):
        asked.append(args)
        raise RedisAway

    monkeypatch.setattr(rest_limits.cache, "add", fail)
    own = program(teacher)
    for _each in range(5):
        reply = own.get("/api/lists/")
        assert reply.status_code == 200
        assert "RateLimit-Limit" not in reply
    assert len(asked) == 1, "a cache that hangs is not asked at each request"


def test_another_error_of_the_cache_is_not_hidden(teacher, monkeypatch):
    """The control: only an outage is passed over."""

    def fail(*args, **kwargs):
        raise RuntimeError

    monkeypatch.setattr(rest_limits.cache, "add", fail)
    with pytest.raises(RuntimeError):
        program(teacher).get("/api/lists/")
