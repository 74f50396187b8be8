"""What is too large, or no request at all, is refused before it costs anything, in a sentence."""

import json
from http import HTTPStatus

import pytest
from django.test import Client
from django.test.utils import override_settings

from osmosmjerka.accounts.auth import backends, lockout
from osmosmjerka.web.middleware import limit_of
from osmosmjerka.web.requests import KILOBYTE, LARGEST_BODY, MEGABYTE
from tests.accounts.permission_table import ANYBODY, OWNER, STUDENT, TABLE, path_of, persons
from tests.accounts.permission_table import BODIES as RIGHT_BODIES
from tests.layers import IS_THOROUGH, daily

pytestmark = pytest.mark.django_db

BODIES = ["null", "5", "true", '"x"', "[]", "[{}]", "[" * 5_000, '{"a":' * 5_000, "{", "\xff", ""]
WRITING = ("POST", "PUT", "PATCH", "DELETE")


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/login/", 16 * KILOBYTE),
        ("/c/ABCDEF/", 16 * KILOBYTE),
        ("/password/", 16 * KILOBYTE),
        ("/invitations/x/", 16 * KILOBYTE),
        ("/api/token/", 16 * KILOBYTE),
        ("/api/play/abc/attempts/", 64 * KILOBYTE),
        ("/api/lists/", MEGABYTE),
        ("/api/lists/5/import/", LARGEST_BODY),
        ("/api/entries/5/picture/", 20 * MEGABYTE),
        ("/lists/5/import/", LARGEST_BODY),
        ("/cards/", LARGEST_BODY),
    ],
)
def test_each_kind_of_address_takes_so_much(path, most):
    assert limit_of(path) == most


@pytest.mark.parametrize("path", ["/login/", "/password/", "/c/ABCDEF/join/", "/join/"])
def test_a_form_for_strangers_that_is_too_large_is_refused_unread(path, caplog):
    client = Client(enforce_csrf_checks=True)
    page = client.post(path, {"username": "\ufdfa" * 300_000, "code": "x"})
    assert page.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert "Traceback" not in caplog.text
    assert "less text" in page.text


def test_a_token_is_not_asked_for_with_a_name_of_a_megabyte():
    body = {"username": "\ufdfa" * 300_000, "password": "x"}
    reply = Client().post("/api/token/", body, content_type="application/json")
    assert reply.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert "too large" in reply.json()["detail"]


def test_without_the_limit_the_name_would_be_read(monkeypatch):
    """Control."""
    monkeypatch.setattr("osmosmjerka.web.middleware._LIMITS", ())
    body = {"username": "x" * 20_000, "password": "x"}
    reply = Client().post("/api/token/", body, content_type="application/json")
    assert reply.status_code == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize("field", ["username", "password"])
def test_no_name_or_password_that_nobody_can_have_is_hashed(field, monkeypatch):
    hashed = []
    monkeypatch.setattr(lockout, "key_of", lambda *args: hashed.append(args) or "key")
    given = {"username": "ana", "password": "x"} | {field: "x" * 5_000}
    assert backends.PasswordBackend().authenticate(None, **given) is None
    assert hashed == []
    assert backends.PasswordBackend().authenticate(None, username="ana", password="x") is None
    assert len(hashed) == 1, "the control"


@pytest.mark.parametrize("lines", [5_001, 100_000])
def test_a_long_text_is_to_be_imported_as_a_file(lines, sign_in, teacher, animals):
    client = sign_in(teacher)
    text = "\n".join(f"a{number}\tb" for number in range(lines))
    new = {"title": "x", "language": "hr", "translation_language": "en", "visibility": "private"}
    for path, body in [
        ("/lists/preview/", {"language": "hr", "lines": text}),
        ("/lists/new/", new | {"lines": text}),
        (f"/lists/{animals.pk}/", {"lines": text}),
    ]:
        page = client.post(path, body)
        assert "Save it as a file" in page.text, path
    if lines == 100_000:
        assert (
            "Save it as a file" in client.post(f"/lists/{animals.pk}/import/", {"text": text}).text
        )
    short = "\n".join(f"a{number}\tb" for number in range(30))
    assert "Save it" not in client.post("/lists/preview/", {"language": "hr", "lines": short}).text


