"""What changes how one logs in, or what one may do, ends every other session and API token."""

import re

import pytest
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from osmosmjerka.accounts.auth import cards, tokens
from osmosmjerka.accounts.models import ApiToken, AuditEntry, BrowserSession, Passkey, User
from tests.conftest import PASSWORD

NEW = "a staple of batteries"


def log_in(person, password=PASSWORD):
    client = Client()
    client.post("/login/", {"username": person.username, "password": password})
    return client


def is_in(client):
    return client.get("/me/data/").status_code == 200


def program_of(person, scope="teach"):
    return Client(
        headers={"Authorization": f"Token {tokens.create(person=person, scope=scope)[1]}"}
    )


def still_works(program):
    return program.get("/api/puzzles/").status_code == 200


@pytest.fixture
def admin(make_person, school):
    return make_person(User.Role.SCHOOL_ADMIN, school, "iris")


@pytest.fixture
def site_admin(make_person):
    return make_person(User.Role.TEACHER, None, "root", is_site_admin=True)


def code_of(person):
    device = TOTPDevice.objects.get(user=person)
    return str(totp(device.bin_key, drift=0)).zfill(6)


def turn_on_second_step(own, person):
    own.get("/me/second-step/")
    return own.post("/me/second-step/", {"code": code_of(person), "password": PASSWORD})


def turn_off_second_step(own, person):
    turn_on_second_step(own, person)
    TOTPDevice.objects.update(last_t=-1)  # the same code again, as half a minute later
    Client.post(own, "/me/second-step/", {"code": code_of(person)})


def change_email(own, person):
    own.post("/me/account/", {
        "display_name": "Ana", "email": "new@school.example", "password": PASSWORD,
    })  # fmt: skip


def change_password(own, person):
    own.post("/me/password/", {
        "old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW,
    })  # fmt: skip


def remove_passkey(own, person):
    passkey = Passkey.objects.create(user=person, name="lost phone", credential_id="x")
    own.post(f"/me/passkeys/{passkey.pk}/remove/")


def change_name(own, person):
    own.post("/me/account/", {"display_name": "Ana K.", "email": "", "password": PASSWORD})


@pytest.mark.parametrize(
    "change",
    [turn_on_second_step, turn_off_second_step, change_email, change_password, remove_passkey],
)
def test_what_one_changes_oneself_ends_all_but_this_session(change, teacher):
    own, elsewhere, program = log_in(teacher), log_in(teacher), program_of(teacher)
    assert is_in(own) and is_in(elsewhere) and still_works(program)
    key = own.session.session_key
    change(own, teacher)
    assert is_in(own) and not is_in(elsewhere) and not still_works(program)
    assert own.session.session_key != key
    assert BrowserSession.objects.filter(user=teacher).count() == 1
    assert not ApiToken.objects.exists()


def test_a_new_name_ends_nothing(teacher):
    """The control: not every change on the same page logs others out."""
    own, elsewhere, program = log_in(teacher), log_in(teacher), program_of(teacher)
    change_name(own, teacher)
    teacher.refresh_from_db()
    assert teacher.display_name == "Ana K."
    assert is_in(own) and is_in(elsewhere) and still_works(program)


def promote(teacher, admin, school, site_admin):
    log_in(admin).post(f"/schools/{school.pk}/teachers/{teacher.pk}/role/",
                       {"role": "school_admin"})  # fmt: skip


def deactivate(teacher, admin, school, site_admin):
    log_in(admin).post(f"/schools/{school.pk}/teachers/{teacher.pk}/close/")


def reset_second_step(teacher, admin, school, site_admin):
    TOTPDevice.objects.create(user=teacher, confirmed=True)
    log_in(admin).post(f"/schools/{school.pk}/teachers/{teacher.pk}/second-step/")


def change_in_admin(**changed):
    def change(teacher, admin, school, site_admin):
        body = {"username": "ana", "display_name": "Ana", "role": "teacher", "school": school.pk,
                "email": "", "is_active": "on", "language": ""} | changed  # fmt: skip
        path = f"/admin/accounts/user/{teacher.pk}/change/"
        assert log_in(site_admin).post(path, body).status_code == 302

    return change


def set_password_in_admin(**sent):
    def change(teacher, admin, school, site_admin):
        path = f"/admin/accounts/user/{teacher.pk}/password/"
        assert log_in(site_admin).post(path, sent).status_code == 302

    return change


@pytest.mark.parametrize(
    "change",
    [
        promote,
        deactivate,
        reset_second_step,
        change_in_admin(email="new@school.example"),
        change_in_admin(role="school_admin"),
        change_in_admin(is_staff="on"),
        set_password_in_admin(password1=NEW, password2=NEW, usable_password="true"),
        set_password_in_admin(**{"usable_password": "false", "unset-password": "1"}),
    ],
)
def test_what_others_change_ends_every_session_and_token(
    change, teacher, admin, school, site_admin
):
    own, program = log_in(teacher), program_of(teacher)
    bystander = log_in(admin)
    assert is_in(own) and still_works(program)
    change(teacher, admin, school, site_admin)
    assert not is_in(own) and not still_works(program)
    assert not ApiToken.objects.exists()
    assert is_in(bystander)


def test_a_language_in_the_admin_ends_nothing(teacher, admin, school, site_admin):
    own, program = log_in(teacher), program_of(teacher)
    change_in_admin(language="de")(teacher, admin, school, site_admin)
    teacher.refresh_from_db()
    assert teacher.language == "de"
    assert is_in(own) and still_works(program)


