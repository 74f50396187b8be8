"""What pages do with words and sharing, programs do through the API, by the same services."""

import pytest
from rest_framework.test import APIClient

from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.models import User
from tests.conftest import rows
from tests.puzzles.making.test_api import Api
from vocab.entries import selectors as entries_selectors
from vocab.formats import EXPORTS
from vocab.lists import services as list_services
from vocab.lists import sharing
from vocab.rows import convert

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_person():
    def as_person(person):
        client = APIClient()
        client.force_authenticate(person)
        return client

    return as_person


@pytest.fixture
def api(as_person, teacher):
    return as_person(teacher)


@pytest.fixture
def colleague(make_person, school):
    return make_person(User.Role.TEACHER, school, "iva")


@pytest.fixture
def goose(animals):
    return animals.entries.get(term="guska")


def test_a_word_is_changed_only_as_it_was_seen(api, goose):
    seen = api.get(f"/api/entries/{goose.pk}/").json()
    assert (seen["term"], seen["version"], seen["translations"]) == ("guska", 1, {"en": ["goose"]})
    address = f"/api/entries/{goose.pk}/"
    first = api.patch(address, {"version": 1, "hint": "it honks"}, format="json")
    assert (first.status_code, first.json()["version"]) == (200, 2)
    late = api.patch(address, {"version": 1, "hint": "it hisses"}, format="json")
    assert late.status_code == 409
    assert late.json()["entry"]["hint"] == "it honks"
    assert "Someone else" in late.json()["detail"]
    again = {"version": 2, "hint": "it hisses", "translations": {"en": ["goose", "fool"]}}
    assert api.patch(address, again, format="json").json()["translations"]["en"][1] == "fool"
    goose.refresh_from_db()
    assert (goose.hint, goose.term, goose.version) == ("it hisses", "guska", 3)
    assert api.patch(address, {"hint": "x"}, format="json").status_code == 400
    taken = api.patch(address, {"version": 3, "term": "labud"}, format="json")
    assert taken.status_code == 400
    assert "already" in str(taken.json())


@pytest.mark.parametrize(
    ("where", "found"),
    [({}, 12), ({"search": "macka"}, 1), ({"missing": "picture"}, 12)],
)
def test_all_words_that_a_filter_finds_are_tagged_and_it_is_undone(where, found, api, animals):
    before = convert.checksum(animals)
    body = {"action": "tag", "tag": "animal", "where": where}
    made = api.post(f"/api/lists/{animals.pk}/bulk/", body, format="json").json()
    assert made["count"] == found
    assert entries_selectors.find_entries(animals, tag="animal").count() == found
    undone = api.post(f"/api/lists/{animals.pk}/bulk/{made['id']}/undo/").json()
    assert undone["undone_at"]
    assert convert.checksum(animals) == before
    assert api.post(f"/api/lists/{animals.pk}/bulk/{made['id']}/undo/").status_code == 400


@pytest.mark.parametrize("action", ["tag", "untag", "delete"])
def test_a_filter_that_finds_nothing_is_told_and_leaves_nothing_to_undo(action, api, animals):
    body = {"action": action, "where": {"tag": "x"}} | (
        {} if action == "delete" else {"tag": "animal"}
    )
    reply = api.post(f"/api/lists/{animals.pk}/bulk/", body, format="json")
    assert reply.status_code == 400
    assert "Nothing was changed" in str(reply.json())
    assert not animals.bulk_edits.exists()


def test_words_are_named_deleted_and_moved(api, animals, teacher, stranger, goose):
    other = list_services.create_list(
        owner=teacher, title="x", language="hr", translation_languages=["en"]
    )
    body = {"action": "move", "entries": [goose.pk], "target": other.pk}
    assert api.post(f"/api/lists/{animals.pk}/bulk/", body, format="json").json()["count"] == 1
    assert other.entries.get().pk == goose.pk
    body = {"action": "delete", "entries": [goose.pk]}
    assert api.post(f"/api/lists/{other.pk}/bulk/", body, format="json").json()["count"] == 1
    # Words and lists of others are not there.
    theirs = list_services.create_list(
        owner=stranger,
        title="y",
        language="hr",
        translation_languages=["en"],
        rows=rows({"vuk": "wolf"}),
    )
    body = {"action": "delete", "entries": [theirs.entries.get().pk]}
    assert api.post(f"/api/lists/{animals.pk}/bulk/", body, format="json").status_code == 400
    body = {"action": "move", "where": {}, "target": theirs.pk}
    assert api.post(f"/api/lists/{animals.pk}/bulk/", body, format="json").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {"action": "tag", "tag": "x"},
        {"action": "tag", "tag": "x", "entries": [1], "where": {}},
        {"action": "tag", "where": {}},
        {"action": "burn", "where": {}},
        {"action": "move", "where": {}},
        {"action": "merge", "entries": []},
        {"action": "tag", "tag": "x", "entries": ["many"]},
        {"action": "tag", "tag": "x", "where": {"missing": "sense"}},
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(body, api, animals):
    reply = api.post(f"/api/lists/{animals.pk}/bulk/", body, format="json")
    assert reply.status_code == 400
    assert reply.json()


