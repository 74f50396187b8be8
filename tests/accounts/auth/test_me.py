"""Whom a program acts for."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import Membership, User

pytestmark = pytest.mark.django_db


def me(person, scope="read"):
    _token, text = tokens.create(person=person, scope=scope, name="script")
    return Client().get("/api/me/", headers={"Authorization": f"Token {text}"}).json()


def test_a_student_reads_who_they_are_and_what_their_token_may(student, classroom, school):
    told = me(student, "play")
    token = told.pop("token")
    assert (token["name"], token["scope"]) == ("script", "play")
    assert token["id"] == student.api_tokens.get().pk
    assert token["expires_at"]
    assert told == {
        "id": student.pk,
        "username": "luka",
        "name": "Luka",
        "role": "student",
        "is_site_admin": False,
        "language": "",
        "school": {"id": school.pk, "name": school.name},
        "classes": [{"id": classroom.pk, "name": "6b", "role": "student"}],
    }


def test_only_classes_in_which_one_has_a_place_now_are_told(
    classroom, teacher, school, make_person
):
    colleague, admin = (make_person(r, school) for r in (User.Role.TEACHER, User.Role.SCHOOL_ADMIN))
    place = Membership.objects.create(
        classroom=classroom, user=colleague, role="substitute", until=school.today()
    )
    assert [one["role"] for one in me(colleague)["classes"]] == ["substitute"]
    place.until -= timedelta(days=1)
    place.save()
    assert me(colleague)["classes"] == []
    assert me(admin)["classes"] == []
    people.create_classroom(name="Čas", owner=teacher)
    people.create_classroom(name="Duga", owner=teacher)
    assert [one["name"] for one in me(teacher)["classes"]] == ["6b", "Čas", "Duga"]
    classes.archive_classroom(classroom=classroom, actor=teacher)
    assert [one["name"] for one in me(teacher)["classes"]] == ["Čas", "Duga"]


def test_a_browser_has_no_token_and_a_stranger_is_nobody(sign_in, teacher, client):
    assert sign_in(teacher).get("/api/me/").json()["token"] is None
    assert client.get("/api/me/").status_code == 401


def test_an_expired_token_tells_nothing(teacher):
    token, text = tokens.create(person=teacher, scope="read")
    headers = {"Authorization": f"Token {text}"}
    assert Client().get("/api/me/", headers=headers).status_code == 200
    token.expires_at = timezone.now()
    token.save()
    assert Client().get("/api/me/", headers=headers).status_code == 401
