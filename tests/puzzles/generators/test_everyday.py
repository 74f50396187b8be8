"""Everyday words of 26 languages, as schoolbooks write them, in every kind of puzzle."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from puzzles.generators import crossword, finder, word_search
from tests.puzzles.generators import verify_crossword, verify_finder, verify_word_search
from vocab.text import alphabet, crossword_tiles, fewest_tiles, tiles
from vocab.text.playing import playing_forms, rules_worth_having

DATA = Path(__file__).parents[2] / "data" / "everyday"


def words_of(path):
    """Return the words as they are played by the rules that suit them."""
    terms = [row.split("\t")[0] for row in path.read_text(encoding="utf-8").splitlines()]
    rules = rules_worth_having(terms, path.stem)
    return [playing_forms(term, path.stem, rules)[0] for term in terms]


LISTS = {path.stem: words_of(path) for path in sorted(DATA.glob("*.txt"))}
OF_SYLLABLES = ["am", "bn", "hi", "ja", "ko", "ta", "th", "zh"]


def cutting(language):
    return lambda word: tiles(word, language)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    crossword.warm_up()


def crossing(language):
    return lambda word: crossword_tiles(word, language)


def test_the_lists_are_of_26_languages_and_each_has_twenty_five_words():
    assert len(LISTS) == 26
    assert {len(set(words)) for words in LISTS.values()} == {25}


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
@pytest.mark.parametrize("language", LISTS)
def test_a_word_search_loses_at_most_one_of_them(language, difficulty):
    words = LISTS[language]
    for seed in range(3):
        puzzle = word_search.generate(
            words, language=language, difficulty=difficulty, effort="instant", rng=Random(seed)
        )
        assert len(puzzle.unplaced) <= 1
        assert verify_word_search.faults(puzzle, words, language=language) == []


@pytest.mark.parametrize("forwards_only", [True, False])
@pytest.mark.parametrize("difficulty", ["easy", "hard"])
@pytest.mark.parametrize("language", LISTS)
def test_listen_and_find_loses_at_most_one_of_them(language, difficulty, forwards_only):
    words = LISTS[language]
    asked = {"words": 24, "rows": 20, "cols": 16}
    asked |= {"difficulty": difficulty, "forwards_only": forwards_only}
    for seed in range(5):
        puzzle = finder.generate(words, language=language, rng=Random(seed), **asked)
        found = verify_finder.faults(
            puzzle,
            words,
            cutting(language),
            letters_of(words, language),
            shortest=fewest_tiles(tiles(words[0], language)),
            **asked,
        )
        assert found == []


def letters_of(words, language):
    """Return the letters to fill with, which for some scripts are those of the words alone."""
    return {*alphabet(language), *(tile for word in words for tile in tiles(word, language))}


@pytest.mark.parametrize("language", OF_SYLLABLES)
def test_a_crossword_of_islands_has_all_of_them_after_little_effort(language):
    words = LISTS[language]
    assert crossword.needs_islands(words, language=language)
    puzzle = crossword.generate(words, language=language, islands=True, rng=Random(1))
    assert verify_crossword.faults(puzzle, words, crossing(language), islands=True) == []
    assert puzzle.unplaced == ()


@pytest.mark.parametrize(("language", "most"), [("zh", 10), ("hi", 20), ("ko", 20)])
def test_without_islands_many_are_left_out(language, most):
    words = LISTS[language]
    puzzle = crossword.generate(words, language=language, rng=Random(1))
    assert verify_crossword.faults(puzzle, words, crossing(language)) == []
    assert len(puzzle.placements) < most


@pytest.mark.parametrize("language", sorted(LISTS.keys() - set(OF_SYLLABLES)))
def test_alphabets_and_scripts_of_consonants_need_no_islands(language):
    assert not crossword.needs_islands(LISTS[language], language=language)
    largest = crossword.families(LISTS[language], language=language)[0]
    assert len(largest) >= 24


@pytest.mark.parametrize("fill", ["even", "frequency", "own"])
@pytest.mark.parametrize("language", ["hi", "ko"])
def test_words_spelled_letter_by_letter_are_hidden_among_such_letters(language, fill):
    words = LISTS[language]
    options = {"language": language, "digraphs": False}
    puzzle = word_search.generate(
        words, size=15, fill=fill, effort="instant", rng=Random(1), **options
    )
    assert verify_word_search.faults(puzzle, words, **options) == []
    assert puzzle.unplaced == ()
    own = {tile for word in words for tile in tiles(word, language, digraphs=False)}
    filling = verify_word_search.filling(puzzle)
    assert set(filling) <= own | set(alphabet(language, digraphs=False))
    if fill == "even":
        assert len(set(filling) - own) > 3  # letters of the alphabet that no word has


@pytest.mark.parametrize("language", ["hi", "ko"])
def test_words_spelled_letter_by_letter_cross_without_islands(language):
    words = LISTS[language]
    puzzle = crossword.generate(words, language=language, digraphs=False, rng=Random(1))
    found = verify_crossword.faults(
        puzzle, words, lambda word: tiles(word, language, digraphs=False)
    )
    assert found == []
    assert puzzle.unplaced == ()
