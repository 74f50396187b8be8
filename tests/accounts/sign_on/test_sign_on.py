"""Signing in with a provider: its pages, and what a hostile one, or a hostile page, tries."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts.auth import two_factor
from osmosmjerka.accounts.models import ExternalId, Identity, IdentityProvider
from osmosmjerka.accounts.secrets import encrypt
from osmosmjerka.accounts.sign_on import client, services
from osmosmjerka.accounts.sign_on.views import ASKED
from tests.accounts.sign_on.providers import CLIENT, SECRET
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
EMAIL = "ivo@school.example"


@pytest.fixture(autouse=True)
def on_this_computer(settings):
    settings.HTTP_HERE = True
    cache.clear()


def added(school, provider, **settings):
    return IdentityProvider.objects.create(
        school=school, name="Accounts", issuer=provider.url, client_id=CLIENT,
        secret=encrypt(SECRET), **settings,
    )  # fmt: skip


@pytest.fixture
def ivo(make_person, school):
    person = make_person("teacher", school=school)
    person.email = EMAIL
    person.save()
    return person


@pytest.fixture
def service(forger, school, ivo):
    """A school's provider, at which Ivo is signed in."""
    forger.person = {"sub": "7", "email": EMAIL, "email_verified": True, "name": "Ivo Ivić"}
    return added(school, forger, email_domain="school.example")


def begin(browser, service, **query):
    return browser.get(f"/login/with/{service.pk}/", query)


def came_back(browser, service, provider, **query):
    """Return the answer to who went to the provider and came back."""
    address = provider.sign_in(begin(browser, service, **query)["Location"])
    return browser.get(address)


def who(browser):
    """Return the id of who is logged in, None for nobody."""
    user = browser.session.get("_auth_user_id")
    return user and int(user)


# The way in ----------------------------------------------------------------------------------


def test_a_teacher_signs_in_and_gets_to_the_page_that_they_asked_for(forger, service, ivo):
    browser = Client()
    answer = came_back(browser, service, forger, next="/lists/")
    assert (answer.status_code, answer["Location"]) == (302, "/lists/")
    assert who(browser) == ivo.pk
    # The next time, the page of the log-in knows the service in this browser.
    browser.post("/logout/")
    assert b"Log in with Accounts" in browser.get("/login/").content


@pytest.mark.parametrize("page", ["https://evil.example/", "//evil.example/", "javascript:1"])
def test_nobody_is_led_to_another_site(forger, service, page):
    assert came_back(Client(), service, forger, next=page)["Location"] == "/"


def test_a_student_of_the_roster_signs_in(forger, service, student, school):
    ExternalId.objects.create(school=school, source="number", value="4711", user=student)
    IdentityProvider.objects.update(roster_claim="number")
    forger.person = {"sub": "8", "number": "4711"}
    browser = Client()
    assert came_back(browser, service, forger)["Location"] == "/"
    assert who(browser) == student.pk
    assert browser.get("/").status_code == 200


def test_who_is_not_known_is_told_what_to_do(forger, service):
    forger.person = {"sub": "8"}
    browser = Client()
    answer = came_back(browser, service, forger)
    assert answer.status_code == 403
    assert "not connected with an account here" in answer.content.decode()
    assert who(browser) is None


def test_the_second_step_is_asked_for_after_the_service(forger, service, ivo):
    from django_otp.plugins.otp_static.models import StaticDevice

    device = StaticDevice.objects.create(user=ivo, name="backup", confirmed=True)
    device.token_set.create(token="12345678")
    assert two_factor.is_wanted(ivo)
    browser = Client()
    assert came_back(browser, service, forger, next="/lists/")["Location"] == "/login/code/"
    assert who(browser) is None
    answer = browser.post("/login/code/", {"code": "12345678"})
    assert (answer["Location"], who(browser)) == ("/lists/", ivo.pk)


def test_a_new_session_begins_and_ends_with_the_person(forger, service, ivo, student, sign_in):
    browser = sign_in(student)
    before = browser.session.session_key
    came_back(browser, service, forger)
    assert who(browser) == ivo.pk
    assert browser.session.session_key != before
    page = browser.post("/logout/").content.decode()
    assert who(browser) is None
    [out] = re.findall(r'href="([^"]+/out[^"]*)"', page)
    assert parse_qs(urlsplit(out.replace("&amp;", "&")).query)["post_logout_redirect_uri"] == [
        "http://testserver/login/"
    ]


