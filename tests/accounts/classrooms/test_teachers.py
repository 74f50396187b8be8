"""The teachers of a class: co-teachers who teach it too, and substitutes until a day."""

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.formats import date_format

from osmosmjerka.accounts import people
from osmosmjerka.accounts.access import classroom_actions, classrooms
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import AuditEntry, JoinRequest, Membership, User
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.accounts.selectors import told_apart
from tests.conftest import PASSWORD

Role = Membership.Role


@pytest.fixture
def colleague(make_person, school):
    return make_person(User.Role.TEACHER, school)


def stand_in(classroom, colleague, teacher, days=1):
    until = classroom.school.today() + timedelta(days=days)
    return classes.add_teacher(
        classroom=classroom, person=colleague, role=Role.SUBSTITUTE, until=until, actor=teacher
    )


def test_a_substitute_is_added_on_the_page_and_told_what_they_may_do(
    classroom, teacher, colleague, sign_in
):
    until = classroom.school.today() + timedelta(days=3)
    address = f"/classes/{classroom.pk}/teachers/"
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/people/").text
    assert "Substitute: sees and prints everything, changes nothing" in page
    assert "Leave empty for no last day." in page
    sent = {"teacher": colleague.pk, "role": "substitute"}
    page = sign_in(teacher).post(address, sent | {"until": until}, follow=True).content.decode()
    assert f"{colleague.display_name} was added to the class." in page
    assert AuditEntry.objects.filter(action="added to class", subject_id=colleague.pk).exists()
    client = sign_in(colleague)
    for place in ("", "people/", "progress/"):
        page = client.get(f"/classes/{classroom.pk}/{place}").content.decode()
        assert "You are a substitute in this class until" in page, place
    assert "Add students" not in page
    assert client.post(f"/classes/{classroom.pk}/change/", {"name": "x"}).status_code == 404
    assert (
        "You are a substitute"
        not in sign_in(teacher).get(f"/classes/{classroom.pk}/people/").content.decode()
    )


def test_the_last_day_ends_at_midnight_where_the_school_is(
    classroom, teacher, colleague, monkeypatch
):
    school = classroom.school
    school.time_zone = "Pacific/Auckland"  # eleven to thirteen hours before London
    school.save()
    colleague.refresh_from_db()
    place = stand_in(classroom, colleague, teacher)
    Membership.objects.filter(pk=place.pk).update(until="2030-05-06")

    def at(hour, day):
        now = datetime(2030, 5, day, hour, 59, tzinfo=UTC)
        monkeypatch.setattr(timezone, "now", lambda: now)
        allowed = classroom_actions(colleague, classroom)
        assert (classroom in classrooms(colleague, "see")) == ("see" in allowed)
        return allowed

    assert at(11, 6) == {
        "see",
        "see progress",
        "lead games",
    }  # a minute before midnight in Auckland
    assert at(12, 6) == set()


def test_a_former_substitute_comes_back_by_a_new_day_or_by_an_invitation(
    classroom, teacher, colleague
):
    place = stand_in(classroom, colleague, teacher)
    with pytest.raises(ValidationError, match="who is not in this class"):
        stand_in(classroom, colleague, teacher)
    Membership.objects.filter(pk=place.pk).update(until=classroom.school.today() - timedelta(1))
    assert not classrooms(colleague, "see").exists()
    stand_in(classroom, colleague, teacher)
    assert classrooms(colleague, "see").exists()
    invitation, _token = invitations.invite(
        school=classroom.school, classroom=classroom, role="co_teacher", actor=teacher
    )
    invitations.accept(invitation=invitation, person=colleague)
    assert classrooms(colleague, "assign").exists()


def test_only_teachers_of_the_school_are_added_and_only_with_a_day_to_come(
    classroom, teacher, colleague, stranger, student, sign_in
):
    for person in (stranger, student, teacher):
        with pytest.raises(ValidationError, match="who is not in this class"):
            classes.add_teacher(
                classroom=classroom, person=person, role=Role.CO_TEACHER, actor=teacher
            )
    with pytest.raises(ValidationError, match="in the past"):
        stand_in(classroom, colleague, teacher, days=-1)
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/people/").content.decode()
    assert colleague.username in page
    assert stranger.username not in page
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(
            classroom=classroom, user=colleague, role="owner", until=classroom.school.today()
        )


