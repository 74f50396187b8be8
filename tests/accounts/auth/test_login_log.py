"""A refused log-in is one line of the log: why and from where, and never who a child is."""

import json
import logging
from contextlib import suppress

import pytest
from django.conf import settings
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from pythonjsonlogger.json import JsonFormatter

from osmosmjerka.accounts import people
from osmosmjerka.accounts.auth import cards, lockout, login_log
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.web.requests import RequestIdFilter
from tests.conftest import PASSWORD

pytestmark = pytest.mark.database

ADDRESS = "203.0.113.7"
# Words that stand nowhere else: what they are found in tells of the child.
USERNAME, NAME, MAIL = "quokka.wombat", "Quokka", "numbat@school.example"
WRONG_PASSWORD = "bilby echidna"


@pytest.fixture
def child(school):
    return people.create_person(
        username=USERNAME,
        display_name=NAME,
        role=User.Role.STUDENT,
        school=school,
        password=PASSWORD,
    )


@pytest.fixture
def door(classroom, child):
    people.join_classroom(classroom=classroom, person=child, role=Membership.Role.STUDENT)
    classroom.uses_pictures = True
    classroom.save()
    return f"/c/{classroom.join_code}/"


@pytest.fixture
def old_card(child, classroom, door, teacher):
    """A card of the child's that a new one has made void."""
    old = cards.issue_cards(students=[child], actor=teacher, classroom=classroom)[0]
    cards.issue_cards(students=[child], actor=teacher, classroom=classroom)
    return old


@pytest.fixture
def careful(teacher):
    """A teacher with two-step verification."""
    teacher.email = MAIL
    teacher.save()
    TOTPDevice.objects.create(user=teacher, confirmed=True)
    return teacher


@pytest.fixture
def refusals(child, classroom, door, old_card, careful):
    """Return each way to be refused: how, the reason, and whose account or class is told."""
    client = Client(REMOTE_ADDR=ADDRESS)
    by_password = {"username": USERNAME, "password": WRONG_PASSWORD}
    of_child, of_class = {"account": child.pk}, {"classroom": classroom.pk}
    of_careful = {"account": careful.pk}
    right = {"username": careful.username, "password": PASSWORD}
    pictures = {f"picture-{place}": name for place, name in enumerate(old_card.pictures)}

    def send(path, sent):
        if path.startswith("/api/"):
            return client.post(path, sent, content_type="application/json")
        return client.post(path, sent)

    def post(path, sent):
        return lambda: send(path, sent)

    def locked(key, path, sent):
        def play():
            for _attempt in range(lockout.FREE_FAILURES):
                with suppress(lockout.AccountLocked):
                    lockout.begin(key)
            return send(path, sent)

        return play

    def second_step():
        client.post("/login/", right)
        return client.post("/login/code/", {"code": "wrong"})

    password_key = lockout.key_of("password", USERNAME)
    door_key = cards.key_of_card(child)
    at_door = {"name": NAME, "words": old_card.words}
    return {
        "password": (post("/login/", by_password), "password", of_child),
        "unknown": (
            post("/login/", {"username": "nobody", "password": WRONG_PASSWORD}),
            "password",
            {},
        ),
        "api": (post("/api/token/", by_password), "password", of_child),
        "card": (post("/card/", {"token": old_card.token}), "card", {}),
        "words": (post(door, at_door), "code", of_class),
        "pictures": (post(door, {"name": NAME, **pictures}), "code", of_class),
        "class code": (post("/join/", {"code": "NOTACODE"}), "class code", {}),
        "passkey": (post("/login/passkey/", {}), "passkey", {}),
        "second step": (second_step, "second step", of_careful),
        "second step, api": (post("/api/token/", right), "second step", of_careful),
        "locked": (locked(password_key, "/login/", by_password), "locked out", of_child),
        "locked, api": (locked(password_key, "/api/token/", by_password), "locked out", of_child),
        "locked at the door": (locked(door_key, door, at_door), "locked out", of_class),
    }


WAYS = [
    "password",
    "unknown",
    "api",
    "card",
    "words",
    "pictures",
    "class code",
    "passkey",
    "second step",
    "second step, api",
    "locked",
    "locked, api",
    "locked at the door",
]


def written(caplog):
    """Return all that the log holds, of both formats, with every field of every line."""
    formats = settings.LOGGING["formatters"]
    as_text = logging.Formatter(formats["text"]["format"], style="{")
    as_json = JsonFormatter(formats["json"]["format"], style="{", json_ensure_ascii=False)
    lines = []
    for record in caplog.records:
        RequestIdFilter().filter(record)
        lines += [as_text.format(record), as_json.format(record)]
    return "\n".join(lines)


def told_of(text, old_card):
    """Return what of the child, or of what was typed, stands in *text*."""
    secrets = [USERNAME, NAME, MAIL, WRONG_PASSWORD, PASSWORD, old_card.token, old_card.words]
    return [secret for secret in secrets if secret.casefold() in text.casefold()]


@pytest.mark.parametrize("way", WAYS)
def test_a_refusal_is_one_warning_with_its_reason_and_its_address(way, refusals, caplog):
    caplog.set_level(logging.INFO)
    play, reason, whose = refusals[way]
    play()
    [line] = [record for record in caplog.records if record.name == login_log.__name__]
    told = json.loads(JsonFormatter("{levelname}", style="{").format(line))
    told.pop("request_id")
    assert told == {"levelname": "WARNING", "reason": reason, "address": ADDRESS} | whose
    assert line.getMessage() == f"Log-in refused ({reason}) from {ADDRESS}" + "".join(
        f", {name} {number}" for name, number in whose.items()
    )


def test_each_way_is_played(refusals):
    assert set(WAYS) == set(refusals)


def test_no_refusal_tells_in_the_log_who_the_child_is(refusals, old_card, caplog):
    caplog.set_level(logging.INFO)
    for play, _reason, _whose in refusals.values():
        play()
    text = written(caplog)
    assert text.count(f'"address": "{ADDRESS}"') >= len(refusals)
    assert told_of(text, old_card) == []


def test_a_line_with_what_was_typed_would_be_noticed(refusals, old_card, caplog, monkeypatch):
    """Control: the same refusals, logged carelessly."""
    caplog.set_level(logging.INFO)

    def careless(request, reason, **whose):
        logging.getLogger("careless").warning("Refused", extra={"sent": dict(request.POST)})

    monkeypatch.setattr(login_log, "refused", careless)
    for play, _reason, _whose in refusals.values():
        play()
    found = told_of(written(caplog), old_card)
    assert set(found) >= {USERNAME, NAME, WRONG_PASSWORD, old_card.token, old_card.words}


def test_who_is_let_in_is_one_line_with_the_number_of_the_account_alone(child, db, caplog):
    caplog.set_level(logging.INFO)
    client = Client(REMOTE_ADDR=ADDRESS)
    assert client.post("/login/", {"username": USERNAME, "password": PASSWORD}).url == "/"
    [line] = [record for record in caplog.records if record.name == login_log.__name__]
    assert (line.levelname, line.getMessage()) == ("INFO", f"Logged in: account {child.pk}")
    assert ADDRESS not in written(caplog)
