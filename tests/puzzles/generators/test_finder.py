"""“Listen and find”, checked by a verifier that shares no code with it."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.generators.errors import FewerWords, PuzzleError
from puzzles.generators.finder import generate, generator
from puzzles.generators.finder import words as choosing
from puzzles.generators.finder.words import Rule
from tests.puzzles.generators.verify_finder import (
    Ranks,
    backwards,
    destroyed,
    deviation_of,
    false_placements,
    faults,
)
from vocab.text import alphabet, tiles

DATA = Path(__file__).parents[2] / "data"
LATIN = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
LISTS = {
    language: (DATA / f"finder-{language}.txt").read_text(encoding="utf-8").split()
    for language in ("en", "hr", "el", "ar")
}
PALINDROMES = [
    *("level", "radar", "kayak", "noon", "civic", "refer", "madam", "rotor"),
    *("eye", "pop", "tot", "gag", "deed", "peep"),
]
# AND shuts four words out, or any of them shuts AND out. The short words hand their turns to AND:
# the first choice is mostly of two words, and rarely of the five that are possible.
NESTED = ["a"] * 20 + ["and", "hand", "sand", "band", "land", "fish"]
MODES = [
    pytest.param(d, f, id=f"{d}-{'forwards' if f else 'both'}")
    for d in ("easy", "hard")
    for f in (True, False)
]


def cutting(language):
    return lambda word: tiles(word, language)


def all_faults(vocabulary, language, seeds, *, words=10, rows=10, cols=10, **options):
    """Return the faults of one grid a seed, each with the seed."""
    return [
        (seed, fault)
        for seed in seeds
        for fault in faults(
            generate(
                vocabulary,
                words=words,
                rows=rows,
                cols=cols,
                language=language,
                rng=Random(seed),
                **options,
            ),
            vocabulary,
            cutting(language),
            alphabet(language),
            words=words,
            rows=rows,
            cols=cols,
            shortest=2 if language == "ar" else 3,
            **options,
        )
    ]


@pytest.mark.parametrize(("difficulty", "forwards_only"), MODES)
@pytest.mark.parametrize("language", LISTS)
def test_every_rule_holds_in_every_grid(language, difficulty, forwards_only):
    options = {"difficulty": difficulty, "forwards_only": forwards_only}
    assert all_faults(LISTS[language], language, range(100), **options) == []


@settings(max_examples=150, deadline=None)
@given(
    words=st.lists(st.text("abcč", max_size=5), max_size=12),
    wanted=st.integers(1, 6),
    rows=st.integers(1, 5),
    cols=st.integers(3, 9),
    difficulty=st.sampled_from(["easy", "hard"]),
    forwards_only=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_whatever_the_list_the_grid_has_no_fault_or_fewer_words_are_offered(
    words, wanted, rows, cols, difficulty, forwards_only, seed
):
    # Words of so few letters read in each other's filling all the time.
    letters = ("A", "B", "C", "Č", "D")
    options = {"rows": rows, "cols": cols, "difficulty": difficulty, "forwards_only": forwards_only}
    try:
        puzzle = generate(words, words=wanted, alphabet=letters, rng=Random(seed), **options)
    except FewerWords as error:
        assert 0 <= error.possible < error.wanted == wanted
        if not error.possible:
            return
        wanted = error.possible
        puzzle = generate(words, words=wanted, alphabet=letters, rng=Random(seed), **options)
    assert faults(puzzle, words, cutting(None), letters, words=wanted, **options) == []


def test_the_verifier_sees_a_letter_that_is_spoiled_and_a_word_that_is_there_twice():
    options = {"difficulty": "hard", "forwards_only": False}
    for seed in range(20):
        puzzle = generate(LISTS["en"], rng=Random(seed), **options)
        taken = {cell for p in puzzle.placements for cell in p.cells}
        for row, col in [(0, 0), (3, 4), (9, 9)]:
            spoiled = replace(puzzle, grid=with_tile(puzzle.grid, row, col, "?"))
            found = faults(
                spoiled, LISTS["en"], cutting("en"), LATIN, words=10, rows=10, cols=10, **options
            )
            assert found
            assert bool(destroyed(spoiled, cutting("en"))) == ((row, col) in taken)
    # CAT lies at the left end, and reads backwards twice behind it.
    grid, placed = [tuple("CATACTAC")], {tuple("CAT"): [(0, 0), (0, 1), (0, 2)]}
    assert list(false_placements(grid, placed, forwards_only=True)) == []
    found = [columns for _, columns, _ in false_placements(grid, placed, forwards_only=False)]
    assert found == [[4, 3, 2], [7, 6, 5]]


def with_tile(grid, row, col, tile):
    rows = [list(line) for line in grid]
    rows[row][col] = tile
    return tuple(tuple(line) for line in rows)


@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_palindromes_are_never_destroyed_and_may_be_read_both_ways_in_place(difficulty):
    options = {"difficulty": difficulty, "forwards_only": False}
    assert all_faults(PALINDROMES, "en", range(300), **options) == []


@pytest.mark.parametrize("forwards_only", [True, False])
def test_words_would_read_by_chance_if_the_filling_were_not_mended(monkeypatch, forwards_only):
    options = {"difficulty": "hard", "forwards_only": forwards_only}
    monkeypatch.setattr(generator, "_break_false", lambda text, *others: text)
    found = all_faults(PALINDROMES, "en", range(300), **options)
    assert found
    assert all("too" in fault for _, fault in found)


def eight_directions(grid):
    """Yield the text of each row, column and diagonal of a grid, and the same backwards."""
    rows, cols = range(len(grid)), range(len(grid[0]))
    lines = [[(r, c) for c in cols] for r in rows]
    lines += [[(r, c) for r in rows] for c in cols]
    lines += [[(r, r + by) for r in rows if r + by in cols] for by in range(-len(rows), len(cols))]
    lines += [[(r, by - r) for r in rows if by - r in cols] for by in range(len(rows) + len(cols))]
    for line in lines:
        tiles = [grid[r][c] for r, c in line]
        yield from ("".join(tiles), "".join(tiles[::-1]))


def blocked_readings(puzzle, blocked):
    placed = [placement.word.upper() for placement in puzzle.placements]
    return [
        word
        for word in blocked
        for line in eight_directions(puzzle.grid)
        if word in line and not any(word in other or word in other[::-1] for other in placed)
    ]


@pytest.mark.parametrize(("rows", "cols"), [(10, 10), (6, 12), (14, 7), (1, 40), (30, 8)])
def test_no_blocked_word_is_read_along_a_row_a_column_or_a_diagonal(rows, cols):
    blocked = ["ST", "EA", "TAR", "OAT", "ARE"]
    free = {"words": 4, "forwards_only": False, "difficulty": "hard", "language": "en"}
    free |= {"rows": rows, "cols": cols}
    kept = free | {"blocklist": blocked}
    words = ["stone", "earth", "cloud", "river", "plant", "horse", "ocean", "tar"]
    clean = [generate(words, rng=Random(seed), **kept) for seed in range(100)]
    # ST and EA may be read where “stone” and “earth” force them.
    assert [found for puzzle in clean for found in blocked_readings(puzzle, blocked)] == []
    assert all("tar" not in {p.word for p in puzzle.placements} for puzzle in clean)
    assert any(refused.rule is Rule.BLOCKED for puzzle in clean for refused in puzzle.unplaced)
    usual = [generate(words, rng=Random(seed), **free) for seed in range(100)]
    assert any(blocked_readings(puzzle, blocked) for puzzle in usual)


def test_blocked_words_are_read_diagonally_if_only_rows_and_columns_are_searched(monkeypatch):
    words = ["stone", "cloud", "river", "plant", "horse"]
    options = {"words": 4, "difficulty": "hard", "language": "en", "blocklist": ["TON", "LOT"]}
    monkeypatch.setattr(
        generator,
        "_lines",
        lambda size, stride: [
            cell
            for step in (1, stride)
            for first in range(step)
            for cell in (*range(first, size, step), size - 1)
        ],
    )
    usual = [generate(words, rng=Random(seed), **options) for seed in range(200)]
    assert any(blocked_readings(puzzle, ["TON", "LOT"]) for puzzle in usual)


def test_blocked_words_that_leave_no_letter_to_fill_with_are_refused():
    letters = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    with pytest.raises(PuzzleError, match="Shorten the list of blocked words"):
        generate(["cat"], words=1, language="en", blocklist=letters, rng=Random(1))


def test_a_word_that_reads_backwards_in_another_goes_with_it_forwards_only():
    both = ["star", "rats"]
    for forwards_only, expected in ((True, 2), (False, 1)):
        options = {"forwards_only": forwards_only, "language": "en"}
        assert generate(both, words=expected, rng=Random(1), **options).attempts == 1
    with pytest.raises(FewerWords, match="1 of the 2 words") as caught:
        generate(both, words=2, forwards_only=False, rng=Random(1))
    assert [refused.rule for refused in caught.value.refused] == [Rule.NESTED]
    assert "backwards" in caught.value.refused[0].reason


def test_half_of_the_words_lie_backwards_and_none_forwards_only():
    share = sum(
        backwards(generate(LISTS["en"], forwards_only=False, rng=Random(seed)))
        for seed in range(1000)
    )
    assert abs(share / 10_000 - 0.5) < 0.015
    assert not any(backwards(generate(LISTS["en"], rng=Random(seed))) for seed in range(50))


@pytest.mark.parametrize("forwards_only", [True, False])
def test_each_word_is_laid_at_any_place_that_fits_alike(forwards_only):
    ranks = Ranks()
    for seed in range(2000):
        puzzle = generate(LISTS["en"], forwards_only=forwards_only, rng=Random(seed))
        ranks.add(puzzle, 10, 10)
    assert abs(ranks.deviation()) < 4


def test_the_test_of_uniformity_sees_a_slight_preference():
    rng = Random(1)
    fair = Counter(rng.randrange(80) for _ in range(20_000))
    leaning = Counter(min(rng.randrange(80), rng.randrange(88)) for _ in range(20_000))
    assert deviation_of([[fair[i] for i in range(80)]]) < 4
    assert deviation_of([[leaning[i] for i in range(80)]]) > 4


def test_easy_filling_takes_every_letter_alike_and_hard_filling_the_words_letters():
    # Long words hardly ever read by chance, so nothing but the filling is counted.
    words, easy, hard = ["breadfruit", "pineapples"], Counter(), Counter()
    for difficulty, counts in (("easy", easy), ("hard", hard)):
        for seed in range(300):
            puzzle = generate(words, words=2, difficulty=difficulty, rng=Random(seed))
            rows = {r for p in puzzle.placements for r, _ in p.cells}
            counts.update(t for r, row in enumerate(puzzle.grid) if r not in rows for t in row)
    assert deviation_of([[easy[letter] for letter in LATIN]]) < 4
    source = Counter("BREADFRUITPINEAPPLES")
    assert set(hard) == set(source)
    # A letter that is there three times counts as three letters of one time each.
    assert all(abs(hard[t] / hard.total() - n / 20) < 0.01 for t, n in source.items())


def test_a_choice_starts_at_a_random_word_and_goes_forward_around_the_end():
    # Refused words hand their turn to the next: three turns of five for CAT, two for DOG.
    vocabulary = ["dog", "a", "b", "cat", "c"]
    first = Counter(
        generate(vocabulary, words=1, rng=Random(seed)).placements[0].word for seed in range(3000)
    )
    assert set(first) == {"cat", "dog"}
    assert abs(first["cat"] / 3000 - 3 / 5) < 0.03


def test_where_two_tiles_are_a_word_only_one_is_too_few():
    with pytest.raises(FewerWords) as caught:
        generate(["水", "水果", "牛奶"], words=3, language="zh", rng=Random(1))
    assert "only one letter: “水”" in str(caught.value)
    assert caught.value.possible == 2


def test_words_passed_over_are_named_with_the_rule():
    vocabulary = ["at", "hand", "and", "Hand", "grandparents", "xyz"]
    refusals = {}
    for seed in range(40):
        puzzle = generate(vocabulary, words=2, alphabet=LATIN, rng=Random(seed))
        refusals |= {(u.word, u.rule): u.reason for u in puzzle.unplaced}
    assert {rule for _, rule in refusals} == {
        Rule.TOO_SHORT,
        Rule.TOO_LONG,
        Rule.REPEATED,
        Rule.NESTED,
    }
    assert refusals["at", Rule.TOO_SHORT] == "It has 2 letters but needs at least 3."
    assert "12 letters" in refusals["grandparents", Rule.TOO_LONG]
    assert "hand”" in refusals["and", Rule.NESTED].lower()


def test_a_word_that_uses_up_the_alphabet_is_refused():
    with pytest.raises(
        FewerWords, match=r"use up all letters of the alphabet: “(abc|def)”"
    ) as caught:
        generate(["abc", "def"], words=2, alphabet="ABCDEF", rng=Random(1))
    assert caught.value.possible == 1
    assert generate(["abc", "def"], words=2, alphabet="ABCDEFG", rng=Random(1)).placements


def test_a_list_that_is_too_small_says_which_rule_stopped_it_and_plays_with_fewer():
    vocabulary = ["bread", "ad", "read", "milk", "milk", "wholemealbread", "egg"]
    with pytest.raises(FewerWords) as caught:
        generate(vocabulary, language="en", rng=Random(3))
    error = caught.value
    assert (error.wanted, error.possible) == (10, 3)
    assert {refused.rule for refused in error.refused} == {
        Rule.TOO_SHORT,
        Rule.TOO_LONG,
        Rule.REPEATED,
        Rule.NESTED,
    }
    assert "3 of the 10" in str(error)
    assert "fewer than 3 letters: “ad”" in str(error)
    assert len(generate(vocabulary, words=error.possible, rng=Random(4)).placements) == 3


def test_the_number_offered_works_where_the_choice_decides_how_many_go_together():
    for seed in range(300):
        with pytest.raises(FewerWords) as caught:
            generate(NESTED, words=6, rng=Random(seed))
        assert caught.value.possible == 5
        nested = [left.word for left in caught.value.refused if left.rule is Rule.NESTED]
        assert nested == ["and"]
        assert len(generate(NESTED, words=5, rng=Random(1000 + seed)).placements) == 5


def test_words_in_others_would_shut_out_more_if_the_first_choice_were_the_last(monkeypatch):
    monkeypatch.setattr(choosing, "most_together", lambda *given: ())
    offered = set()
    for seed in range(30):
        with pytest.raises(FewerWords) as caught:
            generate(NESTED, words=6, rng=Random(seed))
        offered.add(caught.value.possible)
    assert 2 in offered


def most_of(words, letters, forwards_only):
    """Return how many words can be hidden together, having tried every set of them."""
    fit = sorted({word.upper() for word in words if len(word) > 2})

    def is_read_in(part, whole):
        return part in whole or (not forwards_only and part[::-1] in whole)

    def is_possible(chosen):
        is_nested = any(is_read_in(*pair) for pair in permutations(chosen, 2))
        return not is_nested and set(letters) - set("".join(chosen))

    sizes = range(len(fit), -1, -1)
    return next(n for n in sizes if any(map(is_possible, combinations(fit, n))))


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(st.text("abcd", min_size=2, max_size=5), max_size=9),
    letters=st.sampled_from(["ABCD", "ABCDE"]),
    forwards_only=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_only_words_that_cannot_be_hidden_beside_the_others_are_left_out(
    words, letters, forwards_only, seed
):
    options = {"rows": 30, "cols": 20, "alphabet": letters, "forwards_only": forwards_only}
    with pytest.raises(FewerWords) as caught:
        generate(words, words=10, rng=Random(seed), **options)
    assert caught.value.possible == most_of(words, letters, forwards_only)
    left_out = [left.word for left in caught.value.refused]
    assert len(left_out) == len(words) - caught.value.possible


def test_an_empty_list_says_so():
    with pytest.raises(FewerWords, match="no more words") as caught:
        generate([], rng=Random(1))
    assert caught.value.possible == 0


def test_a_grid_that_is_often_too_tight_is_started_again_and_counts_its_attempts():
    # Two words of three letters share a row of seven only if both lie at its ends.
    attempts = []
    for seed in range(300):
        try:
            puzzle = generate(["cat", "dog"], words=2, rows=1, cols=7, rng=Random(seed))
        except FewerWords:
            attempts.append(11)
        else:
            attempts.append(puzzle.attempts)
    # Two of five places leave room for the second word.
    assert abs(attempts.count(1) / 300 - 2 / 5) < 0.1
    assert {1, 2, 3, 4} < set(attempts)


def test_a_grid_without_room_fails_after_ten_attempts_and_says_so():
    with pytest.raises(FewerWords, match=r"no room in the rows: “(cat|dog)”") as caught:
        generate(["cat", "dog"], words=2, rows=1, cols=6, rng=Random(1))
    assert caught.value.possible == 1
    assert [refused.rule for refused in caught.value.refused] == [Rule.NO_ROOM]


def test_the_same_seed_makes_the_same_grid_and_another_seed_another():
    options = {"difficulty": "hard", "forwards_only": False, "language": "hr"}
    first, again = (generate(LISTS["hr"], rng=Random(7), **options) for _ in range(2))
    assert first == again
    assert first.grid != generate(LISTS["hr"], rng=Random(8), **options).grid


def test_the_grid_does_not_depend_on_the_process_that_makes_it():
    program = """
