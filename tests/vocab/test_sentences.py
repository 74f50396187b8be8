"""What pure modules and workers say is kept with its gaps and read in each reader's language."""

import pickle

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from django.utils import translation
from django.utils.translation import trans_real

from puzzles.making import services as puzzles
from tests.conftest import rows
from vocab.lists import services as list_services
from vocab.message import Sentence, message, messages, packed, unpacked
from vocab.models import Pronunciation
from vocab.sentences import said
from vocab.sounds import services as sounds

CROATIAN = {
    (
        "Only {count} of the {wanted} words fits. Choose {count} word, or change the list or the "
        "size of the grid. Left out: {causes}.",
        "Only {count} of the {wanted} words fit. Choose {count} words, or change the list or the "
        "size of the grid. Left out: {causes}.",
    ): ("Samo {count} od {wanted}. Izostavljeno: {causes}.",) * 3,
    "{rule}: {words}": "{words} ({rule})",
    "fewer than 3 letters": "manje od 3 slova",
    (
        "It has {count} letter but needs at least {least}.",
        "It has {count} letters but needs at least {least}.",
    ): ("Treba {least} slova, a ima {count}.",) * 3,
    (
        "The built-in voice cannot read “{letter}” in “{text}”. Correct the word, or record it "
        "yourself."
    ): "Glas ne čita „{letter}” ({text}).",
    "longer than a row": "preduga za redak",
    (
        "The learning history ({count} review) is not imported.",
        "The learning history ({count} reviews) is not imported.",
    ): (
        "Povijest ({count} ponavljanje) ne uvozi se.",
        "Povijest ({count} ponavljanja) ne uvozi se.",
        "Povijest ({count} ponavljanja ukupno) ne uvozi se.",
    ),
    "The print fonts do not contain these letters: {letters}. Choose SVG, which uses the fonts of "
    "the person who opens it, or a text format.": "Fontovi nemaju: {letters}.",
    "Send a file or text.": "Pošalji datoteku ili tekst.",
    "This is not JSON. Check line %(line)s, character %(column)s.": (
        "To nije JSON (%(line)s, %(column)s)."
    ),
}


@pytest.fixture
def croatian(tmp_path, settings):
    """The site in Croatian, as far as these tests need it."""
    catalogue = Catalog(locale="hr")
    for sentence, translated in CROATIAN.items():
        catalogue.add(sentence, translated)
    folder = tmp_path / "locale" / "hr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, catalogue)
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.MEDIA_ROOT = tmp_path
    trans_real._translations.clear()
    yield
    trans_real._translations.clear()


@pytest.mark.parametrize(
    "sentence",
    [
        message("Nothing to fill."),
        message("“{word}” and {count}", word='a "quoted" {brace}', count=3),
        message("{size} MB", size=5.5),
        message("Both: {all}", all=[message("one {n}", n=1), message("two")]),
        messages("{count} word of {list}", "{count} words of {list}", 1, list="Zoo"),
        messages("{count} word of {list}", "{count} words of {list}", 5, list="Zoo"),
    ],
)
def test_a_sentence_comes_back_from_the_database_as_it_was(sentence):
    kept = unpacked(packed(sentence))
    assert kept == sentence
    assert isinstance(kept, Sentence) == bool(sentence.values)
    assert said(packed(sentence)) == sentence
    # As errors go from a search's process to ours.
    sent = pickle.loads(pickle.dumps(sentence))  # noqa: S301
    assert (sent, packed(sent)) == (sentence, packed(sentence))


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (1, "Povijest (1 ponavljanje) ne uvozi se."),
        (2, "Povijest (2 ponavljanja) ne uvozi se."),
        (12, "Povijest (12 ponavljanja ukupno) ne uvozi se."),
        (21, "Povijest (21 ponavljanje) ne uvozi se."),
    ],
)
def test_a_number_chooses_the_form_of_the_readers_language(croatian, count, sentence):
    kept = packed(
        messages(
            "The learning history ({count} review) is not imported.",
            "The learning history ({count} reviews) is not imported.",
            count,
        )
    )
    with translation.override("hr"):
        assert said(kept) == sentence


@pytest.mark.parametrize(
    ("language", "shown"), [("en", "100,000"), ("hr", "100.000"), ("pl", "100\xa0000")]
)
def test_a_large_number_is_grouped_as_in_the_readers_language(language, shown):
    with translation.override(language):
        assert said(message("{most} rows", most=100_000)) == f"{shown} rows"


