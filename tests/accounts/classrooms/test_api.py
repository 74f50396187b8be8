"""Programs create, change, archive and delete classes."""

import pytest

from osmosmjerka.accounts import people
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import AuditEntry, Classroom, JoinRequest, User
from tests.puzzles.making.test_api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def api(teacher):
    return Api("ana")


def names(api, query=""):
    return [one["name"] for one in api("get", f"classes/{query}").json()["results"]]


def test_a_class_is_created_read_changed_and_deleted(api, teacher, school):
    reply = api("post", "classes/", {"name": "7a", "uses_pictures": True})
    assert reply.status_code == 201
    made = reply.json()
    assert made["school"] == {"id": school.pk, "name": school.name}
    assert (made["role"], made["students"], made["uses_pictures"]) == ("owner", 0, True)
    assert made["login_url"].endswith(f"/c/{made['join_code']}/")
    path = f"classes/{made['id']}/"
    assert api("get", path).json() == made
    changed = api("patch", path, {"name": "7c", "words_a_day": 30}).json()
    assert changed == made | {"name": "7c", "words_a_day": 30}
    assert AuditEntry.objects.filter(action="changed class", subject_id=made["id"]).exists()
    assert api("delete", path).status_code == 204
    assert api("get", path).status_code == 404
    assert api("post", f"bin/classes/{made['id']}/restore/").status_code == 204
    assert api("get", path).json()["name"] == "7c"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"words_a_day": 3}, "words_a_day"),
        ({"card_language": "xx"}, "card_language"),
        ({"join_code": "AAAAAAAA"}, "join_code"),
        ({"archived_at": None}, "archived_at"),
    ],
)
def test_what_a_class_cannot_be_is_pointed_to(wrong, field, api, classroom):
    before = Classroom.objects.values().get(pk=classroom.pk)
    reply = api("patch", f"classes/{classroom.pk}/", wrong)
    assert reply.status_code == 400
    assert [one["pointer"] for one in reply.json()["errors"]] == [f"#/{field}"]
    assert Classroom.objects.values().get(pk=classroom.pk) == before


def test_what_is_not_sent_stays_and_who_waits_stays_too(api, classroom):
    Classroom.objects.filter(pk=classroom.pk).update(is_join_open=True)
    JoinRequest.objects.create(classroom=classroom, name="Ivo")
    api("patch", f"classes/{classroom.pk}/", {"name": "6c"})
    assert JoinRequest.objects.exists()
    assert api("get", f"classes/{classroom.pk}/").json()["is_join_open"] is True
    api("patch", f"classes/{classroom.pk}/", {"is_join_open": False})
    assert not JoinRequest.objects.exists()


def test_classes_are_found_by_name_and_whether_they_are_archived(api, teacher):
    for name in ("Duga", "Čas", "Čamac"):
        people.create_classroom(name=name, owner=teacher)
    classes.archive_classroom(classroom=Classroom.objects.get(name="Duga"), actor=teacher)
    assert names(api) == ["Čamac", "Čas", "Duga"]
    assert names(api, "?ordering=-created_at") == ["Čamac", "Čas", "Duga"]
    assert names(api, "?archived=true") == ["Duga"]
    assert names(api, "?archived=false") == ["Čamac", "Čas"]
    assert names(api, "?search=ug") == ["Duga"]
    for wrong in ("archived=perhaps", "ordering=students", "grade=6"):
        assert api("get", f"classes/?{wrong}").status_code == 400, wrong


def test_an_archived_class_is_read_only(api, classroom):
    path = f"classes/{classroom.pk}/"
    assert api("post", f"{path}keep/").status_code == 400  # it is not archived
    archived = api("post", f"{path}archive/").json()
    assert archived["archived_at"]
    assert archived["gone_at"] > archived["archived_at"]
    for method, below in (
        ("patch", ""), ("post", "archive/"), ("post", "next-year/"), ("post", "join-code/"),
    ):  # fmt: skip
        assert api(method, path + below, {"name": "x"}).status_code == 404, below
    kept = api("post", f"{path}keep/").json()
    assert kept["gone_at"] > archived["gone_at"]
    assert api("get", path).json() == kept


def test_an_archived_class_is_restored(api, classroom):
    path = f"classes/{classroom.pk}/"
    assert api("post", f"{path}restore/").status_code == 400  # it is not archived
    before = api("get", path).json()
    api("post", f"{path}archive/")
    restored = api("post", f"{path}restore/").json()
    assert restored == before | {"is_join_open": False}
    assert api("patch", path, {"name": "6c"}).status_code == 200


def test_the_next_year_has_the_same_people(api, classroom, student):
    made = api("post", f"classes/{classroom.pk}/next-year/", {"name": "7b"}).json()
    assert (made["name"], made["role"], made["students"]) == ("7b", "owner", 1)
    assert names(api, "?archived=true") == ["6b"]


def test_a_new_code_replaces_the_old_one(api, classroom):
    made = api("post", f"classes/{classroom.pk}/join-code/").json()["join_code"]
    assert made != classroom.join_code
    assert Classroom.objects.get().join_code == made


def test_who_has_no_place_in_a_class_finds_nothing(
    api, classroom, student, stranger, school, make_person
):
    path = f"classes/{classroom.pk}/"
    for username in ("luka", "zora"):
        other = Api(username)
        assert other("get", path).status_code == 404
        assert other("post", f"{path}archive/").status_code == 404
    assert Api("luka")("get", "classes/").status_code == 404
    assert Api("luka")("post", "classes/", {"name": "x"}).status_code == 404
    assert names(Api("zora")) == []
    make_person(User.Role.SCHOOL_ADMIN, school, "ravnateljica")
    [seen] = Api("ravnateljica")("get", "classes/").json()["results"]
    assert (seen["id"], seen["role"]) == (classroom.pk, None)


def test_who_belongs_to_no_school_is_told_why_they_have_no_class(make_person):
    make_person(User.Role.TEACHER, None, "putnik")
    reply = Api("putnik")("post", "classes/", {"name": "x"})
    assert reply.status_code == 400
    assert "does not belong to a school" in reply.json()["detail"]


def test_classes_cost_as_many_queries_however_many_they_are(
    api, teacher, django_assert_max_num_queries
):
    people.create_classroom(name="first", owner=teacher)
    api("get", "classes/")
    with django_assert_max_num_queries(20) as few:
        api("get", "classes/")
    for number in range(30):
        people.create_classroom(name=f"class {number}", owner=teacher)
    with django_assert_max_num_queries(len(few)):
        assert len(names(api)) == 31
