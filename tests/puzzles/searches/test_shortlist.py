"""What a teacher chooses from: crosswords that differ, the best first."""

import json
from random import Random

import pytest

from puzzles.generators import crossword
from puzzles.generators.crossword import Crossword, PlacedWord
from puzzles.searches.shortlist import MOST, PASSED, Shortlist
from tests.conftest import ANIMALS


def made(seed, **options):
    return crossword.generate(list(ANIMALS), rng=Random(seed), language="hr", **options)


def without_last(found):
    """Return the crossword without the last of its words, as a search finds it on the way."""
    return Crossword(grid=found.grid, placements=found.placements[:-1], unplaced=())


def offer(shortlist, found, **options):
    return shortlist.offer(found, seconds=1, pinned=0, **options)


def chain(*words):
    """Return words one below the other; nothing crosses, only ranks matter."""
    placements = tuple(
        PlacedWord(word, tuple((2 * row, col) for col in range(len(word))), row + 1, "across")
        for row, word in enumerate(words)
    )
    return Crossword(grid=(), placements=placements, unplaced=())


def test_a_better_version_takes_the_place_of_the_one_that_it_resembles():
    shortlist, found = Shortlist(), made(1)
    assert offer(shortlist, without_last(found))
    assert offer(shortlist, found)
    assert [one.number for one in shortlist.best] == [2]
    assert not offer(shortlist, without_last(found)), "worse than what it resembles"


def test_what_was_pushed_out_can_be_taken_for_a_while():
    shortlist, found = Shortlist(), made(1)
    offer(shortlist, without_last(found))
    offer(shortlist, found)
    assert shortlist.find(1).crossword == without_last(found)
    assert shortlist.find(9) is None


def test_what_the_teacher_keeps_is_not_pushed_out():
    shortlist, found = Shortlist(), made(1)
    offer(shortlist, without_last(found))
    offer(shortlist, found, kept=[1])
    assert sorted(one.number for one in shortlist.best) == [1, 2]


def test_different_crosswords_stand_side_by_side_the_best_first_and_not_too_many():
    shortlist = Shortlist()
    for seed in range(2 * MOST + PASSED):
        offer(shortlist, made(seed))
    assert 3 <= len(shortlist.best) <= MOST
    assert len(shortlist.passed) <= PASSED
    ranks = [one.rank for one in shortlist.best]
    assert ranks == sorted(ranks, reverse=True)
    for one in shortlist.best:
        assert [other for other in shortlist.best if one.resembles(other)] == [one]


def test_a_beginning_leaves_the_list_when_a_whole_crossword_comes():
    shortlist, found = Shortlist(), made(1)
    beginning = Crossword(grid=found.grid, placements=found.placements[:3], unplaced=())
    offer(shortlist, beginning)
    offer(shortlist, found)
    assert [one.number for one in shortlist.best] == [2]


def test_words_that_must_be_in_come_before_all_else():
    shortlist = Shortlist()
    shortlist.offer(made(1), seconds=1, pinned=0)
    shortlist.offer(made(2, rows=9, cols=9), seconds=1, pinned=1)
    assert shortlist.best[0].pinned == 1


@pytest.mark.parametrize("kept", [(), (1,)])
def test_it_is_stored_as_json_and_comes_back_the_same(kept):
    shortlist = Shortlist()
    for seed in range(6):
        offer(shortlist, made(seed), kept=kept)
    stored = json.loads(json.dumps(shortlist.as_json()))
    assert Shortlist.from_json(stored) == shortlist
    assert Shortlist.from_json({}) == Shortlist()
