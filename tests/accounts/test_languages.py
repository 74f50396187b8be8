"""Everybody reads the site in their own language, on each device; else in their school's."""

import re

import pytest
from django.contrib import auth
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from osmosmjerka.accounts import languages
from osmosmjerka.accounts.auth import sessions, tokens
from osmosmjerka.accounts.auth.backends import PasswordBackend
from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.accounts.schools import invitations
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def language_of(client, path="/me/data/", browser="en", **asked):
    page = client.get(path, headers={"Accept-Language": browser}, **asked)
    assert page.status_code == 200
    return re.search(r'<html lang="([^"]*)"', page.text)[1]


def speak(row, language):
    row.language = language
    row.save(update_fields=["language"])


@pytest.mark.parametrize(
    ("own", "of_school", "browser", "seen"),
    [
        ("pl", "hr", "ar", "pl"),
        ("pl", "", "ar", "pl"),
        ("", "hr", "ar", "hr"),
        ("", "", "ar", "ar"),
        ("", "", "sv", "en"),  # the site's
    ],
)
def test_a_person_reads_in_their_own_language_else_the_schools_else_the_browsers(
    own, of_school, browser, seen, sign_in, student, school
):
    speak(student, own)
    speak(school, of_school)
    assert language_of(sign_in(student), browser=browser) == seen


def test_without_the_middleware_a_browser_decides_for_everybody(sign_in, student, settings):
    """The control."""
    speak(student, "pl")
    ours = "osmosmjerka.accounts.languages.LanguageMiddleware"
    settings.MIDDLEWARE = [
        "django.middleware.locale.LocaleMiddleware" if name == ours else name
        for name in settings.MIDDLEWARE
    ]
    assert language_of(sign_in(student), browser="ar") == "ar"


def test_a_language_is_chosen_once_for_all_devices(sign_in, student):
    on_a_tablet, at_home = sign_in(student), sign_in(student)
    reply = on_a_tablet.post("/language/", {"language": "pl", "next": "/me/data/"})
    assert (reply.status_code, reply.url) == (302, "/me/data/")
    assert language_of(on_a_tablet) == language_of(at_home) == "pl"
    on_a_tablet.post("/language/", {"language": "xx"})  # none of the site's
    assert language_of(on_a_tablet) == "pl"


def test_the_next_one_at_a_shared_tablet_does_not_get_the_last_ones_language(
    sign_in, student, teacher
):
    tablet = sign_in(student)
    tablet.post("/language/", {"language": "pl"})
    tablet.post("/logout/")
    assert language_of(tablet, "/login/", "hr") == "hr"
    tablet.force_login(teacher)
    assert language_of(tablet, browser="hr") == "hr"


def test_a_visitors_choice_is_kept_in_the_browser_and_gives_way_to_an_account(student):
    browser = Client()
    browser.post("/language/", {"language": "pl"})
    assert language_of(browser, "/login/", "hr") == "pl"
    browser.force_login(student)
    assert language_of(browser) == "pl"  # nothing else is known of this student
    speak(student, "ar")
    assert language_of(browser) == "ar"
    assert languages.language_of(User.objects.get(pk=student.pk)) == "ar"


def test_a_schools_admin_chooses_the_language_of_who_has_chosen_none(
    sign_in, make_person, school, teacher, student
):
    admin = sign_in(make_person(User.Role.SCHOOL_ADMIN, school))
    path = f"/schools/{school.pk}/"
    admin.post(path, {"name": school.name, "retention_days": 90, "language": "xx"})
    assert language_of(sign_in(student)) == "en"
    admin.post(path, {"name": school.name, "retention_days": 90, "language": "hr"})
    speak(teacher, "pl")
    assert language_of(sign_in(student)) == "hr"
    assert language_of(sign_in(teacher)) == "pl"


def test_a_student_whom_a_teacher_creates_reads_in_the_schools_language(
    sign_in, teacher, classroom, school
):
    speak(teacher, "pl")
    speak(school, "hr")
    path = f"/classes/{classroom.pk}/pupils/new/"
    sent = {"display_name": "Mia", "username": "mia", "password": PASSWORD}
    assert sign_in(teacher).post(path, sent).status_code == 302
    mia = User.objects.get(username="mia")
    assert mia.language == ""
    assert language_of(sign_in(mia)) == "hr"


