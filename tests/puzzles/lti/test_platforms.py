"""School admins connect a platform: with one address, or by hand; and test the connection."""

import re
from urllib.parse import urlsplit

import pytest
from django.test import Client

from osmosmjerka.accounts.models import AuditEntry, User
from osmosmjerka.accounts.secrets import SecretUnreadable, decrypt, encrypt
from puzzles.lti import keys
from puzzles.models import LtiInvitation, LtiPlatform, ToolKey

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(make_person, school, sign_in):
    return sign_in(make_person(User.Role.SCHOOL_ADMIN, school))


@pytest.fixture
def page(school):
    return f"/schools/{school.pk}/platforms/"


def address_of(admin, page):
    shown = admin.post(f"{page}invite/").content.decode()
    [address] = re.findall(r'id="address"[^>]*value="([^"]+)"', shown)
    return urlsplit(address).path


def test_an_admin_pastes_one_address_and_launches_work(moodle, admin, page, school):
    address = address_of(admin, page)
    asked = {"openid_configuration": f"{moodle.url}/openid", "registration_token": "abc"}
    answer = Client().get(address, asked)
    assert answer.status_code == 200
    assert b"is connected" in answer.content
    [(authorization, told)] = moodle.registered
    assert authorization == "Bearer abc"
    assert told["initiate_login_uri"] == "http://testserver/lti/login/"
    assert told["redirect_uris"] == ["http://testserver/lti/launch/"]
    assert told["jwks_uri"] == "http://testserver/lti/keys/"
    platform = LtiPlatform.objects.get()
    assert (platform.school, platform.client_id) == (school, "tool")
    assert platform.deployments.get().deployment_id == "1"
    assert AuditEntry.objects.filter(action="connected platform", school=school).exists()
    answer = moodle.launch(Client(), role="staff")
    assert answer["Location"] == "/lti/account/"
    # Once.
    assert Client().get(address, asked).status_code == 400
    assert len(moodle.registered) == 1
    assert LtiInvitation.objects.count() == 0


def test_a_platform_that_names_another_as_itself_is_not_connected(moodle, admin, page):
    address, own = address_of(admin, page), moodle.url
    moodle.url = "http://localhost:1"
    answer = Client().get(address, {"openid_configuration": f"{own}/openid"})
    assert answer.status_code == 400
    assert not LtiPlatform.objects.exists()
    moodle.url = own  # the control: the address can still be used
    assert Client().get(address, {"openid_configuration": f"{own}/openid"}).status_code == 200


def test_only_https_addresses_are_asked(admin, page):
    address = address_of(admin, page)
    for asked in (
        "http://evil.example/", "file:///etc/passwd", "https://user:x@moodle.example/", "ftp://x",
    ):  # fmt: skip
        answer = Client().get(address, {"openid_configuration": asked})
        assert answer.status_code == 400, asked
        assert b"https://" in answer.content, asked


def test_a_made_up_registration_address_does_nothing(moodle):
    answer = Client().get("/lti/register/made-up/", {"openid_configuration": moodle.url})
    assert answer.status_code == 400
    assert moodle.asked == []


def by_hand(moodle, **changed):
    return {
        "name": "Moodle", "issuer": moodle.url, "client_id": "tool", "deployment_id": "1",
        "auth_url": f"{moodle.url}/auth", "token_url": f"{moodle.url}/token",
        "keys_url": f"{moodle.url}/keys",
    } | changed  # fmt: skip


def test_a_platform_is_connected_by_hand_tested_switched_off_and_removed(moodle, admin, page):
    assert admin.post(page, by_hand(moodle)).status_code == 302
    platform = LtiPlatform.objects.get()
    shown = admin.post(f"{page}{platform.pk}/test/", follow=True).content.decode()
    assert "works" in shown
    admin.post(f"{page}{platform.pk}/switch/")
    assert not LtiPlatform.objects.get().is_on
    admin.post(f"{page}{platform.pk}/remove/")
    assert not LtiPlatform.objects.exists()


def test_an_admin_ends_that_a_teacher_comes_in_without_a_password(moodle, linked, admin, page):
    assert moodle.launch(Client(), subject="7", role="staff")["Location"] == "/lti/class/"
    admin.post(f"{page}teachers/{linked.pk}/unlink/")
    assert moodle.launch(Client(), subject="7", role="staff")["Location"] == "/lti/account/"
    assert AuditEntry.objects.filter(action="unlinked platform").exists()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"keys_url": "/none"}, "public keyset URL"),
        ({"token_url": "/keys"}, "access token URL"),
        ({"keys_url": "/register"}, "public keyset URL"),
    ],
)
def test_the_test_says_which_address_is_wrong(moodle, admin, page, wrong, told):
    changed = {name: f"{moodle.url}{path}" for name, path in wrong.items()}
    admin.post(page, by_hand(moodle, **changed))
    platform = LtiPlatform.objects.get()
    shown = admin.post(f"{page}{platform.pk}/test/", follow=True).content.decode()
    assert told in shown


def test_the_reason_is_in_the_language_of_the_admin(moodle, admin, page):
    admin.post(page, by_hand(moodle, keys_url=f"{moodle.url}/none"))
    platform = LtiPlatform.objects.get()
    in_croatian = {"HTTP_ACCEPT_LANGUAGE": "hr"}
    shown = admin.post(f"{page}{platform.pk}/test/", follow=True, **in_croatian).content.decode()
    assert "Odgovor je bio 404." in shown


def test_the_test_says_when_the_platform_has_another_key_of_this_site(moodle, admin, page):
    admin.post(page, by_hand(moodle))
    ToolKey.objects.all().delete()  # the next one is one that the platform does not know
    platform = LtiPlatform.objects.get()
    shown = admin.post(f"{page}{platform.pk}/test/", follow=True).content.decode()
    assert "does not let this site in" in shown


def test_the_same_platform_is_connected_once(moodle, admin, page, other_school, connection):
    connection.school = other_school
    connection.save()
    shown = admin.post(page, by_hand(moodle))
    assert shown.status_code == 200
    assert LtiPlatform.objects.count() == 1


def test_addresses_without_https_are_refused_on_a_site(moodle, admin, page, settings):
    settings.HTTP_HERE = False
    assert b"begins with https" in admin.post(page, by_hand(moodle)).content
    assert not LtiPlatform.objects.exists()


def test_the_private_key_is_stored_encrypted_and_told_to_nobody(admin, page, settings):
    address_of(admin, page)
    shown = Client().get("/lti/keys/").json()
    assert {"n", "e", "kid", "kty", "alg", "use"} == set(shown["keys"][0])
    stored = ToolKey.objects.get().private
    assert "PRIVATE KEY" not in stored
    assert "PRIVATE KEY" in decrypt(stored)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key that is long enough for this"
    assert "PRIVATE KEY" in decrypt(stored)  # it was changed, and the old one is kept
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(SecretUnreadable):
        decrypt(stored)
    # The site has a new key then, which platforms find where they found the other.
    keys.sign({})
    assert Client().get("/lti/keys/").json()["keys"][0]["kid"] != shown["keys"][0]["kid"]
    assert decrypt(encrypt("x")) == "x"


def test_without_a_platform_no_key_is_made(db):
    assert Client().get("/lti/keys/").json() == {"keys": []}
    assert not ToolKey.objects.exists()
