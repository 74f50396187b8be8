"""Passkeys of teachers: made, named, used and removed; a wrong answer opens nothing."""

import json
import random

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client

from osmosmjerka.accounts.auth import lockout, passkeys
from osmosmjerka.accounts.models import AuditEntry, Passkey
from tests.accounts.auth.authenticator import Device
from tests.conftest import PASSWORD


def post(client, path, body):
    return client.post(path, json.dumps(body), content_type="application/json")


def add(client, device, name="My phone", **changes):
    options = post(client, "/me/passkeys/options/", {"password": PASSWORD}).json()
    made = {"credential": device.make(options, **changes), "name": name}
    return post(client, "/me/passkeys/new/", made)


def enter(client, device, target="", **changes):
    options = post(client, "/login/passkey/options/", {}).json()
    answer = {"credential": device.answer(options, **changes), "next": target}
    return post(client, "/login/passkey/", answer)


def who_is_on(client):
    return client.session.get("_auth_user_id")


@pytest.fixture
def device(teacher, sign_in):
    """A device with a passkey of the teacher's."""
    device = Device()
    assert add(sign_in(teacher), device).status_code == 201
    return device


def test_a_passkey_opens_the_account_of_who_made_it(client, device, teacher):
    reply = enter(client, device)
    assert (reply.status_code, reply.json()) == (200, {"next": "/"})
    assert who_is_on(client) == str(teacher.pk)
    assert client.get("/lists/").status_code == 200
    assert Passkey.objects.get().used_at is not None


def test_a_passkey_is_both_steps_at_once(client, device, teacher):
    from django_otp.plugins.otp_totp.models import TOTPDevice

    TOTPDevice.objects.create(user=teacher, confirmed=True)
    by_password = Client()
    by_password.post("/login/", {"username": "ana", "password": PASSWORD})
    assert who_is_on(by_password) is None
    enter(client, device)
    assert who_is_on(client) == str(teacher.pk)


def test_a_passkey_opens_an_account_whose_password_was_tried_too_often(client, device, teacher):
    for _attempt in range(lockout.FREE_FAILURES):
        client.post("/login/", {"username": "ana", "password": "wrong"})
    enter(client, device)
    assert who_is_on(client) == str(teacher.pk)


@pytest.mark.parametrize(
    "changes",
    [
        {"origin": "http://testserver.evil.example"},
        {"origin": "http://evil.testserver"},
        {"origin": "http://testserver:8000"},
        {"host": "evil.example"},
        {"challenge": "AAAA"},
        {"is_verified": False},
        {"key": ec.generate_private_key(ec.SECP256R1())},
        {"handle": "AAAA"},
        {"counts_on": 0},  # a copy of the device
    ],
    ids=lambda changes: "-".join(changes),
)
def test_a_wrong_answer_opens_nothing(client, device, changes):
    enter(client, device)  # the device has counted
    client.logout()
    assert enter(client, device, **changes).status_code == 400
    assert who_is_on(client) is None
    assert enter(client, device).status_code == 200  # the control


def test_an_answer_works_once(client, device):
    options = post(client, "/login/passkey/options/", {}).json()
    answer = {"credential": device.answer(options)}
    assert post(client, "/login/passkey/", answer).status_code == 200
    client.logout()
    assert post(client, "/login/passkey/", answer).status_code == 400
    other = Client()
    post(other, "/login/passkey/options/", {})
    assert post(other, "/login/passkey/", answer).status_code == 400


def test_after_logging_in_one_goes_on_here_and_nowhere_else(client, device):
    assert enter(client, device, "/lists/").json() == {"next": "/lists/"}
    client.logout()
    assert enter(client, device, "https://evil.example/").json() == {"next": "/"}


def test_a_passkey_that_was_removed_opens_nothing(client, device, teacher, stranger, sign_in):
    pk = Passkey.objects.get().pk
    assert sign_in(stranger).post(f"/me/passkeys/{pk}/remove/").status_code == 404
    own = sign_in(teacher)
    assert "My phone" in own.get("/me/passkeys/").content.decode()
    own.post(f"/me/passkeys/{pk}/remove/")
    assert enter(client, device).status_code == 400
    done = AuditEntry.objects.filter(subject_id=teacher.pk).values_list("action", flat=True)
    assert {"added passkey", "removed passkey"} <= set(done)


def test_somebody_who_left_is_not_let_in(client, device, teacher):
    teacher.is_active = False
    teacher.save()
    assert enter(client, device).status_code == 400


def test_the_password_is_asked_before_a_passkey_is_made(teacher, sign_in):
    client = sign_in(teacher)
    for _attempt in range(lockout.FREE_FAILURES):
        reply = post(client, "/me/passkeys/options/", {"password": "wrong"})
        assert (reply.status_code, reply.json()["detail"]) == (400, "This password is not correct.")
    reply = post(client, "/me/passkeys/options/", {"password": PASSWORD})
    assert "Too many" in reply.json()["detail"]
    assert post(client, "/me/passkeys/new/", {"credential": {}}).status_code == 400


def test_one_device_is_nobody_elses_too(device, stranger, sign_in):
    assert add(sign_in(stranger), device).status_code == 400
    assert Passkey.objects.count() == 1


def test_a_device_that_does_not_verify_its_owner_makes_no_passkey(teacher, sign_in):
    assert add(sign_in(teacher), Device(), is_verified=False).status_code == 400


def test_there_is_an_end_of_passkeys(teacher, sign_in):
    client = sign_in(teacher)
    for _each in range(passkeys.MOST):
        assert add(client, Device()).status_code == 201
    reply = post(client, "/me/passkeys/options/", {"password": PASSWORD})
    assert "Remove one first" in reply.json()["detail"]


def test_students_have_cards_and_no_passkeys(student, sign_in):
    assert (
        post(sign_in(student), "/me/passkeys/options/", {"password": PASSWORD}).status_code == 404
    )


def test_nothing_that_is_sent_breaks_the_server(client, device, teacher, sign_in):
    """Answers with parts cut off, swapped and garbled are refused, never an error of the server."""
    rng, own = random.Random(1), sign_in(teacher)

    def garbled(value):
        if isinstance(value, dict):
            kept = {name: garbled(part) for name, part in value.items() if rng.random() > 0.08}
            return rng.choice([kept] * 9 + [None, [], "x", 7])
        if isinstance(value, str) and rng.random() < 0.5:
            place = rng.randrange(len(value) + 1)
            return rng.choice([value[:place], value[:place] + "A" + value[place:], "", "é", None])
        return value

    for _each in range(150):
        options = post(client, "/login/passkey/options/", {}).json()
        sent = garbled({"credential": device.answer(options), "next": "/"})
        assert post(client, "/login/passkey/", sent).status_code in {200, 400}, sent
        client.logout()
        options = post(own, "/me/passkeys/options/", {"password": PASSWORD}).json()
        if "detail" in options:
            Passkey.objects.exclude(name="My phone").delete()
            continue
        sent = garbled({"credential": Device().make(options), "name": "x"})
        assert post(own, "/me/passkeys/new/", sent).status_code in {201, 400}, sent
    for body in ("", "[]", "null", "{", "[" * 10_000, '{"credential": 1}'):
        reply = client.post("/login/passkey/", body, content_type="application/json")
        assert reply.status_code == 400