def test_a_teacher_who_signs_up_goes_on_in_the_language_of_the_page(settings):
    settings.REGISTRATION = "open"
    browser, sent = Client(), {"display_name": "Iva", "username": "iva", "password": PASSWORD}
    browser.post("/signup/", sent, headers={"Accept-Language": "hr"})
    assert User.objects.get().language == "hr"
    assert language_of(browser, browser="en") == "hr"


def test_a_teacher_who_looks_as_a_student_can_read_what_is_there(
    sign_in, make_person, school, student
):
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    speak(admin, "hr")
    speak(student, "ar")
    client = sign_in(admin)
    client.post(f"/pupils/{student.pk}/view/")
    assert language_of(client) == "hr"


def test_the_api_answers_in_the_persons_language(sign_in, teacher):
    path = "/api/lists/"
    speak(teacher, "pl")
    token = {"Authorization": f"Token {tokens.create(person=teacher, scope='teach')[1]}"}
    with_a_token = Client(headers={"Accept-Language": "hr", **token})
    for client in (sign_in(teacher), with_a_token):
        answer = client.post(path, {}, content_type="application/json")
        assert answer.status_code == 400
        assert answer["Content-Language"] == "pl"
        wrong = {one["pointer"]: one["detail"] for one in answer.json()["errors"]}
        assert wrong["#/title"] == "To pole jest wymagane."
    speak(teacher, "")
    assert with_a_token.get(path)["Content-Language"] == "hr"


def test_the_schools_language_costs_no_question_of_its_own(sign_in, student, school, monkeypatch):
    speak(school, "hr")

    def cost():
        client = sign_in(User.objects.get(pk=student.pk))
        with CaptureQueriesContext(connection) as queries:
            assert language_of(client) == "hr"
        return len(queries)

    cheap = cost()
    # The controls: with our look-up, the person is a query; with Django's, the school is another.
    monkeypatch.setattr(sessions, "person_of", auth.get_user)
    assert cost() == cheap + 1
    monkeypatch.delattr(PasswordBackend, "get_user")
    assert cost() == cheap + 2


@pytest.mark.parametrize("look_up", [sessions.person_of, auth.get_user])
def test_an_account_that_was_closed_is_logged_out_by_our_look_up_too(
    look_up, sign_in, teacher, monkeypatch
):
    monkeypatch.setattr(sessions, "person_of", look_up)
    client = sign_in(teacher)
    assert client.get("/me/data/").status_code == 200
    User.objects.update(is_active=False)
    assert client.get("/me/data/").status_code == 302


def test_the_language_is_among_the_data_that_are_handed_over(student):
    speak(student, "pl")
    [row] = privacy.personal_data(student)["accounts.user"]
    assert row["language"] == "pl"


def test_what_is_written_to_a_person_is_in_their_language_whoever_writes(teacher, school):
    teacher = User.objects.get(pk=teacher.pk)
    with translation.override("ar"):
        with languages.speaking_to(teacher):
            assert translation.get_language() == "en"  # the site's
        with languages.speaking_to(teacher, otherwise="pl"):
            assert translation.get_language() == "pl"
        teacher.school.language = "hr"
        with languages.speaking_to(teacher, otherwise="pl"):
            assert translation.get_language() == "hr"
        assert translation.get_language() == "ar"


@pytest.fixture
def class_code(classroom, school):
    speak(school, "pl")
    return f"/c/{classroom.join_code}/"


def test_a_class_greets_its_students_in_the_schools_language_on_any_tablet(
    class_code, classroom, sign_in, student
):
    tablet = Client()
    assert language_of(tablet, class_code, browser="en") == "pl"
    tablet.force_login(student)
    tablet.post("/language/", {"language": "de"})
    assert language_of(tablet, class_code, browser="en") == "de"
    tablet.post("/logout/")
    assert language_of(tablet, class_code, browser="en") == "pl"
    refused = tablet.post(class_code, {"name": "Luka", "words": "wrong"})
    assert refused["Content-Language"] == "pl"


