"""Which passwords are taken, and that they are compared as they were typed."""

import re

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils.translation import override

from osmosmjerka.accounts.auth import passwords
from osmosmjerka.accounts.fields import WORDS_OF_THE_SITE, StudentPasswordField
from tests.conftest import PASSWORD

LONG = "  Ünder_the-BRIDGE 7 of Ljubljana 🐟, where nobody sang “la la la” for a whole year  "


def log_in(username, password):
    client = Client()
    client.post("/login/", {"username": username, "password": password})
    return "_auth_user_id" in client.session


def change(client, new, old=PASSWORD):
    return client.post(
        "/me/password/", {"old_password": old, "new_password1": new, "new_password2": new}
    )


def test_a_long_password_of_any_characters_is_compared_as_typed(teacher, sign_in):
    assert len(LONG) > 64
    assert change(sign_in(teacher), LONG).status_code == 302
    assert log_in("ana", LONG)
    token = Client().post(
        "/api/token/", {"username": "ana", "password": LONG}, content_type="application/json"
    )
    assert token.status_code == 200
    for other in (LONG.strip(), LONG.lower(), LONG[:-1], LONG[:64]):
        assert not log_in("ana", other)


@pytest.mark.parametrize(
    "simple", ["onlysmallletters", "ONLY CAPITALS", "ÄÖÜÄÖÜÄÖÜ", "bridge bridge"]
)
def test_no_sort_of_characters_is_asked_for(simple):
    validate_password(simple)


@pytest.mark.parametrize(
    "common",
    ["password123", "iloveyou1", "sunshine1", "Osmosmjerka2026", "2026-Teacher!", "Lozinka1"],
)
def test_a_common_password_is_refused_to_teachers(common, teacher, sign_in):
    assert "too common" in change(sign_in(teacher), common).content.decode()
    assert log_in("ana", PASSWORD)


def test_the_rule_for_students_is_said_before_a_password_is_refused(
    teacher, student, classroom, sign_in
):
    rule = "At least 6 characters, and not a common password."
    page = sign_in(teacher).get(f"/pupils/{student.pk}/").text
    assert page.count(rule) == 1
    assert sign_in(student).get("/me/password/").text.count(rule) == 1
    assert rule not in sign_in(teacher).get("/me/password/").text  # theirs is another one


@pytest.mark.parametrize("common", ["123456", "qwerty", "Škola2026"])
def test_a_common_password_is_refused_for_students(common, teacher, student, classroom, sign_in):
    page = sign_in(teacher).post(
        f"/pupils/{student.pk}/password/", {"password": common}, follow=True
    )
    assert "too common" in page.content.decode()
    assert not log_in("luka", common)
    passwords.set_for_student(student=student, password=PASSWORD, actor=teacher)
    assert "too common" in change(sign_in(student), common).content.decode()
    StudentPasswordField().clean("honey-comb")  # the control


def test_the_name_of_the_school_and_ones_own_are_no_passwords(teacher):
    teacher.display_name = "Marijana Kovač"
    for told in (f"{teacher.school.name} 1", "marijana kovač"):
        with pytest.raises(ValidationError):
            validate_password(told, teacher)
    validate_password("a far-off crossing", teacher)  # the control


@pytest.mark.parametrize("word", sorted(WORDS_OF_THE_SITE))
def test_every_word_of_the_site_is_refused_with_digits_around(word):
    with pytest.raises(ValidationError):
        validate_password(f"12{word.title()}34!")


def test_a_password_is_hidden_and_may_be_filled_in_by_a_manager(teacher, sign_in):
    pages = [Client().get("/login/")] + [
        sign_in(teacher).get(path)
        for path in ("/me/password/", "/me/account/", "/me/second-step/", "/me/passkeys/")
    ]
    for page in pages:
        fields = re.findall(r"<input[^>]*name=\"[^\"]*password[^>]*>", page.content.decode())
        assert fields
        for field in fields:
            assert 'type="password"' in field
            assert re.search(r'autocomplete="(current|new)-password"', field), field
            assert "onpaste" not in field


def test_no_password_gets_old(teacher, settings):
    """Nobody has to change a password: people who must choose `Spring1`, then `Summer2`."""
    assert not [name for name in dir(settings) if "PASSWORD" in name and "AGE" in name]
    teacher.date_joined = teacher.date_joined.replace(year=2016)
    teacher.save()
    with override("en"):
        assert log_in("ana", PASSWORD)
