"""A list's settings: its languages and tags, and what two people change at the same time."""

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzles.models import Puzzle
from tests.conftest import rows
from vocab.lists import services as list_services
from vocab.memory import reviews
from vocab.models import Pronunciation, VocabularyList, WordProgress

pytestmark = pytest.mark.django_db


@pytest.fixture
def german(teacher):
    """A list that was created in the wrong languages."""
    return list_services.create_list(
        owner=teacher,
        title="Tiere",
        language="hr",
        translation_languages=["en"],
        playing_rules=["articles"],
        rows=rows({"der Hund": "pas", "die Njuška": "gubica"}),
    )


@pytest.fixture
def page(sign_in, teacher):
    return sign_in(teacher)


def opened(page, vocabulary_list):
    """What a browser would send of the settings as they are shown now, unchanged."""
    form = page.get(reverse("list-settings", args=[vocabulary_list.pk])).context["form"]
    sent = {}
    for field in form:
        value = field.value()
        # As the hidden and the visible field send it: an empty list and an empty box not at all.
        if value not in (None, [], False):
            sent[field.html_name] = "on" if value is True else value
        if value not in (None, []):
            sent[field.html_initial_name] = str(value) if isinstance(value, bool) else value
    return sent


def save(page, vocabulary_list, sent):
    return page.post(reverse("list-settings", args=[vocabulary_list.pk]), sent)


def test_languages_are_changed_later_and_what_follows_is_computed_again(page, german):
    hound = german.entries.get(term="der Hund")
    assert hound.tiles == list("DERHUND")
    Pronunciation.objects.create(
        entry=hound, language="hr", text="der Hund", engine="recording", origin="recorded"
    )
    sent = opened(page, german) | {"language": "de", "translation_language": "hr"}
    assert save(page, german, sent).status_code == 302
    german.refresh_from_db()
    hound.refresh_from_db()
    assert (german.language, german.translation_languages) == ("de", ["hr"])
    assert (hound.tiles, hound.played) == (list("HUND"), "Hund")
    assert german.entries.get(term="die Njuška").tiles == list("NJUŠKA")  # no Croatian digraph
    assert [(text.language, text.text) for text in hound.translations.all()] == [("hr", "pas")]
    assert hound.pronunciations.get().state == Pronunciation.State.READY
    assert german.sounds_version == 1  # browsers ask for the sounds again


def test_the_api_changes_languages_by_the_same_service(page, german):
    address = reverse("api:list-detail", args=[german.pk])
    body = {"language": "de", "translation_languages": ["hr", "en"], "tags": ["5. razred"]}
    changed = page.patch(address, body, "application/json").json()
    assert changed["tags"] == ["5. razred"]
    assert changed["entries"][0]["tiles"] == list("HUND")
    # English is still a language of the list: its translations stay.
    assert changed["entries"][0]["translations"] == {"en": ["pas"]}
    body = {"translation_languages": ["hr", "pl"]}
    changed = page.patch(address, body, "application/json").json()
    assert changed["entries"][0]["translations"] == {"pl": ["pas"]}


def test_a_language_is_added_and_offered_wherever_words_are_written(page, animals):
    text = page.get(reverse("list-settings", args=[animals.pk])).text
    assert (
        "Changes only the language name of the existing translations; it does not translate them."
        in text
    )
    answer = page.post(
        reverse("list-settings", args=[animals.pk]),
        opened(page, animals) | {"add_language": "de"},
        follow=True,
    )
    assert "Settings saved." in answer.text
    assert "Only the names of the languages have changed" not in answer.text
    assert "Translation (German)" in answer.text  # of a new word
    animals.refresh_from_db()
    assert animals.translation_languages == ["en", "de"]
    goose = animals.entries.get(term="guska")
    assert goose.version == 1  # what is stored to undo a change of many words still fits
    assert [text.language for text in goose.translations.all()] == ["en"]
    edited = page.get(reverse("entry-edit", args=[goose.pk])).text
    assert "Translation (German)" in edited
    sent = {"lines": "vrana\tcrow\tKrähe\nsova\towl\tEule", "language": "hr"}
    pasted = page.post(reverse("list-preview-more", args=[animals.pk]), sent).text
    assert "Translation (German)" in pasted
    page.post(reverse("list", args=[animals.pk]), sent | {"column_2": "translation:de"})
    crow = animals.entries.get(term="vrana")
    assert [(one.language, one.text) for one in crow.translations.all()] == [
        ("en", "crow"),
        ("de", "Krähe"),
    ]


def test_each_language_is_shown_and_one_that_nothing_is_in_is_removed(page, animals):
    save(page, animals, opened(page, animals) | {"add_language": "de"})
    save(page, animals, opened(page, animals) | {"add_language": "hu"})
    sent = opened(page, animals)
    assert [sent["translation_language"], sent["translation_language_1"]] == ["en", "de"]
    form = page.get(reverse("list-settings", args=[animals.pk])).context["form"]
    assert form.fields["translation_language_1"].label == "Language of the translations (German)"
    assert ("", "Remove: no word has a translation in it") in form.fields[
        "translation_language_1"
    ].choices
    assert not any(tag == "" for tag, _name in form.fields["translation_language"].choices)
    save(page, animals, sent | {"translation_language_1": "", "add_language": "pl"})
    animals.refresh_from_db()
    assert animals.translation_languages == ["en", "hu", "pl"]
    assert (
        save(page, animals, opened(page, animals) | {"translation_language": ""})
        .context["form"]
        .errors
    )


