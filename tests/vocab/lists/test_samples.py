"""Sample lists: what a teacher without words of their own starts with."""

import itertools

import pytest
from django.utils import translation

from puzzles.kinds import KINDS
from vocab.lists import samples, services
from vocab.models import VocabularyList

LANGUAGES = samples.sample_languages()


def test_every_word_is_there_once_in_every_language():
    assert len(LANGUAGES) >= 12
    for language, other in itertools.permutations(LANGUAGES, 2):
        rows = samples.sample_rows(language, other)
        assert len(rows) >= 20
        assert all(row.term and row.translations[other] for row in rows), (language, other)
        assert len({row.term for row in rows}) == len(rows), f"{language}: a word twice"
    with pytest.raises(ValueError, match="No sample list"):
        samples.sample_rows("de", "de")


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_fits_into_every_kind_of_puzzle(language, teacher):
    other = "en" if language != "en" else "hr"
    made = services.copy_sample(owner=teacher, language=language, translation_language=other)
    unfit = [
        (kind.slug, entry.term)
        for kind in KINDS.values()
        for entry in made.entries.prefetch_related("translations")
        if kind.why_unfit(entry, kind.default_settings())
    ]
    assert unfit == []


@pytest.mark.django_db
def test_one_click_copies_a_list_into_the_teachers_own(client, teacher):
    client.force_login(teacher)
    page = client.get("/lists/samples/", {"translation_language": "hr"}).content.decode()
    assert "German" in page
    assert 'value="hr" selected' in page
    sent = {"language": "de", "translation_language": "hr"}
    shown = client.post("/lists/samples/", sent, follow=True)
    assert "Freund" in shown.content.decode()
    made = VocabularyList.objects.get()
    assert (made.owner, made.visibility) == (teacher, "private")
    assert made.entries.get(term="Schule").translations.get().text == "škola"


@pytest.mark.django_db
def test_lists_are_named_in_the_readers_language_and_translated_to_it(client, teacher):
    client.force_login(teacher)
    teacher.language = "hr"
    teacher.save()
    page = client.get("/lists/samples/").content.decode()
    assert "njemački" in page
    assert 'value="hr" selected' in page
    with translation.override("nl"):  # no such words: English is the next best
        assert samples.suggested_translation() == "en"


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["hr", "tlh", ""])
def test_languages_without_sample_words_are_refused(client, teacher, language):
    client.force_login(teacher)
    sent = {"language": language, "translation_language": "hr"}
    page = client.post("/lists/samples/", sent, follow=True).content.decode()
    assert "There is no sample list for these languages." in page
    assert (
        client.post("/api/lists/samples/", sent, content_type="application/json").status_code == 400
    )
    assert not VocabularyList.objects.exists()


@pytest.mark.django_db
def test_a_program_copies_a_list(client, teacher):
    client.force_login(teacher)
    assert "ja" in client.get("/api/lists/samples/").json()
    sent = {"language": "ja", "translation_language": "de"}
    made = client.post("/api/lists/samples/", sent, content_type="application/json")
    assert made.status_code == 201
    assert VocabularyList.objects.get(pk=made.json()["id"]).entries.count() >= 20
