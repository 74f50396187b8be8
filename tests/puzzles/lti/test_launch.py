"""Launches from Open edX's own LTI platform: who comes in, and who does not."""

import re

import jwt
import pytest
from django.core import signing
from django.test import Client

from osmosmjerka.accounts.models import AuditEntry, BrowserSession, Classroom, User
from osmosmjerka.accounts.privacy import services as privacy
from puzzles.models import LtiCourse, LtiLink, LtiPerson
from tests.conftest import PASSWORD
from tests.puzzles.lti.conftest import connected
from tests.puzzles.lti.platform import CLAIM, STAFF, later
from tests.rsa_keys import pem_of

pytestmark = pytest.mark.django_db


def who(client):
    """Return who is logged in, "" if nobody."""
    answer = client.get("/api/me/")
    return answer.json()["name"] if answer.status_code == 200 else ""


@pytest.fixture
def link(make_puzzle, course):
    assignment = make_puzzle().assignments.get()
    return LtiLink.objects.create(course=course, resource_link_id="link", assignment=assignment)


def test_a_student_comes_straight_to_the_puzzle_with_an_account_made_once(moodle, link, classroom):
    client = Client()
    answer = moodle.launch(client, subject="1", name="Luka Horvat")
    assert answer["Location"] == f"/play/{link.assignment.puzzle.code}/"
    assert client.get(answer["Location"]).status_code == 200
    assert who(client) == "Luka H."
    again = Client()
    moodle.launch(again, subject="1", name="Luka Horvat")
    [person] = LtiPerson.objects.filter(subject="1")
    assert who(again) == "Luka H."
    assert classroom.memberships.filter(user=person.user, role="student").exists()
    assert not person.user.email
    assert not person.user.has_usable_password()
    assert BrowserSession.objects.filter(user=person.user).count() == 2  # as the devices show
    assert AuditEntry.objects.filter(action="created pupil", subject_id=person.user_id).exists()


def test_without_names_students_are_told_apart(moodle, link):
    first, second = Client(), Client()
    moodle.launch(first, subject="1", name="")
    moodle.launch(second, subject="2", name="")
    assert [who(first), who(second)] == ["Student", "Student 2"]


def test_a_tablet_is_the_next_students_after_their_launch(moodle, link):
    client = Client()
    moodle.launch(client, subject="1", name="Luka Horvat")
    moodle.launch(client, subject="2", name="Mia Kos")
    assert who(client) == "Mia K."


def test_before_the_teacher_connected_the_course_no_account_is_made(moodle, connection):
    client = Client()
    answer = moodle.launch(client)
    assert answer.status_code == 403
    assert b"has not connected this course" in answer.content
    assert not User.objects.filter(role="student").exists()


def test_a_teacher_logs_in_once_and_says_which_class_the_course_is(moodle, connection, teacher):
    client = Client()
    answer = moodle.launch(client, subject="7", role=STAFF)
    assert answer["Location"] == "/lti/account/"
    asked = client.get("/lti/account/")
    assert asked["Location"].startswith("/login/?next=/lti/account/")
    answer = client.post(asked["Location"], {"username": teacher.username, "password": PASSWORD})
    assert answer["Location"] == "/lti/account/"
    assert b"Moodle" in client.get("/lti/account/").content
    assert client.post("/lti/account/")["Location"] == "/lti/class/"
    assert b"Engleski 6b" in client.get("/lti/class/").content
    client.post("/lti/class/", {"classroom": ""})
    made = Classroom.objects.get(name="Engleski 6b")
    assert LtiCourse.objects.get().classroom == made
    assert made.memberships.get().user == teacher
    again = Client()
    moodle.launch(again, subject="7", role=STAFF)
    assert who(again) == str(teacher)


def test_a_teacher_with_two_steps_is_asked_for_the_second(moodle, linked, teacher, course):
    from django_otp.plugins.otp_totp.models import TOTPDevice

    TOTPDevice.objects.create(user=teacher, confirmed=True)
    client = Client()
    assert moodle.launch(client, subject="7", role=STAFF)["Location"] == "/login/code/"
    assert who(client) == ""


@pytest.mark.parametrize("is_of_school", [True, False], ids=["control", "another school"])
def test_only_teachers_of_the_school_link_their_accounts(
    moodle, connection, teacher, stranger, sign_in, is_of_school
):
    client = sign_in(teacher if is_of_school else stranger)
    moodle.launch(client, subject="7", role=STAFF)
    client.post("/lti/account/")
    assert LtiPerson.objects.exists() == is_of_school


