"""How teachers come in, and what they do with classes over the years."""

import re
import uuid
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import call_command
from django.db import connection
from django.test import Client

from osmosmjerka.accounts import people
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import AuditEntry, Classroom, Invitation, Membership, School, User
from osmosmjerka.accounts.schools import invitations, teachers
from osmosmjerka.accounts.schools import services as schools
from puzzles.kinds.base import SentMove
from puzzles.models import PlaySession
from puzzles.play import services as play
from tests.accounts.classrooms.helpers import add_names
from tests.conftest import PASSWORD
from vocab.memory import reviews as memory
from vocab.models import Review, WordProgress

NEW = {
    "display_name": "Iva",
    "username": "iva",
    "email": "iva@school.example",
    "password": "a long and odd sentence",
}


def link_in(reply):
    return re.search(r'value="http://testserver(/invitations/[^"]+)"', reply.content.decode())[1]


def test_signing_up_makes_a_school_of_one_that_grows_by_invitation(settings, client, db):
    settings.REGISTRATION = "open"
    assert client.get("/signup/").status_code == 200
    assert client.post("/signup/", NEW).url == "/"
    iva = User.objects.get(username="iva")
    assert (iva.role, iva.school.name) == (User.Role.SCHOOL_ADMIN, "Iva")
    link = link_in(client.post(f"/schools/{iva.school_id}/invite/", {"role": "teacher"}))
    guest = Client()
    assert "Iva" in guest.get(link).content.decode()
    guest.post(link, NEW | {"username": "jan", "display_name": "Jan"})
    jan = User.objects.get(username="jan")
    assert (jan.role, jan.school) == (User.Role.TEACHER, iva.school)
    assert Client().get(link).status_code == 404


def test_the_first_account_of_a_site_names_its_school_and_gets_to_its_class(client, db):
    call_command("createsuperuser", username="root", interactive=False)
    client.force_login(User.objects.get(username="root"))
    assert 'href="/classes/new/"' in client.get("/").text

    page = client.get("/classes/new/").text
    assert "Name your school" in page
    assert 'name="name"' not in page, "a class that could not be created"
    assert client.post("/classes/new/", {"school_name": " "}).status_code == 200
    assert not School.objects.exists()
    assert client.post("/classes/new/", {"school_name": "Gornji Grad"}).url == "/classes/new/"

    assert "Name your school" not in client.get("/classes/new/").text
    made = client.post("/classes/new/", {"name": "5b"})
    assert client.get(made.url).status_code == 200
    root = User.objects.get(username="root")
    assert Classroom.objects.get().school == root.school
    assert root.school.people.filter(role=User.Role.SCHOOL_ADMIN).get() == root
    page = client.get(f"/schools/{root.school_id}/log/").text
    assert "root created the school Gornji Grad." in page


def test_a_school_that_is_named_twice_is_created_once(client, db):
    call_command("createsuperuser", username="root", interactive=False)
    root = User.objects.get(username="root")
    early, late = User.objects.get(pk=root.pk), User.objects.get(pk=root.pk)
    made = schools.found_school(name="Gornji Grad", person=early)
    assert schools.found_school(name="Gornji Grad", person=late) == made
    client.force_login(root)
    assert client.post("/classes/new/", {"school_name": "Gornji Grad"}).status_code == 200
    assert (School.objects.count(), Classroom.objects.count()) == (1, 0)


@pytest.mark.parametrize("role", [User.Role.TEACHER, User.Role.SCHOOL_ADMIN])
@pytest.mark.parametrize("is_staff", [False, True])
def test_nobody_else_creates_a_school(role, is_staff, sign_in, make_person):
    person = make_person(role, None)
    person.is_staff = is_staff
    person.save()
    own = sign_in(person)
    for page in (own.get("/classes/new/"), own.post("/classes/new/", {"school_name": "Mine"})):
        assert "Ask the site admin" in page.text
        assert "school_name" not in page.text
    with pytest.raises(PermissionDenied):
        schools.found_school(name="Mine", person=person)
    assert not School.objects.exists()