def test_the_api_keeps_a_language_that_translations_are_in(page, animals):
    address = reverse("api:list-detail", args=[animals.pk])

    def change(*languages):
        return page.patch(address, {"translation_languages": languages}, "application/json")

    assert change("en", "de").status_code == 200
    assert change("en").status_code == 200
    change("en", "de")
    refused = change("de")
    assert refused.status_code == 400
    assert "translations in English" in refused.text
    assert change("de", "de").status_code == 400


def test_a_language_stands_once(page, animals):
    answer = save(page, animals, opened(page, animals) | {"add_language": "en"})
    assert "The list already has English." in answer.text
    save(page, animals, opened(page, animals) | {"add_language": "de"})
    answer = save(page, animals, opened(page, animals) | {"translation_language": "de"})
    assert "The list already has German." in answer.text
    animals.refresh_from_db()
    assert animals.translation_languages == ["en", "de"]


def test_two_people_add_languages_and_both_stay(page, animals):
    mine, theirs = opened(page, animals), opened(page, animals)
    save(page, animals, theirs | {"add_language": "de"})
    assert save(page, animals, mine | {"add_language": "pl"}).status_code == 302
    mine, theirs = opened(page, animals), opened(page, animals)
    save(page, animals, theirs | {"translation_language": "sl"})
    assert save(page, animals, mine | {"add_language": "hu"}).status_code == 302
    animals.refresh_from_db()
    assert animals.translation_languages == ["sl", "de", "pl", "hu"]
    mine, theirs = opened(page, animals), opened(page, animals)
    save(page, animals, theirs | {"translation_language": "fr"})
    answer = save(page, animals, mine | {"translation_language": "it"})
    assert "Their version: French" in answer.text and "Your version: Italian" in answer.text
    animals.refresh_from_db()
    assert animals.translation_languages[0] == "fr"


def test_puzzles_and_learned_words_stay_when_languages_change(page, student, animals, make_puzzle):
    puzzle = make_puzzle()
    goose = animals.entries.get(term="guska")
    answer = {"mode": "typed", "skill": "meaning_to_form", "outcome": "right", "source": "x"}
    reviews.review(student=student, entry=goose, at=timezone.now(), **answer)
    before = (puzzle.grid, [*puzzle.placements.order_by("slot").values_list("term", flat=True)])
    learned = [*WordProgress.objects.values_list("student", "entry", "due_on", "stability")]
    save(page, animals, opened(page, animals) | {"language": "sl", "translation_language": "de"})
    puzzle = Puzzle.objects.get(pk=puzzle.pk)
    assert before == (
        puzzle.grid,
        [*puzzle.placements.order_by("slot").values_list("term", flat=True)],
    )
    assert learned == [*WordProgress.objects.values_list("student", "entry", "due_on", "stability")]


def test_a_list_gets_tags(page, animals):
    save(page, animals, opened(page, animals) | {"tag_names": " 5. razred ,Unit 3; unit 3,, "})
    animals.refresh_from_db()
    assert animals.tags == ["5. razred", "Unit 3"]
    answer = save(page, animals, opened(page, animals) | {"tag_names": "x" * 61})
    assert "at most 60 characters" in answer.content.decode()


def test_two_people_change_different_settings_and_both_stay(page, animals):
    mine, theirs = opened(page, animals), opened(page, animals)
    save(page, animals, theirs | {"title": "Živa bića", "visibility": "school"})
    assert save(page, animals, mine | {"accents": "strict", "tag_names": "A"}).status_code == 302
    animals.refresh_from_db()
    assert (animals.title, animals.visibility) == ("Živa bića", "school")
    assert (animals.accents, animals.tags) == ("strict", ["A"])


def test_two_people_change_the_same_setting_and_the_second_is_told(page, animals):
    mine, theirs = opened(page, animals), opened(page, animals)
    save(page, animals, theirs | {"title": "Theirs", "accents": "ignore", "uses_digraphs": ""})
    answer = save(page, animals, mine | {"title": "Mine", "description": "new"})
    text = answer.content.decode()
    assert "Someone else changed these settings" in text
    assert "Their version: Theirs" in text and "Your version: Mine" in text
    assert len(answer.context["clashes"]) == 1
    animals.refresh_from_db()
    assert (animals.title, animals.description) == ("Theirs", "")  # nothing is overwritten yet
    form = answer.context["form"]
    again = {field.html_name: field.value() for field in form if field.value() not in (None, [])}
    again |= {
        field.html_initial_name: form.data[field.html_initial_name]
        for field in form
        if field.html_initial_name in form.data
    }
    assert again.pop("uses_digraphs") is False  # as they left it
    assert save(page, animals, again).status_code == 302
    animals.refresh_from_db()
    assert (animals.title, animals.description) == ("Mine", "new")
    assert (animals.accents, animals.uses_digraphs) == ("ignore", False)


def test_a_title_is_found_after_it_was_changed(animals):
    VocabularyList.objects.get(pk=animals.pk).save(update_fields=["visibility"])
    list_services.update_list(vocabulary_list=animals, title="Čudna bića")
    assert VocabularyList.objects.get(pk=animals.pk).search == "cudna bica"
