"""API tokens: several a person, with a scope and an end, shown once, revoked any time."""

import json
import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts.auth import api_authentication, tokens
from osmosmjerka.accounts.models import ApiToken, AuditEntry
from osmosmjerka.accounts.privacy import retention
from tests.accounts.house import ask
from tests.accounts.permission_table import (
    OWNER,
    STUDENT,
    TABLE,
    bodies_of,
    persons,
)
from tests.accounts.sweep import let_in
from tests.conftest import PASSWORD
from tests.layers import IS_THOROUGH


def log_in(username="ana", **more):
    form = urlencode({"username": username, "password": PASSWORD, **more})  # as curl -d sends it
    reply = Client().post("/api/token/", form, content_type="application/x-www-form-urlencoded")
    assert reply.status_code == 200, reply.content
    return reply.json()


def program(text):
    return Client(headers={"Authorization": f"Token {text}"})


def test_the_log_in_of_the_readme_gives_a_token_that_may_do_everything_for_90_days(teacher):
    made = log_in()
    own = program(made["token"])
    assert own.get("/api/lists/").status_code == 200
    body = {"title": "x", "language": "hr", "translation_languages": ["en"]}
    assert own.post("/api/lists/", body, content_type="application/json").status_code == 201
    ends = ApiToken.objects.get().expires_at
    assert made["expires_at"][:19] == ends.isoformat()[:19]
    assert timedelta(days=89) < ends - timezone.now() < timedelta(days=91)
    assert (made["scope"], made["name"]) == ("teach", "")


def test_nothing_of_a_token_is_stored_but_a_hash(teacher):
    text = log_in()["token"]
    assert len(text) * 6 >= 128
    stored = json.dumps(list(ApiToken.objects.values()), default=str)
    assert text not in stored and text[:8] not in stored


def test_an_expired_token_opens_nothing_and_is_not_kept(teacher):
    own = program(log_in(days=1)["token"])
    assert own.get("/api/lists/").status_code == 200  # the control
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert own.get("/api/lists/").status_code == 401
    retention.enforce_retention()
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"days": 0}, {"days": 366}, {"days": "x"}, {"scope": "root"}, {"name": "x" * 61}]
)
def test_wrong_wishes_are_refused(wrong, teacher):
    body = {"username": "ana", "password": PASSWORD, **wrong}
    assert Client().post("/api/token/", body, content_type="application/json").status_code == 400
    assert not ApiToken.objects.exists()


def test_several_programs_have_a_token_each_and_one_ends_alone(teacher):
    one, other = log_in(name="timetable"), log_in(name="backup", scope="read")
    first, second = program(one["token"]), program(other["token"])
    shown = {row["name"]: row for row in first.get("/api/tokens/").json()}
    assert set(shown) == {"timetable", "backup"}
    assert shown["timetable"]["is_current"] and not shown["backup"]["is_current"]
    assert shown["timetable"]["used_on"] and not shown["backup"]["used_on"]
    assert first.delete(f"/api/tokens/{shown['backup']['id']}/").status_code == 204
    assert second.get("/api/lists/").status_code == 401
    assert first.get("/api/lists/").status_code == 200


@pytest.mark.parametrize("scope", ["read", "play", "teach"])
def test_a_program_logs_out(scope, teacher):
    own = program(log_in(scope=scope)["token"])
    assert own.delete("/api/tokens/current/").status_code == 204
    assert own.get("/api/lists/").status_code == 401
    assert AuditEntry.objects.filter(action="revoked token").count() == 1


def test_a_new_token_takes_the_password(teacher, stranger, sign_in):
    """An open page, or a token that was copied, makes no token that outlives it."""
    for asked in (sign_in(teacher), program(log_in()["token"])):
        wanted = {"name": "new", "scope": "read", "days": 30}
        for body in (wanted, wanted | {"password": "wrong"}):
            reply = asked.post("/api/tokens/", body, content_type="application/json")
            assert reply.status_code == 400
        assert not ApiToken.objects.filter(name="new").exists()
        body = wanted | {"password": PASSWORD}
        reply = asked.post("/api/tokens/", body, content_type="application/json")
        assert reply.status_code == 201
        assert program(reply.json()["token"]).get("/api/lists/").status_code == 200
        ApiToken.objects.filter(name="new").delete()


def test_on_the_page_a_token_is_shown_once_and_revoked(teacher, sign_in):
    own = sign_in(teacher)
    body = {"name": "timetable", "scope": "play", "days": 365}
    assert (
        "password is not correct"
        in own.post("/me/tokens/", body | {"password": "x"}).content.decode()
    )
    page = own.post("/me/tokens/", body | {"password": PASSWORD}).content.decode()
    text = re.search(r'id="new-token" readonly value="([^"]+)"', page)[1]
    assert program(text).get("/api/lists/").status_code == 200
    again = own.get("/me/devices/").content.decode()
    assert "timetable" in again and text not in again
    own.post(f"/me/tokens/{ApiToken.objects.get().pk}/revoke/")
    assert program(text).get("/api/lists/").status_code == 401
    assert "timetable" not in own.get("/me/devices/").content.decode()


