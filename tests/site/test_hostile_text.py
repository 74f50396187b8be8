"""Text that means something to HTML, scripts, headers, logs or formats is only text."""

import logging
from email.message import Message

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from osmosmjerka.accounts.models import User
from tests.accounts.house import ask
from tests.accounts.permission_table import OWNER, STUDENT, TABLE
from tests.accounts.sweep import let_in
from tests.conftest import PASSWORD
from tests.mailing import deliver
from vocab.models import VocabularyList

HOSTILE = """<img src=x onerror=alert(1)>"'`&amp;%3Cb%3E{{7*7}}%(actor)s{0}</script>"""


@pytest.fixture
def named(house):
    """A house whose list, class, student and word have a hostile name."""
    for thing, field in [
        (house.vocabulary_list, "title"),
        (house.classroom, "name"),
        (house.student, "display_name"),
        (house.entry, "term"),
        (house.puzzle, "title"),
        (house.school, "name"),
    ]:
        type(thing).objects.filter(pk=thing.pk).update(**{field: HOSTILE[:80]})
    return house


def test_hostile_names_are_shown_as_they_are_on_every_page(named, other_house):
    """Nothing is decoded twice either: the text holds what is already encoded."""
    shown, wrong = 0, []
    escaped = HOSTILE[:20].replace("<", "&lt;")
    pages = {route for route in TABLE if not route.startswith(("api/", "static", "media"))}
    for asked in let_in(named, other_house, OWNER, STUDENT, routes=pages, methods=["GET"]):
        text = asked.ask().text
        shown += escaped in text
        if text.lstrip().startswith("<") and (
            "<img src=x" in text or "&lt;b&gt;" in text or ">49" in text
        ):
            wrong.append(str(asked))
    assert wrong == []
    assert shown > 20  # the control: the pages show it


def test_the_api_gives_hostile_names_back_as_json(named):
    answer = ask(named.teacher, "GET", f"/api/lists/{named.vocabulary_list.pk}/")
    assert "<img src=x" in answer.text  # as it was stored: whoever shows it encodes it
    client = Client()
    client.force_login(named.teacher)
    told = client.get(f"/api/lists/{named.vocabulary_list.pk}/")
    assert told["Content-Type"].startswith("application/json")
    assert told["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/", "//evil.example/", "javascript:alert(1)", "/\\evil.example",
        "data:text/html,<script>alert(1)</script>", "https:evil.example",
    ],
)  # fmt: skip
def test_nobody_is_led_to_another_site(target, teacher):
    sent = {"username": "ana", "password": PASSWORD, "next": target}
    assert Client().post("/login/", sent).url == "/"
    chosen = Client().post("/language/", {"language": "hr", "next": target})
    assert chosen.url in {"/", ""}
    own = Client().post("/login/", sent | {"next": "/lists/"})
    assert own.url == "/lists/"  # the control


@pytest.mark.parametrize(
    "title", ['a"; filename="evil.exe', "a\r\nSet-Cookie: x=1", "../../etc/passwd", "čaša 🐟; x=y"]
)
def test_a_hostile_title_is_a_harmless_name_of_a_file(title, house):
    VocabularyList.objects.filter(pk=house.vocabulary_list.pk).update(title=title)
    house.puzzle.title = title
    house.puzzle.save()
    client = Client()
    client.force_login(house.teacher)
    for path in (
        f"/lists/{house.vocabulary_list.pk}/export/xlsx/",
        f"/puzzles/{house.puzzle.code}/download/text/",
    ):
        header = client.get(path)["Content-Disposition"]
        assert header.startswith("attachment; filename")
        message = Message()
        message["Content-Disposition"] = header
        assert set(dict(message.get_params(header="Content-Disposition"))) <= {
            "attachment", "filename",
        }  # fmt: skip
        assert not {"/", "\\", "\r", "\n", '"'} & set(message.get_filename())