def test_a_student_who_joins_with_the_code_gets_the_card_in_the_schools_language(
    class_code, classroom
):
    classroom.is_join_open = True
    classroom.save()
    joined = Client().post(f"{class_code}join/", {"display_name": "Ewa"})
    assert joined["Content-Language"] == "pl"


def test_a_visitors_own_choice_counts_more_than_the_schools_language(class_code):
    tablet = Client()
    tablet.post("/language/", {"language": "ar"})
    assert language_of(tablet, class_code) == "ar"


def test_a_school_without_a_language_leaves_it_to_the_browser(class_code, school):
    speak(school, "")
    assert language_of(Client(), class_code, browser="hr") == "hr"


NEW_TEACHER = {"display_name": "Iva", "username": "iva", "password": PASSWORD}


@pytest.mark.parametrize(("of_school", "kept", "read"), [("", "hr", "hr"), ("pl", "", "pl")])
def test_an_invited_teacher_goes_on_in_the_language_of_the_invitation(
    of_school, kept, read, make_person, school
):
    speak(school, of_school)
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    _made, token = invitations.invite(school=school, role="teacher", actor=admin)
    link, guest = f"/invitations/{token}/", Client()
    assert language_of(guest, link, browser="hr") == read
    guest.post(link, NEW_TEACHER, headers={"Accept-Language": "hr"})
    iva = User.objects.get(username="iva")
    assert iva.language == kept
    assert language_of(Client(), "/login/", browser="ar") == "ar"
    elsewhere = Client()
    elsewhere.force_login(iva)
    assert language_of(elsewhere, browser="ar") == read


def test_the_school_page_confirms_a_new_language_in_that_language(sign_in, make_person, school):
    admin = sign_in(make_person(User.Role.SCHOOL_ADMIN, school))
    sent = {"name": school.name, "retention_days": 90, "language": "hr"}
    page = admin.post(f"/schools/{school.pk}/", sent, follow=True).text
    assert "Spremljeno." in page
    assert "Saved." not in page


def test_cards_are_in_the_schools_language_if_the_class_has_none(classroom, school):
    classroom.card_language = ""
    speak(school, "pl")
    classroom.school = school
    assert classroom.language_of_cards == "pl"


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"path": "/api/nowhere/"}, 404),
        ({"path": "/api/lists/?format=zz"}, 400),
        ({"path": "/api/lists/", "HTTP_ACCEPT": "text/csv"}, 406),
    ],
)
def test_what_the_api_refuses_before_it_knows_who_asks_is_in_their_language(asked, status, teacher):
    speak(teacher, "hr")
    token = {"Authorization": f"Token {tokens.create(person=teacher, scope='teach')[1]}"}
    own, nobodys = (Client(headers={"Accept-Language": "en", **more}) for more in (token, {}))
    answer, control = own.get(**asked), nobodys.get(**asked)
    assert answer.status_code == status
    assert answer["Content-Language"] == "hr"
    assert control["Content-Language"] == "en"
    assert answer.json()["detail"] != control.json()["detail"]


def test_a_path_of_the_api_without_its_slash_leads_to_the_one_with_it(sign_in, teacher):
    assert sign_in(teacher).get("/api/lists").url == "/api/lists/"


def test_the_schema_is_in_english_whoever_reads_it(sign_in, teacher):
    speak(teacher, "hr")
    path = "/api/schema/?format=json"
    described = sign_in(teacher).get(path)
    assert described["Content-Language"] == "en"
    assert described.json() == Client().get(path).json()


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b"{a:1}"),
        ("application/json", b"\xff\xfe"),
        ("application/json", b'{"title": NaN}'),
        ("multipart/form-data", b"zz"),
    ],
)
def test_a_body_that_cannot_be_read_is_told_without_the_parsers_own_words(
    content_type, body, sign_in, teacher, animals
):
    path = f"/api/lists/{animals.pk}/import/"
    answer = sign_in(teacher).post(path, body, content_type=content_type)
    assert answer.status_code == 400
    told = answer.json()["detail"]
    own = r"This is not [^:]*(: NaN and Infinity are not allowed)?\.|The request is not in UTF-8\."
    assert re.fullmatch(own, told)


def test_a_forgotten_password_asks_for_the_e_mail_as_every_other_page(client, db):
    assert ">E-mail<" in re.sub(r"\s", "", client.get("/password/").text)
