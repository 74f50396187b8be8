"""A session begins with a new key at each login, and ends on the server when its owner leaves."""

import json

import pytest
from django.core import signing
from django.test import Client
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from osmosmjerka.accounts import codes
from osmosmjerka.accounts.auth import cards, passkey_views
from osmosmjerka.accounts.models import BrowserSession, User
from tests.accounts.auth.test_second_step import code_of
from tests.conftest import PASSWORD
from tests.mailing import deliver


def by_password(client, teacher, student, classroom):
    return client.post("/login/", {"username": "ana", "password": PASSWORD})


def by_code(client, teacher, student, classroom):
    device = TOTPDevice.objects.create(user=teacher, confirmed=True)
    by_password(client, teacher, student, classroom)
    return client.post("/login/code/", {"code": code_of(device)})


def by_card(client, teacher, student, classroom):
    card = cards.issue_cards(students=[student], actor=teacher, classroom=classroom)[0]
    return client.post("/card/", {"token": card.token})


def by_words(client, teacher, student, classroom):
    card = cards.issue_cards(students=[student], actor=teacher, classroom=classroom)[0]
    door = f"/c/{classroom.join_code}/"
    return client.post(door, {"name": student.display_name, "words": card.words})


@pytest.mark.parametrize("way", [by_password, by_code, by_card, by_words])
def test_each_login_has_a_new_key_and_the_old_one_opens_nothing(
    way, teacher, student, classroom, db
):
    client = Client()
    session = client.session
    session["planted"] = "by who gave this key to the visitor"
    session.save()
    client.cookies["sessionid"] = planted = session.session_key
    assert way(client, teacher, student, classroom).status_code == 302
    assert "_auth_user_id" in client.session  # the control: it is a login
    assert client.session.session_key != planted
    assert len(client.session.session_key) >= 32
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert "_auth_user_id" not in thief.session


def test_who_logs_out_ends_the_session_on_the_server(client, teacher):
    by_password(client, teacher, None, None)
    copied = client.cookies["sessionid"].value
    thief = Client()
    thief.cookies["sessionid"] = copied
    assert thief.get("/lists/").status_code == 200  # the control
    assert client.get("/logout/").status_code == 405  # no picture or link logs anybody out
    client.post("/logout/")
    thief.cookies["sessionid"] = copied
    assert thief.get("/lists/").status_code == 302
    assert not BrowserSession.objects.filter(user=teacher).exists()


def test_every_page_of_who_is_logged_in_has_the_way_out(teacher, student, classroom, sign_in):
    pages = {teacher: ["/", "/lists/", "/classes/", "/me/password/"], student: ["/"]}
    for person, paths in pages.items():
        for path in paths:
            assert 'action="/logout/"' in sign_in(person).get(path, follow=True).content.decode()


def test_a_reset_link_does_not_pass_the_second_step(client, teacher, mailoutbox):
    teacher.email = "ana@school.example"
    teacher.save()
    device = TOTPDevice.objects.create(user=teacher, confirmed=True)
    client.post("/password/", {"email": teacher.email})
    deliver()
    link = next(part for part in mailoutbox[0].body.split() if "/password/" in part)
    page = client.get("/" + link.split("/", 3)[3], follow=True)
    new = "another horse, another battery"
    client.post(page.request["PATH_INFO"], {"new_password1": new, "new_password2": new})
    assert "_auth_user_id" not in client.session
    asked = client.post("/login/", {"username": "ana", "password": new})
    assert asked.url == "/login/code/"
    assert "_auth_user_id" not in client.session
    client.post("/login/code/", {"code": code_of(device)})  # the control
    assert "_auth_user_id" in client.session


def test_a_code_of_the_app_works_once(client, teacher):
    device = TOTPDevice.objects.create(user=teacher, confirmed=True)
    code = code_of(device)
    for opens in (True, False):
        by_password(client, teacher, None, None)
        client.post("/login/code/", {"code": code})
        assert ("_auth_user_id" in client.session) is opens
        client.post("/logout/")


@pytest.mark.parametrize("by", ["nobody", "another key", "another purpose", "changed"])
def test_a_challenge_that_this_site_did_not_sign_is_none(by, client, db, rf):
    """The cookie of a passkey's challenge is the only token here that carries its own content."""
    state = json.dumps({"challenge": f"chosen by an attacker, {by}"})
    name = passkey_views._COOKIE
    purpose = name + name  # Django adds the cookie's name to the salt
    real = signing.get_cookie_signer(salt=purpose).sign(state)
    forged = {
        "nobody": state,
        "another key": signing.TimestampSigner(key="x" * 50, salt=purpose).sign(state),
        "another purpose": signing.get_cookie_signer(salt="reset").sign(state),
        "changed": real.replace("attacker", "accepter"),
    }

    def challenge(cookie):
        request = rf.post("/login/passkey/")
        request.COOKIES[name] = cookie
        return passkey_views._challenge(request)

    assert challenge(forged[by]) == {}
    assert challenge(real) == json.loads(state)  # the control
    assert challenge(real) == {}  # and once


def test_a_challenge_is_too_old_after_minutes(rf, monkeypatch, db):
    name = passkey_views._COOKIE
    real = signing.get_cookie_signer(salt=name + name).sign("{}")
    request = rf.post("/login/passkey/")
    request.COOKIES[name] = real
    now = signing.time.time()
    monkeypatch.setattr(signing.time, "time", lambda: now + passkey_views._SECONDS + 1)
    seen = []
    monkeypatch.setattr(passkey_views.cache, "add", lambda *given: seen.append(given))
    assert passkey_views._challenge(request) == {}
    assert seen == []  # it was refused by its age


def test_a_new_site_has_no_account(db):
    assert not User.objects.exists()


def test_two_step_verification_is_turned_on_with_the_password(teacher, sign_in):
    client = sign_in(teacher)
    client.get("/me/second-step/")
    device = TOTPDevice.objects.get(user=teacher)
    for password, is_on in (("not it", False), ("", False), (PASSWORD, True)):
        TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
        client.post("/me/second-step/", {"code": code_of(device), "password": password})
        device.refresh_from_db()
        assert device.confirmed is is_on


def test_codes_are_long_enough():
    """In bits: what works alone has 128 at least, what is asked for with something else 16."""
    base64, base32 = 6, 5
    assert len(codes.new_token()) * base64 >= 160
    assert len(StaticToken.random_token()) * base32 >= 40
    assert len(random_hex()) * 4 >= 160  # the key of an authenticator app
    assert all(len(words) ** codes.WORDS_A_CARD >= 2**32 for words in codes.WORDS_IN.values())
    assert len(codes.PICTURES) ** codes.PICTURES_A_CARD >= 2**16
    assert len({codes.new_token() for _each in range(100)}) == 100