def test_a_program_that_logs_in_each_time_does_not_fill_the_table(teacher):
    named = log_in(name="backup")["token"]
    made = [log_in()["token"] for _run in range(tokens.MOST_UNNAMED + 2)]
    assert ApiToken.objects.count() == tokens.MOST_UNNAMED + 1
    assert program(made[-1]).get("/api/lists/").status_code == 200
    assert program(made[0]).get("/api/lists/").status_code == 401
    assert program(named).get("/api/lists/").status_code == 200


def test_tokens_with_a_name_end_by_no_others(teacher, monkeypatch):
    monkeypatch.setattr(tokens, "MOST", 2)
    first, _second = (log_in(name=f"{number}") for number in range(2))
    body = {"username": "ana", "password": PASSWORD, "name": "one more"}
    reply = Client().post("/api/token/", body, content_type="application/json")
    assert reply.status_code == 400
    assert "already have 2 tokens" in reply.content.decode()
    assert program(first["token"]).get("/api/lists/").status_code == 200


PLAYING = {
    "api/play/<code>/attempts/", "api/play/<code>/hint/", "api/play/<code>/draft/",
    "api/play/<code>/finish/", "api/practice/", "api/review/", "api/assignments/<pk>/play/",
    "api/play/<code>/again/", "api/play/<code>/new/", "api/classes/<pk>/daily/", "api/goal/",
    "api/classes/<pk>/nickname/", "api/live/<code>/join/", "api/review/undo/",
    "api/shared/<token>/attempts/", "api/shared/<token>/hint/",
    "api/shared/<token>/finish/",
}  # fmt: skip


SCOPES = ("read", "play", "teach")


def enough(asked):
    """Return which scopes are enough for a request: to write needs `teach`, unless named above."""
    if asked.method == "GET":
        return set(SCOPES)
    return {"play", "teach"} if asked.route in PLAYING else {"teach"}


@pytest.mark.parametrize("who", [OWNER, STUDENT])
def test_every_address_of_the_api_keeps_to_the_scope(who, house, other_house):
    """Daily with the widest scope that is too narrow, and what all may is asked once.

    The trial is for everybody, and stores nothing.
    """
    person = persons(house, other_house)[who]
    held = {scope: tokens.create(person=person, scope=scope)[1] for scope in SCOPES}
    wrong, routes = [], [route for route in TABLE if route.startswith("api/")]
    routes = {route for route in routes if route != "api/token/" and "/trial/" not in route}
    for asked in let_in(house, other_house, who, routes=routes, most=1):
        right = enough(asked)
        narrow = [scope for scope in SCOPES if scope not in right]
        for scope in SCOPES if IS_THOROUGH else narrow[-1:] or SCOPES[:1]:
            status = asked.ask(token=held[scope]).status
            if (status == 403) is (scope in right):
                wrong.append((str(asked), scope, status))
    assert wrong == []


def test_without_the_check_of_the_scope_a_token_to_read_would_write(house, monkeypatch):
    """The control of the test above; and the scope to teach is enough."""
    body = bodies_of("api/lists/", house)[0]

    def status(scope):
        token = tokens.create(person=house.teacher, scope=scope)[1]
        return ask(house.teacher, "POST", "/api/lists/", body, token=token).status

    assert (status("play"), status("teach")) == (403, 201)
    everything = {key: {"play"} for key in api_authentication._COVERED_BY}
    monkeypatch.setattr(api_authentication, "_COVERED_BY", everything)
    assert status("play") == 201


@pytest.mark.parametrize("body", ["[" * 10_000, "null", "5", "[{}]", "true", '{"username": []}'])
def test_whatever_json_a_stranger_sends_is_a_bad_request(body, db):
    client = Client(raise_request_exception=False)
    reply = client.post("/api/token/", body, content_type="application/json")
    assert reply.status_code == 400


def test_a_token_costs_one_query_a_request(teacher, django_assert_num_queries):
    text = log_in()["token"]
    assert tokens.find(text)  # the day is noted
    with django_assert_num_queries(1):
        assert tokens.find(text).user.school == teacher.school


def test_a_program_that_logs_in_has_logged_the_person_in(student):
    """Otherwise a teacher's cards “for those who never logged in” would lock the program out."""
    assert student.last_login is None
    body = {"username": student.username, "password": PASSWORD}
    reply = Client().post("/api/token/", body, content_type="application/json")
    assert reply.status_code == 200
    student.refresh_from_db()
    assert student.last_login is not None


def test_who_is_not_known_is_told_what_to_do(client, db):
    told = client.get("/api/lists/")
    assert (told.status_code, told.json()["code"]) == (401, "not_authenticated")
    assert told["WWW-Authenticate"].startswith("Token")
    assert "which they get at /api/token/" in told.json()["detail"]
    told = program("0" * 40).get("/api/lists/")
    assert (told.status_code, told.json()["code"]) == (401, "authentication_failed")
    assert "Get another at /api/token/" in told.json()["detail"]
