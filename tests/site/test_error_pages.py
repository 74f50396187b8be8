"""Whatever goes wrong is told in the site's own design and in the reader's language."""

import re

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404
from django.test import Client
from django.urls import path

from osmosmjerka import urls

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


def test_a_form_that_is_too_large_is_refused_as_such(sign_in, teacher):
    page = sign_in(teacher).post(
        "/lists/new/", "x=" + "y" * 6_000_000, content_type="application/x-www-form-urlencoded"
    )
    assert is_own(page, 413, "en", "ltr")


def test_a_wrong_name_of_the_site_is_refused_in_the_browsers_language(client):
    page = client.get("/login/", headers={"Host": "elsewhere.example", "Accept-Language": "ar"})
    assert is_own(page, 400, "ar", "rtl")


@pytest.mark.parametrize(
    "path", ["lists/987654/", "imports/987654/", "puzzles/NOTHERE/", "play/NOTHERE/", "entries/1/"]
)
def test_the_api_says_of_whatever_is_not_there_that_it_is_not_found(path, sign_in, teacher):
    teacher.language = "pl"
    teacher.save()
    answer = sign_in(teacher).get(f"/api/{path}")
    assert (answer.status_code, answer.json()) == (404, {"detail": "Nie znaleziono."})


def test_without_our_sentence_the_api_names_a_model(sign_in, teacher, monkeypatch):
    """The control: what a look-up says of itself is for developers."""
    monkeypatch.setattr("osmosmjerka.rest.NotFound", lambda: Http404("No Puzzle matches the query"))
    assert "No Puzzle matches" in sign_in(teacher).get("/api/puzzles/NOTHERE/").text


def test_a_teacher_of_no_school_reads_why_there_is_no_class(sign_in, make_person):
    person = make_person("teacher", None, "sam")
    page = sign_in(person).post("/classes/new/", {"name": "7a"})
    assert "belongs to no school" in page.text
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