def test_a_sentence_that_was_kept_before_there_were_plurals_is_still_read():
    kept = '{"template": "{count} of {all}", "values": {"count": 1, "all": 3}}'
    assert said(kept) == "1 of 3"


@pytest.mark.parametrize("text", ["", "Plain.", '{"template": broken', '{"template": 1}', "{x} y"])
def test_what_is_no_kept_sentence_is_shown_as_it_is(text):
    assert said(text) == text


def test_a_list_that_is_too_small_is_told_in_the_readers_language(croatian, make_puzzle, teacher):
    words = list_services.create_list(
        owner=teacher,
        title="Small",
        language="en",
        translation_languages=["hr"],
        rows=rows({"tree": "drvo", "ox": "vol", "up": "gore"}),
    )
    puzzle = make_puzzle("finder", vocabulary_list=words)
    assert (puzzle.state, puzzle.offer) == ("failed", 1)
    with translation.override("hr"):
        shown = said(puzzle.reason)
    assert shown.startswith("Samo 1 od 10. Izostavljeno: ")
    assert "(manje od 3 slova)" in shown
    assert "“ox”" in shown


def test_a_word_that_was_passed_over_is_told_in_the_readers_language(
    croatian, make_puzzle, teacher, sign_in
):
    words = list_services.create_list(
        owner=teacher,
        title="Small",
        language="en",
        translation_languages=["hr"],
        rows=rows({"ox": "vol", "tree": "drvo"}),
    )
    passed_over = [
        one
        for seed in range(8)
        for one in make_puzzle("finder", seed, vocabulary_list=words, words=1).unplaced
    ]
    assert passed_over
    with translation.override("hr"):
        assert {said(one["reason"]) for one in passed_over} == {"Treba 3 slova, a ima 2."}
    code = puzzles.Puzzle.objects.exclude(unplaced=[]).first().code
    page = sign_in(teacher).get(f"/puzzles/{code}/", headers={"Accept-Language": "hr"})
    assert "Treba 3 slova, a ima 2." in page.text
    answer = sign_in(teacher).get(f"/api/puzzles/{code}/", headers={"Accept-Language": "hr"})
    assert answer.json()["unplaced"] == [{"word": "ox", "reason": "Treba 3 slova, a ima 2."}]


def test_why_a_word_is_not_spoken_is_told_in_the_readers_language(
    croatian, animals, sign_in, teacher
):
    from osmosmjerka.jobs import ledger
    from osmosmjerka.jobs.models import Job

    list_services.write_rows(vocabulary_list=animals, rows=rows({"猫": "cat"}))
    for job in Job.objects.filter(kind=sounds.RENDER):
        ledger.run_job(str(job.pk))
    silent = Pronunciation.objects.filter(text="猫").first()
    with translation.override("hr"):
        assert said(silent.reason) == "Glas ne čita „猫” (猫)."
    entry = animals.entries.get(term="猫")
    page = sign_in(teacher).get(f"/entries/{entry.pk}/sound/", headers={"Accept-Language": "hr"})
    assert "Glas ne čita „猫” (猫)." in page.text


def test_a_number_in_a_sentence_has_the_comma_of_the_readers_language():
    kept = packed(message("{size} MB", size=5.5))
    with translation.override("de"):
        assert said(kept) == "5,5 MB"
    with translation.override("en"):
        assert said(kept) == "5.5 MB"


def test_why_a_file_cannot_be_written_is_told_in_the_readers_language(
    croatian, make_puzzle, teacher, sign_in
):
    puzzle = make_puzzle()
    puzzle.grid[0][0] = "𒀭"
    puzzle.save()
    path = f"/puzzles/{puzzle.code}/download/pdf/"
    page = sign_in(teacher).get(path, follow=True, headers={"Accept-Language": "hr"})
    assert "Fontovi nemaju: 𒀭." in page.text


def test_what_the_api_refuses_is_told_in_the_readers_language(croatian, animals, teacher, sign_in):
    client, path = sign_in(teacher), f"/api/lists/{animals.pk}/import/"
    croatian_reader = {"Accept-Language": "hr"}
    answer = client.post(path, {}, headers=croatian_reader)
    assert answer.json()["detail"] == "Pošalji datoteku ili tekst."
    answer = client.post(path, "{", "application/json", headers=croatian_reader)
    assert answer.json()["detail"].startswith("To nije JSON (1, 2)")