def test_who_stands_in_or_has_a_last_day_stays_behind_at_the_end_of_the_year(
    classroom, teacher, colleague, make_person, school
):
    place = stand_in(classroom, colleague, teacher)
    other, until_soon = (make_person(User.Role.TEACHER, school) for _each in range(2))
    classes.add_teacher(classroom=classroom, person=other, role=Role.SUBSTITUTE, actor=teacher)
    until = classroom.school.today() + timedelta(days=3)
    classes.add_teacher(
        classroom=classroom, person=until_soon, role=Role.CO_TEACHER, until=until, actor=teacher
    )
    classes.set_role(membership=place, role=Role.CO_TEACHER, actor=teacher)
    place.refresh_from_db()
    assert (place.role, place.until) == (Role.CO_TEACHER, None)
    following = classes.start_next_year(classroom=classroom, name="7b", actor=teacher)
    members = set(following.memberships.values_list("user", flat=True))
    assert members & {colleague.pk, other.pk, until_soon.pk} == {colleague.pk}


def test_programs_add_change_and_remove_teachers(classroom, teacher, colleague, sign_in):
    client, address = sign_in(teacher), f"/api/classes/{classroom.pk}/teachers/"
    until = (classroom.school.today() + timedelta(days=2)).isoformat()

    def send(method, body, path=""):
        return getattr(client, method)(
            address + path, json.dumps(body), content_type="application/json"
        )

    sent = {"username": colleague.username, "role": "substitute"}
    assert send("post", sent | {"until": "2020-01-01"}).status_code == 400
    assert send("post", sent | {"until": until}).status_code == 201
    found = {one["teacher"]: (one["role"], one["until"]) for one in client.get(address).json()}
    assert found == {teacher.pk: ("owner", None), colleague.pk: ("substitute", until)}
    assert send("put", {"role": "co_teacher"}, f"{colleague.pk}/").json()["role"] == "co_teacher"
    assert classrooms(colleague, "assign").exists()
    assert send("put", {"role": "viewer"}, f"{teacher.pk}/").status_code == 400  # the only owner
    assert client.delete(f"{address}{colleague.pk}/").status_code == 204
    assert not classrooms(colleague, "see").exists()


def test_a_substitute_finds_the_day_in_their_data(classroom, teacher, colleague, sign_in):
    place = stand_in(classroom, colleague, teacher)
    reply = sign_in(colleague).post("/me/data/", {"password": PASSWORD})
    with zipfile.ZipFile(io.BytesIO(b"".join(reply) if reply.streaming else reply.content)) as told:
        text = "".join(told.read(name).decode(errors="replace") for name in told.namelist())
    assert "substitute" in text
    assert place.until.isoformat() in text


def test_the_tab_counts_who_waits_for_those_who_may_let_them_in(
    classroom, teacher, colleague, sign_in
):
    classroom.is_join_open = True
    classroom.save()
    stand_in(classroom, colleague, teacher)
    JoinRequest.objects.create(classroom=classroom, name="Bumblebee")
    address = f"/classes/{classroom.pk}/"
    assert "1 waiting" in sign_in(teacher).get(address).content.decode()
    assert "1 waiting" not in sign_in(colleague).get(address).content.decode()


def test_classes_of_one_name_are_told_apart_by_school_or_owner(
    classroom, teacher, colleague, animals, sign_in
):
    name = classroom.name
    second = people.create_classroom(name=name, owner=colleague)
    assert [str(one) for one in told_apart([classroom, second])] == [
        f"{name} · {teacher}", f"{name} · {colleague}",
    ]  # fmt: skip
    third = people.create_classroom(name="else", owner=teacher)
    assert str(told_apart([third])[0]) == "else"
    people.join_classroom(classroom=second, person=teacher, role=Role.CO_TEACHER)
    page = sign_in(teacher).get("/assign/").content.decode()
    assert f"{name} · {colleague}" in page
    assert ">else<" in page


