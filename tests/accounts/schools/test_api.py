"""Programs of admins change a school, its teachers and invitations."""

import pytest
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from osmosmjerka.accounts import people
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import AuditEntry, School, User
from osmosmjerka.accounts.schools import services as schools
from osmosmjerka.jobs.models import Job
from tests.conftest import PASSWORD
from tests.puzzles.making.test_api import Api

pytestmark = pytest.mark.django_db
Role = User.Role
MANY = 35


@pytest.fixture
def admin(make_person, school):
    return make_person(Role.SCHOOL_ADMIN, school, "ravna")


@pytest.fixture
def api(admin):
    return Api("ravna")


@pytest.fixture
def path(school):
    return f"schools/{school.pk}/"


def results(api, path):
    reply = api("get", path)
    assert reply.status_code == 200, reply.content
    return reply.json()["results"]


def test_an_admin_reads_and_changes_their_school_only(api, path, school, other_school):
    [told] = results(api, "schools/")
    assert (told["id"], told["name"], told["retention_days"]) == (school.pk, school.name, 365)
    changed = api("patch", path, {"time_zone": " Europe/Zagreb ", "language": "hr"}).json()
    assert changed == told | {"time_zone": "Europe/Zagreb", "language": "hr"}
    assert api("get", path).json() == changed
    assert api("get", f"schools/{other_school.pk}/").status_code == 404
    assert AuditEntry.objects.filter(action="changed school").count() == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"time_zone": "Zagreb"}, "time_zone"),
        ({"recall_target": 0.5}, "recall_target"),
        ({"retention_days": 3651}, "retention_days"),
        ({"retention_days": -1}, "retention_days"),
        ({"language": "xx"}, "language"),
        ({"created_at": "2001-01-01"}, "created_at"),
    ],
)
def test_what_a_school_cannot_be_is_pointed_to(wrong, field, api, path, school):
    before = School.objects.values().get(pk=school.pk)
    reply = api("patch", path, wrong)
    assert reply.status_code == 400
    assert [one["pointer"] for one in reply.json()["errors"]] == [f"#/{field}"]
    assert School.objects.values().get(pk=school.pk) == before


@pytest.mark.parametrize(
    ("field", "value"),
    [("time_zone", "Zagreb"), ("recall_target", 0.75), ("retention_days", 3651), ("name", "")],
)
def test_no_caller_of_the_service_saves_what_a_school_cannot_be(field, value, school, admin):
    setattr(school, field, value)
    with pytest.raises(schools.ValidationError) as refused:
        schools.update_school(school=school, actor=admin, changed=[field])
    assert [*refused.value.message_dict] == [field]
    school.refresh_from_db()
    assert getattr(school, field) != value


def test_another_recall_target_computes_all_due_dates_again(api, path):
    api("patch", path, {"name": "Škola"})
    assert not Job.objects.filter(kind="vocab.replay_memory").exists()
    assert api("patch", path, {"recall_target": 0.85}).json()["recall_target"] == 0.85
    assert Job.objects.filter(kind="vocab.replay_memory").exists()


def test_only_a_site_admin_without_a_school_creates_one(api, make_person, teacher):
    make_person(Role.SCHOOL_ADMIN, None, "root", is_site_admin=True)
    for other in (api, Api("ana")):
        assert other("post", "schools/", {"name": "x"}).status_code == 403
    site = Api("root")
    made = site("post", "schools/", {"name": "Nova"})
    assert (made.status_code, made.json()["name"]) == (201, "Nova")
    assert site("post", "schools/", {"name": "Again"}).status_code == 403
    assert [one["name"] for one in results(site, "schools/")] == ["Nova", "Osnovna škola"]


def test_teachers_are_listed_given_a_role_and_deactivated(api, path, teacher, admin, student):
    assert [(one["username"], one["role"]) for one in results(api, f"{path}teachers/")] == [
        ("ana", "teacher"), ("ravna", "school_admin"),
    ]  # fmt: skip
    own = f"{path}teachers/{teacher.pk}/"
    assert api("patch", own, {"role": "school_admin"}).json()["role"] == "school_admin"
    assert api("patch", own, {"is_active": False}).json()["is_active"] is False
    assert not Client().login(username="ana", password=PASSWORD)
    assert api("patch", own, {"is_active": True, "role": "teacher"}).json()["is_active"] is True
    assert Client().login(username="ana", password=PASSWORD)
    for wrong in ({"role": "student"}, {"role": "owner"}, {"is_active": "perhaps"}, {"email": "x"}):
        assert api("patch", own, wrong).status_code == 400, wrong
    for other in (admin, student):
        assert api("patch", f"{path}teachers/{other.pk}/", {"role": "teacher"}).status_code == 404