from random import Random
from puzzles.generators.finder import generate
words = "apple bread chair cloud dance dream eagle earth fence field ghost giant level".split()
print(generate(words, forwards_only=False, difficulty="hard", rng=Random(5)))
"""
    made = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": hash_seed},
            cwd=DATA.parents[1],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(made) == 1


def test_a_digraph_fills_one_square_unless_the_list_does_not_want_it():
    words = ["ljubav", "džep", "njuška"]
    for digraphs, cells in ((True, {5, 3}), (False, {6, 4})):
        puzzle = generate(words, words=3, language="hr", digraphs=digraphs, rng=Random(2))
        assert {len(p.cells) for p in puzzle.placements} == cells
        two_letters = {t for row in puzzle.grid for t in row if len(t) > 1}
        assert bool(two_letters) is digraphs


@pytest.mark.parametrize("language", ["hi", "ja", "zh", "ko", "th"])
def test_a_script_of_many_tiles_makes_a_grid_without_fault(language):
    letters = alphabet(language)
    vocabulary = ["".join(letters[i : i + 4]) for i in range(0, len(letters) - 4, 4)]
    vocabulary = [word for word in vocabulary if len(tiles(word, language)) == 4]
    assert all_faults(vocabulary, language, range(20), forwards_only=False, difficulty="easy") == []


def test_letters_that_the_alphabet_lacks_do_not_give_words_away():
    seen = Counter()
    for seed in range(20):
        puzzle = generate(["café", "été", "noël"], words=3, language="fr", rng=Random(seed))
        taken = {cell for p in puzzle.placements for cell in p.cells}
        seen.update(
            tile
            for r, row in enumerate(puzzle.grid)
            for c, tile in enumerate(row)
            if (r, c) not in taken
        )
    assert seen["É"] > 20
    assert seen["Ë"] > 20


@pytest.mark.parametrize("language", ["hi", "ja", "ko", "th", "zh"])
def test_no_tile_of_an_easy_grid_gives_a_word_away(language):
    path = DATA / "everyday" / f"{language}.txt"
    rows = path.read_text(encoding="utf-8").splitlines()
    words, alone = [row.split("\t")[0] for row in rows], 0
    for seed in range(50):
        puzzle = generate(words, language=language, rng=Random(seed))
        of_words = {cell for p in puzzle.placements for cell in p.cells}
        filling, own = set(), set()
        for r, row in enumerate(puzzle.grid):
            for c, tile in enumerate(row):
                (own if (r, c) in of_words else filling).add(tile)
        alone += len(own - filling)
    assert alone / 50 < 0.5  # of about 25; now and then one is replaced to mend a false reading


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"words": 0}, "at least one word"),
        ({"rows": 0}, "1 to 200 rows, not 0"),
        ({"cols": 2}, "3 to 200 columns, not 2"),
        ({"difficulty": "medium"}, "not “medium”"),
        ({"alphabet": []}, "alphabet is empty"),
        ({"alphabet": ["A", "LJ"]}, "“LJ” is not a single letter"),
    ],
)
def test_an_argument_that_cannot_be_met_is_named(options, message):
    with pytest.raises(PuzzleError, match=message):
        generate(LISTS["en"], rng=Random(1), **options)


@pytest.mark.parametrize("odd", [5, None, ["cat"]])
def test_a_word_that_is_no_text_is_named(odd):
    with pytest.raises(PuzzleError, match="must be text, not") as caught:
        generate(["apple", odd], words=1, rng=Random(1))
    assert repr(odd) in str(caught.value)


def test_an_alphabet_may_be_given_in_small_letters_and_with_digraphs():
    letters = ["a", "b", "d", "e", "lj", "nj", "p", "u", "v"]
    puzzle = generate(["ljub", "njega"], words=1, alphabet=letters, language="hr", rng=Random(1))
    assert {"LJ", "NJ"} < {tile for row in puzzle.grid for tile in row}