@pytest.mark.parametrize("who", daily(OWNER, of=[ANYBODY, STUDENT, OWNER]))
def test_what_is_no_json_object_is_refused_everywhere_in_a_sentence(who, house, other_house):
    """Daily one of each: another value, too deep, no text, nothing."""
    person, wrong = persons(house, other_house)[who], []
    client = Client(raise_request_exception=False)
    if person is not None:
        client.force_login(person)
    bodies = BODIES if IS_THOROUGH else ["null", "[" * 5_000, "\xff", ""]
    # What an address does not know, it refuses whatever the body is.
    asked = [
        (route, method, body)
        for route, row in TABLE.items()
        if route.startswith("api/") and route not in {"api/", "api/schema/"}
        for method in WRITING
        for body in (bodies if method in row else ["null"] if IS_THOROUGH else [])
    ]
    for route, method, body in asked:
        path = path_of(route, house)
        reply = client.generic(
            method, path, body.encode("latin-1"), content_type="application/json"
        )
        told = f"{method} {path} {body[:20]}: {reply.status_code}"
        if reply.status_code >= 500:
            wrong.append(told)
        elif reply.status_code >= 400 and reply["Content-Type"] != "application/problem+json":
            wrong.append(f"{told} {reply['Content-Type']}")
        # A deletion, and an address that takes no body, ignore what is sent.
        is_read = route in RIGHT_BODIES and method != "DELETE"
        if reply.status_code < 300 and body and is_read:
            wrong.append(f"{told} was taken")
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("query", ["a\r\nSet-Cookie: x=1", "q=š", "q=\u2028\x00", "&&=%ff", "?"])
def test_a_query_that_is_sent_back_is_only_a_query(query, sign_in, teacher, animals):
    client = sign_in(teacher)
    for path, body in [
        (f"/lists/{animals.pk}/bulk/", {"action": ""}),
        (f"/entries/{animals.entries.first().pk}/place/", {"step": "up"}),
    ]:
        reply = client.post(path, body | {"query": query})
        assert reply.status_code == HTTPStatus.FOUND
        assert "x" not in reply.cookies
        assert reply["Location"].isascii() and "\n" not in reply["Location"]
        assert not reply["Location"].startswith("=?")
        assert client.get(reply["Location"].partition("#")[0]).status_code == HTTPStatus.OK


def test_the_query_of_a_search_is_kept(sign_in, teacher, animals):
    body = {"action": "", "query": "q=sova&page=2"}
    reply = sign_in(teacher).post(f"/lists/{animals.pk}/bulk/", body)
    assert reply["Location"] == f"/lists/{animals.pk}/?q=sova&page=2#words"


@pytest.mark.parametrize("path", ["/login/", "/language/", "/admin/login/", "/logout/"])
@pytest.mark.parametrize("target", ["/x\r\nSet-Cookie: x=1", "/š", "\x00", "/\u2028"])
def test_where_to_go_next_never_becomes_a_header(path, target, teacher):
    client = Client(raise_request_exception=False)
    for reply in (
        client.post(path, {"next": target, "language": "hr", "username": "ana", "password": "x"}),
        client.get(path, {"next": target}),
    ):
        assert reply.status_code < 500
        assert "x" not in reply.cookies


def test_the_api_answers_in_json_whatever_goes_wrong(sign_in, teacher, monkeypatch):
    client = Client(raise_request_exception=False)
    assert client.get("/api/nowhere", follow=True).json()["detail"] == "Not found."
    client = sign_in(teacher)
    client.raise_request_exception = False

    def fail(*args, **kwargs):
        raise RuntimeError("secret")

    monkeypatch.setattr("vocab.lists.api.VocabularyListViewSet.get_queryset", fail)
    teacher.language = "hr"
    teacher.save()
    reply = client.get("/api/lists/")
    assert reply.status_code == 500
    assert (reply["Content-Type"], reply.json()["status"]) == ("application/problem+json", 500)
    assert "secret" not in reply.text
    assert "our side" not in reply.text, "in the reader's language"
    with override_settings(ALLOWED_HOSTS=["x.example"]):
        assert json.loads(client.get("/api/lists/").text)["detail"]
