"""Answers of several words, whose clue is with the first."""

from __future__ import annotations

import json

import pytest

from puzzles.imports.readers import ReadPuzzle, read
from tests.puzzles.imports.files import (
    ACROSS,
    CLUE_8,
    DOWN,
    compiler,
    ipuz,
    refusal,
    with_first,
    words_of,
)


def linked(**clue):
    """Return a file whose first answer goes on at 3 across, which has no clue of its own."""
    first = {"number": 1, "clue": "Big birds", "enumeration": "2,3"} | clue
    return ipuz(clues={"Across": [first, ACROSS[2]], "Down": DOWN})


@pytest.mark.parametrize(
    "clue",
    [
        {"continued": [{"direction": "Across", "number": "3"}]},
        {"continued": [{"direction": "across", "number": 3}], "label": "1,3"},
        {"continued": [["Across", 3]]},
        {"continued": [{"direction": "Across:Waagerecht", "number": "3"}]},
        {"continued": "3a"},
        {"numbers": [1, 3]},
        {"number": None, "numbers": ["1", "3"]},
        {"number": "1,3"},
        {"number": "1/3a"},
        {"number": "1 & 3 Across"},
        {"number": None, "label": "1a+3a", "enumeration": "2 3"},
        {"number": "1,3", "clue": "Big birds (2,3)", "enumeration": None},
    ],
)
def test_an_answer_that_goes_on_elsewhere_keeps_all_its_words(clue):
    found = read(linked(**clue))

    assert words_of(found) == words_of(read(ipuz())) | {
        (1, "across"): ("AT", "Big birds (2,3)"),
        (3, "across"): ("MoA", "See 1 across"),
    }
    assert found.grid == read(ipuz()).grid
    assert not any("left out" in loss for loss in found.losses[1:])
    assert ReadPuzzle.from_json(json.loads(json.dumps(found.as_json()))) == found


def test_an_answer_may_go_on_in_the_other_direction_and_more_than_once():
    for number in ("1,2,4", "1,2d,4d"):
        first = {"number": number, "clue": "Three"}
        found = words_of(read(ipuz(clues={"Across": [first, *ACROSS[1:]], "Down": DOWN[:1]})))
        assert found[2, "down"] == ("ToO", "See 1 across"), number
        assert found[4, "down"] == ("AN", "See 1 across"), number


@pytest.mark.parametrize("see", [1, "1", "1 across", "1a"])
def test_a_word_that_refers_to_another_asks_to_see_it(see):
    clues = {"Across": [ACROSS[0], {"number": 3, "see": see}, ACROSS[2]], "Down": DOWN}

    assert words_of(read(ipuz(clues=clues)))[3, "across"] == ("MoA", "See 1 across")


def test_the_number_to_see_is_that_of_the_word_if_words_are_counted_again():
    squares = [[7, 8, "#"], [9, 0, 4], [None, 5, 0]]
    first = {"number": 7, "clue": "x", "continued": [{"direction": "Across", "number": 9}]}
    other = {"number": None, "clue": "y", "cells": [[1, 2], [2, 2]]}

    found = words_of(read(ipuz(puzzle=squares, clues={"Across": [first, other]})))

    assert found[1, "across"] == ("AT", "x")
    assert found[3, "across"] == ("MoA", "See 1 across")


def test_a_word_that_an_answer_goes_on_with_keeps_a_clue_of_its_own():
    found = words_of(read(with_first({"number": 1, "clue": "x", "continued": [{"number": 3}]})))

    assert found[3, "across"] == ("MoA", "Extinct <bird>")


WORD_7, CLUE_7 = '<word id="7" x="1-3" y="1"/>', 'word="7" number="1" format="3"'
BOTH = {WORD_7: WORD_7[:-2] + '><cells x="2" y="1-2"/></word>'}
WORD_8 = '<word id="8"><cells x="2" y="1"/><cells x="2" y="2"/></word>'


@pytest.mark.parametrize(
    "swapped",
    [
        {CLUE_8: CLUE_8.replace(">By", ' is-link="1">See 1')},
        {CLUE_8: CLUE_8.replace(">By", ">-")},
        {CLUE_8: ""},
        {CLUE_8: "", WORD_8: ""},
        {CLUE_8: "", CLUE_7: 'word="7" number="1/2d" format="3 2"'},
    ],
)
def test_an_answer_of_crossword_compiler_that_goes_on_elsewhere_keeps_all_its_words(swapped):
    numbered = {CLUE_7: 'word="7" number="1,2" format="3,2"'}
    found = read(compiler(**BOTH | numbered | swapped))

    assert words_of(found) == {
        (1, "across"): ("CAT", "A pet (3,2)"),
        (2, "down"): ("AT", "See 1 across"),
    }
    assert found.grid == read(compiler()).grid


def test_an_answer_of_crossword_compiler_may_only_name_where_it_goes_on():
    """Its word has the cells of the first place alone."""
    named = {CLUE_7: 'word="7" number="1,2" format="3,2"', CLUE_8: ""}

    assert words_of(read(compiler(**named))) == {
        (1, "across"): ("CAT", "A pet (3,2)"),
        (2, "down"): ("AT", "See 1 across"),
    }


@pytest.mark.parametrize("more", ['x="2" y="2"', 'x="1-2" y="1"', 'x="3-1" y="1"'])
def test_a_word_of_crossword_compiler_that_goes_on_with_a_part_of_a_word_is_refused(more):
    bent = {WORD_7: f"{WORD_7[:-2]}><cells {more}/></word>", CLUE_7: 'word="7" number="1,2"'}
    assert "Word 1,2 is not in one row" in refusal(compiler(**bent))
