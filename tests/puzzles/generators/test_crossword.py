"""The crossword generator, checked by a verifier that shares no code with it."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.generators import crossword
from puzzles.generators.crossword import CrosswordError, Scoring, generate
from tests.puzzles.generators.verify_crossword import faults
from vocab.text import crossword_tiles, tiles

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
CLASSROOM = [
    "bread",
    "butter",
    "cheese",
    "apple",
    "orange",
    "carrot",
    "potato",
    "tomato",
    "onion",
    "pepper",
]
SCRIPTS = {
    "Latin": ["kuća", "šuma", "čaša", "žaba", "ključ", "ruka", "noga", "glava", "oko", "uho"],
    "Greek": ["νερό", "ψωμί", "σπίτι", "θάλασσα", "ήλιος", "δρόμος", "βιβλίο", "πόρτα"],
    "Cyrillic": ["вода", "хліб", "сонце", "книга", "дерево", "місто", "весна", "зима"],
    "Arabic": ["كتاب", "باب", "بيت", "مدرسة", "مكتب", "سلام", "كلب", "سماء", "مكتبة"],
    "Hebrew": ["שלום", "בית", "ספר", "ילד", "מים", "שמש", "לחם", "ארץ"],
    "Japanese": ["さくら", "すし", "かさ", "さかな", "なつ", "つき", "きつね", "くるま"],
}


@pytest.fixture(scope="module", autouse=True)
def compiled():
    crossword.warm_up()


def drawn(puzzle):
    return ["".join(tile or "." for tile in row) for row in puzzle.grid]


def test_a_classroom_list_is_placed_whole_and_connected():
    puzzle = generate(CLASSROOM, rng=Random(1))
    assert faults(puzzle, CLASSROOM, tiles) == []
    assert puzzle.unplaced == ()


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_makes_a_crossword_without_fault(script):
    words = SCRIPTS[script]
    puzzle = generate(words, rng=Random(5))
    assert faults(puzzle, words, crossword_tiles) == []
    assert len(puzzle.placements) >= 5


def test_a_final_letter_of_hebrew_crosses_its_ordinary_form_and_looks_like_it():
    words = ["קום", "מלח"]
    puzzle = generate(words, language="he", rng=Random(1))
    assert len(puzzle.placements) == 2
    assert sorted(tile for row in puzzle.grid for tile in row if tile) == sorted("קומלח")
    ((row, col),) = puzzle.crossings
    assert puzzle.grid[row][col] == "מ"


def test_the_same_seed_makes_the_same_crossword_and_another_seed_another():
    first, again = (generate(CLASSROOM, rng=Random(7)) for _ in range(2))
    assert first == again
    others = [drawn(generate(CLASSROOM, rng=Random(seed))) for seed in range(8, 13)]
    assert any(other != drawn(first) for other in others)  # some seeds may find the same best


@settings(max_examples=60, deadline=None)
@given(
    words=st.lists(st.text("abcdeč", min_size=0, max_size=6), min_size=1, max_size=14),
    size=st.tuples(*[st.none() | st.integers(2, 9)] * 2),
    wishes=st.fixed_dictionaries({"touching": st.booleans(), "symmetric": st.booleans()}),
    seed=st.integers(0, 2**32),
)
def test_whatever_the_list_and_the_wishes_the_grid_has_no_fault(words, size, wishes, seed):
    rows, cols = size
    try:
        puzzle = generate(words, rows=rows, cols=cols, rng=Random(seed), **wishes)
    except CrosswordError as error:
        longest = max(size) if None not in size else 9
        assert wishes["symmetric"] or not [w for w in words if 1 < len(w) <= longest]
        assert str(error)
    else:
        assert faults(puzzle, words, tiles, size=size, **wishes) == []


def test_a_clump_of_two_by_two_is_found_though_no_word_can_go_first():
    words = ["ab", "cd", "ac", "bd"]
    puzzle = generate(words, rows=2, cols=2, rng=Random(1))
    assert sorted(drawn(puzzle)) in (["ab", "cd"], ["ac", "bd"]) or puzzle.unplaced == ()
    assert faults(puzzle, words, tiles) == []
    assert len(puzzle.crossings) == 4


def test_words_that_may_not_touch_make_no_clump():
    puzzle = generate(["ab", "cd", "ac", "bd"], rows=2, cols=2, touching=False, rng=Random(1))
    assert len(puzzle.placements) < 4


def test_five_words_make_a_clump_of_six_letters():
    words = ["abc", "def", "ad", "be", "cf"]
    puzzle = generate(words, rows=3, cols=3, rng=Random(1))
    assert faults(puzzle, words, tiles) == []
    assert len(puzzle.placements) == 5
    assert len(puzzle.crossings) == 6


def test_zero_to_ten_fit_into_eight_by_eight():
    # About half of the seeds find it by their fixed effort.
    puzzle = generate(NUMBERS, rows=8, cols=8, rng=Random(1))
    assert faults(puzzle, NUMBERS, tiles) == []
    assert puzzle.unplaced == ()


def test_zero_to_ten_do_not_fit_into_seven_by_seven_and_the_search_says_so():
    puzzle = generate(NUMBERS, rows=7, cols=7, rng=Random(1))
    assert faults(puzzle, NUMBERS, tiles) == []
    assert all("No place was found" in left.reason for left in puzzle.unplaced)
    assert puzzle.unplaced


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        ("", "no letters"),
        ("x", "only one letter"),
        ("Apple", "twice"),
        ("abcdefghijkl", "room for only 9"),
        ("qqq", "shares no letters with the other words"),
    ],
)
def test_a_word_that_cannot_be_placed_is_named_with_its_reason(odd, reason):
    puzzle = generate(["apple", "plea", "leap", odd], rows=9, cols=9, rng=Random(1))
    assert [left.word for left in puzzle.unplaced] == [odd]
    assert reason in puzzle.unplaced[0].reason


@pytest.mark.parametrize(
    ("words", "arguments", "message"),
    [
        ([], {}, "list is empty"),
        (["", "x"], {}, "“x”: It has only one letter"),
        (["cat"], {"rows": 1}, "2 to 200 rows, not 1"),
        (["cat"], {"seconds": 0}, "more than 0 seconds"),
        (["cat"], {"symmetric": True, "rows": 4, "cols": 6}, "odd number of rows or columns"),
        (["cat"], {"pinned": ["dog"]}, "“dog” must be included but is not in the list"),
        (["cat"], {"pinned": ["cat"], "banned": ["cat"]}, "“cat” is both included and excluded"),
        (["cat", 5], {}, "not 5"),
        (["cat"], {"objective": "x"}, "not 'x'"),
        (["cat"], {"beam_width": 0}, "beam width must be at least 1, not 0"),
        ("cat", {}, "not the text “cat”"),
        (["cat"], {"pinned": [None]}, "not None"),
        (["cat"], {"rows": "9"}, "2 to 200 rows, not '9'"),
        (["cat"], {"cols": 4.5}, "2 to 200 columns, not 4.5"),
        (["cat"], {"seconds": "1"}, "more than 0 seconds, not '1'"),
        (["cat"], {"threads": 0}, "at least 1 thread, not 0"),
        (["cat"], {"rows": 4, "cols": 4, "walls": [(-1, 0)]}, r"blocked square \(-1, 0\) is not a"),
        (["cat"], {"walls": [(0, 0)]}, "Blocked squares need a fixed number"),
        (["cat"], {"islands": True, "symmetric": True}, "several parts cannot be symmetrical"),
        (["cat"], {"rows": 4, "symmetric": True}, "The 1 word does not fit"),
        (
            ["cat"],
            {"rows": 3, "cols": 3, "walls": [(i, i) for i in range(3)]},
            "The 1 word does not fit",
        ),
    ],
)
def test_an_error_names_the_word_or_the_argument(words, arguments, message):
    with pytest.raises(CrosswordError, match=message):
        generate(words, rng=Random(1), **arguments)


def test_a_word_of_more_than_sixty_letters_is_left_out_with_the_reason():
    words = ["ab" * 30, "ba" * 30 + "b", "bat"]
    puzzle = generate(words, rng=Random(1))
    assert {placement.word for placement in puzzle.placements} == {words[0], "bat"}
    assert puzzle.unplaced[0].word == words[1]
    assert "61 letters; a word can have at most 60" in puzzle.unplaced[0].reason


@pytest.mark.parametrize(("digraphs", "cells"), [(True, 5), (False, 7)])
def test_digraphs_are_one_square_or_two_as_the_list_wants(digraphs, cells):
    words = ["ljiljan", "nos"]
    puzzle = generate(words, language="hr", digraphs=digraphs, rng=Random(1))
    assert {p.word: len(p.cells) for p in puzzle.placements}["ljiljan"] == cells


def test_an_included_word_is_in_and_an_excluded_word_is_out():
    words = ["cat", "tea", "eat", "act", "mississippi"]
    puzzle = generate(
        [*words, "satin"], rows=11, cols=3, pinned=["mississippi"], banned=["tea"], rng=Random(1)
    )
    placed = {placement.word for placement in puzzle.placements}
    assert "mississippi" in placed
    assert "tea" not in placed
    assert {left.word: left.reason for left in puzzle.unplaced}["tea"].startswith("It is excluded")


def test_a_symmetric_crossword_looks_the_same_after_half_a_turn():
    puzzle = generate(CLASSROOM, symmetric=True, rng=Random(1))
    assert faults(puzzle, CLASSROOM, tiles, symmetric=True) == []
    assert len(puzzle.placements) >= 6
    used = [[tile is not None for tile in row] for row in puzzle.grid]
    assert used == [row[::-1] for row in used[::-1]]
    free = generate(CLASSROOM, rng=Random(1))
    used = [[tile is not None for tile in row] for row in free.grid]
    assert used != [row[::-1] for row in used[::-1]]


@pytest.mark.parametrize(
    ("words", "size", "most"),
    [
        (["cats", "tone"], (None, None), 1),  # no word has a middle letter
        (["cats", "stone", "nets", "east", "seat", "toes"], (None, 4), 3),
        (["cats", "stone", "nets", "east", "seat", "toes"], (4, None), 3),
    ],
)
def test_a_free_side_of_a_symmetric_crossword_is_as_its_words_need(words, size, most):
    puzzle = generate(words, rows=size[0], cols=size[1], symmetric=True, rng=Random(1))
    assert faults(puzzle, words, tiles, size=size, symmetric=True) == []
    assert len(puzzle.placements) >= most


@pytest.mark.timeout(60)  # a second; by the square of the words it would be minutes
def test_thousands_of_words_are_sorted_at_once():
    random = Random(1)
    words = ["".join(random.choices("abcdefgh", k=random.randint(4, 9))) for _ in range(5000)]
    puzzle = generate(words, rows=15, cols=15, rng=Random(1), should_stop=lambda: True)
    assert puzzle.placements


def test_a_beam_fills_a_grid_densely_and_the_same_again():
    words = [a + b + c for a in "abcd" for b in "aeio" for c in "bdnst"]
    first, again = (generate(words, rows=7, cols=7, beam_width=60, rng=Random(2)) for _ in range(2))
    assert faults(first, words, tiles) == []
    assert first == again
    assert len(first.placements) >= 13


def test_walls_stay_empty():
    walls = [(r, c) for r in range(6) for c in range(6) if (r in (0, 5)) and c in (0, 5)]
    puzzle = generate(CLASSROOM, rows=6, cols=6, walls=walls, rng=Random(1))
    assert faults(puzzle, CLASSROOM, tiles) == []
    assert all(puzzle.grid[row][col] is None for row, col in walls)


def test_each_better_crossword_is_told_and_is_without_fault():
    told = []
    final = generate(NUMBERS, rows=8, cols=8, rng=Random(3), on_better=told.append)
    assert told
    assert all(faults(puzzle, NUMBERS, tiles) == [] for puzzle in told)
    counts = [len(puzzle.placements) for puzzle in told]
    assert counts == sorted(counts)
    assert len(final.placements) == counts[-1]


def test_a_search_that_is_stopped_gives_its_best_so_far():
    asked = []
    puzzle = generate(
        CLASSROOM,
        rng=Random(1),
        seconds=60,
        should_stop=lambda: asked.append(1) or len(asked) > 3,
    )
    assert len(asked) < 10
    assert faults(puzzle, CLASSROOM, tiles) == []


def test_a_search_goes_on_from_what_was_found_before():
    before = generate(NUMBERS, rows=8, cols=8, rng=Random(1))
    after = generate(
        NUMBERS, rows=8, cols=8, rng=Random(2), start_from=before, should_stop=lambda: True
    )
    assert len(after.placements) >= len(before.placements)
    with pytest.raises(CrosswordError, match="to continue from"):
        generate(CLASSROOM, rows=8, cols=8, rng=Random(2), start_from=before)


TWO_FAMILIES = ["cat", "tea", "eat", "dog", "god", "go", "fuzz", "x"]


def test_words_that_share_no_letter_form_islands_that_do_not_touch():
    puzzle = generate(TWO_FAMILIES, islands=True, rng=Random(1))
    assert faults(puzzle, TWO_FAMILIES, tiles, islands=True) == []
    assert [left.word for left in puzzle.unplaced] == ["x"]
    assert "only one letter" in puzzle.unplaced[0].reason
    connected = generate(TWO_FAMILIES, rng=Random(1))
    assert len(connected.placements) == 3


def test_how_many_islands_there_will_be_is_known_beforehand():
    found = crossword.families(TWO_FAMILIES)
    assert [sorted(family) for family in found] == [
        ["cat", "eat", "tea"],
        ["dog", "go", "god"],
        ["fuzz"],
    ]


def test_one_family_makes_one_island():
    puzzle = generate(CLASSROOM, islands=True, rng=Random(1))
    assert faults(puzzle, CLASSROOM, tiles) == []
    assert puzzle.unplaced == ()


@settings(max_examples=60, deadline=None)
@given(
    words=st.lists(st.text("abcdefgh", min_size=0, max_size=4), min_size=1, max_size=14),
    size=st.tuples(*[st.none() | st.integers(2, 9)] * 2),
    seed=st.integers(0, 2**32),
)
def test_whatever_the_words_and_the_size_islands_have_no_fault(words, size, seed):
    rows, cols = size
    try:
        puzzle = generate(words, rows=rows, cols=cols, islands=True, rng=Random(seed))
    except CrosswordError as error:
        longest = max(size) if None not in size else 9
        assert not [word for word in words if 1 < len(word) <= longest]
        assert str(error)
    else:
        assert faults(puzzle, words, tiles, size=size, islands=True) == []
        again = generate(words, rows=rows, cols=cols, islands=True, rng=Random(seed))
        assert again == puzzle


def test_islands_for_which_a_board_has_no_room_are_left_out_with_the_reason():
    words = ["ab", "cd", "ef", "gh"]
    puzzle = generate(words, rows=3, cols=3, islands=True, pinned=["gh"], rng=Random(1))
    assert faults(puzzle, words, tiles, size=(3, 3), islands=True) == []
    assert {placement.word for placement in puzzle.placements} == {"gh", "ab"}
    assert all("No place was found" in left.reason for left in puzzle.unplaced)


def test_a_search_for_islands_goes_on_from_what_was_found_before():
    words = [*CLASSROOM, "xyz", "zyx"]
    before = generate(words, islands=True, rng=Random(1))
    after = generate(
        words, islands=True, start_from=before, should_stop=lambda: True, rng=Random(2)
    )
    assert faults(after, words, tiles, islands=True) == []
    assert len(after.placements) >= len(before.placements)
    assert len(after.crossings) >= len(before.crossings)
    with pytest.raises(CrosswordError, match="to continue from"):
        generate(["xyz"], islands=True, start_from=before, rng=Random(2))


def test_each_island_is_told_as_it_is_finished():
    told = []
    final = generate(TWO_FAMILIES, islands=True, rng=Random(3), on_better=told.append)
    assert [len(puzzle.placements) for puzzle in told] == [3, 6, 7]
    assert told[-1] == final
    assert all(faults(puzzle, TWO_FAMILIES, tiles, islands=True) == [] for puzzle in told)


def test_points_decide_where_points_are_the_objective():
    # By words the three short ones win; by points the two that share a Z.
    scoring = Scoring(word=1, crossing={"Z": 50})
    words = ["zoo", "zip", "oil", "pal", "nil", "lap"]
    puzzle = generate(words, rows=3, cols=3, objective=scoring, rng=Random(1))
    assert faults(puzzle, words, tiles) == []
    assert "Z" in {puzzle.grid[row][col] for row, col in puzzle.crossings}
    assert puzzle.points(scoring) >= 52


def test_whoever_needs_only_the_shapes_does_not_load_the_compiler():
    code = "import sys, puzzles.generators.crossword; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_example_in_the_module_is_true():
    import doctest

    assert doctest.testmod(crossword).failed == 0


MESH = ["abcdef", "ghijkl", "ag", "bh", "ci", "dj", "ek", "fl"]
SHORT_CHAINS = """
from random import Random
from puzzles.generators.crossword import board, plan
from puzzles.generators.crossword import generate
from tests.puzzles.generators.verify_crossword import faults
from vocab.text import tiles
board.DEEPEST = 2
plan.effort = lambda terms, is_free: 20
words = {words}
puzzle = generate(words, rows=6, cols=6, rng=Random(1), threads=1)
assert faults(puzzle, words, tiles) == []
assert len(puzzle.placements) < len(words)
"""


def test_a_mesh_of_eight_words_in_two_rows_is_found():
    puzzle = generate(MESH, rows=2, cols=6, rng=Random(1))
    assert faults(puzzle, MESH, tiles) == []
    assert len(puzzle.crossings) == 12


def test_a_chain_of_duties_that_is_too_long_is_given_up_within_the_memory_set_aside():
    # Uncompiled, so that a write beyond an array is an error and no silent damage.
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    code = SHORT_CHAINS.format(words=MESH)
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


@pytest.mark.thorough
@pytest.mark.parametrize("script", SCRIPTS)
def test_thousands_of_random_lists_have_no_fault(script):
    letters = "".join(SCRIPTS[script])
    for seed in range(1700):
        random = Random(f"{script} {seed}")
        words = [
            "".join(random.choices(letters, k=random.randint(2, 7)))
            for _ in range(random.randint(2, 25))
        ]
        size = (random.randint(7, 12), random.randint(7, 12)) if seed % 2 else (None, None)
        touching = seed % 5 != 0
        puzzle = generate(words, rows=size[0], cols=size[1], touching=touching, rng=Random(seed))
        found = faults(puzzle, words, crossword_tiles, size=size, touching=touching)
        assert found == [], (script, seed)