@pytest.mark.parametrize(
    ("told", "kept"), [("Europe/Zagreb", "Europe/Zagreb"), ("../etc/passwd", ""), ("", "")]
)
def test_a_new_school_is_where_the_browser_is(settings, client, db, told, kept):
    settings.REGISTRATION = "open"
    assert client.post("/signup/", NEW | {"time_zone": told}).url == "/"
    assert User.objects.get(username="iva").school.time_zone == kept


@pytest.mark.parametrize("registration", ["invitation", "closed"])
def test_nobody_signs_up_where_it_is_not_open(settings, client, db, registration):
    settings.REGISTRATION = registration
    assert client.post("/signup/", NEW).status_code == 404
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"password": "short"}, {"username": "ANA"}, {"email": "no address"}]
)
def test_wrong_sign_ups_are_said(settings, client, teacher, wrong):
    settings.REGISTRATION = "open"
    assert client.post("/signup/", NEW | wrong).status_code == 200
    assert User.objects.count() == 1


def test_a_colleague_accepts_an_invitation_to_a_class(sign_in, teacher, classroom, stranger):
    link = link_in(sign_in(teacher).post(f"/classes/{classroom.pk}/invite/", {"role": "viewer"}))
    sign_in(stranger).post(link)
    assert classroom.memberships.get(user=stranger).role == Membership.Role.VIEWER
    assert Invitation.objects.get().token_hash not in link


def test_a_student_accepts_no_invitation(sign_in, teacher, classroom, school, make_person):
    pupil = make_person(User.Role.STUDENT, school)
    _invitation, token = invitations.invite(
        school=school, role="owner", actor=teacher, classroom=classroom
    )
    sign_in(pupil).post(f"/invitations/{token}/")
    assert not pupil.memberships.exists()


def test_made_up_roles_are_refused(sign_in, teacher, classroom, school, make_person):
    sign_in(teacher).post(f"/classes/{classroom.pk}/invite/", {"role": "student"})
    admin = sign_in(make_person(User.Role.SCHOOL_ADMIN, school))
    admin.post(f"/schools/{school.pk}/invite/", {"role": "superuser"})
    assert not Invitation.objects.exists()


def test_the_school_admin_chooses_how_long_classes_are_kept(sign_in, school, make_person):
    admin = sign_in(make_person(User.Role.SCHOOL_ADMIN, school))
    admin.post(f"/schools/{school.pk}/", {"name": "New name", "retention_days": 90})
    school.refresh_from_db()
    assert (school.name, school.retention_days) == ("New name", 90)


def test_the_settings_tell_what_applies_if_nothing_is_chosen(
    settings, sign_in, school, make_person
):
    settings.TIME_ZONE = "Asia/Tokyo"
    client = sign_in(make_person(role=User.Role.SCHOOL_ADMIN, school=school))
    page = client.get(f"/schools/{school.pk}/").content.decode()
    assert "the time zone of this site (Asia/Tokyo)" in page
    assert "90% is recommended" in page


def test_the_form_of_a_new_school_has_the_recall_target_that_it_recommends(sign_in, make_person):
    site_admin = make_person(User.Role.SCHOOL_ADMIN, is_site_admin=True)
    page = sign_in(site_admin).get("/admin/accounts/school/add/").text
    target = page.split('name="recall_target"')[1].split("</select>")[0]
    assert re.findall(r'value="([^"]+)" selected', target) == ["0.9"]


def test_a_school_keeps_the_recall_target_that_it_chose(sign_in, school, make_person):
    school.recall_target = 0.85
    school.save()
    page = sign_in(make_person(User.Role.SCHOOL_ADMIN, school)).get(f"/schools/{school.pk}/").text
    target = page.split('name="recall_target"')[1].split("</select>")[0]
    assert re.findall(r'value="([^"]+)" selected', target) == ["0.85"]


