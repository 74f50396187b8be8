"""Programs add, rename, move and remove students, and give them passwords and login cards."""

import logging

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from osmosmjerka.accounts import people
from osmosmjerka.accounts.auth import passwords
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import AuditEntry, JoinRequest, Membership, User
from tests.puzzles.making.test_api import Api

pytestmark = pytest.mark.django_db
MANY = 35


@pytest.fixture
def api(teacher):
    return Api("ana")


@pytest.fixture
def path(classroom):
    return f"classes/{classroom.pk}/"


@pytest.fixture
def other_class(teacher):
    return people.create_classroom(name="chess", owner=teacher)


def students(api, path, query=""):
    return api("get", f"{path}students/{query}").json()["results"]


def names(api, path, query=""):
    return [one["name"] for one in students(api, path, query)]


def results(reply):
    assert reply.status_code == 201, reply.content
    return [(one["result"], one["name"]) for one in reply.json()["results"]]


def test_students_are_added_once_however_often_they_are_sent(api, path):
    sent = {"students": [{"name": "Mia"}, {"name": "Luka"}, {"name": "Željka  K."}]}
    assert results(api("post", f"{path}students/", sent)) == [
        ("added", "Mia"), ("present", "Luka"), ("added", "Željka K."),
    ]  # fmt: skip
    again = api("post", f"{path}students/", sent)
    assert {result for result, _name in results(again)} == {"present"}
    told = {one["name"]: one["id"] for one in students(api, path)}
    assert list(told) == ["Luka", "Mia", "Željka K."]
    assert [one["student"] for one in again.json()["results"]] == [
        told["Mia"], told["Luka"], told["Željka K."],
    ]  # fmt: skip


def test_who_is_somebody_else_gets_an_account_of_their_own(api, path):
    sent = {"students": [{"name": "Luka", "is_other": True}, {"name": "Mia"}, {"name": "Mia"}]}
    assert results(api("post", f"{path}students/", sent)) == [
        ("added", "Luka 2"), ("added", "Mia"), ("repeated", ""),
    ]  # fmt: skip
    assert names(api, path) == ["Luka", "Luka 2", "Mia"]


def test_who_may_be_somebody_else_is_named_and_added_only_if_it_is_said(api, path):
    assert results(api("post", f"{path}students/", {"roster": "Fran Filić\n"})) == [
        ("added", "Fran F.")
    ]
    reply = api("post", f"{path}students/", {"roster": "Fran Ferić\n"})
    assert results(reply) == [("alike", "Fran F.")]
    assert reply.json()["results"][0]["student"] is not None
    sent = {"students": [{"name": "Fran F.", "is_other": True}]}
    assert results(api("post", f"{path}students/", sent)) == [("added", "Fran F. 2")]


def test_a_roster_is_read_as_on_the_page_and_can_be_undone(api, path):
    text = "name;email\nHorvat, Ana;a@x.example\nLuka;\n;nobody@x.example"
    reply = api("post", f"{path}students/", {"roster": text})
    assert results(reply) == [("added", "Ana H."), ("present", "Luka"), ("skipped", "")]
    assert reply.json()["results"][2]["problem"] == "The name is missing."
    [undoable] = api("get", f"{path}rosters/").json()
    assert (undoable["id"], undoable["students"]) == (reply.json()["id"], 1)
    assert api("delete", f"{path}rosters/{undoable['id']}/").status_code == 204
    assert names(api, path) == ["Luka"]
    assert api("delete", f"{path}rosters/{undoable['id']}/").status_code == 400
    whole = api("post", f"{path}students/", {"roster": "Ana Horvat", "shorten": False})
    assert results(whole) == [("added", "Ana Horvat")]


def test_a_file_is_read_in_the_encoding_that_is_chosen_or_guessed(api, path):
    def send(**chosen):
        file = SimpleUploadedFile("names.csv", "name;x\nАнна Иванова;1\n".encode("cp866"))
        address = f"/api/{path}students/"
        return api.client.post(address, {"file": file, **chosen}, headers=api.headers)

    guessed = send()
    assert results(guessed) == [("added", "Анна И.")]
    assert "cp866" in guessed.json()["warnings"][0]
    chosen = send(encoding="cp866", shorten=False)
    assert chosen.json()["warnings"] == []
    wrong = send(encoding="utf-8")
    assert [one["pointer"] for one in wrong.json()["errors"]] == ["#/file"]
    assert [one["pointer"] for one in send(encoding="x").json()["errors"]] == ["#/encoding"]


