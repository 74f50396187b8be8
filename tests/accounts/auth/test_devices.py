"""Where one is logged in, logging out elsewhere, and sessions that end when nobody is there."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from osmosmjerka.accounts.auth import lockout, sessions, tokens
from osmosmjerka.accounts.auth.sessions import browser_of
from osmosmjerka.accounts.models import AuditEntry, BrowserSession, FailedLogin
from tests.conftest import PASSWORD

pytestmark = pytest.mark.database

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
IPAD = (
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.0 Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"
)
PHONE = (
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
    "Mobile Safari/537.36"
)
PAGE = "/me/devices/"


def log_in(person, browser=FIREFOX):
    client = Client(headers={"User-Agent": browser})
    client.post("/login/", {"username": person.username, "password": PASSWORD})
    return client


def is_in(client):
    return client.get("/me/data/").status_code == 200


def let_pass(**time):
    """Let the sessions be as old as if they had not been used for some time."""
    for row in BrowserSession.objects.all():
        row.seen_at -= timedelta(**time)
        row.expire_date -= timedelta(**time)
        row.save()


@pytest.mark.parametrize(
    ("user_agent", "seen"),
    [
        (FIREFOX, "Firefox, Linux"),
        (IPAD, "Safari, iPad"),
        (EDGE, "Edge, Windows"),
        (PHONE, "Chrome, Android"),
        ("curl/8", ""),
        ("", ""),
    ],
)
def test_only_the_families_of_a_browser_are_told(user_agent, seen):
    assert browser_of(user_agent) == seen


def test_one_sees_the_own_devices_and_nobody_elses(teacher, stranger):
    own, _other, _foreign = log_in(teacher), log_in(teacher, IPAD), log_in(stranger, EDGE)
    page = own.get(PAGE).content.decode()
    assert "Firefox, Linux" in page and "this device" in page
    assert "Safari, iPad" in page
    assert "Edge" not in page
    assert own.session.session_key not in page
    assert "127.0.0.1" not in page
    assert "127.0.0.1" not in repr([row.get_decoded() for row in BrowserSession.objects.all()])


def test_another_device_is_logged_out_and_this_one_stays(teacher, stranger):
    own, lost, foreign = log_in(teacher), log_in(teacher, IPAD), log_in(stranger)
    pk = sessions.row_key(lost.session.session_key)
    assert f"{PAGE}{pk}/end/" in own.get(PAGE).content.decode()
    assert foreign.post(f"{PAGE}{pk}/end/").status_code == 404
    assert is_in(lost)
    own.post(f"{PAGE}{pk}/end/")
    assert is_in(own) and not is_in(lost) and is_in(foreign)


def test_log_out_everywhere_ends_this_session_too_and_every_token(teacher, stranger):
    own, lost, foreign = log_in(teacher), log_in(teacher, IPAD), log_in(stranger)
    text = tokens.create(person=teacher, scope="read")[1]
    program = Client(headers={"Authorization": f"Token {text}"})
    assert program.get("/api/lists/").status_code == 200
    assert own.post(f"{PAGE}end/").url == "/login/"
    assert not is_in(own) and not is_in(lost) and is_in(foreign)
    assert program.get("/api/lists/").status_code == 401
    assert not BrowserSession.objects.filter(user=teacher).exists()
    assert AuditEntry.objects.filter(action="ended sessions").count() == 1


def test_who_views_as_a_student_does_not_see_where_the_student_logs_in(teacher, student, classroom):
    log_in(student, IPAD)
    own = log_in(teacher)
    own.post(f"/pupils/{student.pk}/view/")
    assert own.get("/").status_code == 200
    assert own.get(PAGE).status_code == 404


def test_a_teacher_who_left_an_open_page_is_out_after_eight_hours(teacher, settings):
    own = log_in(teacher)
    let_pass(hours=7, minutes=50)
    assert is_in(own)  # and is now seen
    let_pass(hours=7, minutes=50)
    assert is_in(own)
    let_pass(hours=8, minutes=10)
    assert not is_in(own)


def test_the_limit_is_a_setting_and_two_weeks_are_the_end(teacher, settings):
    settings.TEACHER_IDLE_HOURS = 1
    own = log_in(teacher)
    for _quarter in range(8):  # two hours of work
        let_pass(minutes=20)
        assert is_in(own)
    let_pass(minutes=70)
    assert not is_in(own)
    settings.TEACHER_IDLE_HOURS = 10_000
    own = log_in(teacher)
    assert is_in(own)
    row = BrowserSession.objects.get(user=teacher, expire_date__gt=timezone.now())
    assert row.expire_date <= timezone.now() + sessions.TEACHER_SESSION


def test_a_student_has_a_school_day_and_no_idle_limit(student):
    own = log_in(student)
    let_pass(hours=9)
    assert is_in(own)
    row = BrowserSession.objects.get()
    assert row.expire_date > timezone.now() + timedelta(hours=2)


def test_a_session_costs_one_query_and_one_write_an_hour(teacher):
    own = log_in(teacher)
    own.get("/lists/")

    def about_sessions():
        with CaptureQueriesContext(connection) as queries:
            own.get("/lists/")
        return [q["sql"].split()[0] for q in queries if "browsersession" in q["sql"]]

    assert about_sessions() == ["SELECT"]
    let_pass(minutes=61)
    assert about_sessions() == ["SELECT", "UPDATE"]
    assert about_sessions() == ["SELECT"]


def test_a_stranger_who_asks_for_a_passkeys_challenge_leaves_no_row(client, db):
    for _each in range(5):
        assert client.post("/login/passkey/options/").status_code == 200
    assert not BrowserSession.objects.exists()
    cookie = client.cookies["passkey_challenge"]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Strict", 300)


def test_the_cookie_of_the_language_is_as_safe_as_the_sessions(client, db):
    client.post("/language/", {"language": "hr"})
    cookie = client.cookies["django_language"]
    assert cookie["samesite"] == "Lax" and cookie["httponly"]


def test_a_locked_out_admin_gets_in_by_a_command(teacher, capsys):
    for _attempt in range(lockout.FREE_FAILURES):
        Client().post("/login/", {"username": "ana", "password": "wrong"})
    assert not is_in(log_in(teacher))  # the control
    call_command("unlock", "ANA")
    assert "The failed logins of ana are forgotten." in capsys.readouterr().out
    assert is_in(log_in(teacher))
    assert not FailedLogin.objects.exists()
    assert AuditEntry.objects.get(action="unlocked account").subject_id == teacher.pk
    call_command("unlock", "ana")
    assert "had no failed logins" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no account"):
        call_command("unlock", "nobody")


def test_the_command_also_ends_the_wait_for_a_code_and_at_the_class_door(
    teacher, student, classroom, capsys
):
    from django_otp.plugins.otp_totp.models import TOTPDevice

    device = TOTPDevice.objects.create(user=teacher, confirmed=True)
    device.throttle_increment()
    call_command("unlock", "ana")
    device.refresh_from_db()
    assert device.throttling_failure_count == 0
    for _attempt in range(lockout.FREE_FAILURES):
        Client().post(f"/c/{classroom.join_code}/", {"name": "Luka", "words": "wrong"})
    assert FailedLogin.objects.exists()
    call_command("unlock", "luka")
    assert not FailedLogin.objects.exists()
