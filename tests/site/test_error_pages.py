"""Whatever goes wrong is told in the site's own design and in the reader's language."""

import re

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404
from django.test import Client, override_settings
from django.urls import path
from rest_framework.exceptions import NotFound

from osmosmjerka import urls
from osmosmjerka.accounts.auth.lockout import FREE_FAILURES
from osmosmjerka.monitoring import logs

pytestmark = pytest.mark.django_db


def failing(error):
    def view(request):
        raise error

    return view


handler400 = urls.handler400
urlpatterns = [
    *urls.urlpatterns,
    path("broken/400/", failing(BadRequest("secret"))),
    path("broken/403/", failing(PermissionDenied("secret"))),
    path("broken/404/", failing(Http404("secret"))),
    path("broken/500/", failing(RuntimeError("secret"))),
]


def is_own(page, status, language, direction):
    assert page.status_code == status
    assert f'<html lang="{language}" dir="{direction}">' in page.text
    assert 'class="empty-mark' in page.text
    assert "secret" not in page.text
    return re.search(r"<h1>([^<]+)</h1>", page.text)[1]


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("status", [400, 403, 404, 500])
def test_an_error_has_a_page_of_its_own_in_the_persons_language(status, sign_in, student):
    for language, direction in [("en", "ltr"), ("pl", "ltr"), ("ar", "rtl")]:
        student.language = language
        student.save()
        client = sign_in(student)
        client.raise_request_exception = False
        assert is_own(client.get(f"/broken/{status}/"), status, language, direction)


def test_a_form_without_the_visitors_token_is_refused_with_advice(teacher):
    teacher.language = "hr"
    teacher.save()
    client = Client(enforce_csrf_checks=True)
    client.force_login(teacher)
    page = client.post("/lists/new/", {"title": "Stolen"})
    assert is_own(page, 403, "hr", "ltr")
    assert not teacher.vocabulary_lists.exists()
    # The control: with it, the form is read.
    client.get("/lists/new/")
    token = {"csrfmiddlewaretoken": client.cookies["csrftoken"].value}
    assert client.post("/lists/new/", token).status_code == 200


TYPED = "sljiva\tplum\n" * 5
OWN = {"Origin": "http://testserver", "Referer": "http://testserver/lists/new/"}


def test_a_form_of_another_log_in_can_be_sent_again(teacher):
    client = Client(enforce_csrf_checks=True)
    client.force_login(teacher)
    page = client.post("/lists/new/", {"title": "Mine", "text": TYPED, "x": "<b>"}, headers=OWN)
    is_own(page, 403, "en", "ltr")
    assert f"Send as {teacher}" in page.text
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
    assert fields["title"] == "Mine"
    assert fields["text"] == TYPED
    assert fields["x"] == "&lt;b&gt;"
    client.cookies["csrftoken"] = page.cookies["csrftoken"].value
    assert client.post("/lists/new/", fields, headers=OWN).status_code in (200, 302)