@pytest.mark.parametrize("days", ["2147483647", "2900000", "-1", "x"])
def test_no_school_keeps_classes_beyond_the_calendar(days, sign_in, school, make_person):
    """It would stop the daily job of every school."""
    site_admin = make_person(User.Role.SCHOOL_ADMIN, school, is_site_admin=True)
    for path in (f"/schools/{school.pk}/", f"/admin/accounts/school/{school.pk}/change/"):
        reply = sign_in(site_admin).post(path, {"name": "x", "retention_days": days})
        assert reply.status_code == 200  # the form again, with what is wrong
    school.refresh_from_db()
    assert school.retention_days == 365


def test_next_years_class_has_the_same_people(sign_in, teacher, classroom, student):
    sign_in(teacher).post(f"/classes/{classroom.pk}/archive/", {"name": "7b"})
    classroom.refresh_from_db()
    following = student.classrooms.get(name="7b")
    assert classroom.archived_at is not None
    assert following.memberships.get(user=teacher).role == Membership.Role.OWNER
    assert following.join_code != classroom.join_code
    assert Client().get(f"/c/{classroom.join_code}/").status_code == 404


def test_a_class_is_archived_without_a_next_one(sign_in, teacher, classroom):
    sign_in(teacher).post(f"/classes/{classroom.pk}/archive/")
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/people/").content.decode()
    assert "archived" in page
    assert sign_in(teacher).post(f"/classes/{classroom.pk}/archive/").status_code == 404


def test_students_move_with_what_they_learned(sign_in, teacher, classroom, student):
    target = people.create_classroom(name="6c", owner=teacher)
    sign_in(teacher).post(
        f"/classes/{classroom.pk}/pupils/move/", {"student": [student.pk], "classroom": target.pk}
    )
    assert list(student.classrooms.all()) == [target]


def test_a_class_keeps_an_owner(sign_in, teacher, classroom):
    own = classroom.memberships.get(user=teacher)
    client = sign_in(teacher)
    client.post(f"/classes/{classroom.pk}/members/{own.pk}/role/", {"role": "viewer"})
    client.post(f"/classes/{classroom.pk}/members/{own.pk}/remove/")
    own.refresh_from_db()
    assert own.role == Membership.Role.OWNER


def test_roles_of_teachers_change_and_students_stay_students(
    sign_in, teacher, classroom, student, make_person, school
):
    second = make_person(User.Role.TEACHER, school)
    place = people.join_classroom(classroom=classroom, person=second, role=Membership.Role.VIEWER)
    client = sign_in(teacher)
    client.post(f"/classes/{classroom.pk}/members/{place.pk}/role/", {"role": "owner"})
    place.refresh_from_db()
    assert place.role == Membership.Role.OWNER
    pupils = classroom.memberships.get(user=student)
    client.post(f"/classes/{classroom.pk}/members/{pupils.pk}/role/", {"role": "owner"})
    pupils.refresh_from_db()
    assert pupils.role == Membership.Role.STUDENT


def test_a_co_teacher_takes_no_other_teacher_out(sign_in, teacher, classroom, make_person, school):
    second = make_person(User.Role.TEACHER, school)
    people.join_classroom(classroom=classroom, person=second, role=Membership.Role.CO_TEACHER)
    own = classroom.memberships.get(user=teacher)
    reply = sign_in(second).post(f"/classes/{classroom.pk}/members/{own.pk}/remove/")
    assert reply.status_code == 404


def test_a_student_is_renamed_and_removed(sign_in, teacher, classroom, student):
    client = sign_in(teacher)
    client.post(f"/pupils/{student.pk}/name/", {"display_name": "Bumblebee"})
    client.post(f"/pupils/{student.pk}/name/", {"display_name": "  "})
    student.refresh_from_db()
    assert student.display_name == "Bumblebee"
    assert "Bumblebee" in client.get(f"/pupils/{student.pk}/").content.decode()
    place = classroom.memberships.get(user=student)
    client.post(f"/classes/{classroom.pk}/members/{place.pk}/remove/")
    assert not student.memberships.exists()
    assert User.objects.filter(pk=student.pk).exists()