def test_what_stays_as_it_is_logs_nobody_out(api, path, teacher):
    own = Api("ana")
    same = {"role": "teacher", "is_active": True}
    assert api("patch", f"{path}teachers/{teacher.pk}/", same).status_code == 200
    assert own("get", "me/").status_code == 200
    assert (
        api("patch", f"{path}teachers/{teacher.pk}/", {"role": "school_admin"}).status_code == 200
    )
    assert own("get", "me/").status_code == 401  # the control


def test_a_school_keeps_an_admin_and_nothing_is_half_done(path, make_person, school, admin):
    make_person(Role.SCHOOL_ADMIN, None, "root", is_site_admin=True)
    User.objects.filter(pk=admin.pk).update(is_active=False)
    other = make_person(Role.SCHOOL_ADMIN, school, "druga")
    reply = Api("root")("patch", f"{path}teachers/{other.pk}/", {"is_active": False})
    assert (reply.status_code, reply.json()["detail"]) == (
        400, "A school needs an admin. Make someone else an admin first.",
    )  # fmt: skip
    reply = Api("root")(
        "patch", f"{path}teachers/{other.pk}/", {"role": "teacher", "is_active": False}
    )
    assert reply.status_code == 400
    other.refresh_from_db()
    assert (other.role, other.is_active) == (Role.SCHOOL_ADMIN, True)


def test_two_step_verification_is_turned_off(api, path, teacher):
    TOTPDevice.objects.create(user=teacher, confirmed=True)
    for _twice in range(2):
        assert api("delete", f"{path}teachers/{teacher.pk}/two-step/").status_code == 204
    assert not TOTPDevice.objects.exists()
    assert AuditEntry.objects.filter(action="reset second step").count() == 1


def test_an_invitation_is_a_link_that_is_shown_once_and_can_be_cancelled(api, path, classroom):
    made = api("post", f"{path}invitations/", {"role": "school_admin"})
    assert made.status_code == 201
    assert "no-store" in made["Cache-Control"]
    made = made.json()
    link = "/" + made.pop("url").split("/", 3)[3]
    assert Client().get(link).status_code == 200
    to_class = api("post", f"classes/{classroom.pk}/invitations/", {"role": "viewer"}).json()
    assert to_class["classroom"] == {"id": classroom.pk, "name": "6b"}
    of_class = api("get", f"classes/{classroom.pk}/invitations/").json()
    assert [one["id"] for one in of_class] == [to_class["id"]]
    assert [one["id"] for one in api("get", f"{path}invitations/").json()] == [
        to_class["id"], made["id"],
    ]  # fmt: skip
    assert made in api("get", f"{path}invitations/").json()
    assert api("delete", f"{path}invitations/{made['id']}/").status_code == 204
    assert Client().get(link).status_code == 404
    assert api("delete", f"classes/{classroom.pk}/invitations/{made['id']}/").status_code == 404
    assert api("delete", f"classes/{classroom.pk}/invitations/{to_class['id']}/").status_code == 204
    assert api("get", f"{path}invitations/").json() == []
    for address in (f"{path}invitations/", f"classes/{classroom.pk}/invitations/"):
        assert api("post", address, {"role": "student"}).status_code == 400


def test_students_without_a_class_are_found(api, path, classroom, student, make_person, school):
    make_person(Role.STUDENT, school, "bez")
    assert [one["username"] for one in results(api, f"{path}students/")] == ["bez", "luka"]
    alone = results(api, f"{path}students/?without_class=true")
    assert [one["username"] for one in alone] == ["bez"]
    assert api("get", f"students/{alone[0]['id']}/").json()["classes"] == []
    assert api("get", f"{path}students/?without_class=perhaps").status_code == 400


def test_the_activity_log_tells_in_sentences(api, path, classroom, teacher):
    classes.reset_join_code(classroom=classroom, actor=teacher)
    last = results(api, f"{path}log/")[0]
    assert (last["action"], last["actor"], last["subject_type"], last["subject"]) == (
        "reset class code", teacher.pk, "classroom", classroom.pk,
    )  # fmt: skip
    assert "Ana" in last["sentence"]
    assert "6b" in last["sentence"]


def test_lists_of_people_cost_as_many_queries_however_many_they_are(
    api, path, school, make_person, django_assert_max_num_queries
):
    addresses = ("teachers/", "students/", "log/", "invitations/")

    def fill(number):
        for _each in range(number):
            made = make_person(Role.TEACHER, school)
            make_person(Role.STUDENT, school)
            room = people.create_classroom(name="x", owner=made)
            api("post", f"classes/{room.pk}/invitations/", {"role": "viewer"})

    fill(3)
    needed = {}
    for address in addresses:
        api("get", path + address)
        with django_assert_max_num_queries(20) as few:
            api("get", path + address)
        needed[address] = len(few)
    fill(MANY - 3)
    for address in addresses:
        with django_assert_max_num_queries(needed[address]):
            api("get", path + address)
