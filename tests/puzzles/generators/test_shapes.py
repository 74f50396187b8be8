"""Word searches in a shape, and those whose left-over letters spell a message."""

from __future__ import annotations

import io
from collections import Counter
from random import Random

import pytest
from PIL import Image, ImageDraw

from puzzles.generators.errors import WordSearchError
from puzzles.generators.word_search import DOWN, RIGHT, generate, masks
from tests.puzzles.generators.figures import step_of
from tests.puzzles.generators.shapes import inside, is_connected
from tests.puzzles.generators.test_word_search import ANIMALS, LISTS
from tests.puzzles.generators.verify_word_search import faults
from vocab.text import tiles

MESSAGE = "You read this very well"  # 19 letters
WORDS = [*ANIMALS, "otter", "beaver"]
OUTSIDE = "A cell holds nothing."


def left_over(puzzle):
    used = {cell for p in puzzle.placements for cell in p.cells}
    return tuple(puzzle.grid[r][c] for r, c in sorted(inside(puzzle.grid) - used))


def drawn(paint, mode="RGB", ground="white"):
    image = Image.new(mode, (80, 60), ground)
    paint(ImageDraw.Draw(image))
    made = io.BytesIO()
    image.save(made, "PNG")
    return made.getvalue()


@pytest.mark.parametrize("name", masks.SHAPES)
def test_a_shape_is_in_one_part_and_the_same_from_both_sides(name):
    for rows, cols in ((9, 9), (14, 15), (25, 24), (60, 60)):
        cells = masks.silhouette(name).cells(rows, cols)
        assert is_connected(set(cells))
        assert cells == {(row, cols - 1 - col) for row, col in cells}
        assert 0.3 * rows * cols < len(cells) < rows * cols


@pytest.mark.parametrize("letter", ["A", "Č", "Ж", "ع", "ה", "ก", "कि", "木", "あ", "한"])
def test_a_letter_of_any_script_is_a_shape(letter):
    shape = masks.silhouette_of_letter(letter)
    cells = shape.cells(24, round(24 * shape.aspect))
    assert is_connected(set(cells))
    assert len(cells) > 60


@pytest.mark.parametrize("wrong", ["", "?", "5", "AB1", "AB", "木水", "LJ"])
def test_what_is_not_one_letter_is_no_shape(wrong):
    with pytest.raises(WordSearchError, match="Write one letter"):
        masks.silhouette_of_letter(wrong)


def test_a_letter_that_the_fonts_lack_is_refused_with_that_reason():
    with pytest.raises(WordSearchError, match="fonts do not have “Ꭰ”"):
        masks.silhouette_of_letter("Ꭰ")


def test_the_largest_dark_part_of_a_picture_is_the_shape():
    def paint(pen):
        pen.rectangle((10, 10, 49, 49), fill="navy")
        pen.rectangle((70, 50, 75, 55), fill="black")

    shape = masks.silhouette_of_picture(masks.packed_picture(drawn(paint)))
    # Both parts together are 66 by 46 dots; the small one falls off.
    cells = shape.cells(46, 60)
    assert {col for _row, col in cells} == set(range(36))
    clear = drawn(lambda pen: pen.ellipse((5, 5, 50, 50), fill=(0, 0, 0, 255)), "RGBA", (0,) * 4)
    assert masks.silhouette_of_picture(masks.packed_picture(clear)).aspect == pytest.approx(1)


@pytest.mark.parametrize("ground", ["white", "black"])
def test_a_picture_without_a_figure_is_refused(ground):
    with pytest.raises(WordSearchError, match="dark figure"):
        masks.packed_picture(drawn(lambda pen: None, ground=ground))


@pytest.mark.parametrize("wrong", ["", "5x5", "900x900:AAAA", "8x8:!!!!", "8x8:AA==", "x:y"])
def test_a_stored_picture_that_is_damaged_is_refused(wrong):
    with pytest.raises(WordSearchError, match="again"):
        masks.silhouette_of_picture(wrong)


@pytest.mark.parametrize("name", [*masks.SHAPES, "S"])
@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_words_stay_in_the_shape_and_are_read_once(name, difficulty):
    named = name in masks.SHAPES
    shape = masks.silhouette(name) if named else masks.silhouette_of_letter(name)
    puzzle = generate(WORDS, shape=shape, difficulty=difficulty, rng=Random(1))
    assert puzzle.unplaced == ()
    assert set(faults(puzzle, WORDS)) == {OUTSIDE}
    assert is_connected(inside(puzzle.grid))
    for line in (*puzzle.grid, *zip(*puzzle.grid, strict=True)):
        assert any(line), "an empty row or column"
    square = generate(WORDS, difficulty=difficulty, rng=Random(1))
    assert len(inside(puzzle.grid)) <= 1.1 * len(inside(square.grid))