def test_a_service_that_is_switched_off_lets_nobody_in(forger, service, ivo):
    browser = Client()
    address = forger.sign_in(begin(browser, service)["Location"])
    services.switch(provider=service, is_on=False, actor=ivo)
    assert browser.get(address).status_code == 404
    assert begin(Client(), service).status_code == 404
    assert who(browser) is None


def test_the_service_of_the_whole_site_has_its_own_addresses(forger, settings, ivo, sign_in):
    settings.SIGN_ON_ISSUER, settings.SIGN_ON_CLIENT_ID = forger.url, CLIENT
    settings.SIGN_ON_SECRET, settings.SIGN_ON_EMAIL_DOMAIN = SECRET, "school.example"
    forger.person = {"sub": "7", "email": EMAIL, "email_verified": True}
    browser = Client()
    [link] = re.findall(r'href="(/login/with/[^"]+)"', browser.get("/login/").content.decode())
    assert link == "/login/with/0/"
    browser.get(forger.sign_in(browser.get(link)["Location"]))
    assert who(browser) == ivo.pk
    assert "/me/school-accounts/" in browser.get("/me/account/").content.decode()
    settings.SIGN_ON_ISSUER = ""
    assert Client().get(link).status_code == 404


def test_the_first_time_a_teacher_is_told_with_whose_account_they_are_connected(
    forger, service, ivo
):
    told = f"connected with the account of {ivo.display_name}"
    for is_first in (True, False):
        browser = Client()
        page = browser.get(came_back(browser, service, forger, next="/lists/")["Location"])
        assert (told in page.content.decode()) == is_first


# What comes back -----------------------------------------------------------------------------


def refused(forger, service):
    browser = Client()
    answer = came_back(browser, service, forger)
    assert who(browser) is None, "somebody is logged in"
    return answer.status_code in {403, 503}


@pytest.mark.parametrize(
    "said",
    [
        {"iss": "https://evil.example"}, {"iss": None}, {"aud": "another"}, {"aud": None},
        {"aud": [CLIENT, "another"]}, {"azp": "another"}, {"exp": 1}, {"exp": None},
        {"iat": None}, {"nonce": "another"}, {"nonce": None}, {"sub": None}, {"sub": ""},
        {"sub": 7}, {"sub": "x" * 256}, {"nbf": 9_999_999_999},
    ],
)  # fmt: skip
def test_a_token_with_a_wrong_claim_lets_nobody_in(forger, service, said):
    forger.said = said
    assert refused(forger, service)
    forger.said = {}
    browser = Client()
    came_back(browser, service, forger)
    assert who(browser) is not None  # the control


@pytest.mark.parametrize("signs", ["none", "HS256", "secret", "stolen kid", "unknown kid"])
def test_a_token_that_the_service_did_not_sign_lets_nobody_in(forger, service, signs):
    forger.signs = signs
    assert refused(forger, service)


def test_only_the_list_of_algorithms_keeps_unsigned_tokens_out(forger, service, monkeypatch):
    """The control of the test above."""
    forger.signs = "none"
    monkeypatch.setattr(client, "ALGORITHMS", [*client.ALGORITHMS, "none"])
    browser = Client()
    came_back(browser, service, forger)
    assert who(browser) is not None


def test_a_new_key_of_the_service_is_read_once(forger, service):
    came_back(Client(), service, forger)
    forger.rotate()
    browser = Client()
    came_back(browser, service, forger)
    assert who(browser) is not None
    assert forger.times_asked("/keys") == 2
    # Tokens with made-up keys do not have the service asked each time.
    forger.signs = "unknown kid"
    for _time in range(3):
        assert refused(forger, service)
    assert forger.times_asked("/keys") == 2


def test_userinfo_about_somebody_else_is_refused(forger, service):
    forger.person = {"sub": "7"}
    forger.userinfo = {"sub": "8", "email": EMAIL, "email_verified": True}
    assert refused(forger, service)
    forger.userinfo = {"sub": "7", "email": EMAIL, "email_verified": True}
    browser = Client()
    came_back(browser, service, forger)
    assert who(browser) is not None  # the control


def test_userinfo_does_not_change_what_is_signed(forger, service):
    IdentityProvider.objects.update(tenant="school.example")
    forger.person = {"sub": "7", "hd": "other.example"}
    forger.userinfo = forger.person | {
        "hd": "school.example", "email": EMAIL, "email_verified": True
    }  # fmt: skip
    assert refused(forger, service)


