"""A teacher changes the own password while logged in."""

import pytest
from django.contrib.auth.hashers import identify_hasher
from django.test import Client
from rest_framework.authtoken.models import Token

from osmosmjerka.accounts import tries
from osmosmjerka.accounts.models import AuditEntry
from tests.conftest import PASSWORD

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
    token = own.post("/api/token/", body).json()["token"]
    program = Client(headers={"Authorization": f"Token {token}"})
    assert is_in(own) and is_in(elsewhere)
    assert program.get("/api/lists/").status_code == 200
    key = own.session.session_key
    assert "Your new password is set" in own.post(PATH, sent(), follow=True).content.decode()
    assert is_in(own) and not is_in(elsewhere)
    assert own.session.session_key != key
    assert program.get("/api/lists/").status_code == 401
    assert not Token.objects.exists()
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
    for _try in range(tries.FREE_TRIES):
        own.post(PATH, sent(old="a guess"))
    assert "Too many wrong tries" in own.post(PATH, sent()).content.decode()
    teacher.refresh_from_db()
    assert teacher.check_password(PASSWORD)


def test_pupils_have_cards_and_no_such_page(student, teacher, sign_in):
    assert sign_in(student).get(PATH).status_code == 404
    assert PATH not in sign_in(student).get("/").content.decode()
    assert PATH in sign_in(teacher).get("/").content.decode()
