"""The site admin's pages: they open, ask few questions of the database, and break no rule."""

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext

from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import ApiToken, AuditEntry, BrowserSession, School, User
from tests.accounts import house as houses
from tests.conftest import PASSWORD

PLACES = {
    model: f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
    for model in admin.site._registry
}


@pytest.fixture
def site_admin(make_person):
    return make_person(User.Role.SCHOOL_ADMIN, is_site_admin=True)


def count_of(client, path, **asked):
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path, asked).status_code == 200, path
    return len(queries)


def test_every_list_and_page_opens_can_be_searched_and_costs_no_more_with_more_rows(
    house, sign_in, make_person, settings
):
    client, counts = sign_in(house.site_admin), []
    for number in range(3):
        if number:
            full = houses.build(
                School.objects.create(name=f"School {number}"), f"Secret{number}", make_person
            )
            names = [f"P{number}{n}" for n in range(9)]
            classes.add_students(classroom=house.classroom, names=names, actor=full.teacher)
        asked = {}
        for model, path in PLACES.items():
            asked[path] = count_of(client, path)
            assert model_admin(model).search_fields, f"{path} cannot be searched"
            count_of(client, path, q="secret")
            first = model._base_manager.order_by("pk").first()
            if first is not None:
                asked[path + "one"] = count_of(client, f"{path}{first.pk}/change/")
        counts.append(asked)
    assert counts[1] == counts[2]  # the first visit remembers what all later ones use
    assert max(counts[2].values()) < 20


def model_admin(model):
    return admin.site._registry[model]


def test_more_of_a_list_cost_a_query_each_when_it_is_told_nothing(house, monkeypatch, sign_in):
    """The control: without list_select_related the count grows."""
    monkeypatch.setattr(model_admin(User), "list_select_related", False)
    monkeypatch.setattr(User, "__str__", lambda person: str(person.school))
    client = sign_in(house.site_admin)
    counts = []
    for number in range(2):
        counts.append(count_of(client, PLACES[User]))
        names = [f"P{number}{n}" for n in range(9)]
        classes.add_students(classroom=house.classroom, names=names, actor=house.teacher)
    assert counts[1] > counts[0]


def test_nothing_is_deleted_past_the_services(house, sign_in):
    client = sign_in(house.site_admin)
    for model, path in PLACES.items():
        if model._meta.app_label not in {"accounts", "vocab", "puzzles", "jobs"}:
            continue
        row = model._base_manager.order_by("pk").first()
        if row is None or model.__name__ == "BlockedWord":
            continue
        assert client.post(f"{path}{row.pk}/delete/", {"post": "yes"}).status_code == 403, path
        chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        client.post(path, chosen)
        assert model._base_manager.filter(pk=row.pk).exists(), path


def test_the_activity_log_is_read_and_changed_by_nobody(house, sign_in):
    client, entry = sign_in(house.site_admin), AuditEntry.objects.order_by("pk").first()
    path = PLACES[AuditEntry]
    assert client.get(f"{path}{entry.pk}/change/").status_code == 200  # the control
    assert client.post(f"{path}{entry.pk}/change/", {"action": "viewed as"}).status_code == 403
    assert client.post(f"{path}add/", {"action": "viewed as"}).status_code == 403
    assert AuditEntry.objects.get(pk=entry.pk).action == entry.action


def test_nobody_reads_other_peoples_tokens_or_secrets(house, sign_in):
    client = sign_in(house.site_admin)
    token, text = tokens.create(person=house.teacher, scope="teach")
    for path in [*PLACES.values(), f"{PLACES[User]}{house.teacher.pk}/change/"]:
        page = client.get(path).content.decode()
        assert text not in page
        assert token.token_hash not in page
        assert house.teacher.password not in page
    assert not any(model in admin.site._registry for model in (ApiToken, BrowserSession))


