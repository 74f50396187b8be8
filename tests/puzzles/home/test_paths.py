"""The path of a list: see, hear and type its words, with stars that nobody loses."""

from datetime import UTC, datetime, timedelta

import pytest

from puzzles.home.paths import Played, Star, path_of, stars_of
from tests.puzzles.practice.test_practice import find_all

MONDAY = datetime(2026, 9, 7, 10, tzinfo=UTC)
WEEK = timedelta(days=7)
EARLY = MONDAY - WEEK


def test_without_a_game_there_is_no_star():
    assert stars_of([], {1: EARLY}, {}) == set()


def test_a_game_without_help_is_a_star_and_one_with_help_is_none():
    assert stars_of([Played(MONDAY, False)], {1: EARLY, 2: EARLY}, {1: MONDAY}) == set()
    earned = stars_of([Played(MONDAY, True)], {1: EARLY, 2: EARLY}, {1: MONDAY})
    assert earned == {Star.UNAIDED}


def test_all_words_may_be_found_in_several_games():
    games = [Played(MONDAY, False), Played(MONDAY + timedelta(days=1), False)]
    found = {1: MONDAY, 2: MONDAY + timedelta(days=1)}
    assert stars_of(games, {1: EARLY, 2: EARLY}, found) == {Star.ALL_WORDS}


def test_a_word_that_is_added_later_takes_no_star_away():
    words = {1: EARLY, 2: MONDAY + timedelta(days=2)}
    games = [Played(MONDAY, False), Played(MONDAY + timedelta(days=3), False)]
    assert stars_of(games, words, {1: MONDAY}) == {Star.ALL_WORDS}


@pytest.mark.parametrize(
    ("days", "is_unaided", "is_star"), [(6, True, False), (7, True, True), (9, False, False)]
)
def test_a_week_after_the_first_game_one_without_help_is_a_star(days, is_unaided, is_star):
    games = [Played(MONDAY, False), Played(MONDAY + timedelta(days=days), is_unaided)]
    assert (Star.AFTER_A_WEEK in stars_of(games, {1: EARLY}, {})) is is_star


@pytest.mark.django_db
def test_a_beginner_sees_first_then_hears_and_types(
    make_puzzle, animals, student, django_assert_num_queries
):
    def path():
        return [
            (step.kind.slug, len(step.stars), step.is_next) for step in path_of(student, animals)
        ]

    assert path() == [("word-search", 0, True), ("finder", 0, False), ("crossword", 0, False)]
    find_all(make_puzzle(words=animals.entries.count()), student)
    with django_assert_num_queries(4):
        assert path() == [("word-search", 2, False), ("finder", 0, True), ("crossword", 0, False)]
