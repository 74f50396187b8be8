"""Teachers change the blocked words of their school, on a page and in the API."""

import pytest
from django.test import Client
from django.urls import reverse

from osmosmjerka.accounts.models import AuditEntry
from osmosmjerka.accounts.schools import activity
from tests.conftest import PASSWORD
from tests.puzzles.making.test_api import Api
from vocab.blocking import services
from vocab.models import BlockedWord

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(teacher):
    client = Client()
    client.login(username=teacher.username, password=PASSWORD)
    return client


@pytest.fixture
def path(school):
    return reverse("blocked-words", args=[school.pk])


def words_of(school):
    return {one.word for one in school.blocked_words.all()}


def test_words_are_added_once_masked_until_asked_for_and_removed(page, path, school, teacher):
    assert path in page.get(reverse("list-overview")).content.decode()
    page.post(path, {"words": "Gavran\n\n  sova  crna\ngavran\nGÁVRAN\nжаба"})
    assert words_of(school) == {"Gavran", "sova crna", "жаба"}
    page.post(path, {"words": "gavran"})
    assert len(words_of(school)) == 3
    masked = page.get(path).content.decode()
    assert "G•••" in masked
    assert "Gavran" not in masked
    assert "kurac" not in masked
    shown = page.get(path + "?show").content.decode()
    assert "Gavran" in shown
    assert "kurac" in shown
    word = school.blocked_words.get(word="Gavran")
    page.post(reverse("blocked-word-remove", args=[school.pk, word.pk]))
    assert words_of(school) == {"sova crna", "жаба"}
    lines = activity.lines_of(list(AuditEntry.objects.filter(action="changed blocked words")))
    said = {line["sentence"] for line in lines}
    assert said == {f"{teacher} changed the blocked words of the school {school}."}
    assert len(lines) == 2


@pytest.mark.parametrize("wrong", ["x", "dž\n猫", "good\n!", "a" * 101])
def test_what_is_no_whole_word_is_refused_with_its_text_and_nothing_is_lost(
    page, path, school, wrong
):
    answer = page.post(path, {"words": f"gavran\n{wrong}"}).content.decode()
    assert wrong.split("\n")[-1][:20] in answer
    assert "gavran\n" in answer  # still in the form
    assert words_of(school) == set()


def test_so_many_words_that_grids_would_be_slow_are_refused(page, path, school, monkeypatch):
    monkeypatch.setattr(services, "MOST_WORDS", 3)
    assert "at most 3 words" in page.post(path, {"words": "aa\nbb\ncc\ndd"}).content.decode()
    assert words_of(school) == set()
    page.post(path, {"words": "aa\nbb\ncc"})  # the control
    assert len(words_of(school)) == 3


def test_the_strong_words_are_switched_off_and_on(page, path, school):
    for button, is_on in (("off", False), ("on", True)):
        page.post(reverse("blocked-words-strong", args=[school.pk]), {button: ""})
        school.refresh_from_db()
        assert school.blocks_strong_words is is_on
        assert ("They are blocked." in page.get(path).content.decode()) is is_on


def test_a_word_of_all_schools_is_not_removed_by_one(page, school):
    word = BlockedWord.objects.create(word="gavran")
    removed = page.post(reverse("blocked-word-remove", args=[school.pk, word.pk]))
    assert removed.status_code == 404
    assert BlockedWord.objects.filter(pk=word.pk).exists()


def test_a_program_reads_and_changes_the_same(teacher, school):
    api, path = Api(teacher.username), f"schools/{school.pk}/blocked-words/"
    told = api("post", path, {"words": ["gavran", "sova"]})
    assert told.status_code == 201, told.content
    told = told.json()
    assert [one["word"] for one in told["words"]] == ["gavran", "sova"]
    assert told["blocks_strong_words"] is True
    assert 20 <= told["strong_words"]["de"] <= 30
    assert api("get", path).json() == told
    for wrong in (["x"], [""], [], "gavran", [5]):
        assert api("post", path, {"words": wrong}).status_code == 400
    assert api("delete", f"{path}{told['words'][0]['id']}/").status_code == 204
    assert words_of(school) == {"sova"}
    off = api("patch", f"{path}strong/", {"blocks_strong_words": False}).json()
    assert off["blocks_strong_words"] is False