def test_a_shape_takes_a_size_as_a_square_does():
    puzzle = generate(WORDS, shape=masks.silhouette("circle"), size=(16, 18), rng=Random(1))
    assert (len(puzzle.grid), len(puzzle.grid[0])) == (16, 18)
    assert puzzle.grid[0][0] is None


@pytest.mark.parametrize("difficulty", ["easy", "medium", "hard"])
def test_what_is_left_over_is_the_message_and_nothing_else(difficulty):
    for seed in range(6):
        puzzle = generate(WORDS, hidden=MESSAGE, difficulty=difficulty, rng=Random(seed))
        assert faults(puzzle, WORDS) == []
        assert puzzle.unplaced == ()
        assert left_over(puzzle) == puzzle.message == tiles(MESSAGE)


@pytest.mark.parametrize("language", ["hr", "ar", "hi"])
def test_a_message_has_the_letters_of_its_language(language):
    words, text = LISTS[language][:12], " ".join(LISTS[language][20:24])
    puzzle = generate(words, language=language, hidden=text, rng=Random(2))
    assert faults(puzzle, words, language=language) == []
    assert left_over(puzzle) == tiles(text, language)


def test_a_shape_can_have_a_message():
    puzzle = generate(WORDS, hidden=MESSAGE, shape=masks.silhouette("heart"), rng=Random(1))
    assert set(faults(puzzle, WORDS)) == {OUTSIDE}
    assert left_over(puzzle) == tiles(MESSAGE)


ANIMALS = (
    "Hund Katze Pferd Vogel Fisch Schwein Schaf Ziege Huhn Ente Gans Hase Maus Löwe Elefant "
    "Affe Schlange Frosch Tiger Giraffe Zebra Esel Igel Fuchs Wolf Bär Hirsch Eule Biene Spinne"
)


@pytest.mark.parametrize("seed", range(4))
def test_a_shape_of_some_size_leaves_over_a_short_message(seed):
    """Only a few sizes of a shape have nearly as many squares as the words and the message need."""
    puzzle = generate(
        Random(seed).sample(ANIMALS.split(), 15),
        language="de",
        hidden="Viel Glück",
        shape=masks.silhouette("heart"),
        rng=Random(seed),
    )
    assert "".join(puzzle.message) == "VIELGLÜCK"


def test_a_word_in_the_message_is_not_read_a_second_time():
    for seed in range(5):
        puzzle = generate(WORDS, hidden="The bear and the lion sleep", rng=Random(seed))
        assert faults(puzzle, WORDS) == []


def test_a_blocked_word_is_not_read_in_the_message():
    for seed in range(5):
        options = {"hidden": "a shell on the beach", "blocklist": ["hell"]}
        puzzle = generate(WORDS, rng=Random(seed), **options)
        assert faults(puzzle, WORDS, blocklist=["hell"]) == []


def test_beside_a_message_words_run_in_all_kinds_of_lines():
    words = "elephant crocodile kangaroo butterfly squirrel hedgehog tortoise flamingo antelope"
    words = [*words.split(), "ladybird", "seahorse", "jellyfish"]
    hidden = "You read this very well and you found all of us"
    lines = Counter()
    for seed in range(6):
        puzzle = generate(words, hidden=hidden, rng=Random(seed))
        steps = [step_of(placement) for placement in puzzle.placements]
        lines.update("row" if not down else "diagonal" if right else "col" for down, right in steps)
    assert min(lines["row"], lines["col"], lines["diagonal"]) >= lines.total() / 5, lines


def test_the_same_seed_gives_the_same_message_in_the_same_grid():
    options = {"hidden": MESSAGE, "shape": masks.silhouette("star")}
    assert generate(WORDS, rng=Random(3), **options) == generate(WORDS, rng=Random(3), **options)


def test_why_there_is_no_room_for_a_message_is_told():
    with pytest.raises(WordSearchError, match=r"No grid was found .* 3 letters"):
        generate(["elephant"], hidden="now", size=(2, 9), rng=Random(1))
    with pytest.raises(WordSearchError, match="at most 60"):
        generate(WORDS, hidden="x" * 61, rng=Random(1))


def test_chosen_directions_are_the_only_ones():
    puzzle = generate(WORDS, directions=[DOWN], hidden=MESSAGE, rng=Random(1))
    assert {step_of(p) for p in puzzle.placements} == {DOWN}
    both = generate(
        WORDS, directions=[DOWN, RIGHT], shape=masks.silhouette("circle"), rng=Random(1)
    )
    assert {step_of(p) for p in both.placements} == {DOWN, RIGHT}