def test_a_site_admin_who_changes_their_own_address_stays(site_admin):
    own, elsewhere = log_in(site_admin), log_in(site_admin)
    body = {"username": "root", "display_name": "Root", "role": "teacher", "school": "",
            "email": "root@x.example", "is_active": "on", "is_staff": "on", "is_superuser": "on",
            "language": ""}  # fmt: skip
    own.post(f"/admin/accounts/user/{site_admin.pk}/change/", body)
    assert is_in(own) and not is_in(elsewhere)


# Students


def print_card(student, teacher, classroom):
    log_in(teacher).post(
        f"/classes/{classroom.pk}/cards/", {"student": student.pk, "format": "page"}
    )


def test_a_new_card_ends_every_other_way_in(student, teacher, classroom):
    old = cards.issue_cards(students=[student], actor=teacher, classroom=classroom)[0]
    student.set_password(PASSWORD)  # a password beside the card
    student.save()
    by_password, by_card, program = log_in(student), Client(), program_of(student, "play")
    by_card.post("/card/", {"token": old.token})
    assert is_in(by_password) and is_in(by_card) and still_works(program)
    print_card(student, teacher, classroom)
    assert not is_in(by_password) and not is_in(by_card) and not still_works(program)
    assert not is_in(log_in(student))
    again = Client()
    again.post("/card/", {"token": old.token})
    again.post(f"/c/{classroom.join_code}/", {"name": student.display_name, "words": old.words})
    assert not is_in(again)
    asked = Client().post(
        "/api/token/", {"username": "luka", "password": PASSWORD}, content_type="application/json"
    )
    assert asked.status_code == 400


def test_a_teacher_sets_and_removes_a_students_password(student, teacher, classroom):
    own, inside, program = log_in(teacher), log_in(student), program_of(student)
    page = f"/pupils/{student.pk}/"
    assert f"{page}password/remove/" in own.get(page).content.decode()
    own.post(f"{page}password/", {"password": "short"})
    assert is_in(inside)  # nothing was changed
    own.post(f"{page}password/", {"password": "honey-comb"})
    assert not is_in(inside) and not still_works(program)
    assert not is_in(log_in(student)) and is_in(log_in(student, "honey-comb"))
    inside = log_in(student, "honey-comb")
    own.post(f"{page}password/remove/")
    assert not is_in(inside) and not is_in(log_in(student, "honey-comb"))
    assert f"{page}password/remove/" not in own.get(page).content.decode()
    own.post(f"{page}password/", {"password": "bumble-bees"})  # and gets one again
    assert is_in(log_in(student, "bumble-bees"))
    written = set(AuditEntry.objects.filter(subject_id=student.pk).values_list("action", flat=True))
    assert {"set pupil password", "removed pupil password"} <= written


def test_a_new_password_keeps_the_card_and_lifts_the_lock(student, teacher, classroom):
    card = cards.issue_cards(students=[student], actor=teacher, classroom=classroom)[0]
    for _attempt in range(6):
        log_in(student, "wrong")
    log_in(teacher).post(f"/pupils/{student.pk}/password/", {"password": "honey-comb"})
    assert is_in(log_in(student, "honey-comb"))
    by_card = Client()
    by_card.post("/card/", {"token": card.token})
    assert is_in(by_card)


def test_only_who_may_print_cards_sets_passwords(
    student, teacher, stranger, make_person, school, classroom
):
    colleague = make_person(User.Role.TEACHER, school)
    for person in (stranger, colleague, student):
        for path in ("password/", "password/remove/"):
            reply = log_in(person).post(f"/pupils/{student.pk}/{path}", {"password": "honey-comb"})
            assert reply.status_code == 404
    # Nor a teacher's, who is no student of theirs.
    reply = log_in(teacher).post(f"/pupils/{colleague.pk}/password/", {"password": "honey-comb"})
    assert reply.status_code == 404
    student.refresh_from_db()
    assert student.check_password(PASSWORD)


def test_a_student_changes_the_own_password_by_the_rule_for_students(student):
    own, elsewhere = log_in(student), log_in(student)
    for new, is_set in (("tiny", False), ("kokos1", True)):
        own.post("/me/password/", {
            "old_password": PASSWORD, "new_password1": new, "new_password2": new,
        })  # fmt: skip
        assert is_in(log_in(student, new)) is is_set
    assert is_in(own) and not is_in(elsewhere)
    page = own.get("/me/password/").content.decode()
    assert "Forgot your password?" not in page  # students have no e-mail address
    # A session of a student ends at the end of a school day, also after this.
    assert own.session.get_expiry_age() <= 12 * 3600


def test_a_request_that_runs_while_access_ends_brings_no_session_back(teacher):
    """Its session is written again after the deletion; the stamp in it is an old one."""
    own = log_in(teacher)
    running = own.session  # as loaded by a request that still runs
    assert running["_auth_user_id"]
    teacher.end_access()
    running.save(must_create=True)
    assert BrowserSession.objects.filter(user=teacher).exists()
    assert not is_in(own)


def test_the_control_without_the_stamp_that_session_would_be_valid(teacher, monkeypatch):
    own = log_in(teacher)
    running = own.session
    assert running["_auth_user_id"]
    BrowserSession.objects.all().delete()
    running.save(must_create=True)
    request = HttpRequest()
    request.session = running
    assert get_user(request) == teacher
    assert is_in(own)


def test_times_of_logging_in_are_no_secret_but_keys_are(teacher):
    own = log_in(teacher)
    row = BrowserSession.objects.get(user=teacher)
    assert own.session.session_key not in repr(BrowserSession.objects.values())
    assert re.fullmatch("[0-9a-f]{40}", row.pk)
    other = Client()
    other.cookies["sessionid"] = row.pk  # a copied table lets nobody in
    assert not is_in(other)
    assert row.seen_at <= timezone.now()
