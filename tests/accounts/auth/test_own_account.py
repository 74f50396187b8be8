"""A teacher changes the own password, name and address while logged in."""

import re

import pytest
from django.contrib.auth.hashers import identify_hasher
from django.test import Client

from osmosmjerka.accounts.auth import lockout
from osmosmjerka.accounts.models import ApiToken, AuditEntry
from tests.conftest import PASSWORD
from tests.mailing import deliver

NEW = "another horse, another battery"
PATH = "/me/password/"


def sent(old=PASSWORD, new=NEW, again=None):
    return {"old_password": old, "new_password1": new, "new_password2": again or new}


def log_in(password):
    client = Client()
    client.post("/login/", {"username": "ana", "password": password})
    return client


def is_in(client):
    return client.get(PATH).status_code == 200


def test_a_new_password_ends_every_other_session_and_token_but_not_this_one(teacher, settings):
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.Argon2PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    own, elsewhere = log_in(PASSWORD), log_in(PASSWORD)
    body = {"username": "ana", "password": PASSWORD}
    token = own.post("/api/token/", body, content_type="application/json").json()["token"]
    program = Client(headers={"Authorization": f"Token {token}"})
    assert is_in(own) and is_in(elsewhere)
    assert program.get("/api/lists/").status_code == 200
    key = own.session.session_key
    assert "Your new password is set" in own.post(PATH, sent(), follow=True).content.decode()
    assert is_in(own) and not is_in(elsewhere)
    assert own.session.session_key != key
    assert program.get("/api/lists/").status_code == 401
    assert not ApiToken.objects.exists()
    assert is_in(log_in(NEW)) and not is_in(log_in(PASSWORD))
    teacher.refresh_from_db()
    assert identify_hasher(teacher.password).algorithm == "argon2"
    entry = AuditEntry.objects.get(action="changed password")
    assert (entry.actor_id, entry.subject_id) == (teacher.pk, teacher.pk)


@pytest.mark.parametrize(
    "wrong",
    [{"old": "not it"}, {"new": "short"}, {"new": "12345678901"}, {"again": "something else"}],
    ids=str,
)
def test_a_wrong_change_is_said_and_changes_nothing(wrong, teacher, sign_in):
    own = sign_in(teacher)
    reply = own.post(PATH, sent(**wrong))
    assert reply.context["form"].errors
    teacher.refresh_from_db()
    assert teacher.check_password(PASSWORD)
    assert is_in(own)


def test_who_passes_by_an_open_page_cannot_guess_the_old_password(teacher, sign_in):
    own = sign_in(teacher)
    for _attempt in range(lockout.FREE_FAILURES):
        own.post(PATH, sent(old="a guess"))
    assert "Too many failed attempts" in own.post(PATH, sent()).content.decode()
    teacher.refresh_from_db()
    assert teacher.check_password(PASSWORD)


def test_students_with_a_card_alone_have_no_such_page(student, teacher, sign_in):
    assert PATH in sign_in(student).get("/").content.decode()  # the control: a password
    student.set_unusable_password()
    student.save()
    assert sign_in(student).get(PATH).status_code == 404
    assert PATH not in sign_in(student).get("/").content.decode()
    assert PATH in sign_in(teacher).get("/").content.decode()


def test_a_teacher_changes_the_own_name_and_address_and_the_old_address_is_told(
    teacher, sign_in, mailoutbox
):
    own, path = sign_in(teacher), "/me/account/"
    sent = {"display_name": "Ana K.", "email": "ana@school.example", "password": PASSWORD}
    assert "password is not correct" in own.post(path, sent | {"password": "x"}).content.decode()
    teacher.refresh_from_db()
    assert teacher.email == ""
    for address in ("ana@school.example", "ana@new.example"):
        own.post(path, sent | {"email": address})
    deliver()
    teacher.refresh_from_db()
    assert (teacher.display_name, teacher.email) == ("Ana K.", "ana@new.example")
    assert [mail.to for mail in mailoutbox] == [["ana@school.example"]]
    assert AuditEntry.objects.filter(action="changed account").count() == 2


def test_nobodys_letter_box_is_filled_with_links(client, teacher, mailoutbox):
    teacher.email = "ana@school.example"
    teacher.save()
    pages = {
        re.sub(rb"[A-Za-z0-9]{64}", b"", reply.content)  # what is new in each form
        for reply in (
            client.post("/password/", {"email": "ana@school.example"}, follow=True)
            for _again in range(4 * lockout.FREE_FAILURES)
        )
    }
    deliver()
    assert len(mailoutbox) == lockout.FREE_FAILURES
    assert len(pages) == 1  # and the page tells nothing of it