def test_the_order_of_names_is_chosen(api, path):
    sent = {"roster": "Horvat Ana", "order": "family"}
    assert results(api("post", f"{path}students/", sent)) == [("added", "Ana H.")]


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({}, "#/students"),
        ({"students": []}, "#/students"),
        ({"students": [{"name": "Mia"}, {"name": "…"}]}, "#/students/1/name"),
        ({"students": [{"name": "Mia"}, {"name": "x" * 81}]}, "#/students/1/name"),
        ({"students": [{"name": "Mia", "password": "x"}]}, "#/students/0/password"),
        ({"students": [{"name": "Mia"}], "roster": "Iva"}, "#/students"),
        ({"students": [{"name": "Mia"}], "shorten": True}, "#/shorten"),
        ({"roster": "<html>"}, "#/roster"),
        ({"roster": " \n"}, "#/roster"),
    ],
)
def test_students_who_cannot_be_are_pointed_to_and_nobody_is_added(wrong, pointer, api, path):
    reply = api("post", f"{path}students/", wrong)
    assert reply.status_code == 400
    assert [one["pointer"] for one in reply.json()["errors"]] == [pointer]
    assert names(api, path) == ["Luka"]


def test_a_class_that_is_full_takes_nobody(api, path, monkeypatch):
    monkeypatch.setattr(classes, "MAX_STUDENTS", 2)
    sent = {"students": [{"name": "Mia"}, {"name": "Iva"}]}
    reply = api("post", f"{path}students/", sent)
    assert (reply.status_code, reply.json()["detail"]) == (
        400, "A class can have at most 2 students.",
    )  # fmt: skip
    assert names(api, path) == ["Luka"]
    assert api("get", f"{path}rosters/").json() == []


def test_a_student_moves_joins_one_more_class_and_leaves_it(api, path, other_class, student, mia):
    chess = f"classes/{other_class.pk}/"
    sent = {"students": [student.pk], "classroom": other_class.pk}
    assert api("post", f"{path}students/move/", sent).json() == {"count": 1}
    assert (names(api, path), names(api, chess)) == (["Mia"], ["Luka"])
    assert api("put", f"{path}students/{student.pk}/").json()["name"] == "Luka"
    assert names(api, path) == ["Luka", "Mia"]
    told = api("get", f"students/{student.pk}/").json()
    assert [one["name"] for one in told["classes"]] == ["6b", "chess"]
    assert api("delete", f"{chess}students/{student.pk}/").status_code == 204
    assert names(api, chess) == []
    assert api("delete", f"{chess}students/{student.pk}/").status_code == 404


def test_strangers_are_neither_moved_nor_moved_to(
    api, path, other_class, student, mia, stranger, make_person, other_school
):
    foreign = people.create_classroom(name="6b", owner=stranger)
    for wrong, pointer in (
        ({"students": [student.pk], "classroom": foreign.pk}, "#/classroom"),
        ({"students": [student.pk, stranger.pk], "classroom": other_class.pk}, "#/students"),
    ):
        reply = api("post", f"{path}students/move/", wrong)
        assert [one["pointer"] for one in reply.json()["errors"]] == [pointer]
    pupil = make_person(User.Role.STUDENT, other_school)
    assert api("put", f"{path}students/{pupil.pk}/").status_code == 404
    assert names(api, path) == ["Luka", "Mia"]


def test_a_student_is_renamed_and_deleted(api, path, student):
    own = f"students/{student.pk}/"
    assert api("patch", own, {"name": " Luka  M. "}).json()["name"] == "Luka M."
    for wrong in ("…", "x" * 81, ""):
        reply = api("patch", own, {"name": wrong})
        assert [one["pointer"] for one in reply.json()["errors"]] == ["#/name"], wrong
    assert api("patch", own, {}).json()["name"] == "Luka M."
    assert AuditEntry.objects.filter(action="renamed pupil").count() == 1
    assert api("delete", own).status_code == 204
    assert api("get", own).status_code == 404
    assert names(api, path) == []
    assert api("post", f"bin/students/{student.pk}/restore/").status_code == 204
    assert names(api, path) == ["Luka M."]