def test_a_full_class_takes_nobody_in(monkeypatch, sign_in, teacher, classroom):
    monkeypatch.setattr(classes, "MAX_STUDENTS", 1)
    assert "at most 1 student." in add_names(sign_in(teacher), classroom, {"names": "Mia"})


def test_a_teacher_views_pages_as_a_student_and_changes_nothing(
    sign_in, teacher, student, make_puzzle
):
    puzzle = make_puzzle()
    client = sign_in(teacher)
    assert client.post(f"/pupils/{student.pk}/view/").url == "/"
    page = client.get("/").content.decode()
    assert "You are viewing the pages of Luka" in page
    assert "Hello, Luka" in page
    assert client.get(f"/play/{puzzle.code}/").status_code == 200
    assert client.get(f"/api/play/{puzzle.code}/").status_code == 200
    assert client.post(f"/api/play/{puzzle.code}/finish/").status_code == 403
    assert client.get("/classes/").status_code == 404
    assert not PlaySession.objects.exists()
    assert client.post("/view/stop/").url == f"/pupils/{student.pk}/"
    assert client.get("/classes/").status_code == 200  # a page of teachers


def test_two_accounts_of_a_student_become_one_with_all_that_was_learned(
    sign_in, teacher, student, classroom, make_puzzle
):
    gone = classes.add_students(classroom=classroom, names=["Luka too"], actor=teacher)[0]
    first, second = make_puzzle(), make_puzzle(seed=2)
    for person, puzzle, count in ((student, first, 1), (gone, first, 2), (gone, second, 1)):
        session = play.open_session(puzzle=puzzle, student=person)
        for placement in puzzle.placements.all()[:count]:
            play.record_move(
                session=session,
                move_id=uuid.uuid4(),
                move=SentMove(slot=None, cells=tuple(map(tuple, placement.cells)), tiles=None),
                latency_ms=1000,
            )
    reviews = Review.objects.count()
    sign_in(teacher).post(f"/pupils/{student.pk}/merge/", {"username": gone.username})
    assert not User.objects.filter(pk=gone.pk, deleted_at=None).exists()
    assert Review.objects.filter(student=student).count() == reviews
    asked = WordProgress.objects.filter(student=student).values_list("entry", flat=True)
    log = Review.objects.filter(student=student)
    assert set(asked) == set(log.values_list("entry", flat=True))
    assert memory.replay(student=student) == 0
    sessions = PlaySession.objects.filter(student=student)
    assert sorted(session.found_count for session in sessions) == [1, 2]


def test_nobody_is_merged_with_a_stranger(sign_in, teacher, student, make_person, other_school):
    guest = make_person(User.Role.STUDENT, other_school)
    sign_in(teacher).post(f"/pupils/{student.pk}/merge/", {"username": guest.username})
    assert User.objects.filter(pk=guest.pk).exists()


@pytest.mark.parametrize(
    ("registration", "said", "has_link"),
    [
        ("open", "start with your own school", True),
        ("invitation", "by invitation", False),
        ("closed", "New accounts cannot be created", False),
    ],
)
def test_the_login_page_tells_new_teachers_how_to_come_in(
    client, db, settings, registration, said, has_link
):
    settings.REGISTRATION = registration
    page = client.get("/login/").content.decode()
    assert said in page
    assert ("/signup/" in page) is has_link
    assert client.get("/signup/").status_code == (200 if has_link else 404)


