"""JSON, ipuz and text: what other programs and terminals read."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import ipuz
import puz
import pytest
from defusedxml import ElementTree

from puzzles.exports import FORMATS, ExportError, Printing, PuzzleData
from tests.puzzles.exports.puzzles import (
    KINDS,
    WORDS,
    Made,
    Placed,
    crossing,
    diagonal,
    puzzle,
)
from vocab.text import tiles


def written(name, data, *, key=False):
    return json.loads(FORMATS[name].write(data, key=key))


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("kind", KINDS)
def test_json_spells_every_word_in_the_squares_it_names(kind, language):
    document = written("json", puzzle(kind, language))

    assert list(document) == [
        "schema", "version", "title", "language", "direction",
        "kind", "rows", "cols", "grid", "placements", "unplaced",
    ]  # fmt: skip
    assert (document["schema"], document["version"]) == ("osmosmjerka/puzzle", 1)
    assert (document["title"], document["language"]) == ("Prve riječi", language)
    assert document["direction"] == ("rtl" if language in ("ar", "he") else "ltr")
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
    document = json.loads(FORMATS["ipuz"].write(puzzle(kind, language)))
    # An extension of libipuz, for right-to-left words, which this reader does not know.
    for clue in document.get("clues", {}).get("Across", []):
        assert ("cells" in clue) == (language in ("ar", "he"))
        clue.pop("cells", None)
    read = ipuz.read(json.dumps(document))

    family = "crossword" if kind == "crossword" else "wordsearch"
    assert read["version"] == "http://ipuz.org/v2"
    assert read["kind"] == [f"http://ipuz.org/{family}#1"]


def test_ipuz_with_a_message_and_bonus_words_is_valid_for_a_reader_that_is_not_ours():
    plain = diagonal()
    first, *others = plain.placements
    data = replace(
        plain, placements=(replace(first, is_bonus=True), *others), bonus=1, message=("X", "YZ")
    )
    document = written("ipuz", data)
    assert ipuz.read(json.dumps(document))["kind"] == ["http://ipuz.org/wordsearch#1"]
    assert list(document["solution"]) == ["PAS", "KONJ", "MIR", "SLON"]
    assert first.clue not in document.get("notes", "")
    assert document["org.osmosmjerka:message"] == "X YZ"
    assert [one["word"] for one in document["org.osmosmjerka:bonus"]] == [first.word]


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
    line = document["solution"][row][col : col - 6 : -1]
    assert "".join(line) == "ביתספר"
    assert clues[1]["cells"] == [[col - place, row] for place in range(6)]
    unused = [cell is None for line in document["puzzle"] for cell in line]
    assert unused == [cell is None for line in document["solution"] for cell in line]


@pytest.mark.parametrize("name", ["json", "ipuz"])
def test_a_right_to_left_grid_is_as_it_is_printed(name):
    document = written(name, puzzle("word-search", "he"))

    row = document["grid" if name == "json" else "puzzle"][0]
    assert "".join(row[-2:-5:-1]) == "כלב"


def test_a_file_of_across_lite_has_the_grid_and_the_clues():
    read = puz.load(FORMATS["puz"].write(crossing()))

    assert (read.width, read.height, read.title) == (4, 3, "Bäume")
    assert (read.version, read.solution) == (b"1.4", "BÄR.AHA.DRUM")
    assert read.fill == "---.---.----"
    assert [(clue.number, clue.text) for clue in read.clue_numbering().across] == [
        (1, "bear"), (4, "oho (1,2)"), (5, "(4)"),
    ]  # fmt: skip
    assert [(clue.number, clue.text) for clue in read.clue_numbering().down] == [
        (1, "bathroom"), (2, "down 2"), (3, "down 3"),
    ]  # fmt: skip


def test_letters_that_across_lite_lacks_are_in_the_table_beside_its_grid():
    grid = (("LJ", "Š"), (None, "A"))
    placements = (
        Placed("ljš", ((0, 0), (0, 1)), 1, "across"),
        Placed("ša", ((0, 1), (1, 1)), 2, "down"),
    )
    data = PuzzleData.from_generated(
        "crossword", Made(grid, placements), [("ša", "“sha”")], title="", language="hr"
    )
    read = puz.load(FORMATS["puz"].write(data))

    assert (read.version, read.solution) == (b"2.0", "LS.A")
    assert [read.rebus().get_rebus_solution(place) for place in (0, 1, 3)] == ["LJ", "Š", None]
    assert read.clue_numbering().down[0].text == "“sha”"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (diagonal(), "Only a crossword"),
        (puzzle("crossword", "el"), "only contain crosswords in Latin letters"),
        (puzzle("crossword", "he"), "only contain crosswords in Latin letters"),
        # Its words stand one below the other, where programs would see words down.
        (puzzle("crossword", "hr"), "would number its words in another way"),
    ],
)
def test_across_lite_says_which_puzzle_it_cannot_hold(data, reason):
    with pytest.raises(ExportError, match=reason):
        FORMATS["puz"].write(data)


def test_across_lite_says_what_of_a_large_crossword_it_cannot_hold():
    with pytest.raises(ExportError, match="at most 255 rows and 255 columns"):
        FORMATS["puz"].write(one_row(["A"] * 256))
    assert FORMATS["puz"].write(one_row(["A"] * 255))
    pairs = [f"{a}{b}" for a in "BCDFGHJKLM" for b in "AEIOUYÄÖÜÉ"]
    reason = "at most 99 different letters outside the basic alphabet, .* this crossword has 100"
    with pytest.raises(ExportError, match=reason):
        FORMATS["puz"].write(one_row(pairs))
    # Latin-1 has É, and a letter that is there twice is in the table once.
    assert FORMATS["puz"].write(one_row([*pairs[:99], pairs[0], "É"]))


def one_row(tiles):
    """Return a crossword of one word in these squares."""
    placed = Placed("x", tuple((0, col) for col in range(len(tiles))), 1, "across")
    return PuzzleData.from_generated(
        "crossword", Made((tuple(tiles),), (placed,)), [], title="", language="en"
    )


def test_a_file_of_crossword_compiler_has_the_grid_and_the_clues():
    root = ElementTree.fromstring(FORMATS["jpz"].write(puzzle("crossword", "he")))
    names = {"p": "http://crossword.info/xml/rectangular-puzzle"}

    cells = {
        (int(cell.get("x")), int(cell.get("y"))): cell for cell in root.findall(".//p:cell", names)
    }
    words = {word.get("id"): word for word in root.findall(".//p:word", names)}
    clue = root.findall(".//p:clue", names)[1]
    places = [
        (int(place.get("x")), int(place.get("y")))
        for place in words[clue.get("word")].findall("p:cells", names)
    ]
    letters = [cells[place].get("solution") for place in places]
    assert ("".join(letters), clue.text, clue.get("format")) == ("ביתספר", "school", "3,3")
    assert [x for x, _y in places] == sorted((x for x, _y in places), reverse=True)
    assert cells[places[0]].get("number") == clue.get("number")
    assert cells[1, 1].get("type") == "block"


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


def test_a_solution_in_text_is_the_key_alone():
    both = FORMATS["text"].write(diagonal(), key=True).decode()
    alone = FORMATS["text"].write_solution(diagonal()).decode()

    assert alone.splitlines()[0] == f"{diagonal().title} – Key"
    assert alone.partition("\n")[2] == both.partition("\nKey\n")[2]


def test_a_right_to_left_row_of_text_begins_at_the_right_and_its_numbers_stay():
    items = [("שמש", f"clue {n}") for n in range(12)]
    rows = FORMATS["text"].write(puzzle("crossword", "he", items)).decode().splitlines()[2:14]

    assert all(row.startswith("\u202e") and row.endswith("\u202c") for row in rows)
    assert "\u202d12\u202c" in rows[-1]


def test_a_finder_on_paper_has_a_line_for_each_clue_and_a_word_without_one_is_told():
    text = FORMATS["text"].write(puzzle("finder", items=[("žaba", "frog"), ("slon", "")])).decode()

    assert text.endswith("\n1. frog ________\n2. slon\n")


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


def test_formats_that_always_tell_the_answers_say_so_and_have_no_other_solution():
    for format in FORMATS.values():
        data = crossing() if format.is_numbered else diagonal()
        plain = format.write(data)
        for other in (format.write(data, key=True), format.write_solution(data)):
            assert (other == plain) is format.has_answers, format.name


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
        "light = {'PIL', 'uharfbuzz', 'pypdfium2'} & set(sys.modules); "
        "import puzzles.exports.pdf, puzzles.exports.svg, puzzles.exports.png; "
        "print(light, 'django' in sys.modules)"
    )

    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert told.stdout.strip() == "set() False"


def test_text_tells_the_task_the_message_and_what_is_not_listed():
    data = replace(
        puzzle("word-search"),
        message=("dobro", "je"),
        bonus=2,
        printing=Printing(
            is_lowercase=True, instruction="Pronađi riječi.", address="https://a.example/play/x/"
        ),
    )
    sheet, solution = FORMATS["text"].write(data).decode(), FORMATS["text"].write_solution(data)

    told = ["Pronađi riječi.", "k  r  o  k  o  d  i  l", "_ _ _ _ _   _ _"]
    told += ["More words to find: 2", "Play it here: https://a.example/play/x/"]
    for one in told:
        assert one in sheet
    assert "dobro" not in sheet.lower()
    assert "The letters left over spell: dobro je" in solution.decode()
