"""Programs add, read, change and delete single words, and their pictures."""

import io
import json

import pytest
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from PIL import Image

from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.models import User
from tests.puzzles.making.test_api import Api
from vocab import access
from vocab.entries import pictures
from vocab.lists import sharing
from vocab.models import Entry, VocabularyList

pytestmark = pytest.mark.django_db


def picture(format="PNG", color="red"):
    made = io.BytesIO()
    Image.new("RGB", (8, 8), color).save(made, format)
    return made.getvalue()


def program(person, scope="teach"):
    """Return a client with a token of somebody."""
    token = tokens.create(person=person, scope=scope, name="x")[1]
    return Client(headers={"Authorization": f"Token {token}"})


@pytest.fixture
def api(teacher):
    return Api("ana")


@pytest.fixture
def swan(animals):
    return animals.entries.get(term="labud")


def test_a_word_is_added_at_the_end_with_all_that_belongs_to_it(api, animals):
    body = {
        "term": "sova",
        "translations": {"en": ["owl"]},
        "tags": ["birds"],
        "example": "Sova leti noću.",
        "note": "f.",
        "extra": {"Chapter": "7"},
    }
    reply = api("post", f"lists/{animals.pk}/entries/", body)
    assert reply.status_code == 201, reply.content
    made = reply.json()
    assert {name: made[name] for name in body} == body
    assert made["tiles"] == list("SOVA")
    assert made["picture"] is None
    assert made["guid"] == Entry.objects.get(pk=made["id"]).guid
    assert api("get", f"entries/{made['id']}/").json() == made
    words = api("get", f"lists/{animals.pk}/entries/").json()["results"]
    assert words[-1] == made


def test_a_word_that_is_there_already_or_has_no_letter_is_refused(api, animals):
    path = f"lists/{animals.pk}/entries/"
    for body in ({"term": "labud"}, {"term": " "}, {"translations": {"en": ["owl"]}}):
        assert api("post", path, body).status_code == 400, body
    assert (
        "“labud” is already in the list." in api("post", path, {"term": "labud"}).json()["detail"]
    )
    assert animals.entries.count() == 12


def test_what_the_site_decides_cannot_be_sent(api, animals, swan):
    for name, value in (("guid", "x"), ("picture", "/x.png"), ("tiles", ["X"])):
        reply = api("post", f"lists/{animals.pk}/entries/", {"term": "sova", name: value})
        assert reply.json()["errors"][0]["code"] == "read_only", name
        reply = api("patch", f"entries/{swan.pk}/", {"version": 1, name: value})
        assert reply.json()["errors"][0]["code"] == "read_only", name


def test_a_word_moves_up_and_down(api, animals, swan):
    def terms():
        return list(animals.entries.order_by("position", "pk").values_list("term", flat=True))

    before = terms()
    at = before.index("labud")
    assert api("post", f"entries/{swan.pk}/place/", {"step": "up"}).status_code == 204
    assert terms().index("labud") == at - 1
    assert api("post", f"entries/{swan.pk}/place/", {"step": "down"}).status_code == 204
    assert terms() == before
    reply = api("post", f"entries/{swan.pk}/place/", {"step": "left"})
    assert [one["pointer"] for one in reply.json()["errors"]] == ["#/step"]


def test_other_columns_are_changed_as_a_whole(api, swan):
    path = f"entries/{swan.pk}/"
    changed = api("patch", path, {"version": swan.version, "extra": {"Chapter": "7"}})
    assert changed.json()["extra"] == {"Chapter": "7"}
    gone = api("patch", path, {"version": changed.json()["version"], "extra": {}})
    assert gone.json()["extra"] == {}
    assert gone.json()["translations"] == {"en": ["swan"]}
    for extra in ({" ": "x"}, {str(n): "x" for n in range(201)}, {"x": ["y"]}, ["x"]):
        assert api("patch", path, {"version": 3, "extra": extra}).status_code == 400, extra


def test_a_deleted_word_comes_back_with_the_change(api, animals, swan):
    edit = api("delete", f"entries/{swan.pk}/").json()
    assert (edit["action"], edit["count"]) == ("delete", 1)
    assert api("get", f"entries/{swan.pk}/").status_code == 404
    undone = api("post", f"lists/{animals.pk}/bulk/{edit['id']}/undo/")
    assert undone.status_code == 200
    assert api("get", f"entries/{swan.pk}/").json()["term"] == "labud"


