"""Over HTTPS: cookies of this host alone, no way back to plain HTTP, headers on every answer."""

import io
import json
import logging
import time
from datetime import datetime

import pytest
from django.conf import settings as django_settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client, override_settings
from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser

from osmosmjerka.assets import script_texts
from osmosmjerka.management.commands import serve
from tests.conftest import PASSWORD
from tests.layers import daily
from tests.site.test_settings import manage

COOKIES = """
import json
from django.conf import settings as s
from django.test import Client
client = Client()
client.post("/language/", {"language": "hr"}, secure=True)
client.post("/login/passkey/options/", secure=True)
print(json.dumps({
    "names": [s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, *client.cookies],
    "flags": [[c["secure"], c["path"], c["domain"], c["samesite"], c["httponly"]]
              for c in client.cookies.values()]
             + [[s.SESSION_COOKIE_SECURE, s.SESSION_COOKIE_PATH, s.SESSION_COOKIE_DOMAIN or "",
                 s.SESSION_COOKIE_SAMESITE, s.SESSION_COOKIE_HTTPONLY],
                [s.CSRF_COOKIE_SECURE, s.CSRF_COOKIE_PATH, s.CSRF_COOKIE_DOMAIN or "",
                 s.CSRF_COOKIE_SAMESITE, "read by scripts"]],
}))
"""
NAMES = ["sessionid", "csrftoken", "django_language", "passkey_challenge"]


@pytest.mark.parametrize("https", daily("true", of=["true", "false"]))
def test_cookies_are_of_this_host_and_of_https_alone(https, tmp_path):
    done = manage(
        *("shell", "-v0", "-c", COOKIES),
        data_dir=tmp_path,
        OSMOSMJERKA_HTTPS=https,
        ALLOWED_HOSTS="testserver",
    )
    told = json.loads(done.stdout or done.stderr)
    is_on = https == "true"
    assert told["names"] == [f"__Host-{name}" if is_on else name for name in NAMES]
    for secure, path, domain, same_site, http_only in told["flags"]:
        assert (bool(secure), path, domain, bool(http_only)) == (is_on, "/", "", True)
        assert same_site in {"Lax", "Strict"}


@override_settings(SECURE_SSL_REDIRECT=True)
def test_a_program_is_not_redirected_to_https_but_refused(teacher):
    """A program that is redirected goes on sending its password in the clear."""
    sent = {"username": "ana", "password": PASSWORD}
    refused = Client().post("/api/token/", sent, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "https_required")
    assert Client().get("/api/lists/").status_code == 403
    assert Client().get("/login/").status_code == 301  # a page leads to HTTPS
    answer = Client().post("/api/token/", sent, secure=True, content_type="application/json")
    assert answer.status_code == 200
    with override_settings(SECURE_SSL_REDIRECT=False):  # the control: a school's own network
        assert (
            Client().post("/api/token/", sent, content_type="application/json").status_code == 200
        )


def test_nobody_but_a_trusted_proxy_says_that_a_request_came_over_https(settings):
    settings.SECURE_SSL_REDIRECT = True
    claims = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}
    assert settings.SECURE_PROXY_SSL_HEADER is None  # TRUSTED_PROXY_COUNT is 0
    assert Client().get("/login/", headers=claims).status_code == 301
    assert serve._proxy_options() == {"clear_untrusted_proxy_headers": True}
    # The control: with a proxy that is trusted, it is believed.
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    texts = script_texts.address(script_texts.ALL)
    assert Client().get(texts, headers=claims).status_code == 200
    settings.TRUSTED_PROXY_COUNT = 1
    assert serve._proxy_options()["trusted_proxy_count"] == 1


def answers(client, teacher):
    """Yield an answer of every sort."""
    static = staticfiles_storage.url("osmosmjerka/app.js")
    texts = script_texts.address(script_texts.ALL)
    for path in ("/healthz", "/readyz", static, "/static/none.js", texts, "/login/", "/"):
        yield path, client.get(path, secure=True)
    yield "404", client.get("/nothing/here/", secure=True)
    yield "wrong host", client.get("/login/", secure=True, headers={"Host": "evil.example"})
    yield "API, unknown", client.get("/api/lists/", secure=True)
    client.force_login(teacher)
    for path in ("/", "/api/lists/", "/api/schema/", "/lists/", "/nothing/here/"):
        yield f"{path}, logged in", client.get(path, secure=True)


def test_every_answer_has_the_headers_that_bind_browsers(client, teacher, settings):
    settings.SECURE_HSTS_SECONDS = 365 * 24 * 3600  # with OSMOSMJERKA_HTTPS
    for name, answer in answers(client, teacher):
        policy = answer.get("Content-Security-Policy", "")
        for directive in ("default-src 'self'", "object-src", "base-uri", "frame-ancestors"):
            assert directive in policy, name
        assert "unsafe-inline" not in policy, name
        assert answer.get("X-Content-Type-Options") == "nosniff", name
        assert answer.get("Referrer-Policy") == "same-origin", name
        assert answer.get("Strict-Transport-Security", "").startswith("max-age=31536000"), name
        assert "Access-Control-Allow-Origin" not in answer, name
        content_type = answer.get("Content-Type", "")
        if content_type.startswith(("text/", "application/xml")):
            assert "charset=" in content_type, name


def test_without_the_order_of_the_middleware_health_checks_have_no_headers(client, settings):
    """The control."""
    health = "osmosmjerka.status.health.HealthMiddleware"
    settings.MIDDLEWARE = [health, *[name for name in settings.MIDDLEWARE if name != health]]
    assert "Content-Security-Policy" not in Client().get("/healthz")


def test_the_body_of_a_request_ends_where_its_transfer_encoding_says():
    """Two readings of one request would let an attacker slip a second one in."""
    parser = HTTPRequestParser(Adjustments())
    sent = (
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"0\r\n\r\nGET /admin/ HTTP/1.1\r\n\r\n"
    )
    while not parser.completed:
        sent = sent[parser.received(sent) :]
    assert parser.get_body_stream().read() == b""
    assert sent.startswith(b"GET /admin/")  # a request of its own, as any other
    for strange in (b"identity", b"xchunked"):
        parser = HTTPRequestParser(Adjustments())
        parser.received(
            b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: " + strange + b"\r\n\r\n"
        )
        assert parser.error.code == 501


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_line_of_the_log_has_its_time_with_the_offset(form, monkeypatch):
    stream, config = io.StringIO(), dict(django_settings.LOGGING["formatters"][form])
    formatter = config.pop("()", "logging.Formatter")
    made = logging.config.BaseConfigurator({}).resolve(formatter)(
        config["format"], datefmt=config["datefmt"], style="{"
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(made)
    record = logging.LogRecord("a", logging.INFO, "", 0, "said", (), None)
    record.request_id = "-"
    handler.handle(record)
    line = stream.getvalue()
    told = json.loads(line)["asctime"] if form == "json" else line.split()[0]
    assert abs(datetime.fromisoformat(told).timestamp() - time.time()) < 60
    assert datetime.fromisoformat(told).tzinfo is not None


def test_logs_go_to_the_console_alone():
    assert {handler["class"] for handler in django_settings.LOGGING["handlers"].values()} == {
        "logging.StreamHandler"
    }