def test_a_site_admin_is_never_linked_so_that_no_platform_logs_in_as_one(
    moodle, connection, teacher, sign_in
):
    User.objects.filter(pk=teacher.pk).update(is_superuser=True)
    client = sign_in(teacher)
    moodle.launch(client, subject="7", role=STAFF)
    client.post("/lti/account/")
    assert not LtiPerson.objects.exists()


def test_who_became_a_site_admin_since_logs_in_with_the_password(moodle, linked, teacher):
    User.objects.filter(pk=teacher.pk).update(is_superuser=True)
    client = Client()
    assert moodle.launch(client, subject="7", role=STAFF).status_code == 403
    assert who(client) == ""


def test_a_platform_of_another_school_gets_nowhere(
    moodle, other_moodle, other_school, linked, course, link
):
    connected(other_school, other_moodle)
    for subject in ("7", "1"):
        client = Client()
        answer = other_moodle.launch(client, subject=subject, role=STAFF)
        assert answer["Location"] == "/lti/account/"  # as somebody who is not known
        assert who(client) == ""
    client = Client()
    assert other_moodle.launch(client, subject="1").status_code == 403  # no class of its own
    # The control: the same number on the platform of the school.
    moodle.launch(client, subject="7", role=STAFF)
    assert who(client) == str(linked.user)


def test_an_instructor_there_who_is_a_student_here_stays_one(moodle, link):
    moodle.launch(Client(), subject="1", name="Luka Horvat")
    client = Client()
    moodle.launch(client, subject="1", role=STAFF)
    assert client.get("/api/me/").json()["role"] == "student"


@pytest.mark.parametrize("how", ["control", "deactivated", "in the bin"])
def test_who_is_deactivated_or_in_the_bin_does_not_come_in(moodle, link, teacher, how):
    moodle.launch(Client(), subject="1")
    person = LtiPerson.objects.get(subject="1").user
    if how == "deactivated":
        User.objects.filter(pk=person.pk).update(is_active=False)
    if how == "in the bin":
        privacy.delete_student(person=person, actor=teacher)
    client = Client()
    moodle.launch(client, subject="1")
    assert bool(who(client)) == (how == "control")


def test_after_a_merge_the_student_comes_into_the_account_that_was_kept(
    moodle, link, student, teacher
):
    moodle.launch(Client(), subject="1")
    person = LtiPerson.objects.get(subject="1").user
    privacy.merge_students(kept=student, gone=person, actor=teacher)
    client = Client()
    moodle.launch(client, subject="1")
    assert who(client) == str(student)


def test_a_test_user_sees_a_preview_and_gets_no_account(moodle, link):
    client = Client()
    claims, state = moodle.message(client)
    claims[f"{CLAIM}roles"].append("http://purl.imsglobal.org/vocab/lti/system/person#TestUser")
    answer = moodle.post(client, moodle.signed(claims), state)
    assert b"preview" in answer.content
    assert not LtiPerson.objects.exists()


def test_a_link_opens_no_assignment_of_another_class(moodle, course, make_puzzle, teacher):
    from osmosmjerka.accounts import people

    assignment = make_puzzle().assignments.get()
    other = people.create_classroom(name="other", owner=teacher)
    LtiCourse.objects.filter(pk=course.pk).update(classroom=other)
    answer = moodle.launch(Client(), custom={"assignment": str(assignment.pk)})
    assert answer["Location"] == "/"
    LtiCourse.objects.filter(pk=course.pk).update(classroom=assignment.classroom)  # the control
    answer = moodle.launch(Client(), subject="2", custom={"assignment": str(assignment.pk)})
    assert answer["Location"].startswith("/play/")


# Attacks: what each changes in the message, its signature or its way. --------------------------


def another(claims, **changed):
    return claims | {f"{CLAIM}{name}": value for name, value in changed.items()}