@pytest.mark.parametrize("format", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_picture_is_sent_as_the_whole_body(format, teacher, swan):
    client, path = program(teacher), f"/api/entries/{swan.pk}/picture/"
    reply = client.put(path, picture(format), content_type=f"image/{format.lower()}")
    assert reply.status_code == 200, reply.content
    url = reply.json()["picture"]
    assert url.startswith(path)
    shown = client.get(url)
    assert shown["Content-Type"].startswith("image/")
    assert Image.open(io.BytesIO(shown.content)).size == (8, 8)


def test_a_picture_is_sent_as_a_form_replaced_and_removed(teacher, swan, animals):
    client, path = program(teacher), f"/api/entries/{swan.pk}/picture/"
    assert client.get(path).status_code == 404
    urls = set()
    for color in ("red", "blue"):
        file = io.BytesIO(picture(color=color))
        file.name = "swan.png"
        body = {"picture": file}
        reply = client.put(path, encode_multipart(BOUNDARY, body), MULTIPART_CONTENT)
        assert reply.status_code == 200, reply.content
        urls.add(reply.json()["picture"])
    assert len(urls) == 2  # a program that keeps the old one sees that it changed
    assert client.delete(path).status_code == 204
    assert client.get(path).status_code == 404
    assert client.get(f"/api/entries/{swan.pk}/").json()["picture"] is None
    edit = animals.bulk_edits.get()
    client.post(f"/api/lists/{animals.pk}/bulk/{edit.pk}/undo/", {}, "application/json")
    assert client.get(path).status_code == 200


def test_a_photo_from_a_phone_is_not_too_large(teacher, swan):
    made = io.BytesIO()
    Image.effect_noise((1500, 1500), 100).save(made, "PNG")
    assert len(made.getvalue()) > 2_000_000
    path = f"/api/entries/{swan.pk}/picture/"
    assert program(teacher).put(path, made.getvalue(), "image/png").status_code == 200


def test_what_is_no_picture_is_refused(teacher, swan, monkeypatch):
    client, path = program(teacher), f"/api/entries/{swan.pk}/picture/"
    reply = client.put(path, b"<svg/>", content_type="image/png")
    assert (reply.status_code, reply.json()["errors"][0]["pointer"]) == (400, "#/picture")
    assert client.put(path, b"", content_type="image/png").status_code == 400
    assert client.put(path, b"x", content_type="text/plain").status_code == 415
    small = picture()
    monkeypatch.setattr(pictures, "MAX_BYTES", len(small))
    assert client.put(path, small, content_type="image/png").status_code == 200
    monkeypatch.setattr(pictures, "MAX_BYTES", len(small) - 1)
    reply = client.put(path, small, content_type="image/png")
    assert (reply.status_code, "larger than" in reply.json()["detail"]) == (400, True)


def reached(person, swan, scope="teach"):
    """Return what somebody's program is told by each operation on a word: its statuses."""
    client, path = program(person, scope), f"/api/entries/{swan.pk}/"
    body = json.dumps({"term": "sova"})
    return [
        client.get(path).status_code,
        client.post(f"/api/lists/{swan.vocabulary_list_id}/entries/", body, "application/json")
        .status_code,
        client.put(f"{path}picture/", picture(), content_type="image/png").status_code,
        client.delete(f"{path}picture/").status_code,
        client.delete(path).status_code,
    ]  # fmt: skip


def test_who_may_do_what_with_a_word(
    teacher, student, stranger, school, make_person, animals, swan, classroom
):
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    colleague = make_person(User.Role.TEACHER, school)
    assert reached(student, swan) == [404] * 5
    assert reached(stranger, swan) == [404] * 5
    assert reached(colleague, swan) == [404] * 5
    assert reached(admin, swan) == [200, 404, 404, 404, 404]  # may see, not change
    sharing.share_list(vocabulary_list=animals, teacher=colleague, may_edit=False)
    assert reached(colleague, swan) == [200, 404, 404, 404, 404]
    assert reached(teacher, swan, "read") == [200, 403, 403, 403, 403]
    assert reached(teacher, swan) == [200, 201, 200, 204, 200]


def test_without_the_check_of_lists_a_stranger_changes_words(stranger, swan, monkeypatch):
    """The control."""
    everything = VocabularyList.objects.all()
    monkeypatch.setattr(access, "vocabulary_lists", lambda person, action: everything)
    assert reached(stranger, swan) == [200, 201, 200, 204, 200]
