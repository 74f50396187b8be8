"""The environment drives the settings: safe defaults, clear errors, production clean."""

import os
import runpy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from osmosmjerka import settings as project

ROOT = Path(__file__).parents[2]


def manage(*arguments, data_dir, **variables):
    environment = {
        name: value
        for name, value in os.environ.items()
        if name in {"PATH", "HOME", "LANG", "SYSTEMROOT"}
    }
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment | {"OSMOSMJERKA_DATA_DIR": str(data_dir)} | variables,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Read the settings as a process that starts with these variables does; return them."""

    def start(**variables):
        with monkeypatch.context() as patch:
            for name in os.environ.keys() - {"PATH", "HOME", "LANG"}:
                patch.delenv(name)
            for name, value in ({"OSMOSMJERKA_DATA_DIR": str(tmp_path)} | variables).items():
                patch.setenv(name, value)
            return runpy.run_path(project.__file__)

    return start


def test_a_process_that_starts_tells_in_a_sentence_what_is_wrong(tmp_path):
    """And shows nothing else; the tests below read the settings in their own process."""
    done = manage("check", data_dir=tmp_path, DEBUG="perhaps")
    assert done.returncode != 0
    assert done.stderr.startswith("A setting in the environment is wrong. ")
    assert "DEBUG" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "perhaps"),
        ("TRUSTED_PROXY_COUNT", "-1"),
        ("CELERY_BROKER_URL", "carrier-pigeon://"),
        ("LOG_LEVEL", "LOUD"),
        ("JOB_LEASE_SECONDS", "soon"),
        ("TIME_ZONE", "Mars/Olympus"),
        ("TIME_ZONE", "/etc/passwd"),
        ("EMAIL_URL", "zzz://x"),
        ("EMAIL_URL", "smtp://mail.example:port"),
        ("EMAIL_TIMEOUT", "0"),
        ("OSMOSMJERKA_METRICS_TOKEN", "short"),
        ("OSMOSMJERKA_METRICS_TOKEN", "with some spaces in it"),
        ("SENTRY_DSN", "errors.example"),
        ("LOG_REQUESTS", "perhaps"),
        ("SECRET_KEY", " " * 40),
        ("SECRET_KEY", "x" * 31),
        ("ALLOWED_HOSTS", ""),
        ("ALLOWED_HOSTS", " , "),
        ("OSMOSMJERKA_HSTS_SUBDOMAINS", "perhaps"),
        ("OSMOSMJERKA_PRINT_FONTS", "/nowhere/fonts"),
        ("OSMOSMJERKA_XAPI_URL", "lrs.example/xapi"),
        ("OSMOSMJERKA_XAPI_SITE", "words.example"),
        ("DATABASE_URL", "mysql://user:password@db.example/osmosmjerka"),
        ("DATABASE_URL", "sqlite:////proc/none/x.sqlite3"),
        ("DATABASE_URL", "postgres://user:pass#word@db.example/osmosmjerka"),
        ("CACHE_URL", "redis://:pass#word@cache.example/0"),
        ("CELERY_BROKER_URL", "redis://:pass#word@broker.example/0"),
        ("CELERY_BROKER_URL", "amqp://user:pass/word@broker.example//"),
        ("CELERY_BROKER_URL", "redis://broker.example:port/0"),
    ],
)
def test_a_wrong_value_stops_the_start_and_is_named(name, value, start):
    with pytest.raises(SystemExit, match=name):
        start(**{name: value})


@pytest.mark.parametrize(
    ("value", "better"),
    [
        ("https://words.school.example", "words.school.example"),
        ("http://words.school.example/", "words.school.example"),
        ("words.school.example:8000", "words.school.example"),
        ("words.school.example/", "words.school.example"),
        ("words.school.example.", "words.school.example"),
        ("localhost,https://x.example:8443/a", "x.example"),
        ("*.school.example", r"\.school.example"),
        ("škola.hr", "xn--kola-f6a.hr"),
        (".škola.hr", r"\.xn--kola-f6a.hr"),
        ("::1", r"\[::1\]"),
        ("[::1]:8000", r"\[::1\]"),
        ("[0:0:0:0:0:0:0:1]", r"\[::1\]"),
        ("127.0.0.1:8000", "127.0.0.1"),
    ],
)
def test_a_host_that_no_request_has_is_refused_and_the_right_form_named(value, better, start):
    with pytest.raises(SystemExit, match=f"ALLOWED_HOSTS.*; write {better}'"):
        start(ALLOWED_HOSTS=value)


@pytest.mark.parametrize("value", ["a b", "[::1", "http://", "my_host", "-x", "256.1.1.1", "127.1"])
def test_what_is_no_host_is_refused(value, start):
    with pytest.raises(SystemExit, match="ALLOWED_HOSTS"):
        start(ALLOWED_HOSTS=value)


@pytest.mark.parametrize(
    ("value", "hosts"),
    [
        ("*", ["*"]),
        (".School.example, localhost", [".school.example", "localhost"]),
        ("[::1],[2001:db8::1],10.0.0.7", ["[::1]", "[2001:db8::1]", "10.0.0.7"]),
        ("xn--kola-f6a.hr", ["xn--kola-f6a.hr"]),
    ],
)
def test_hosts_as_browsers_send_them_are_taken(value, hosts, start):
    """Control."""
    assert start(ALLOWED_HOSTS=value)["ALLOWED_HOSTS"] == hosts


@pytest.mark.parametrize(
    "rest",
    [
        "//osm.sqlite3", "osm.sqlite3", "/osm.sqlite3", "//./osm.sqlite3", "///", "////", "//",
        "//:memory:",
        "///:memory:", "///folder/", "///a#b.sqlite3", "//localhost/osm.sqlite3",
    ],
)  # fmt: skip
def test_a_database_that_would_be_in_memory_or_elsewhere_is_refused(rest, start):
    with pytest.raises(SystemExit, match="DATABASE_URL"):
        start(DATABASE_URL=f"sqlite:{rest}")


@pytest.mark.parametrize("more", ["", "?timeout=5"])
def test_a_database_file_is_taken(more, start, tmp_path):
    """Control."""
    file = tmp_path / "osm.d" / "a.sqlite3"
    started = start(DATABASE_URL=f"sqlite:///{file}{more}")
    assert started["DATABASES"]["default"]["NAME"] == str(file)


@pytest.mark.parametrize(
    "url", ["redis://:a%23b@x.example:6379/0", "redis://a:6379;redis://b:6379", "memory://"]
)
def test_brokers_are_taken(url, start):
    """Control."""
    assert start(CELERY_BROKER_URL=url)["BROKER"] == url


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_data_folder_that_cannot_be_made_is_named(below, tmp_path, start):
    file = tmp_path / "a-file"
    file.write_text("not a folder")
    with pytest.raises(SystemExit, match="OSMOSMJERKA_DATA_DIR") as stopped:
        start(OSMOSMJERKA_DATA_DIR=str(file / below))
    assert str(file) in str(stopped.value)


@pytest.mark.parametrize("port", ["0", "65536"])
def test_a_port_that_cannot_be_is_refused(port):
    with pytest.raises(CommandError, match=f"from 1 to 65535, not {port}\\."):
        call_command("serve", "--port", port)


@pytest.mark.parametrize("url", ["postgres://nobody@127.0.0.1:1/none", "sqlite:////proc"])
def test_a_dead_database_is_told_in_a_sentence(url, tmp_path):
    done = manage("serve", "--port", "8999", data_dir=tmp_path, DATABASE_URL=url)
    assert done.returncode != 0
    assert done.stderr.startswith("CommandError: The database of DATABASE_URL does not answer: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("wanted", ["false", "true"])
def test_hsts_takes_subdomains_in_only_where_it_is_wanted(wanted, start):
    values = start(OSMOSMJERKA_HTTPS="true", OSMOSMJERKA_HSTS_SUBDOMAINS=wanted)
    assert str(values["SECURE_HSTS_INCLUDE_SUBDOMAINS"]) == wanted.title()


@pytest.mark.parametrize(("debug", "is_looked_for"), [("true", True), ("false", False)])
def test_queries_made_once_a_row_are_looked_for_in_development_alone(debug, is_looked_for, start):
    pytest.importorskip("zeal")
    values = start(DEBUG=debug)
    assert ("zeal" in values["INSTALLED_APPS"]) is is_looked_for
    assert ("zeal.middleware.zeal_middleware" in values["MIDDLEWARE"]) is is_looked_for


def test_nothing_has_to_be_set(tmp_path):
    done = manage("check", data_dir=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_secret_key_is_made_once_and_kept_private(tmp_path, start):
    first = start()["SECRET_KEY"]
    key = tmp_path / "secret_key"
    assert start()["SECRET_KEY"] == first
    assert len(first) >= 50
    assert key.read_text() == first
    assert key.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("left", ["", "\n", "half-writ", "\xff" * 10])
def test_a_damaged_secret_key_stops_the_start_in_a_sentence(left, tmp_path, start):
    (tmp_path / "secret_key").write_text(left, encoding="latin-1")
    with pytest.raises(SystemExit, match="secret_key is damaged"):
        start()
    assert (tmp_path / "secret_key").read_text(encoding="latin-1") == left, "it is not replaced"


def test_processes_that_start_together_share_one_secret_key(tmp_path):
    code = "from django.conf import settings; print(settings.SECRET_KEY)"
    with ThreadPoolExecutor(4) as starters:
        keys = {
            done.stdout.strip()
            for done in starters.map(
                lambda _number: manage("shell", "-v0", "-c", code, data_dir=tmp_path), range(4)
            )
        }
    assert len(keys) == 1
    assert len(keys.pop()) >= 50
    assert [path.name for path in tmp_path.glob("*secret_key*")] == ["secret_key"]


def test_deployment_check_is_clean_under_production_variables():
    done = manage(
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
        data_dir=settings.DATA_DIR,  # whose static files are collected
        SECRET_KEY="x1" * 40 + "unguessable-enough",
        OSMOSMJERKA_HTTPS="true",
        ALLOWED_HOSTS="school.example",
        DATABASE_URL="postgres://user:password@db.example/osmosmjerka",
        CELERY_BROKER_URL="redis://broker.example/0",
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://u:p@mail.example:587", 587, True, False),
        ("smtp+tls://mail.example:2525", 2525, True, False),
        ("smtp+tls://mail.example", 587, True, False),
        ("submission://mail.example", 587, True, False),
        ("smtps://mail.example:587", 587, True, False),
        ("smtps://mail.example", 465, False, True),
        ("smtp://mail.example:465", 465, False, True),
        ("smtp://mail.example:2525?ssl=true", 2525, False, True),
        ("smtp://mail.example:587?tls=false", 587, False, False),
        ("smtp://mail.example", 25, False, False),
    ],
)
def test_the_address_of_the_mail_server_says_whether_mail_is_encrypted(url, port, tls, ssl):
    mail = project._mail(url)
    told = (mail["EMAIL_PORT"], mail["EMAIL_USE_TLS"], mail["EMAIL_USE_SSL"])
    assert told == (port, tls, ssl)