def test_a_claim_that_only_userinfo_has_is_read(forger, service, student, school):
    ExternalId.objects.create(school=school, source="number", value="4711", user=student)
    IdentityProvider.objects.update(roster_claim="number")
    forger.person = {"sub": "8", "name": "Ana", "email": "a@b.example"}
    forger.userinfo = {"sub": "8", "number": "4711"}
    browser = Client()
    came_back(browser, service, forger)
    assert who(browser) == student.pk


def test_what_comes_back_works_once(forger, service):
    """Also at a provider that takes a code twice."""
    forger.checks -= {"code"}
    browser = Client()
    address = forger.sign_in(begin(browser, service)["Location"])
    cookie = browser.cookies[ASKED].value
    assert browser.get(address).status_code == 302
    other = Client()
    other.cookies[ASKED] = cookie  # even for who has the cookie
    assert other.get(address).status_code == 403
    assert browser.get(address).status_code == 403  # and the cookie is gone


# What hostile pages and browsers try ---------------------------------------------------------


def test_a_link_that_began_in_another_browser_logs_nobody_in(forger, service):
    """An attacker sends a victim the way back from their own log-in."""
    attacker, victim = Client(), Client()
    address = forger.sign_in(begin(attacker, service)["Location"])
    begin(victim, service)
    assert victim.get(address).status_code == 403
    assert who(victim) is None
    assert attacker.get(address).status_code == 302  # the control


def test_the_way_back_of_another_service_is_refused(make_forger, forger, service, other_school):
    """A school's admin lets people begin at their own service, and end at another one's."""
    evil = make_forger()
    theirs = added(other_school, evil)
    browser = Client()
    address = evil.sign_in(begin(browser, theirs)["Location"])
    mixed = address.replace(f"/with/{theirs.pk}/", f"/with/{service.pk}/")
    assert browser.get(mixed).status_code == 403
    assert forger.times_asked("/token") == 0


def test_a_stolen_code_is_of_no_use_without_the_browser_that_began(forger, service):
    """PKCE: an attacker puts a victim's code into their own way back."""
    victim, attacker = Client(), Client()
    stolen = parse_qs(urlsplit(forger.sign_in(begin(victim, service)["Location"])).query)["code"]
    address = forger.sign_in(begin(attacker, service)["Location"])
    own = parse_qs(urlsplit(address).query)["code"]
    attack = address.replace(own[0], stolen[0])
    assert attacker.get(attack).status_code == 403
    assert who(attacker) is None


def test_a_cookie_that_was_changed_or_is_old_is_refused(forger, service, time_machine):
    browser = Client()
    address = forger.sign_in(begin(browser, service)["Location"])
    right = browser.cookies[ASKED].value
    browser.cookies[ASKED] = right[:-2] + "xx"
    assert browser.get(address).status_code == 403
    browser.cookies[ASKED] = right
    time_machine.move_to(timezone.now() + timedelta(minutes=11))
    assert browser.get(address).status_code == 403


# A service that is away ----------------------------------------------------------------------


@pytest.mark.parametrize("fault", [500, "redirect", "html", "huge", "hang", "drip"])
@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token", "/keys"])
def test_a_service_that_does_not_answer_is_told_in_time(forger, service, path, fault, monkeypatch):
    monkeypatch.setattr(client, "SECONDS", 0.5)
    forger.faults[path] = [fault]
    browser = Client()
    answer = begin(browser, service)
    if answer.status_code == 302:
        answer = browser.get(forger.sign_in(answer["Location"]))
    assert answer.status_code in {403, 503}
    assert who(browser) is None
    assert "Log in another way" in answer.content.decode()


@pytest.mark.parametrize(
    ("described", "told"),
    [
        ({"issuer": "https://other.example"}, "calls itself https://other.example"),
        ({"issuer": None}, "no description"),
        ({"token_endpoint": None}, "does not name its token_endpoint"),
        ({"id_token_signing_alg_values_supported": ["HS256"]}, "signs with HS256"),
        ({"jwks_uri": "http://evil.example/keys"}, "jwks_uri of the service does not begin"),
    ],
)
def test_a_description_that_is_not_right_is_told_by_the_test(forger, service, described, told):
    forger.described = described
    assert told in client.problem_of(service, back="http://testserver/back/")


