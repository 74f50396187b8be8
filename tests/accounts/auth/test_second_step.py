"""A teacher's two-step verification: nothing opens by password alone once it is on."""

import pytest
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from osmosmjerka.accounts.models import AuditEntry, User
from tests.conftest import PASSWORD
from tests.mailing import deliver


def code_of(device, later=0):
    totp = TOTP(device.bin_key)
    totp.time += later
    return f"{totp.token():06}"


@pytest.fixture
def device(teacher, sign_in):
    """The teacher's two-step verification, set up on its page."""
    client = sign_in(teacher)
    assert "<svg" in client.get("/me/second-step/").content.decode()
    client.post("/me/second-step/", {"code": "x", "password": PASSWORD})
    waiting = TOTPDevice.objects.get()
    assert not waiting.confirmed
    client.post("/me/second-step/", {"code": code_of(waiting), "password": "not it"})
    waiting.refresh_from_db()
    assert not waiting.confirmed
    given = {"code": code_of(waiting), "password": PASSWORD}
    page = client.post("/me/second-step/", given).content.decode()
    waiting.refresh_from_db()
    waiting.spare = page.split("<code>")[1].split("</code>")[0]
    waiting.last_t = -1  # the test is quicker than the clock
    waiting.save()
    teacher.refresh_from_db()  # it ended other sessions
    return waiting


def log_in(client):
    return client.post("/login/", {"username": "ana", "password": PASSWORD})


def test_password_and_code_open_the_account(client, device, teacher):
    assert log_in(client).url == "/login/code/"
    assert "_auth_user_id" not in client.session
    assert client.get("/lists/").status_code == 302
    assert client.post("/login/code/", {"code": code_of(device)}).url == "/"
    assert client.session["_auth_user_id"] == str(teacher.pk)


def test_a_wrong_code_opens_nothing_and_guesses_are_slowed(client, device):
    log_in(client)
    assert "code is wrong" in client.post("/login/code/", {"code": "000000"}).content.decode()
    client.post("/login/code/", {"code": code_of(device)})
    assert "_auth_user_id" not in client.session


def test_a_backup_code_works_once(client, device):
    for opens in (True, False):
        log_in(client)
        client.post("/login/code/", {"code": device.spare})
        assert ("_auth_user_id" in client.session) is opens
        client.logout()


def test_the_code_is_asked_for_only_after_the_password(client, device):
    assert client.get("/login/code/").url == "/login/"


def test_the_api_wants_the_code_too(client, device):
    body = {"username": "ana", "password": PASSWORD}
    assert client.post("/api/token/", body, content_type="application/json").status_code == 400
    assert (
        client.post(
            "/api/token/", body | {"code": code_of(device)}, content_type="application/json"
        ).status_code
        == 200
    )


def test_the_admin_has_no_login_of_its_own(client, device):
    reply = client.get("/admin/", follow=True)
    assert reply.request["PATH_INFO"] == "/login/"


def test_it_is_removed_by_a_code(sign_in, teacher, device, client):
    signed = sign_in(teacher)
    signed.post("/me/second-step/", {"code": "1"})
    assert TOTPDevice.objects.exists()
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    signed.post("/me/second-step/", {"code": code_of(device)})
    assert not TOTPDevice.objects.exists()
    assert log_in(client).url == "/"


def test_another_password_meanwhile_ends_the_wait_for_the_code(client, device, teacher):
    log_in(client)
    teacher.set_password("another horse, another battery")
    teacher.save()
    assert client.post("/login/code/", {"code": code_of(device)}).url == "/login/"
    assert "_auth_user_id" not in client.session


@pytest.fixture
def admin(make_person, school):
    return make_person(User.Role.SCHOOL_ADMIN, school, "iris")


def reset_of(person, school):
    return f"/schools/{school.pk}/teachers/{person.pk}/second-step/"


def test_the_school_admin_resets_one_that_was_lost_and_the_teacher_is_told(
    client, device, teacher, admin, school, sign_in, mailoutbox
):
    teacher.email = "ana@school.example"
    teacher.save()
    path, own = reset_of(teacher, school), sign_in(admin)
    assert path in own.get(f"/schools/{school.pk}/").content.decode()
    assert log_in(client).url == "/login/code/"  # the control
    own.post(path)
    deliver()
    assert log_in(client).url == "/"
    assert [mail.to for mail in mailoutbox] == [["ana@school.example"]]
    assert "Iris turned off two-step verification" in mailoutbox[0].body
    entry = AuditEntry.objects.get(action="reset second step")
    assert (entry.actor_id, entry.subject_id) == (admin.pk, teacher.pk)
    assert path not in own.get(f"/schools/{school.pk}/").content.decode()
    own.post(path)  # a second click does and tells nothing
    deliver()
    assert (AuditEntry.objects.filter(action="reset second step").count(), len(mailoutbox)) == (
        1,
        1,
    )


def test_nobody_resets_the_own_one_another_schools_or_a_site_admins(
    device, teacher, admin, school, other_school, make_person, sign_in
):
    site_admin = make_person(User.Role.TEACHER, school, is_site_admin=True)
    for person in (admin, site_admin):
        TOTPDevice.objects.create(user=person, name="app", confirmed=True)
    stranger = make_person(User.Role.SCHOOL_ADMIN, other_school)
    for asked, person, at in (
        (admin, admin, school),
        (admin, site_admin, school),
        (stranger, teacher, school),
        (stranger, teacher, other_school),
        (teacher, admin, school),
    ):
        assert sign_in(asked).post(reset_of(person, at)).status_code == 404
    assert TOTPDevice.objects.count() == 3