# {attack: (the message, why it is refused, as the log says)}
ATTACKS = {
    "control": (lambda m, c: m.signed(c), ""),
    "several audiences, right azp": (lambda m, c: m.signed(c | {"aud": ["tool", "another"]}), ""),
    "another audience": (lambda m, c: m.signed(c | {"aud": "another"}), "another tool"),
    "several audiences without azp": (
        lambda m, c: m.signed(without(c, "azp") | {"aud": ["tool", "another"]}),
        "without azp",
    ),
    "another azp": (lambda m, c: m.signed(c | {"azp": "another"}), "another authorized party"),
    "another issuer": (lambda m, c: m.signed(c | {"iss": "http://127.0.0.1:1"}), "another issuer"),
    "another deployment": (lambda m, c: m.signed(another(c, deployment_id="2")), "deployment"),
    "another version": (lambda m, c: m.signed(another(c, version="1.2.0")), "version"),
    "another nonce": (lambda m, c: m.signed(c | {"nonce": "x"}), "another nonce"),
    "expired": (lambda m, c: m.signed(c | {"exp": later(-3600)}), "has expired"),
    "of the future": (lambda m, c: m.signed(c | {"iat": later(3600)}), "of the future"),
    "another site": (
        lambda m, c: m.signed(another(c, target_link_uri="http://evil.example/")),
        "of another site",
    ),
    "nobody": (lambda m, c: m.signed(without(c, "sub")), "nobody is named"),
    "no algorithm": (
        lambda m, c: jwt.encode(c, None, algorithm="none", headers={"kid": "one"}),
        "algorithm is none",
    ),
    "symmetric": (
        lambda m, c: jwt.encode(c, "x" * 40, algorithm="HS256", headers={"kid": "one"}),
        "algorithm is HS256",
    ),
    "key of another": (lambda m, c: m.signed(c, pem=pem_of("other")), "bad_signature"),
    "unknown key": (lambda m, c: m.signed(c, pem=pem_of("other"), kid="nine"), "not one of"),
    "no message": (lambda m, c: "x", "DecodeError"),
}


def without(claims, name):
    return {key: value for key, value in claims.items() if key != name}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_message_that_breaks_a_rule_lets_nobody_in(moodle, link, attack, caplog):
    made, reason = ATTACKS[attack]
    client = Client()
    claims, state = moodle.message(client)
    answer = moodle.post(client, made(moodle, claims), state)
    assert (answer.status_code == 403) == bool(reason)
    assert bool(who(client)) == (not reason)
    refused = [line for line in caplog.messages if "launch from a learning platform" in line]
    assert [reason in line for line in refused] == ([True] if reason else [])


def test_a_launch_works_once(moodle, link):
    client = Client()
    claims, state = moodle.message(client)
    token = moodle.signed(claims)
    assert moodle.post(client, token, state).status_code == 302  # the control
    client.post("/logout/")
    assert moodle.post(client, token, state).status_code == 403
    assert who(client) == ""


def test_a_state_is_of_the_browser_in_which_the_login_began(moodle, link):
    begun, other = Client(), Client()
    claims, state = moodle.message(begun)
    moodle.message(other)  # it has a cookie of its own
    token = moodle.signed(claims)
    assert moodle.post(other, token, state).status_code == 403
    assert moodle.post(Client(), token, state).status_code == 403
    assert moodle.post(begun, token, state).status_code == 302  # the control


def test_a_forged_state_is_refused(moodle, link):
    client = Client()
    claims, state = moodle.message(client)
    forged = signing.dumps(signing.loads(state, salt="puzzles.lti.state"), salt="x")
    assert moodle.post(client, moodle.signed(claims), forged).status_code == 403


def test_a_login_that_leads_to_another_site_does_not_begin(moodle, connection):
    sent = {
        "iss": moodle.url, "client_id": "tool", "login_hint": "1",
        "target_link_uri": "http://testserver/lti/launch/",
    }  # fmt: skip
    assert Client().post("/lti/login/", sent).status_code == 302  # the control
    for target in ("http://evil.example/", "http://testserver.evil.example/", "//testserver", ""):
        sent["target_link_uri"] = target
        assert Client().post("/lti/login/", sent).status_code == 403, target


def test_a_platform_that_is_switched_off_lets_nobody_in(moodle, link, connection):
    client = Client()
    claims, state = moodle.message(client)
    connection.is_on = False
    connection.save()
    assert moodle.post(client, moodle.signed(claims), state).status_code == 403


def test_a_platforms_new_key_is_found_by_itself(moodle, link, connection):
    moodle.launch(Client(), subject="1")
    moodle.edx.key_handler = type(moodle.edx.key_handler)(pem_of("other"), "new")
    assert moodle.launch(Client(), subject="2").status_code == 403  # asked a moment ago
    connection.refresh_from_db()
    connection.keys_at = None
    connection.save()
    assert moodle.launch(Client(), subject="3").status_code == 302


def test_with_https_the_cookie_that_binds_comes_along_from_another_site(
    moodle, connection, settings
):
    settings.HTTPS = True
    client = Client()
    moodle.message(client)
    cookie = client.cookies["lti-browser"]
    assert (cookie["samesite"], cookie["secure"], cookie["httponly"]) == ("None", True, True)
    assert re.fullmatch(r"[\w-]{32}", cookie.value)