def test_the_cache_of_the_site_holds_no_page(house):
    cache.clear()
    for path in ("/", "/lists/", f"/classes/{house.classroom.pk}/", "/me/password/"):
        ask(house.teacher, "GET", path)
    assert list(cache._cache) == []
    Client().post("/login/passkey/", {})  # what it is for: a passkey's challenge works once
    assert "django.middleware.cache.UpdateCacheMiddleware" not in settings.MIDDLEWARE


def test_a_line_of_the_log_stays_one_line(teacher, caplog):
    caplog.set_level(logging.INFO)
    client = Client(raise_request_exception=False)
    client.get("/nothing/%0aFAKE%20INFO%20root%20Logged%20in/")
    client.get("/x/", headers={"X-Request-ID": "abcdefgh\nFAKE", "User-Agent": "a\nFAKE"})
    client.post("/login/", {"username": "ana\nFAKE", "password": "x"})
    client.post("/api/lists/%0d%0aFAKE/", {})
    assert caplog.records
    form = settings.LOGGING["formatters"]["text"]["format"]
    for record in caplog.records:
        record.request_id = getattr(record, "request_id", "-")
        text = logging.Formatter(form, style="{").format(record)
        assert "\nFAKE" not in text and "\rFAKE" not in text


@pytest.mark.parametrize("address", ["ana@school.example\nBcc: all@evil.example", "a@b\r\nX: y"])
def test_no_address_adds_headers_to_a_mail(address, teacher, mailoutbox):
    User.objects.filter(pk=teacher.pk).update(email="ana@school.example")
    Client().post("/password/", {"email": address})
    deliver()
    assert mailoutbox == []
    Client().post("/password/", {"email": "ana@school.example"})
    deliver()
    assert [mail.to for mail in mailoutbox] == [["ana@school.example"]]  # the control


@pytest.mark.parametrize("number", [2**31, 2**63, 10**40, 0])
@pytest.mark.parametrize("route", ["lists/{}/", "classes/{}/", "pupils/{}/", "api/lists/{}/"])
def test_a_number_that_no_row_can_have_is_not_found(route, number, teacher, sign_in):
    assert sign_in(teacher).get("/" + route.format(number)).status_code == 404


def test_a_field_in_the_address_is_no_field_of_the_form(teacher, sign_in):
    fields = "title=Sent&language=hr&translation_languages=en"
    client = sign_in(teacher)
    client.post(f"/lists/new/?{fields}", {})
    assert not VocabularyList.objects.exists()
    client.post(f"/api/lists/?{fields}", {}, content_type="application/json")
    assert not VocabularyList.objects.exists()
    body = {"title": "Sent", "language": "hr", "translation_languages": ["en"]}
    refused = client.post("/api/lists/?title=Other", body, content_type="application/json")
    assert (refused.status_code, refused.json()["errors"][0]["parameter"]) == (400, "title")
    assert not VocabularyList.objects.exists()
    client.post("/api/lists/", body, content_type="application/json")
    assert VocabularyList.objects.get().title == "Sent"  # the control


@pytest.mark.parametrize("path", ["/login/", "/api/lists/", "/healthz", "/api/schema/"])
def test_trace_gives_nothing_back(path, client, db):
    answer = client.trace(path, headers={"Authorization": "Token of-the-victim"})
    assert answer.status_code in {401, 405}
    assert "of-the-victim" not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/.git/HEAD", "/.git/config", "/.env", "/manage.py", "/var/secret_key", "/secret_key",
        "/static/", "/static/osmosmjerka/", "/static/../secret_key", "/static/%2e%2e/secret_key",
        "/media/", "/media/sounds/", "/osmosmjerka.sqlite3", "/static/staticfiles.json.bak",
        "/__debug__/", "/server-status", "/backup.zip",
    ],
)  # fmt: skip
def test_no_folder_and_no_file_of_the_server_is_served(path, sign_in, teacher):
    for client in (Client(), sign_in(teacher)):
        assert client.get(path).status_code == 404