def test_who_never_logged_in_is_shown_alone_and_gets_new_cards(
    classroom, teacher, student, sign_in
):
    classes.add_students(classroom=classroom, names=["Mia"], actor=teacher)
    student.last_login = timezone.now() - timedelta(days=3)
    student.save()
    client, address = sign_in(teacher), f"/classes/{classroom.pk}/people/"
    page = client.get(address).content.decode()
    assert "1 student has never logged in" in page
    assert "3 days ago" in page
    page = client.get(f"{address}?show=never").content.decode()
    assert "Mia" in page
    assert student.username not in page
    sent = {"which": "never", "format": "pdf", "download": "123"}
    reply = client.post(f"/classes/{classroom.pk}/cards/", sent)
    assert reply["Content-Type"] == "application/pdf"
    assert reply.cookies["downloaded"].value == "123"
    assert not hasattr(User.objects.get(pk=student.pk), "card")
    assert "1 login card created." in client.get(address).content.decode()


def test_a_co_teacher_teaches_until_their_last_day_and_may_do_nothing_after(
    classroom, teacher, colleague, sign_in, animals
):
    animals.visibility = "school"
    animals.save()
    today = classroom.school.today()
    sent = {"teacher": colleague.pk, "role": "co_teacher", "until": today.isoformat()}
    page = sign_in(teacher).post(f"/classes/{classroom.pk}/teachers/", sent, follow=True).text
    assert f"{colleague.display_name} was added to the class." in page
    assert f"Co-teacher until {date_format(today)}" in page
    client, path = sign_in(colleague), f"/classes/{classroom.pk}/"
    for place in ("", "people/", "progress/"):
        page = client.get(path + place).text
        assert f"You are a co-teacher in this class until {date_format(today)}." in page, place
    assert "Add students" in client.get(f"{path}people/").text
    assert classroom_actions(colleague, classroom) == {
        "see", "see progress", "lead games", "assign", "manage people",
    }  # fmt: skip
    assert client.get("/assign/").context["classes"] == [classroom]
    Membership.objects.filter(user=colleague).update(until=today - timedelta(days=1))
    assert classroom_actions(colleague, classroom) == set()
    for action in ("see", "see progress", "assign", "manage people"):
        assert classroom not in classrooms(colleague, action), action
    assert client.get(path).status_code == 404
    assert client.get("/assign/").context["classes"] == []
    page = sign_in(teacher).get(f"{path}people/").text
    assert "ended" in page
    assert colleague.username in page, "they can be added again"


def test_a_place_without_a_last_day_lasts_until_somebody_ends_it(
    classroom, teacher, colleague, sign_in
):
    place = classes.add_teacher(
        classroom=classroom, person=colleague, role=Role.SUBSTITUTE, actor=teacher
    )
    assert classroom_actions(colleague, classroom) == {"see", "see progress", "lead games"}
    page = sign_in(colleague).get(f"/classes/{classroom.pk}/").text
    assert "You are a substitute in this class: you can see and print everything" in page
    until = classroom.school.today() + timedelta(days=3)
    address = f"/classes/{classroom.pk}/members/{place.pk}/role/"
    client = sign_in(teacher)
    client.post(address, {"role": "co_teacher", "until": until})
    place.refresh_from_db()
    assert (place.role, place.until) == (Role.CO_TEACHER, until)
    answer = client.post(address, {"role": "co_teacher", "until": "2020-01-01"}, follow=True)
    assert "The last day is in the past." in answer.text
    client.post(address, {"role": "co_teacher", "until": ""})
    place.refresh_from_db()
    assert (place.role, place.until) == (Role.CO_TEACHER, None)
    client.post(address, {"role": "owner", "until": until})
    place.refresh_from_db()
    assert (place.role, place.until) == (Role.OWNER, None), "an owner stays"


def test_a_viewer_becomes_a_substitute_on_the_page(classroom, teacher, colleague, sign_in):
    people.join_classroom(classroom=classroom, person=colleague, role=Role.VIEWER)
    client, path = sign_in(teacher), f"/classes/{classroom.pk}/people/"
    assert "Set a last day" in client.get(path).text
    place = classroom.memberships.get(user=colleague)
    until = classroom.school.today() + timedelta(days=3)
    sent = {"role": "substitute", "until": until}
    client.post(f"/classes/{classroom.pk}/members/{place.pk}/role/", sent)
    place.refresh_from_db()
    assert (place.role, place.until) == (Role.SUBSTITUTE, until)
    page = client.get(path).text
    assert f"Substitute until {date_format(until)}" in page
    assert "Set a last day" not in page
    assert "Change the role or the last day" in page