def test_a_list_is_shared_by_name_and_no_more(api, as_person, animals, colleague, student):
    address = f"/api/lists/{animals.pk}/shares/"
    assert as_person(colleague).get(f"/api/lists/{animals.pk}/").status_code == 404
    reply = api.post(address, {"username": "iva"}, format="json")
    assert reply.json() == [{"teacher": colleague.pk, "username": "iva", "may_edit": False}]
    assert as_person(colleague).get(f"/api/lists/{animals.pk}/").status_code == 200
    body = {"action": "delete", "where": {}}
    assert as_person(colleague).post(
        f"/api/lists/{animals.pk}/bulk/", body, format="json"
    ).status_code == 404  # fmt: skip
    for name in (student.username, "nobody"):
        refused = api.post(address, {"username": name}, format="json")
        assert refused.status_code == 400
        assert f"no teacher with the username “{name}”" in str(refused.json())
    assert api.delete(f"{address}{colleague.pk}/").status_code == 204
    assert as_person(colleague).get(f"/api/lists/{animals.pk}/").status_code == 404


def test_who_may_edit_a_list_decides_neither_who_sees_it_nor_its_settings(
    as_person, animals, colleague
):
    sharing.share_list(vocabulary_list=animals, teacher=colleague, may_edit=True)
    client = as_person(colleague)
    address = f"/api/lists/{animals.pk}/"
    entries = {"entries": [{"term": "sova", "translations": {"en": ["owl"]}, "hint": "at night"}]}
    assert client.patch(address, entries, format="json").status_code == 200
    assert animals.entries.get(term="sova").hint == "at night"
    for change in ({"visibility": "public"}, {"accents": "strict"}, {"title": "Mine"}):
        assert client.patch(address, change, format="json").status_code == 404
    assert client.get(f"{address}shares/").status_code == 404
    assert client.post(f"{address}shares/", {"username": "zora"}, format="json").status_code == 404


def test_the_owner_sets_how_words_are_cut_and_accents_compared(api, animals):
    list_services.write_rows(vocabulary_list=animals, rows=rows({"ljubav": "love"}))
    change = {"uses_digraphs": False, "accents": "strict"}
    reply = api.patch(f"/api/lists/{animals.pk}/", change, format="json").json()
    assert (reply["uses_digraphs"], reply["accents"]) == (False, "strict")
    assert animals.entries.get(term="ljubav").tiles[:2] == ["L", "J"]


def test_a_copy_follows_its_original(api, as_person, animals, colleague, goose):
    sharing.share_list(vocabulary_list=animals, teacher=colleague, may_edit=False)
    client = as_person(colleague)
    copy = client.post(f"/api/lists/{animals.pk}/copy/").json()
    assert copy["copied_from"] == animals.pk
    api.patch(f"/api/entries/{goose.pk}/", {"version": 1, "hint": "it honks"}, format="json")
    dry = client.post(f"/api/lists/{copy['id']}/pull/").json()
    [changed] = [item for item in dry["plan"] if item["outcome"] == "changed"]
    assert changed["changes"] == [{"name": "hint", "old": "", "new": "it honks"}]
    sharing.unshare_list(vocabulary_list=animals, teacher_pk=colleague.pk)
    assert client.post(f"/api/lists/{copy['id']}/pull/").status_code == 400


def test_a_list_is_downloaded_in_every_format_with_a_token(
    teacher, student, stranger, school, make_person, animals, classroom
):
    def download(person, kind):
        token = tokens.create(person=person, scope="read")[1]
        client = APIClient(headers={"Authorization": f"Token {token}"})
        return client.get(f"/api/lists/{animals.pk}/export/{kind}/")

    for kind, format in EXPORTS.items():
        reply = download(teacher, kind)
        assert reply.status_code == 200, kind
        assert format.suffix in reply["Content-Disposition"]
        assert reply["Content-Type"].startswith(format.mime.partition(";")[0])
        assert reply.content
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    statuses = [download(one, "delimited").status_code for one in (admin, student, stranger)]
    assert statuses == [200, 404, 404]


def test_a_change_of_a_list_is_refused_if_a_word_is_missing_in_an_entry(teacher, animals):
    api = Api("ana")
    body = {"entries": [{"term": "sova"}, {"note": "f."}]}
    reply = api("patch", f"lists/{animals.pk}/", body)
    assert reply.status_code == 400
    assert [one["pointer"] for one in reply.json()["errors"]] == ["#/entries/1/term"]
    assert not animals.entries.filter(term="sova").exists()
    body["entries"][1]["term"] = "vidra"  # the control
    assert api("patch", f"lists/{animals.pk}/", body).status_code == 200