def test_a_closed_site_takes_no_new_teacher_but_lets_one_it_has_into_a_class(
    client, sign_in, settings, teacher, classroom, make_person, school
):
    settings.REGISTRATION = "closed"
    new = {"display_name": "N", "username": "new", "password": "honey and thunder 7"}
    _made, token = invitations.invite(
        school=school, classroom=classroom, role="viewer", actor=teacher
    )
    page = client.get(f"/invitations/{token}/").content.decode()
    assert f'<a href="/login/?next=/invitations/{token}/">Log in</a>' in page
    assert 'name="username"' not in page
    client.post(f"/invitations/{token}/", new)
    assert not User.objects.filter(username="new").exists()
    colleague = make_person(User.Role.TEACHER, school)
    sign_in(colleague).post(f"/invitations/{token}/")
    assert classroom.memberships.get(user=colleague).role == "viewer"
    _made, token = invitations.invite(school=school, role="teacher", actor=teacher)
    assert client.get(f"/invitations/{token}/").status_code == 404


def test_a_username_in_wide_letters_is_kept_in_plain_ones_and_taken_once(client, settings, teacher):
    settings.REGISTRATION = "open"
    new = {"display_name": "N", "username": "ａｎａ", "password": "honey and thunder 7"}
    assert "username is already taken" in client.post("/signup/", new).content.decode()
    client.post("/signup/", new | {"username": "ａｎａ２"})
    assert User.objects.filter(username="ana2").exists()


def test_an_open_invitation_is_seen_and_withdrawn(
    client, sign_in, teacher, classroom, make_person, school, other_school
):
    own = sign_in(teacher)
    link = link_in(own.post(f"/classes/{classroom.pk}/invite/", {"role": "co_teacher"}))
    invitation, people_page = Invitation.objects.get(), f"/classes/{classroom.pk}/people/"
    withdraw = f"/classes/{classroom.pk}/invitations/{invitation.pk}/withdraw/"
    shown = own.get(people_page).content.decode()
    assert withdraw in shown
    assert link.split("/")[2] not in shown
    assert client.get(link).status_code == 200  # the control
    own.post(withdraw)
    assert withdraw not in own.get(people_page).content.decode()
    unknown = Client().get("/invitations/unknown/")
    for reply in (client.get(link), client.post(link, NEW), sign_in(teacher).post(link)):
        assert (reply.status_code, unknown.status_code) == (404, 404)
    assert not User.objects.filter(username="iva").exists()
    assert AuditEntry.objects.filter(action="withdrew invitation").count() == 1
    own.post(withdraw)
    assert AuditEntry.objects.filter(action="withdrew invitation").count() == 1


def test_the_school_admin_withdraws_invitations_of_the_school_and_no_other(
    client, sign_in, make_person, school, other_school, classroom, teacher
):
    admin, other = (
        make_person(User.Role.SCHOOL_ADMIN, each, name)
        for each, name in ((school, "iris"), (other_school, "olga"))
    )
    made = [
        invitations.invite(school=school, role="teacher", actor=admin),
        invitations.invite(school=school, classroom=classroom, role="viewer", actor=teacher),
    ]
    for invitation, token in made:
        path = f"/schools/%s/invitations/{invitation.pk}/withdraw/"
        assert path % school.pk in sign_in(admin).get(f"/schools/{school.pk}/").content.decode()
        for wrong in (school.pk, other_school.pk):
            assert sign_in(other).post(path % wrong).status_code == 404
        assert client.get(f"/invitations/{token}/").status_code == 200
        sign_in(admin).post(path % school.pk)
        assert client.get(f"/invitations/{token}/").status_code == 404


def test_an_invitation_that_is_withdrawn_while_it_is_filled_in_makes_no_account(
    make_person, school
):
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    invitation, token = invitations.invite(school=school, role="teacher", actor=admin)
    found = invitations.open_invitation(token)
    invitations.withdraw(invitation=invitation, actor=admin)
    with pytest.raises(ValidationError):
        invitations.accept_as_new(invitation=found, **NEW)
    assert not User.objects.filter(username="iva").exists()