def test_the_test_of_a_connection_says_what_is_wrong(forger, service):
    back = "http://testserver/back/"
    assert client.problem_of(service, back=back) == ""
    for fault, told in [(404, "specification"), ("html", "specification"), (500, "specification")]:
        forger.faults["/token"] = [fault]
        assert told in client.problem_of(service, back=back)
    service.secret = encrypt("wrong")
    assert "client secret" in client.problem_of(service, back=back)
    service.issuer = "http://127.0.0.1:9"
    assert "cannot be reached" in client.problem_of(service, back=back)
    service.issuer = "http://login.example"
    assert "https://" in client.problem_of(service, back=back)


# Only this door ------------------------------------------------------------------------------


def test_a_school_may_let_its_people_in_by_its_service_only(service, ivo, make_person, school):
    admin = make_person("school_admin", school=school)
    sent = {"username": ivo.username, "password": PASSWORD}
    for is_only in (False, True):
        IdentityProvider.objects.update(is_only_door=is_only)
        browser = Client()
        page = browser.post("/login/", sent, follow=True).content.decode()
        assert (f'href="/login/with/{service.pk}/"' in page) == is_only
        assert (who(browser) is None) == is_only
    answer = Client().post("/api/token/", sent, content_type="application/json")
    assert answer.status_code == 400
    browser = Client()
    browser.post("/login/", {"username": admin.username, "password": PASSWORD})
    assert who(browser) == admin.pk  # in case the service is set up wrongly
    IdentityProvider.objects.update(is_on=False)
    browser = Client()
    browser.post("/login/", sent)
    assert who(browser) == ivo.pk


# One's own school account --------------------------------------------------------------------


def test_a_person_connects_their_school_account_with_their_password(forger, school, sign_in, ivo):
    service = added(school, forger)
    forger.person = {"sub": "7"}
    browser = sign_in(ivo)
    wrong = browser.post(f"/me/school-accounts/{service.pk}/connect/", {"password": "x"})
    assert wrong.status_code == 302
    page = browser.post(f"/me/school-accounts/{service.pk}/connect/", {"password": PASSWORD})
    assert f'href="/login/with/{service.pk}/"' in page.content.decode()
    assert came_back(browser, service, forger)["Location"] == "/me/school-accounts/"
    assert Identity.objects.get().user == ivo
    browser = Client()
    came_back(browser, service, forger)
    assert who(browser) == ivo.pk
    identity = Identity.objects.get()
    browser.post(f"/me/school-accounts/{identity.pk}/disconnect/")
    assert not Identity.objects.exists()


def test_a_page_cannot_have_a_person_connect_an_attackers_account(forger, school, sign_in, ivo):
    """A link to the log-in alone, opened by somebody who is logged in, connects nothing."""
    service = added(school, forger)
    forger.person = {"sub": "the attacker"}
    browser = sign_in(ivo)
    page = came_back(browser, service, forger)
    assert page.status_code == 403
    assert "The school account is not connected" in page.content.decode()
    assert not Identity.objects.exists()


def test_a_connection_that_somebody_else_began_is_refused(
    forger, school, sign_in, ivo, make_person
):
    service = added(school, forger)
    browser = sign_in(ivo)
    browser.post(f"/me/school-accounts/{service.pk}/connect/", {"password": PASSWORD})
    address = forger.sign_in(begin(browser, service)["Location"])
    browser.force_login(make_person("teacher", school=school))
    assert browser.get(address).status_code == 403
    assert not Identity.objects.exists()


# Pages of the school -------------------------------------------------------------------------


