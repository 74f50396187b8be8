"""The strong words that are shipped: which they are, and where they apply."""

import pytest

from tests.conftest import rows
from tests.puzzles.generators.test_finder import eight_directions
from vocab.blocking.strong import strong_languages, strong_words
from vocab.entries.selectors import blocked_words, fitness_of
from vocab.lists.services import create_list
from vocab.models import BlockedWord, VocabularyList
from vocab.text import tiles

MEASURED = {"en", "ar", "fr", "hr", "de", "es", "ru", "pl"}


def test_the_languages_of_most_classes_have_a_list():
    assert MEASURED | {"it", "pt", "nl", "tr", "uk", "cs", "sr"} <= set(strong_languages())


@pytest.mark.parametrize("language", strong_languages())
def test_a_list_has_20_to_30_whole_words_for_each_script(language):
    words = [one.word for one in strong_words(language)]
    scripts = 2 if language == "sr" else 1
    assert 20 * scripts <= len(words) <= 30 * scripts
    assert len({*words}) == len(words)
    assert [word for word in words if len(tiles(word, language)) < 2 or " " in word] == []


@pytest.mark.parametrize(
    ("language", "word"),
    [("en", "cunt"), ("de-CH", "fotze"), ("sr-Latn", "kurac"), ("sr", "курац"), ("pt-BR", "porra")],
)
def test_words_are_blocked_by_the_language_of_the_list(language, word):
    assert word in {one.word for one in strong_words(language)}


@pytest.mark.parametrize("language", ["eo", "zh", "und", "haw"])
def test_other_languages_have_none(language):
    assert strong_words(language) == ()


@pytest.mark.django_db
def test_a_school_switches_the_strong_words_off_and_keeps_its_own(teacher, school, other_school):
    BlockedWord.objects.create(school=school, word="gavran")
    own = VocabularyList(language="hr", school=school)
    assert {"gavran", "kurac"} <= {one.word for one in blocked_words(own)}
    school.blocks_strong_words = False
    school.save()
    assert {one.word for one in blocked_words(own)} == {"gavran"}
    for others in (
        VocabularyList(language="hr"),
        VocabularyList(language="hr", school=other_school),
    ):
        words = {one.word for one in blocked_words(others)}
        assert "kurac" in words
        assert "gavran" not in words


@pytest.mark.django_db
def test_a_strong_word_of_a_list_is_remarked_on_like_a_blocked_one(teacher, school):
    made = create_list(
        owner=teacher,
        title="x",
        language="en",
        translation_languages=["hr"],
        rows=rows({"shit": "x", "shitake": "y", "mushroom": "z"}),
    )
    entries = list(made.entries.all())

    def remarked():
        found = fitness_of(made, entries)
        return [e.term for e in entries if "blocked" in {f.reason for f in found.get(e.pk, ())}]

    assert remarked() == ["shit"]
    made.school.blocks_strong_words = False
    assert remarked() == []


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["finder", "word-search"])
def test_a_puzzle_of_the_school_shows_no_strong_word_unless_they_are_switched_off(
    make_puzzle, school, monkeypatch, kind
):
    # Common pairs of letters stand for strong words, which chance spells less often.
    common = tuple(BlockedWord(word=word, key=word) for word in ("ts", "io", "dt", "mt"))
    monkeypatch.setattr("vocab.entries.selectors.strong_words", lambda language: common)
    wanted = {one.word.upper() for one in common}

    def read_in(puzzle):
        return {word for word in wanted for line in eight_directions(puzzle.grid) if word in line}

    assert not any(read_in(make_puzzle(kind, seed=seed)) for seed in range(4))
    school.blocks_strong_words = False
    school.save()
    assert any(read_in(make_puzzle(kind, seed=seed)) for seed in range(4))
