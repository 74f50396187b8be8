"""JSON, ipuz and text: what other programs and terminals read."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import ipuz
import pytest

from puzzles.exports import FORMATS, ExportError, PuzzleData
from tests.puzzles.exports.puzzles import KINDS, WORDS, Made, Placed, diagonal, puzzle
from vocab.text import tiles


def written(name, data, *, key=False):
    return json.loads(FORMATS[name].write(data, key=key))


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("kind", KINDS)
def test_json_spells_every_word_in_the_squares_it_names(kind, language):
    document = written("json", puzzle(kind, language))

    assert list(document) == ["kind", "rows", "cols", "grid", "placements", "unplaced"]
    assert document["kind"] == kind
    assert [len(row) for row in document["grid"]] == [document["cols"]] * document["rows"]
    assert [placed["word"] for placed in document["placements"]] == [w for w, _ in WORDS[language]]
    for placed in document["placements"]:
        spelt = tuple(document["grid"][row][col] for row, col in placed["cells"])
        assert spelt == tiles(placed["word"], language)
    assert document["unplaced"] == [{"word": "mravojed", "reason": "There is no room for it."}]


def test_json_of_a_crossword_tells_numbers_and_directions_and_of_others_none():
    crossword, search = written("json", puzzle("crossword")), written("json", puzzle("word-search"))

    assert [(p["number"], p["direction"]) for p in crossword["placements"]] == [
        (1, "across"),
        (2, "across"),
        (3, "across"),
        (4, "across"),
    ]
    assert crossword["grid"][0][0] is None
    assert set(search["placements"][0]) == {"word", "cells", "clue"}


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("kind", KINDS)
def test_ipuz_is_valid_for_a_reader_that_is_not_ours(kind, language):
    read = ipuz.read(FORMATS["ipuz"].write(puzzle(kind, language)).decode())

    family = "crossword" if kind == "crossword" else "wordsearch"
    assert read["version"] == "http://ipuz.org/v2"
    assert read["kind"] == [f"http://ipuz.org/{family}#1"]


def test_ipuz_of_a_word_search_leads_to_every_word_by_column_and_row():
    document = written("ipuz", diagonal())

    assert document["dimensions"] == {"width": 5, "height": 5}
    for word, group in document["solution"].items():
        assert "".join(document["puzzle"][row][col] for col, row in group["cells"]) == word
    assert list(document["solution"]) == ["MAČKA", "PAS", "KONJ", "MIR", "SLON"]


def test_ipuz_of_a_crossword_can_be_solved_from_its_clues():
    document = written("ipuz", puzzle("crossword", "he"))

    numbers = {
        cell: (row, col)
        for row, line in enumerate(document["puzzle"])
        for col, cell in enumerate(line)
        if cell
    }
    clues = document["clues"]["Across"]
    assert [clue["clue"] for clue in clues] == ["dog", "school", "sun", "apple"]
    assert [clue["enumeration"] for clue in clues] == ["3", "3,3", "3", "4"]
    row, col = numbers[clues[1]["number"]]
    line = document["solution"][row][col : col + 6]
    assert "".join(line) == "ביתספר"
    unused = [cell is None for line in document["puzzle"] for cell in line]
    assert unused == [cell is None for line in document["solution"] for cell in line]


def test_ipuz_takes_texts_for_html_so_signs_are_escaped():
    document = written("ipuz", puzzle("crossword", items=[("žaba", "<b> & co")], title="A < B & C"))

    assert document["title"] == "A &lt; B &amp; C"
    assert document["clues"]["Across"][0]["clue"] == "&lt;b&gt; &amp; co"


def test_ipuz_tells_the_digit_0_from_an_empty_square():
    document = written("ipuz", puzzle("word-search", items=[("2010", "a year")]))

    assert document["empty"] not in {cell for row in document["puzzle"] for cell in row}


def test_ipuz_says_which_word_it_cannot_hold_twice():
    twice = puzzle("word-search", items=[("žaba", "frog"), ("žaba", "toad")])

    with pytest.raises(ExportError, match="“žaba” is in this puzzle twice"):
        FORMATS["ipuz"].write(twice)


def test_a_word_that_is_listed_twice_keeps_both_its_clues():
    twice = puzzle("crossword", items=[("žaba", "frog"), ("žaba", "toad")])

    assert [placed.clue for placed in twice.placements] == ["frog", "toad"]


def test_text_shows_title_grid_and_words():
    text = FORMATS["text"].write(diagonal()).decode()

    assert text == (
        "Životinje\n\n"
        "M  A  Č  K  A\n"
        "P  S  X  O  X\n"
        "A  X  L  NJ X\n"
        "S  X  X  O  X\n"
        "X  R  I  M  N\n\n"
        "mačka – cat\npas\nkonj – horse\nmir\nslon\n"
    )


def test_the_key_in_text_dots_what_belongs_to_no_word():
    key = FORMATS["text"].write(diagonal(), key=True).decode().partition("\nKey\n")[2]

    assert key.splitlines()[1:6] == [
        "M  A  Č  K  A",
        "P  S  ·  O  ·",
        "A  ·  L  NJ ·",
        "S  ·  ·  O  ·",
        "·  R  I  M  N",
    ]


def test_a_right_to_left_row_of_text_begins_at_the_right_and_its_numbers_stay():
    items = [("שמש", f"clue {n}") for n in range(12)]
    rows = FORMATS["text"].write(puzzle("crossword", "he", items)).decode().splitlines()[2:14]

    assert all(row.startswith("\u202e") and row.endswith("\u202c") for row in rows)
    assert "\u202d12\u202c" in rows[-1]


def test_a_finder_on_paper_has_lines_to_write_what_is_heard():
    text = FORMATS["text"].write(puzzle("finder", items=[("žaba", "frog"), ("slon", "")])).decode()

    assert text.endswith("\n1. frog ________\n2. ________\n")


@pytest.mark.parametrize(
    "name", [f.name for f in FORMATS.values() if f.is_text and not f.has_answers]
)
@pytest.mark.parametrize("kind", ["finder", "crossword"])
def test_the_words_are_given_away_only_with_the_key(kind, name):
    data = puzzle(kind, items=[("krokodil", "a reptile"), ("žaba", "it croaks")])

    puzzle_only = FORMATS[name].write(data).decode()
    with_key = FORMATS[name].write(data, key=True).decode()

    assert "krokodil" not in puzzle_only
    assert "a reptile" in puzzle_only
    assert "krokodil" in with_key


def test_a_crossword_without_the_key_has_no_letter_in_its_grid():
    text = FORMATS["text"].write(puzzle("crossword")).decode()

    grid = text.partition("Across")[0].removeprefix("Prve riječi")
    assert set(grid) <= set(" _\n1234")


def test_formats_that_always_tell_the_answers_say_so():
    data = diagonal()

    for format in FORMATS.values():
        if format.has_answers:
            assert format.write(data) == format.write(data, key=True)
        else:
            assert format.write(data) != format.write(data, key=True)


def test_data_can_come_from_elsewhere_than_a_generator():
    made = puzzle("crossword")
    rebuilt = PuzzleData(
        **{name: getattr(made, name) for name in made.__dataclass_fields__ if name != "labels"}
    )

    assert FORMATS["json"].write(rebuilt) == FORMATS["json"].write(made)


def test_a_phrase_whose_lengths_do_not_fit_its_squares_counts_as_one_word():
    cells = tuple((0, i) for i in range(5))
    made = Made((("A", "B", "C", "D", "E"),), (Placed("ab xyz q", cells, 1, "across"),))

    data = PuzzleData.from_generated("crossword", made, [], title="", language="en")

    assert data.placements[0].enumeration == "5"


def test_whoever_prints_chooses_the_language_of_the_labels():
    data = puzzle("crossword")
    data = replace(data, labels=replace(data.labels, across="Vodoravno"))

    assert "Vodoravno" in FORMATS["text"].write(data).decode()


def test_exports_know_neither_django_nor_drawing_until_it_is_drawn():
    program = (
        "import sys; from puzzles.exports import FORMATS; import puzzles.exports.text, "
        "puzzles.exports.ipuz, puzzles.exports.json; "
        "light = {'fpdf', 'PIL', 'uharfbuzz', 'pypdfium2'} & set(sys.modules); "
        "import puzzles.exports.pdf, puzzles.exports.svg, puzzles.exports.png; "
        "print(light, 'django' in sys.modules)"
    )

    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert told.stdout.strip() == "set() False"