@pytest.mark.parametrize("given", ["\u202eakuL", "Lu\u200bka", "\u2067Luka\u2069"])
def test_a_display_name_hides_nothing_and_turns_nothing_around(
    sign_in, teacher, classroom, student, client, given
):
    Classroom.objects.update(is_join_open=True)
    own, place = sign_in(teacher), f"/classes/{classroom.pk}/pupils/"
    own.post(f"/pupils/{student.pk}/name/", {"display_name": given})
    add_names(own, classroom, {"names": given}, {1: "other"})
    own.post(f"{place}new/", {"display_name": given, "username": "n", "password": "honey-comb"})
    client.post(f"/c/{classroom.join_code}/join/", {"display_name": given})
    names = list(classroom.members.filter(role="student").values_list("display_name", flat=True))
    assert len(names) == 4
    assert all(name.isascii() for name in names)


def test_a_name_of_nothing_that_is_seen_is_told(sign_in, teacher, classroom):
    sent = {"display_name": "\u200b", "username": "n", "password": "honey-comb"}
    page = sign_in(teacher).post(f"/classes/{classroom.pk}/pupils/new/", sent)
    assert "display_name" in page.context["form"].errors


def test_two_clicks_make_one_next_year(teacher, classroom):
    twice = [Classroom.objects.get(), Classroom.objects.get()]  # both pages saw it running
    classes.start_next_year(classroom=twice[0], name="7b", actor=teacher)
    with pytest.raises(ValidationError, match="already"):
        classes.start_next_year(classroom=twice[1], name="7b", actor=teacher)
    assert Classroom.objects.filter(name="7b").count() == 1


def test_a_student_in_no_class_is_found_by_the_school_admin_and_put_into_one(
    sign_in, teacher, classroom, student, make_person, school, other_school
):
    admin = sign_in(make_person(User.Role.SCHOOL_ADMIN, school))
    schools_page, pupils_page = f"/schools/{school.pk}/", f"/pupils/{student.pk}/"
    assert pupils_page not in admin.get(schools_page).content.decode()
    place = classroom.memberships.get(user=student)
    take_out = f"/classes/{classroom.pk}/members/{place.pk}/remove/"
    assert take_out in sign_in(teacher).get(pupils_page).content.decode()
    sign_in(teacher).post(take_out)
    assert sign_in(teacher).get(pupils_page).status_code == 404
    assert pupils_page in admin.get(schools_page).content.decode()
    foreign = people.create_classroom(
        name="x", owner=make_person(User.Role.TEACHER, other_school), actor=None
    )
    assert admin.post(f"{pupils_page}classes/", {"classroom": foreign.pk}).status_code == 404
    assert f'value="{classroom.pk}"' in admin.get(pupils_page).content.decode()
    admin.post(f"{pupils_page}classes/", {"classroom": classroom.pk})
    assert list(student.classrooms.all()) == [classroom]
    assert AuditEntry.objects.filter(action="added to class", subject_id=student.pk).exists()


def test_who_is_in_a_class_is_added_and_noted_once_even_if_it_is_full(
    monkeypatch, teacher, classroom, student, sign_in
):
    chess = people.create_classroom(name="chess", owner=teacher)
    address = f"/api/classes/{chess.pk}/students/{student.pk}/"
    assert sign_in(teacher).put(address).status_code == 200
    monkeypatch.setattr(classes, "MAX_STUDENTS", 1)
    assert sign_in(teacher).put(address).status_code == 200
    assert chess.memberships.filter(user=student).count() == 1
    assert AuditEntry.objects.filter(action="added to class", subject_id=student.pk).count() == 1


@pytest.mark.parametrize("way", ["code", "put", "move"])
def test_a_full_class_takes_nobody_in_by_any_way(
    monkeypatch, teacher, classroom, make_person, school, way
):
    chess = people.create_classroom(name="chess", owner=teacher)
    chess.is_join_open = True
    chess.save()
    pupil = classes.add_students(classroom=classroom, names=["Mia"], actor=teacher)[0]
    monkeypatch.setattr(classes, "MAX_STUDENTS", 0)
    with pytest.raises(ValidationError, match="at most"):
        if way == "code":
            classes.join_by_code(classroom=chess, person=pupil)
        elif way == "put":
            classes.add_to_class(student=pupil, classroom=chess, actor=teacher)
        else:
            classes.move_students(students=[pupil], origin=classroom, target=chess, actor=teacher)
    assert list(pupil.classrooms.all()) == [classroom]


