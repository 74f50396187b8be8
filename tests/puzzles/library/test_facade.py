"""`word_search`, `listen_and_find`, `crossword` and what their puzzles can do."""

import doctest
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from osmosmjerka.paper import lettering, pdf
from puzzles import library
from puzzles.exports import FORMATS
from puzzles.library import (
    ExportError,
    MissingExtra,
    NotAllWords,
    Printing,
    Puzzle,
    PuzzleError,
    crossword,
    word_search,
)
from puzzles.library import puzzle as puzzles
from puzzles.library.makers import MAKERS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
FRUIT = {"apple": "jabuka", "plum": "šljiva", "pear": "kruška", "cherry": "trešnja"}
make_each = pytest.mark.parametrize("make", MAKERS.values(), ids=list(MAKERS))


def spelt(puzzle, word):
    return "".join(puzzle.grid[row][col] for row, col in word.cells)


def run_examples(text):
    """Return how many examples there are in *text*, how many are wrong, and what was told."""
    test = doctest.DocTestParser().get_doctest(text, {}, "examples", None, 0)
    told = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    return result.attempted, result.failed, "".join(told)


def test_the_recipes_are_true(published, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    attempted, failed, told = run_examples(PAGE)
    assert (attempted > 20, failed) == (True, 0), told
    assert len(re.findall(r"^## \d+\. ", PAGE, re.M)) == 10


def test_a_recipe_that_is_not_true_is_noticed(published, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_examples(PAGE.replace("['A', 'B', 'C'], 3", "['A', 'B', 'C'], 2"))[1] == 1


@make_each
def test_words_with_and_without_clues_are_taken_in_each_form(make):
    pairs = make(list(FRUIT.items()), language="en", seed=1)
    assert make(FRUIT, language="en", seed=1) == pairs
    assert {word.word: word.clue for word in pairs.words} == FRUIT
    plain = make(FRUIT.keys(), language="en", seed=1)
    assert plain.grid == pairs.grid and {word.clue for word in plain.words} == {""}
    for word in plain.words:
        assert spelt(plain, word) == word.word.upper()


@make_each
def test_a_puzzle_is_the_same_after_json_and_by_its_seed(make):
    puzzle = make(FRUIT, language="en", title="Voće")
    assert make(FRUIT, language="en", title="Voće", seed=puzzle.seed) == puzzle
    again = Puzzle.from_json(puzzle.to_json())
    assert again == puzzle
    lacking = make([*FRUIT, "strawberries", "b"], size=8)
    assert lacking.unplaced and Puzzle.from_json(lacking.to_json()) == lacking
    assert (str(again), str(again.solution)) == (str(puzzle), str(puzzle.solution))


def test_a_grid_that_begins_at_the_right_is_the_same_after_json():
    for make in (word_search, crossword):
        puzzle = make(["قطة", "كلب", "بقرة"], language="ar", seed=1)
        assert Puzzle.from_json(puzzle.to_json()) == puzzle


def test_a_hidden_message_is_asked_for_and_kept():
    puzzle = word_search(FRUIT, message="Fruit is good", language="en", seed=1)
    assert "The letters left over spell:\n_ _ _ _ _   _ _" in str(puzzle)
    assert "FRUIT IS GOOD" in str(puzzle.solution).upper()
    assert Puzzle.from_json(puzzle.to_json()) == puzzle


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"schema": "osmosmjerka/puzzle"}'])
def test_other_json_is_refused_in_a_sentence(text):
    with pytest.raises(PuzzleError, match="not a puzzle in JSON"):
        Puzzle.from_json(text)


@pytest.mark.parametrize(
    "change",
    [{"version": 2}, {"grid": [["A"]]}, {"placements": [{"word": "a", "cells": [[99, 0]]}]}],
    ids=str,
)
def test_changed_json_is_refused(change):
    document = json.loads(word_search(FRUIT, seed=1).to_json())
    with pytest.raises(PuzzleError, match="not a puzzle in JSON"):
        Puzzle.from_json(json.dumps(document | change))


def test_the_solution_shows_what_the_puzzle_hides():
    puzzle = crossword(FRUIT, language="en", seed=1)
    assert "apple" not in str(puzzle) and "apple" in str(puzzle.solution)
    drawn, solved = puzzle._repr_svg_(), puzzle.solution._repr_svg_()
    letter = re.compile(r">[A-Z]</text>")
    assert not letter.search(drawn) and letter.search(solved)
    assert drawn.startswith("<svg ") and "jabuka" in drawn and "Name" not in drawn


def test_a_notebook_s_picture_ends_below_the_words():
    drawn = word_search(FRUIT, seed=1)._repr_svg_()
    height = float(re.search(r'height="([\d.]+)mm"', drawn)[1])
    lowest = max(map(float, re.findall(r'<text [^>]*?y="([\d.]+)"', drawn)))
    assert lowest < height < 297


@pytest.mark.parametrize("name", FORMATS)
def test_each_ending_writes_its_format(name, tmp_path):
    puzzle = crossword(FRUIT, language="en", seed=1)
    path = puzzle.save(tmp_path / f"a{FORMATS[name].extension}", key=True)
    assert path.read_bytes() == puzzle.to_bytes(name, key=True)
    assert len(puzzle.solution.to_bytes(name)) > 100


def test_paper_and_letters_can_be_chosen():
    puzzle = word_search(FRUIT, seed=1)
    assert b'width="215.9mm"' in puzzle.to_bytes("svg", printing=Printing(paper="letter"))


@make_each
def test_what_is_not_installed_is_named_with_its_extra(make, tmp_path, monkeypatch):
    puzzle = make(FRUIT, seed=1)
    monkeypatch.setattr(puzzles, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=re.escape('pip install "osmosmjerka-puzzles[pdf]"')):
        puzzle.save(tmp_path / "a.pdf")
    with pytest.raises(MissingExtra, match=r"\[shapes\]"):
        word_search(FRUIT, shape="heart")
    assert puzzle.save(tmp_path / "a.svg").exists()


def test_letters_without_a_font_are_named_with_its_extra(monkeypatch):
    def fail(*args, **options):
        error = lettering.MissingLetters("犬")
        error.lacks_east_asian = lacks
        raise error

    monkeypatch.setattr(pdf, "draw", fail)
    puzzle = word_search(["犬", "猫", "友達"], language="ja", seed=1)
    lacks = True
    with pytest.raises(MissingExtra, match=r"letters: 犬\. Install one with: .*\[cjk\]"):
        puzzle.to_bytes("pdf")
    lacks = False
    with pytest.raises(ExportError, match="Choose SVG"):  # the control
        puzzle.to_bytes("pdf")


@make_each
def test_versions_have_the_same_words_in_other_grids(make):
    words = ["apple", "pear", "plum", "cherry", "lemon", "melon", "grape", "peach", "mango", "fig"]
    puzzle = make(words, language="en", seed=1)
    versions = puzzle.versions(3)
    assert versions[0].grid == puzzle.grid
    assert len({version.grid for version in versions}) == 3
    assert len({frozenset(word.word for word in one.words) for one in versions}) == 1
    assert [str(one).splitlines()[0][-2:] for one in versions] == [" A", " B", " C"]


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: word_search("cat dog"), "as in ['cat', 'dog'], not as one text"),
        (lambda: word_search([]), "There are no words"),
        (lambda: word_search(["cat", 3]), "Word 2 must be text"),
        (lambda: word_search(["cat"], language="h_"), "“h_” is not a language tag"),
        (lambda: word_search(["cat", "dog"], shape="cow"), "“cow” is not a shape. Known are heart"),
        (lambda: word_search(["cat"], directions=["up"]), "“UP” is not a direction"),
        (lambda: word_search(["cat"], count=2), "2 words cannot be chosen: there are 1."),
        (lambda: word_search(["cat"], seed=1).versions(0), "1 to 26 versions, not 0"),
        (lambda: crossword(["cat", "act"], seed=1).versions(7), "Only 6 different grids"),
        (lambda: Printing(paper="foolscap"), "paper cannot be “foolscap”. Known are a4, letter"),
        (lambda: Printing(text="huge"), "text cannot be “huge”"),
        (lambda: Printing(per_page=99), "per_page cannot be “99”. Known are 1, 2, 4"),
        (lambda: word_search(["cat"], seed=1).save("a"), "“a” has no ending. Known are .txt"),
        (lambda: word_search(["cat"], seed=1).to_bytes("odt"), "“odt” is not a known format"),
        (
            lambda: Puzzle.from_json(word_search(["cat"]).to_json()).versions(2),
            "A puzzle from a file has no other versions",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(act, message):
    with pytest.raises(PuzzleError, match=re.escape(message)):
        act()


@make_each
def test_all_words_or_none(make):
    words = [*FRUIT, "strawberries"]
    with pytest.raises(NotAllWords, match="words are in the puzzle") as refused:
        make(words, size=8, require_all=True, seed=1)
    assert "strawberries" in {word.word for word in refused.value.puzzle.unplaced}
    assert "strawberries" in str(refused.value)
    assert make(words, size=8, seed=1).words  # the control


def test_west_is_to_the_left_on_paper_whatever_the_script():
    """Columns are counted as the script is read, so in Arabic words run on to higher ones."""
    for language, words, step in (("ar", ["قطة", "كلب"], 1), ("en", ["cat", "dog"], -1)):
        puzzle = word_search(words, language=language, directions=["W"], seed=1)
        for word in puzzle.words:
            assert word.cells[1][1] - word.cells[0][1] == step


@pytest.mark.parametrize("name", library.__all__)
def test_every_public_name_is_described(name):
    assert inspect.getdoc(getattr(library, name))
    if name in {"word_search", "listen_and_find", "crossword"}:
        text = inspect.getdoc(getattr(library, name))
        assert all(part in text for part in ("Args:", "Returns:", "Raises:", "Complexity:"))
        for parameter in inspect.signature(getattr(library, name)).parameters:
            assert f"    {parameter}: " in text


WITHOUT = """
import sys
for name in ("icu", "uharfbuzz", "PIL", "segno", "docx", "puz", "pypdfium2", "charset_normalizer"):
    sys.modules[name] = None
from puzzles.library import *
for language, words in (("en", ["cat", "dog"]), ("ar", ["قطة", "كلب"])):
    print(len(word_search(words, seed=1, language=language)._repr_svg_()))
"""


def test_pictures_need_no_library_of_an_extra():
    done = subprocess.run([sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True)
    assert [int(size) > 2000 for size in done.stdout.split()] == [True, True], done.stderr