def test_a_student_with_a_username_and_a_password_is_created(
    api, path, classroom, stranger, monkeypatch
):
    new = {
        "classroom": classroom.pk, "name": "Iva", "username": "iva", "password": "honey-comb",
    }  # fmt: skip
    foreign = people.create_classroom(name="6b", owner=stranger)
    for field, wrong in (
        ("classroom", foreign.pk), ("name", "…"), ("username", "LUKA"), ("username", "i v a"),
        ("password", "short"), ("password", "password"),
    ):  # fmt: skip
        reply = api("post", "students/", new | {field: wrong})
        assert [one["pointer"] for one in reply.json()["errors"]] == [f"#/{field}"], wrong
    monkeypatch.setattr(classes, "MAX_STUDENTS", 1)
    assert api("post", "students/", new).status_code == 400
    monkeypatch.undo()
    made = api("post", "students/", new)
    assert made.status_code == 201
    assert (made.json()["username"], made.json()["has_password"]) == ("iva", True)
    assert "honey-comb" not in made.content.decode()
    assert names(api, path) == ["Iva", "Luka"]
    assert Client().login(username="iva", password="honey-comb")


def test_the_page_adds_nobody_to_a_class_that_is_full(
    sign_in, teacher, classroom, student, monkeypatch
):
    client, address = sign_in(teacher), f"/classes/{classroom.pk}/pupils/new/"
    sent = {"display_name": "Iva", "username": "iva", "password": "honey-comb"}
    monkeypatch.setattr(classes, "MAX_STUDENTS", 1)
    page = client.post(address, sent)
    assert page.status_code == 200
    assert "A class can have at most 1 student." in page.text
    assert not User.objects.filter(username="iva").exists()
    monkeypatch.undo()
    assert client.post(address, sent).status_code == 302
    assert User.objects.filter(username="iva").exists()


def test_a_password_is_set_and_removed_and_nowhere_read(api, path, student, caplog):
    caplog.set_level(logging.DEBUG)
    own = f"students/{student.pk}/password/"
    for wrong in ("short", "password", "x" * 101):
        reply = api("put", own, {"password": wrong})
        assert [one["pointer"] for one in reply.json()["errors"]] == ["#/password"], wrong
    reply = api("put", own, {"password": "honey-comb"})
    assert (reply.status_code, reply.content) == (204, b"")
    assert Client().login(username="luka", password="honey-comb")
    assert students(api, path)[0]["has_password"] is True
    assert "honey-comb" not in api("get", f"students/{student.pk}/").content.decode()
    assert "honey-comb" not in caplog.text
    assert api("delete", own).status_code == 204
    assert students(api, path)[0]["has_password"] is False
    assert not Client().login(username="luka", password="honey-comb")


def test_the_page_refuses_the_same_passwords(sign_in, teacher, student, classroom):
    client, address = sign_in(teacher), f"/pupils/{student.pk}/password/"
    for wrong in ("short", "password", "x" * 101):
        client.post(address, {"password": wrong})
        student.refresh_from_db()
        assert not student.check_password(wrong), wrong
    client.post(address, {"password": "honey-comb"})
    student.refresh_from_db()
    assert student.check_password("honey-comb")


def test_new_cards_are_in_one_answer_only_and_log_in(api, path, classroom, student, mia, caplog):
    caplog.set_level(logging.DEBUG)
    passwords.set_for_student(student=student, password="honey-comb", actor=student)
    reply = api("post", f"{path}cards/", {"students": [student.pk]})
    assert reply.status_code == 201
    assert "no-store" in reply["Cache-Control"]
    [card] = reply.json()["cards"]
    assert (card["student"], card["name"], card["username"]) == (student.pk, "Luka", "luka")
    token = card["url"].partition("/card/#")[2]
    client = Client()
    client.post("/card/", {"token": token})
    assert int(client.session["_auth_user_id"]) == student.pk
    door = Client()
    door.post(
        f"/c/{classroom.join_code}/", {"how": "words", "name": "Luka", "words": card["words"]}
    )
    assert reply.json()["login_url"].endswith(f"/c/{classroom.join_code}/")
    assert not Client().login(username="luka", password="honey-comb")
    listed = api("get", f"{path}students/").content.decode()
    for secret in (token, card["words"]):
        assert secret not in listed
        assert secret not in caplog.text
    told = {one["name"]: one["card_issued_at"] for one in students(api, path)}
    assert told["Luka"] is not None
    assert told["Mia"] is None