PERSON = {"username": "luka", "display_name": "Luka", "email": "", "is_active": "on"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"role": "teacher"},
        {"role": "school_admin"},
        {"email": "luka@school.example"},
        {"is_staff": "on"},
        {"is_superuser": "on"},
        {"school": "other"},
        {"school": ""},
    ],
    ids=str,
)
def test_a_student_of_a_class_stays_a_student_of_their_school(
    wrong, site_admin, sign_in, student, classroom, other_school
):
    client = sign_in(site_admin)
    right = PERSON | {"role": "student", "school": student.school_id}
    path = f"{PLACES[User]}{student.pk}/change/"
    named = {key: other_school.pk if value == "other" else value for key, value in wrong.items()}
    page = client.post(path, right | named)
    assert page.status_code == 200  # the form again, with what is wrong
    student.refresh_from_db()
    kept = (student.role, student.email, student.is_staff, student.is_superuser)
    assert kept == ("student", "", False, False)
    assert student.school != other_school
    assert client.post(path, right | {"display_name": "Luka B."}).status_code == 302  # the control
    student.refresh_from_db()
    assert student.display_name == "Luka B."


def test_a_teacher_of_a_class_does_not_become_a_student(site_admin, sign_in, teacher, classroom):
    path = f"{PLACES[User]}{teacher.pk}/change/"
    changed = PERSON | {"username": "ana", "role": "student", "school": teacher.school_id}
    assert sign_in(site_admin).post(path, changed).status_code == 200
    teacher.refresh_from_db()
    assert teacher.role == User.Role.TEACHER


def test_the_schools_log_tells_what_the_site_admin_did_to_an_account(
    site_admin, sign_in, teacher, school
):
    client, path = sign_in(site_admin), f"{PLACES[User]}{teacher.pk}/"
    new = {"password1": "a horse of batteries", "password2": "a horse of batteries"}
    assert client.post(f"{path}password/", new | {"usable_password": "true"}).status_code == 302
    entry = AuditEntry.objects.get(action="changed account")
    assert (entry.actor_id, entry.subject_id) == (site_admin.pk, teacher.pk)
    assert entry.school == school


def test_a_new_student_needs_a_school(site_admin, sign_in, school):
    client = sign_in(site_admin)
    new = {"username": "new", "display_name": "New", "role": "student", "school": "",
           "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}  # fmt: skip
    client.post(f"{PLACES[User]}add/", new)
    assert not User.objects.filter(username="new").exists()
    client.post(f"{PLACES[User]}add/", new | {"school": school.pk})
    assert User.objects.get(username="new").school == school


def test_a_class_is_changed_by_its_service_and_moves_to_no_other_school(
    site_admin, sign_in, classroom, other_school
):
    path = f"/admin/accounts/classroom/{classroom.pk}/change/"
    code, empty = classroom.join_code, {"memberships-TOTAL_FORMS": 0,
                                        "memberships-INITIAL_FORMS": 0}  # fmt: skip
    sent = {"name": "6c", "school": other_school.pk, "join_code": "AAAAAAAA", "card_language": "hr"}
    assert sign_in(site_admin).post(path, sent | empty).status_code == 302
    school = classroom.school
    classroom.refresh_from_db()
    assert (classroom.name, classroom.school, classroom.join_code) == ("6c", school, code)
    assert AuditEntry.objects.filter(action="changed class", subject_id=classroom.pk).exists()
    assert sign_in(site_admin).get("/admin/accounts/classroom/add/").status_code == 403


@pytest.mark.parametrize("language", ["hr", "ar"])
def test_the_admin_is_in_english_from_left_to_right_and_says_so(
    language, site_admin, sign_in, settings
):
    site_admin.language = language
    site_admin.save()
    client = sign_in(site_admin)
    settings.LANGUAGE_CODE = language
    for path in ["/admin/", PLACES[User], f"{PLACES[User]}{site_admin.pk}/change/"]:
        page = client.get(path, headers={"Accept-Language": language})
        assert '<html lang="en" dir="ltr"' in page.text
        assert page["Content-Language"] == "en"
    assert "in English only" in client.get("/admin/").text
    assert "Save" in page.text
    # The control: all other pages are in the account's language.
    assert f'<html lang="{language}"' in client.get("/me/data/").text


def test_the_site_admin_sees_and_changes_the_language_of_an_account(site_admin, sign_in, teacher):
    path = f"{PLACES[User]}{teacher.pk}/change/"
    sent = PERSON | {"username": "ana", "role": "teacher", "school": teacher.school_id}
    sign_in(site_admin).post(path, sent | {"language": "xx"})
    teacher.refresh_from_db()
    assert teacher.language == ""
    sign_in(site_admin).post(path, sent | {"language": "pl"})
    teacher.refresh_from_db()
    assert teacher.language == "pl"
