"""The word search generator, checked by a verifier that shares no code with it."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.generators import generate_grid, word_search
from puzzles.generators.errors import WordSearchError
from puzzles.generators.grid import Placement
from puzzles.generators.word_search import (
    ALL_DIRECTIONS,
    BEGINNER_DIRECTIONS,
    DOWN,
    FORWARD_DIRECTIONS,
    LEFT,
    RIGHT,
    UP,
    generate,
)
from tests.layers import IS_THOROUGH, daily
from tests.puzzles.generators.figures import measure, step_of
from tests.puzzles.generators.verify_word_search import faults, filling, tile_shares
from vocab.message import packed, unpacked

LISTS = {
    path.stem: path.read_text(encoding="utf-8").split()
    for path in sorted((Path(__file__).parents[2] / "data" / "word_search").glob("*.txt"))
}
ANIMALS = ["horse", "sheep", "goat", "rabbit", "mouse", "tiger", "lion", "zebra", "bear", "wolf"]
TENS = [
    "abcdefghij", "klmnopqrst", "uvwxyzabkl", "mnbvcxzasd", "qazwsxedcr", "poiuytrewq",
    "lkjhgfdsam",
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def compiled():
    word_search.warm_up()


def made_from(words, *, seed=1, **options):
    """Make a word search and see that nothing is wrong with it."""
    puzzle = generate(words, rng=Random(seed), **options)
    judged = {
        key: options[key]
        for key in ("language", "digraphs", "blocklist", "directions")
        if key in options
    }
    assert faults(puzzle, words, **judged) == []
    return puzzle


def cells_of(puzzle, word):
    return next(p.cells for p in puzzle.placements if p.word == word)


def test_every_word_of_a_list_is_in_the_grid_once_and_where_it_is_said_to_be():
    puzzle = made_from(ANIMALS)
    assert [p.word for p in puzzle.placements] == ANIMALS
    assert puzzle.unplaced == ()


def test_the_verifier_notices_what_is_wrong():
    puzzle = made_from(ANIMALS)
    first, *others = puzzle.placements
    lost = replace(puzzle, placements=tuple(others))
    moved = replace(puzzle, placements=(Placement(first.word, first.cells[::-1]), *others))
    (r, c), *_ = first.cells
    rows = [list(row) for row in puzzle.grid]
    rows[r][c] = "Q"
    spoiled = replace(puzzle, grid=tuple(map(tuple, rows)))
    twice = replace(puzzle, grid=(*puzzle.grid, tuple(("HORSE" + "X" * 99)[: len(rows[0])])))
    for broken in (lost, moved, spoiled, twice):
        assert faults(broken, ANIMALS)
    assert faults(puzzle, ANIMALS, blocklist=["".join(puzzle.grid[0][:2])])


@pytest.mark.parametrize("language", LISTS)
def test_words_of_any_script_are_found_once_and_no_blocked_word_is(language):
    words = LISTS[language]
    seeds = 10_000 // len(LISTS) + 1 if IS_THOROUGH else 6
    for seed in range(seeds):
        rng = Random(seed)
        chosen = rng.sample(words, rng.randint(3, 25))
        blocked = [word for word in words if word not in chosen][:5]
        options = {"language": language, "blocklist": blocked, "effort": "instant"}
        puzzle = made_from(chosen, seed=seed, **options)
        assert puzzle.unplaced == (), (language, seed)
        assert generate(chosen, rng=Random(seed), **options) == puzzle


@pytest.mark.parametrize("language", LISTS)
@pytest.mark.parametrize("fill", ["own", "frequency"])
def test_the_filling_has_each_letter_about_as_often_as_the_words(language, fill):
    for seed in range(300 if IS_THOROUGH else 3):
        words = Random(seed).sample(LISTS[language], 15)
        puzzle = generate(words, language=language, fill=fill, effort="instant", rng=Random(seed))
        dealt, shares = filling(puzzle), tile_shares(words, language)
        count = sum(dealt.values())
        # A letter that would spell a word is exchanged for another, hence the little more.
        allowed = 2.5 + 0.02 * count + (0 if fill == "own" else 0.25 * count)
        for tile in dealt.keys() | shares.keys():
            assert abs(dealt[tile] - shares.get(tile, 0) * count) <= allowed, (seed, tile)


@pytest.mark.parametrize("fill", ["even", "frequency", "own"])
def test_accented_letters_and_digraphs_come_as_often_as_in_the_words(fill):
    words = ["čaša", "žaba", "kuća", "ljubav", "njiva", "škola", "noćas", "riječ"]
    puzzle = made_from(words, language="hr", fill=fill, size=30)
    dealt, shares = filling(puzzle), tile_shares(words, "hr")
    for tile in ("Č", "Š", "Ć", "Ž", "LJ", "NJ"):
        assert dealt[tile] == pytest.approx(shares[tile] * sum(dealt.values()), abs=3)


def test_an_even_filling_has_every_letter_and_an_own_one_only_those_of_the_words():
    even = filling(made_from(["banana", "bandana"], fill="even", size=26))
    assert set(even) == set("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert set(filling(made_from(["banana", "bandana"], fill="own", size=26))) == set("BAND")


def test_a_word_within_another_has_its_place_there_and_nowhere_else():
    puzzle = made_from(["catalogue", "cat", "log", "gol"])
    host = cells_of(puzzle, "catalogue")
    assert cells_of(puzzle, "cat") == host[:3]
    assert cells_of(puzzle, "log") == host[4:7]
    assert cells_of(puzzle, "gol") == host[4:7][::-1]


def test_a_word_that_is_another_backwards_shares_its_squares():
    puzzle = made_from(["dog", "god", "tiger"])
    assert cells_of(puzzle, "dog") == cells_of(puzzle, "god")[::-1]


@pytest.mark.parametrize(
    "options", [{"difficulty": "easy"}, {"directions": FORWARD_DIRECTIONS}, {"directions": [LEFT]}]
)
def test_a_word_that_only_goes_backwards_in_another_is_left_out_where_none_may(options):
    words = ["stressed", "desserts", "live", "evil", "banana", "nab", "ban"]
    puzzle = generate(words, rng=Random(1), **options)
    allowed = options.get("directions", BEGINNER_DIRECTIONS)
    assert {step_of(p) for p in puzzle.placements} <= set(allowed)
    assert [u.word for u in puzzle.unplaced] == ["desserts", "evil", "nab"]
    assert "“stressed”" in puzzle.unplaced[0].reason
    assert "backwards" in puzzle.unplaced[0].reason


def test_a_word_that_goes_both_ways_in_others_has_its_place_in_an_allowed_direction():
    words = ["evildoer", "deliver", "live"]
    puzzle = generate(words, rng=Random(1), directions=[RIGHT])
    assert puzzle.unplaced == ()
    assert {step_of(p) for p in puzzle.placements} == {RIGHT}


def test_where_several_words_contain_a_word_its_other_places_are_told():
    puzzle = made_from(["banana", "bananas", "ana"])
    assert len(puzzle.echoes) == 1
    assert puzzle.echoes[0].word == "ana"


def test_a_word_keeps_its_chance_when_the_word_it_lies_in_finds_no_place():
    puzzle = made_from(["opqrstuv", "abcdefgh", "fed"], size=(1, 11), directions=[RIGHT])
    assert {p.word for p in puzzle.placements} == {"opqrstuv", "fed"}
    assert [u.word for u in puzzle.unplaced] == ["abcdefgh"]


@pytest.mark.parametrize(
    "words",
    [[f"{i:b}" for i in range(4, 64)], [f"{i:06b}" for i in range(20)]],
    ids=["of all lengths", "of one length"],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_words_that_make_each_other_at_every_crossing_are_all_placed_apart(words, seed):
    assert made_from(words, seed=seed).unplaced == ()


@pytest.mark.parametrize("seed", daily(0, of=range(3)))
@pytest.mark.parametrize("size", [(6, 10), 9])
def test_more_effort_never_places_fewer_words(size, seed):
    parts = [ten[i : i + n] for ten in TENS for n in (3, 5, 7) for i in range(0, 10 - n, 3)]
    placed = [
        len(made_from([*TENS, *parts], size=size, effort=effort, seed=seed).placements)
        for effort in ("instant", "normal", "best")
    ]
    assert placed[0] <= placed[1] <= placed[2]


def test_a_palindrome_is_in_the_grid_once():
    puzzle = made_from(["level", "radar", "kayak", "abba", "refer", "deed"])
    assert puzzle.unplaced == ()


def test_a_repeated_word_is_placed_once_and_the_second_is_told():
    puzzle = made_from(["apple", "Apple!", "pear"])
    assert [u.word for u in puzzle.unplaced] == ["Apple!"]
    assert "apple" in puzzle.unplaced[0].reason


def test_words_of_one_repeated_letter_are_not_drawn_out_by_the_filling():
    puzzle = made_from(["aaa", "bbbb", "aab"], size=8, fill="own")
    assert len(puzzle.placements) == 3
    # Two letters do not suffice for that; others come in.
    assert set(filling(puzzle)) > {"A", "B"}


def test_a_word_of_one_letter_lies_in_a_longer_one_of_the_same():
    puzzle = made_from(["aaaa", "aaa"])
    assert set(cells_of(puzzle, "aaa")) < set(cells_of(puzzle, "aaaa"))
    assert len(puzzle.echoes) == 1


@pytest.mark.timeout(30)
def test_many_words_of_one_letter_do_not_hang_on_the_largest_grid():
    # A tile that a square refuses is asked once; copy by copy, the bag's took a minute.
    puzzle = generate(["a" * n for n in range(3, 61)], rng=Random(1))
    assert puzzle.unplaced == ()
    assert len(puzzle.grid) == 60


@pytest.mark.parametrize(
    ("word", "count"),
    [
        *(("", "no letters"), ("!?", "no letters")),
        *(("a", "1 letter in the grid; a word needs at least 3"), ("né", "2 letters")),
        ("水", "1 letter in the grid; a word needs at least 2"),
    ],
)
def test_what_is_too_short_is_left_out_with_the_reason(word, count):
    puzzle = made_from([word, "apple"])
    assert count in puzzle.unplaced[0].reason


def test_phrases_are_laid_without_their_spaces_and_shown_as_they_were():
    puzzle = made_from(["ice cream", "rock 'n' roll"])
    assert len(cells_of(puzzle, "ice cream")) == 8
    assert len(cells_of(puzzle, "rock 'n' roll")) == 9


def test_digraphs_are_one_square_or_two_as_the_list_wants():
    assert len(cells_of(made_from(["ljubav"], language="hr"), "ljubav")) == 5
    assert len(cells_of(made_from(["ljubav"], language="hr", digraphs=False), "ljubav")) == 6


def test_combining_marks_stay_with_their_letters():
    puzzle = made_from(["किताब", "विद्यालय", "अध्यापक"], language="hi")
    assert {tile for r, c in cells_of(puzzle, "किताब") for tile in [puzzle.grid[r][c]]} == {
        "कि",
        "ता",
        "ब",
    }


def test_a_list_from_right_to_left_is_easy_from_right_to_left():
    puzzle = made_from(LISTS["he"][:12], language="he", difficulty="easy")
    assert {step_of(p) for p in puzzle.placements if p not in nested(puzzle)} <= {RIGHT, DOWN}


def nested(puzzle):
    return [
        p
        for p in puzzle.placements
        for q in puzzle.placements
        if p != q and {*p.cells} <= {*q.cells}
    ]


def test_one_word_makes_a_grid_and_two_hundred_do():
    assert len(made_from(["cat"]).placements) == 1
    every = [f"{a}{b}" for a in LISTS["en"] for b in LISTS["en"] if a != b]
    words = Random(1).sample(every, 200)
    puzzle = made_from(words, effort="instant")
    assert puzzle.unplaced == ()


def test_two_hundred_words_of_twenty_letters_fill_the_largest_grid():
    rng = Random(1)
    words = ["".join(rng.choices("aeioulnrstdm", k=20)) for _ in range(200)]
    puzzle = made_from(words)
    assert len(puzzle.grid) == 60
    assert len(puzzle.placements) > 120
    assert all("60 × 60" in unplaced.reason for unplaced in puzzle.unplaced)


def test_a_side_of_sixty_is_filled_and_more_is_refused():
    assert len(made_from(ANIMALS, size=60).grid) == 60
    with pytest.raises(WordSearchError, match="61 × 61"):
        generate(ANIMALS, size=61, rng=Random(1))


def test_a_size_that_is_asked_for_is_kept_and_what_does_not_fit_is_told():
    puzzle = made_from(["elephant", "cat", "cow", "dog"], size=(3, 4))
    assert (len(puzzle.grid), len(puzzle.grid[0])) == (3, 4)
    assert "8 letters" in puzzle.unplaced[0].reason
    crowded = made_from(LISTS["en"], size=7)
    assert 10 < len(crowded.placements) < len(LISTS["en"])


def test_words_that_hardly_fit_are_all_placed():
    letters = sum(map(len, LISTS["en"]))
    side = int((1.1 * letters) ** 0.5) + 1
    assert made_from(LISTS["en"], size=side, effort="instant").unplaced == ()


@pytest.mark.parametrize(
    "directions", [BEGINNER_DIRECTIONS, FORWARD_DIRECTIONS, [UP], ALL_DIRECTIONS]
)
def test_words_run_only_in_the_directions_that_are_allowed(directions):
    puzzle = made_from(ANIMALS, directions=directions)
    assert {step_of(p) for p in puzzle.placements} <= set(directions)
    assert puzzle.unplaced == ()


def test_ten_words_use_at_least_five_directions_and_twenty_seven_on_average():
    ten, twenty = (
        [
            measure(p.grid, p.placements).directions
            for seed in range(10)
            for p in [
                generate(Random(seed).sample(LISTS["en"], n), effort="instant", rng=Random(seed))
            ]
        ]
        for n in (10, 20)
    )
    assert min(ten) >= 5
    assert fmean(twenty) >= 7


def test_five_words_use_five_directions():
    used = [
        measure(puzzle.grid, puzzle.placements).directions
        for seed in range(100)
        for puzzle in [made_from(Random(seed).sample(LISTS["en"], 5), seed=seed)]
    ]
    assert sum(directions >= 5 for directions in used) >= 95


def test_a_blocked_word_is_not_in_the_grid_even_where_it_is_likely():
    words = ["assets", "essays", "tastes", "states", "assess"]
    blocked = ["tea", "eat", "sat", "sea", "set", "tat", "at"]
    for seed in range(20):
        puzzle = made_from(
            words, seed=seed, blocklist=blocked, fill="own", effort="instant", size=9
        )
    # Without blocked words one of them turns up: the test can fail.
    assert any(
        "blocked" in fault
        for seed in range(20)
        for fault in faults(
            generate(words, rng=Random(seed), fill="own", effort="instant", size=9),
            words,
            blocklist=blocked,
        )
    )
    assert puzzle.unplaced == ()


def test_a_listed_word_that_is_blocked_is_left_out_with_the_reason():
    puzzle = made_from(["apple", "pear"], blocklist=["pear"])
    assert "is a blocked word" in puzzle.unplaced[0].reason


def test_more_effort_crosses_more():
    shares = {
        effort: fmean(
            measure(p.grid, p.placements).shared
            for seed in range(5)
            for p in [generate(LISTS["en"][:20], size=14, effort=effort, rng=Random(seed))]
        )
        for effort in ("instant", "normal")
    }
    assert shares["instant"] < shares["normal"]


def test_a_budget_in_milliseconds_gives_a_whole_grid():
    assert made_from(ANIMALS, effort=5).unplaced == ()


def test_harder_is_harder_in_figures():
    easy, medium, hard = (
        fmean(
            measure(p.grid, p.placements).false_starts
            for seed in range(5)
            for p in [
                generate(
                    LISTS["en"][seed : seed + 12],
                    difficulty=level,
                    effort="instant",
                    rng=Random(seed),
                )
            ]
        )
        for level in ("easy", "medium", "hard")
    )
    assert easy < medium < hard


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"size": 0}, "0 × 0"),
        ({"directions": []}, "direction"),
        ({"directions": [(2, 1)]}, r"\(2, 1\)"),
        ({"directions": [UP], "difficulty": "easy"}, "direction"),
        ({"difficulty": "brutal"}, "brutal"),
        ({"effort": "heroic"}, "heroic"),
        ({"effort": -1}, "-1"),
        ({"fill": "odd"}, "odd"),
        ({"size": 2}, "apple"),
        ({"size": 2.5}, "not 2.5"),
        ({"size": (3,)}, r"not \(3,\)"),
        ({"size": "x"}, "not 'x'"),
        ({"size": True}, "not True"),
        ({"blocklist": [5]}, "must be text, not 5"),
        ({"effort": None}, "effort.*None"),
        ({"effort": True}, "effort.*True"),
        ({"effort": float("nan")}, "nan"),
        ({"directions": None}, "directions.*None"),
        ({"directions": [[0, 1]]}, r"\[0, 1\]"),
        ({"language": 5}, "language.*5"),
        ({"difficulty": 3}, "3.*difficulty"),
        ({"fill": 3}, "3.*filling"),
    ],
)
def test_what_cannot_be_is_refused_in_words(options, told):
    with pytest.raises(WordSearchError, match=told):
        generate(["apple", "pear"], rng=Random(1), **options)


def test_directions_may_come_one_by_one():
    puzzle = generate(["apple", "pear"], rng=Random(1), directions=iter([UP]))
    assert {step_of(p) for p in puzzle.placements} == {UP}


def test_what_cannot_be_is_said_in_sentences_that_can_be_translated():
    with pytest.raises(WordSearchError) as caught:
        generate(["ab", "!", "x", "cd", "ef"], rng=Random(1))
    kept = unpacked(packed(caught.value.sentence))
    assert kept == str(caught.value)
    assert (
        kept.template == "None of the words can be placed in the grid. {reasons} And {count} more."
    )
    assert "“ab” has 2 letters in the grid; a word needs at least 3. “!” has" in kept


def test_a_list_without_a_word_for_the_grid_is_refused_by_name():
    with pytest.raises(WordSearchError, match="“ab” has 2 letters"):
        generate(["ab", "!"], rng=Random(1))
    with pytest.raises(WordSearchError, match="no words"):
        generate([], rng=Random(1))


@pytest.mark.parametrize("odd", [5, None])
def test_a_word_that_is_no_text_is_named(odd):
    with pytest.raises(WordSearchError, match=f"must be text, not {odd}"):
        generate(["apple", odd], rng=Random(1))
    with pytest.raises(WordSearchError, match=f"must be text, not {odd}"):
        generate_grid([{"word": odd}])


@pytest.mark.parametrize("item", [{"x": 1}, "apple"])
def test_an_item_without_a_word_is_named(item):
    with pytest.raises(WordSearchError, match="needs a “phrase” or a “word”") as caught:
        generate_grid([item])
    assert repr(item) in str(caught.value)


def test_a_grid_that_cannot_be_filled_is_refused():
    with pytest.raises(WordSearchError, match="list of blocked words"):
        generate(["abc"], size=4, fill="own", blocklist="ABCDEFGHIJKLMNOPQRSTUVWXYZ", rng=Random(1))


@settings(deadline=None, max_examples=500 if IS_THOROUGH else 60)
@given(
    words=st.lists(st.text(max_size=12), max_size=12),
    size=st.none() | st.integers(1, 12) | st.tuples(st.integers(1, 12), st.integers(1, 12)),
    seed=st.integers(0, 3),
)
def test_any_strings_make_a_grid_or_an_error_for_people(words, size, seed):
    try:
        made_from(words, size=size, seed=seed, effort="instant")
    except WordSearchError as error:
        assert str(error)


@settings(deadline=None, max_examples=500 if IS_THOROUGH else 60)
@given(
    words=st.lists(st.text("ab", min_size=3, max_size=7), min_size=1, max_size=12),
    blocked=st.lists(st.text("abc", min_size=2, max_size=4), max_size=3),
)
def test_words_that_are_alike_are_not_read_twice(words, blocked):
    try:
        made_from(words, effort="instant", blocklist=blocked)
    except WordSearchError as error:
        assert "“" in str(error) or "filled" in str(error)


def test_generate_grid_returns_rows_and_each_item_with_its_coordinates():
    items = [
        {"phrase": "kuća", "translation": "house"},
        {"word": "škola", "translation": "school", "id": 7},
        {"phrase": "pas i mačka", "translation": "dog and cat"},
    ]
    grid, placed = generate_grid(items, size=12)
    assert [len(row) for row in grid] == [12] * 12
    assert [{k: v for k, v in each.items() if k != "coords"} for each in placed] == items
    assert "".join(grid[r][c] for r, c in placed[1]["coords"]) == "ŠKOLA"
    again, _ = generate_grid(items, rng=Random(5))
    assert generate_grid(items, rng=Random(5))[0] == again


def test_generate_grid_logs_what_it_leaves_out(caplog):
    _, placed = generate_grid([{"word": "ox"}, {"word": "cow"}])
    assert [each["word"] for each in placed] == ["cow"]
    assert "ox" in caplog.text


def test_importing_the_generator_loads_neither_django_nor_the_compiler():
    code = (
        "import sys, puzzles.generators, puzzles.generators.word_search\n"
        "sys.exit(([m for m in ('django', 'numba') if m in sys.modules] or 0))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_letter_is_dealt_as_often_as_its_weight_says():
    from puzzles.generators.word_search.fill import deal

    for count in (0, 1, 7, 100):
        dealt = Counter(deal({"A": 0.5, "B": 0.3, "C": 0.2}, count, Random(count)))
        assert sum(dealt.values()) == count
        for tile, weight in {"A": 0.5, "B": 0.3, "C": 0.2}.items():
            assert abs(dealt[tile] - weight * count) <= 1