def test_cards_are_for_students_of_the_class_and_for_groups(api, path, classroom, student, mia):
    def named(body):
        reply = api("post", f"{path}cards/", body)
        return [card["name"] for card in reply.json()["cards"]]

    assert named({"students": [mia.pk]}) == ["Mia"]
    assert named({"which": "missing"}) == ["Luka"]
    assert named({"which": "all"}) == ["Luka", "Mia"]
    for wrong in ({}, {"which": "missing"}, {"which": "all", "students": [mia.pk]}, {"which": "x"}):
        assert api("post", f"{path}cards/", wrong).status_code == 400, wrong
    classes.remove_member(membership=classroom.memberships.get(user=mia), actor=student)
    issued = student.card.issued_at
    reply = api("post", f"{path}cards/", {"students": [student.pk, mia.pk]})
    assert [one["pointer"] for one in reply.json()["errors"]] == ["#/students"]
    assert User.objects.get(pk=student.pk).card.issued_at == issued


def test_who_waits_is_let_in_or_refused(api, path, classroom):
    waiting = [JoinRequest.objects.create(classroom=classroom, name=n) for n in ("Iva", "Jan")]
    assert [one["name"] for one in api("get", f"{path}waiting/").json()] == ["Iva", "Jan"]
    accepted = api("post", f"{path}waiting/accept/", {"requests": [waiting[0].pk]})
    assert accepted.json() == {"count": 1}
    refused = api("post", f"{path}waiting/refuse/", {"requests": [one.pk for one in waiting]})
    assert refused.json() == {"count": 1}
    assert api("get", f"{path}waiting/").json() == []
    assert names(api, path) == ["Iva", "Luka"]


def test_an_archived_class_takes_nobody(api, path, classroom, teacher, student, other_class):
    Membership.objects.create(classroom=other_class, user=student)
    classes.archive_classroom(classroom=classroom, actor=teacher)
    assert names(api, path) == ["Luka"]
    assert api("post", f"{path}students/", {"roster": "Mia"}).status_code == 404
    assert api("put", f"{path}students/{student.pk}/").status_code == 404
    sent = {"students": [student.pk], "classroom": classroom.pk}
    reply = api("post", f"classes/{other_class.pk}/students/move/", sent)
    assert [one["pointer"] for one in reply.json()["errors"]] == ["#/classroom"]


def test_a_co_teacher_removes_students_and_themselves_but_no_colleague(
    api, path, classroom, student, school, make_person
):
    for username in ("ivan", "vera"):
        person = make_person(User.Role.TEACHER, school, username)
        people.join_classroom(classroom=classroom, person=person, role=Membership.Role.CO_TEACHER)
    ivan, vera = User.objects.get(username="ivan"), User.objects.get(username="vera")
    co = Api("ivan")
    assert co("delete", f"{path}teachers/{vera.pk}/").status_code == 404
    assert co("delete", f"{path}students/{vera.pk}/").status_code == 404
    assert co("delete", f"{path}students/{student.pk}/").status_code == 204
    assert co("delete", f"{path}teachers/{ivan.pk}/").status_code == 204
    assert co("get", path).status_code == 404
    assert api("delete", f"{path}teachers/{vera.pk}/").status_code == 204


def test_students_find_nothing_of_this(path, classroom, student, mia):
    own = Api("luka")
    for method, address in (
        ("get", f"{path}students/"), ("get", f"{path}waiting/"), ("get", f"students/{mia.pk}/"),
        ("get", f"students/{student.pk}/"), ("post", f"{path}cards/"),
        ("delete", f"{path}students/{mia.pk}/"), ("put", f"students/{student.pk}/password/"),
    ):  # fmt: skip
        body = None if method in {"get", "delete"} else {}
        assert own(method, address, body).status_code == 404, address


def test_students_come_in_pages_and_cost_as_many_queries_however_many_they_are(
    api, path, classroom, teacher, django_assert_max_num_queries
):
    classes.add_students(classroom=classroom, names=["Mia", "Iva"], actor=teacher)
    one = students(api, path)[0]["id"]
    with django_assert_max_num_queries(20) as few:
        assert len(names(api, path)) == 3
    with django_assert_max_num_queries(20) as of_one:
        api("get", f"students/{one}/")
    more = [f"Student {number}" for number in range(MANY - 3)]
    classes.add_students(classroom=classroom, names=more, actor=teacher)
    with django_assert_max_num_queries(len(few)):
        assert len(names(api, path)) == MANY
    with django_assert_max_num_queries(len(of_one)):
        api("get", f"students/{one}/")
    assert names(api, path, "?page_size=2") == ["Iva", "Luka"]