def test_another_sites_form_can_not_be_sent_again(teacher):
    """The control: a stranger's page must not lay words into anybody's mouth."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(teacher)
    for headers in ({"Origin": "https://elsewhere.example"}, {"Origin": "null"}, {}):
        page = client.post("/lists/new/", {"title": "Stolen"}, headers=headers)
        is_own(page, 403, "en", "ltr")
        assert "Stolen" not in page.text
        assert "Send as" not in page.text


@pytest.mark.parametrize("is_checked", [True, False], ids=["token", "session"])
def test_who_was_logged_out_while_typing_loses_nothing(is_checked, db):
    page = Client(enforce_csrf_checks=is_checked).post(
        "/lists/new/", {"title": "Mine", "text": TYPED}, headers=OWN
    )
    is_own(page, 403, "en", "ltr")
    assert "You have been logged out" in page.text
    assert 'href="/login/?next=/lists/new/"' in page.text
    assert TYPED in page.text  # in a field from which it can be copied
    assert "Send as" not in page.text


@pytest.mark.parametrize(
    "sender",
    [
        "http://testserver//elsewhere.example/",
        "https://elsewhere.example/lists/",
        "http://[",
        "",
        "x",
    ],
)
def test_a_page_of_another_site_is_no_place_to_go_on_after_logging_in(sender, db):
    headers = OWN | {"Referer": sender}
    page = Client().post("/lists/new/", {"title": "Mine"}, headers=headers)
    assert 'href="/login/?next=/"' in page.text


def test_what_is_secret_is_not_shown_again(db):
    for name in ("password", "old_password", "token", "words", "picture-0", "join_code"):
        page = Client(enforce_csrf_checks=True).post(
            "/lists/new/", {name: "secret " * 20, "title": "x"}, headers=OWN
        )
        assert page.status_code == 403
        assert "secret" not in page.text


def test_a_log_in_that_is_locked_says_how_long_to_wait(client, teacher):
    def log_in():
        return client.post("/login/", {"username": teacher.username, "password": "wrong"})

    assert [log_in().status_code for _try in range(FREE_FAILURES)] == [200] * FREE_FAILURES
    page = log_in()
    assert page.status_code == 429
    assert 0 < int(page["Retry-After"]) <= 30
    assert "Wait 1 minute or ask your teacher" in page.text


def test_each_page_of_an_error_offers_one_thing_to_do(sign_in, student, settings):
    client = sign_in(student)
    client.raise_request_exception = False
    with override_settings(ROOT_URLCONF=__name__):
        pages = [client.get(f"/broken/{status}/") for status in (400, 403, 404, 500)]
    settings.MAINTENANCE = "1"
    pages.append(client.get("/"))
    for page in pages:
        assert page.text.count("button--primary") == 1
        assert page.text.count("<h1>") == 1


# ---- maintenance ----


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("ar", "rtl")])
def test_while_the_site_is_updated_every_page_says_so(client, settings, language, direction):
    settings.MAINTENANCE = "1"
    page = client.get("/login/", headers={"Accept-Language": language})
    is_own(page, 503, language, direction)
    assert page["Retry-After"] == "120"
    assert page["Cache-Control"] == "no-store"
    assert "X-Player" not in page  # which says nothing about who plays on a device
    answer = client.get("/api/play/ABC/", headers={"Accept-Language": "en"})
    assert (answer.status_code, answer["Retry-After"]) == (503, "120")
    assert answer.json()["detail"] == "This site is being updated. Try again later."
    # The control, and what must go on.
    assert client.get("/healthz").status_code == 200
    assert client.get("/static/osmosmjerka/base.css").status_code == 200
    settings.MAINTENANCE = ""
    assert client.get("/login/").status_code == 200


def test_who_runs_the_site_can_say_why(client, settings):
    settings.MAINTENANCE = "Back at <10> o'clock"
    assert "Back at &lt;10&gt; o&#x27;clock" in client.get("/").text
    assert client.get("/api/lists/").json()["detail"] == "Back at <10> o'clock"


@pytest.mark.parametrize("switch", ["0", "false", "off", "No", " "])
def test_the_switch_can_be_written_as_off(client, settings, switch):
    settings.MAINTENANCE = switch
    assert client.get("/login/").status_code == 200


def test_a_form_that_is_too_large_is_refused_as_such(sign_in, teacher):
    page = sign_in(teacher).post(
        "/lists/new/", "x=" + "y" * 6_000_000, content_type="application/x-www-form-urlencoded"
    )
    assert is_own(page, 413, "en", "ltr")


def test_a_wrong_name_of_the_site_is_refused_in_the_browsers_language(client):
    page = client.get("/login/", headers={"Host": "elsewhere.example", "Accept-Language": "ar"})
    assert is_own(page, 400, "ar", "rtl")


STRANGE = {
    "host": ("/login/", {"headers": {"Host": "elsewhere.example"}}),
    "host with signs": ("/", {"headers": {"Host": "a b\nc"}}),
    "host of the API": ("/api/lists/", {"headers": {"Host": "10.0.0.7:8000"}}),
    "fields": ("/login/", {"data": {f"f{number}": "" for number in range(1_100)}}),
    "form": ("/login/", {"data": "x", "content_type": "multipart/form-data; boundary=é"}),
}


@pytest.mark.parametrize("what", STRANGE)
def test_a_strange_request_is_one_line_of_the_log(what, client, caplog):
    path, sent = STRANGE[what]
    assert client.post(path, **sent).status_code in {400, 413}
    (line,) = [one for one in caplog.records if one.name.startswith("django")]
    assert (line.levelname, line.exc_info, line.exc_text) == ("WARNING", None, None)
    assert "\n" not in line.getMessage()


def test_without_the_filter_it_is_a_traceback(client, caplog, monkeypatch):
    """Control."""
    monkeypatch.setattr(logs.OneLineFilter, "filter", lambda _self, _record: True)
    client.get("/login/", headers={"Host": "elsewhere.example"})
    assert "Traceback" in caplog.text


@pytest.mark.parametrize(
    "path", ["lists/987654/", "imports/987654/", "puzzles/NOTHERE/", "play/NOTHERE/", "entries/1/"]
)
def test_the_api_says_of_whatever_is_not_there_that_it_is_not_found(path, sign_in, teacher):
    teacher.language = "pl"
    teacher.save()
    answer = sign_in(teacher).get(f"/api/{path}")
    assert (answer.status_code, answer.json()["detail"]) == (404, "Nie znaleziono.")


def test_without_our_sentence_the_api_names_a_model(sign_in, teacher, monkeypatch):
    """The control: what a look-up says of itself is for developers."""
    monkeypatch.setattr("osmosmjerka.rest.requests.NotFound", lambda: NotFound("No Puzzle matches"))
    assert "No Puzzle matches" in sign_in(teacher).get("/api/puzzles/NOTHERE/").text


def test_a_teacher_of_no_school_reads_why_there_is_no_class(sign_in, make_person):
    person = make_person("teacher", None, "sam")
    page = sign_in(person).post("/classes/new/", {"name": "7a"})
    assert "does not belong to a school" in page.text
    assert "Sam belongs" not in page.text


def test_the_api_refuses_a_request_without_a_token_in_a_sentence(teacher):
    client = Client(enforce_csrf_checks=True)
    client.force_login(teacher)
    answer = client.post("/api/lists/", {}, content_type="application/json")
    assert answer.status_code == 403
    assert answer.json()["detail"].startswith("This page is no longer valid")
    assert "CSRF" not in answer.text
    client.get("/lists/new/")  # the control
    token = {"X-CSRFToken": client.cookies["csrftoken"].value}
    answer = client.post("/api/lists/", {}, content_type="application/json", headers=token)
    assert answer.status_code == 400