def test_a_teacher_who_left_is_out_with_every_way_back_until_let_in_again(
    client, sign_in, teacher, classroom, make_person, school, other_school
):
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    own, page = sign_in(admin), f"/schools/{school.pk}/"
    place = f"{page}teachers/{teacher.pk}/"
    body = {"username": teacher.username, "password": PASSWORD}
    token = client.post("/api/token/", body, content_type="application/json").json()["token"]
    program = Client(headers={"Authorization": f"Token {token}"})
    _made, link = invitations.invite(
        school=school, classroom=classroom, role="owner", actor=teacher
    )
    inside = sign_in(teacher)
    assert inside.get("/classes/").status_code == 200
    assert program.get("/api/lists/").status_code == 200
    assert client.get(f"/invitations/{link}/").status_code == 200
    own.post(f"{place}close/")
    assert inside.get("/classes/").status_code == 302
    assert program.get("/api/lists/").status_code == 401
    assert client.get(f"/invitations/{link}/").status_code == 404
    assert client.post("/login/", body).status_code == 200
    assert classroom.memberships.filter(user=teacher).exists()
    assert f"{place}open/" in own.get(page).content.decode()
    own.post(f"{place}open/")
    assert client.post("/login/", body).url == "/"
    assert inside.get("/classes/").status_code == 302  # the old session stays over
    teacher.refresh_from_db()
    # Never the own, nor another school's.
    other = sign_in(make_person(User.Role.SCHOOL_ADMIN, other_school))
    for person, asked in ((admin, own), (teacher, other), (teacher, sign_in(teacher))):
        assert asked.post(f"{page}teachers/{person.pk}/close/").status_code == 404
        person.refresh_from_db()
        assert person.is_active


@pytest.mark.django_db(transaction=True)
def test_students_who_join_under_one_name_at_once_are_told_apart(classroom):
    """On PostgreSQL all eight were the same Mia before the class was held."""

    def join(_number):
        try:
            return classes.join_as_new_student(classroom=classroom, name="Mia")[0].display_name
        finally:
            connection.close()

    Classroom.objects.update(is_join_open=True)
    classroom.refresh_from_db()
    with ThreadPoolExecutor(8) as pool:
        names = list(pool.map(join, range(8)))
    assert sorted(names) == ["Mia", *(f"Mia {number}" for number in range(2, 9))]


def test_a_colleague_becomes_an_admin_and_a_school_keeps_one(
    sign_in, teacher, make_person, school, other_school
):
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    own, page = sign_in(admin), f"/schools/{school.pk}/"
    role = f"{page}teachers/%s/role/"
    assert sign_in(teacher).get(page).status_code == 404
    for made_up in ("student", "superuser", ""):
        own.post(role % teacher.pk, {"role": made_up})
    assert sign_in(teacher).get(page).status_code == 404
    own.post(role % teacher.pk, {"role": "school_admin"})
    teacher.refresh_from_db()
    assert sign_in(teacher).get(page).status_code == 200
    assert AuditEntry.objects.filter(action="changed school role").count() == 1
    # Nobody lowers themselves, and of two who lower each other at once the second is refused.
    assert own.post(role % admin.pk, {"role": "teacher"}).status_code == 404
    teacher.refresh_from_db()
    _made, link = invitations.invite(school=school, role="school_admin", actor=admin)
    teachers.set_school_role(person=admin, role="teacher", actor=teacher)
    assert Client().get(f"/invitations/{link}/").status_code == 404  # no way back
    for shut_out in (teachers.close_account, partial(teachers.set_school_role, role="teacher")):
        with pytest.raises(ValidationError, match="needs an admin"):
            shut_out(person=teacher, actor=admin)
