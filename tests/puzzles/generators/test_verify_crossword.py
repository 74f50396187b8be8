"""The verifier of crosswords is a protection: each rule is broken here, and it must say so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from puzzles.generators.crossword import Crossword, PlacedWord, Unplaced
from tests.puzzles.generators.verify_crossword import faults

WORDS = ["cat", "tea", "eat", "dog"]


def placed(word, cells, number, direction):
    return PlacedWord(word, tuple(cells), number, direction)


def across(row, col, size):
    return [(row, col + i) for i in range(size)]


def down(row, col, size):
    return [(row + i, col) for i in range(size)]


GOOD = Crossword(
    grid=(
        ("C", "A", "T", None, None),
        (None, None, "E", "A", "T"),
        (None, None, "A", None, None),
    ),
    placements=(
        placed("cat", across(0, 0, 3), 1, "across"),
        placed("tea", down(0, 2, 3), 2, "down"),
        placed("eat", across(1, 2, 3), 3, "across"),
    ),
    unplaced=(Unplaced("dog", "No place."),),
)


def told(puzzle, words=WORDS, **wishes):
    return " / ".join(faults(puzzle, words, cut=str.upper, **wishes))


def moved(puzzle, index, **changes):
    words = list(puzzle.placements)
    words[index] = replace(words[index], **changes)
    return replace(puzzle, placements=tuple(words))


def with_letter(puzzle, row, col, tile):
    grid = [list(line) for line in puzzle.grid]
    grid[row][col] = tile
    return replace(puzzle, grid=tuple(map(tuple, grid)))


def test_a_right_crossword_has_no_fault():
    assert told(GOOD) == ""


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (with_letter(GOOD, 0, 1, "O"), "cat is spelled"),
        (with_letter(GOOD, 2, 0, "X"), "2 pieces"),
        (with_letter(GOOD, 2, 3, "X"), "runs and words differ"),  # “AX” and “AX” down
        (with_letter(GOOD, 0, 3, "S"), "runs and words differ"),  # “cats”
        (with_letter(GOOD, 2, 2, None), "tea is spelled"),
        (replace(GOOD, grid=(GOOD.grid[0][:-1], *GOOD.grid[1:])), "rows differ in length"),
        (replace(GOOD, placements=GOOD.placements[:2]), "runs and words differ"),
        (replace(GOOD, unplaced=()), "not every word is accounted for"),
        (replace(GOOD, unplaced=(Unplaced("dog", " "),)), "without a reason"),
        (replace(GOOD, unplaced=(*GOOD.unplaced, Unplaced("cat", "x"))), "accounted for"),
        (replace(GOOD, placements=(*GOOD.placements, GOOD.placements[0])), "lies on another"),
        (moved(GOOD, 0, word="cow"), "cow is not in the list"),
        (moved(GOOD, 0, direction="down"), "does not run down"),
        (moved(GOOD, 2, number=2), "has number 2, not 3"),
        (moved(GOOD, 1, number=1), "has number 1, not 2"),
        (moved(GOOD, 0, cells=((0, 0), (0, 1))), "cat is spelled"),
        (replace(GOOD, placements=GOOD.placements[::-1]), "order of their numbers"),
    ],
)
def test_a_broken_crossword_is_found_out(broken, fault):
    assert fault in told(broken)


def test_a_word_that_is_used_twice_is_found_out():
    twice = Crossword(
        grid=(("A", "B"), ("B", None)),
        placements=(
            placed("ab", across(0, 0, 2), 1, "across"),
            placed("AB", down(0, 0, 2), 1, "down"),
        ),
        unplaced=(),
    )
    assert "used twice" in told(twice, ["ab", "AB"])


@pytest.mark.parametrize(
    ("wishes", "fault"),
    [
        ({"size": (3, 4)}, "5 columns, not 4"),
        ({"size": (4, None)}, "3 rows, not 4"),
        ({"walls": [(0, 0)]}, "on the wall (0, 0)"),
        ({"symmetric": True}, "half a turn"),
        ({"banned": ["Tea"]}, "tea is banned"),
    ],
)
def test_a_wish_that_was_not_kept_to_is_found_out(wishes, fault):
    assert fault in told(GOOD, **wishes)


def test_wishes_that_were_kept_to_are_no_fault():
    assert told(GOOD, size=(3, 5), walls=[(2, 0)], banned=["dog"], touching=False) == ""


def test_islands_may_be_apart_but_not_touch_at_a_corner():
    words = ["ab", "cd"]
    apart = Crossword(
        grid=(("A", "B", None, None), (None,) * 4, (None, None, "C", "D")),
        placements=(
            placed("ab", across(0, 0, 2), 1, "across"),
            placed("cd", across(2, 2, 2), 2, "across"),
        ),
        unplaced=(),
    )
    assert faults(apart, words, str.upper, islands=True) == []
    assert "2 pieces" in told(apart, words)
    corner = replace(apart, grid=(apart.grid[0], apart.grid[2]))
    corner = moved(corner, 1, cells=tuple(across(1, 2, 2)))
    assert "two islands meet" in " ".join(faults(corner, words, str.upper, islands=True))


def test_words_side_by_side_are_found_out_where_they_may_not_be():
    clump = Crossword(
        grid=(("A", "B"), ("C", "D")),
        placements=(
            placed("ab", across(0, 0, 2), 1, "across"),
            placed("ac", down(0, 0, 2), 1, "down"),
            placed("bd", down(0, 1, 2), 2, "down"),
            placed("cd", across(1, 0, 2), 3, "across"),
        ),
        unplaced=(),
    )
    words = ["ab", "cd", "ac", "bd"]
    assert told(clump, words) == ""
    assert "side by side" in told(clump, words, touching=False)