def test_a_school_admin_adds_tests_changes_and_removes_a_service(
    forger, school, make_person, sign_in, ivo
):
    admin = make_person("school_admin", school=school)
    browser, path = sign_in(admin), f"/schools/{school.pk}/sign-in/"
    sent = {"name": "Accounts", "issuer": forger.url + "/", "client_id": CLIENT}
    sent["client_secret"] = SECRET
    answer = browser.post(path, sent)
    assert answer.status_code == 302, answer.context["form"].errors
    service = IdentityProvider.objects.get()
    assert SECRET not in service.secret
    page = browser.get(answer["Location"]).content.decode()
    assert f"http://testserver/login/with/{service.pk}/back/" in page
    assert SECRET not in page
    assert "works" in browser.post(f"{path}{service.pk}/test/", follow=True).content.decode()
    browser.post(
        f"{path}{service.pk}/",
        {"name": "Log-in", "client_id": CLIENT, "email_domain": "school.example"},
    )
    forger.person = {"sub": "7", "email": EMAIL, "email_verified": True}
    came_back(Client(), service, forger)  # the secret is kept
    [identity] = Identity.objects.all()
    assert ivo.display_name in browser.get(f"{path}{service.pk}/").content.decode()
    browser.post(f"{path}{service.pk}/people/{identity.pk}/")
    assert not Identity.objects.exists()
    browser.post(f"{path}{service.pk}/remove/")
    assert not IdentityProvider.objects.exists()
    log = browser.get(f"/schools/{school.pk}/log/").content.decode()
    for told in ("added a sign-in service", "removed a sign-in service", "disconnected"):
        assert told in log


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"issuer": "http://login.example"}, "issuer"),
        ({"issuer": "https://accounts.google.com"}, "tenant"),
        ({"client_secret": ""}, "client_secret"),
    ],
)
def test_a_service_that_would_let_in_strangers_is_not_added(
    school, make_person, sign_in, changed, field
):
    browser = sign_in(make_person("school_admin", school=school))
    sent = {"name": "x", "issuer": "https://x.example", "client_id": "x"}
    sent["client_secret"] = "x"
    page = browser.post(f"/schools/{school.pk}/sign-in/", sent | changed)
    assert list(page.context["form"].errors) == [field]
    assert not IdentityProvider.objects.exists()


def test_a_service_is_added_once_to_a_school(service, school, make_person, sign_in):
    browser = sign_in(make_person("school_admin", school=school))
    again = {"name": "x", "issuer": service.issuer, "client_id": service.client_id}
    page = browser.post(f"/schools/{school.pk}/sign-in/", again | {"client_secret": "x"})
    assert "This school already has this sign-in service." in page.content.decode()
    assert IdentityProvider.objects.get() == service


def test_values_of_a_role_need_its_claim(service, school, make_person, sign_in):
    browser = sign_in(make_person("school_admin", school=school))
    sent = {"name": "x", "client_id": "x", "teacher_value": "staff"}
    page = browser.post(f"/schools/{school.pk}/sign-in/{service.pk}/", sent)
    assert list(page.context["form"].errors) == ["role_claim"]


def test_the_class_page_and_an_invitation_show_the_schools_service(
    service, classroom, make_person, school
):
    from osmosmjerka.accounts.schools import invitations

    admin = make_person("school_admin", school=school)
    _invitation, token = invitations.invite(school=school, role="teacher", actor=admin)
    link = f'href="/login/with/{service.pk}/'
    assert link in Client().get(f"/c/{classroom.join_code}/").content.decode()
    assert f"{link}?invitation={token}" in Client().get(f"/invitations/{token}/").content.decode()


# The certified provider ----------------------------------------------------------------------


@pytest.fixture
def judge(certified, school, ivo):
    """The certified provider, added by the school."""
    service = added(school, certified, email_domain="school.example")
    certified.connect(
        f"http://testserver/login/with/{service.pk}/back/", logout=["http://testserver/login/"]
    )
    certified.know({"7": {"email": EMAIL, "email_verified": True, "name": "Ivo Ivić"}})
    return service


@pytest.mark.parametrize("in_token", [True, False])
def test_the_certified_provider_lets_in_refuses_and_logs_out(certified, judge, ivo, in_token):
    certified.know(
        {"7": {"email": EMAIL, "email_verified": True, "name": "Ivo Ivić"}}, in_token=in_token
    )
    browser, there = Client(), requests.Session()
    no = certified.sign_in(begin(browser, judge)["Location"], "")
    assert browser.get(no).status_code == 403
    back = certified.sign_in(begin(browser, judge)["Location"], "7", there)
    assert browser.get(back)["Location"] == "/"
    assert who(browser) == ivo.pk
    assert browser.get(back).status_code == 403  # a second time
    certified.rotate()
    browser = Client()
    browser.get(certified.sign_in(begin(browser, judge)["Location"], "7", there))
    assert who(browser) == ivo.pk
    page = browser.post("/logout/").content.decode()
    [out] = re.findall(rf'href="({re.escape(certified.url)}[^"]+)"', page)
    assert certified.sign_out(out.replace("&amp;", "&"), there) == "http://testserver/login/"


def test_the_certified_providers_connection_passes_the_test(certified, judge):
    back = f"http://testserver/login/with/{judge.pk}/back/"
    assert client.problem_of(judge, back=back) == ""
    judge.secret = encrypt("wrong")
    assert "client secret" in client.problem_of(judge, back=back)
