"""Files of other programs, and what a reader makes of broken ones."""

from __future__ import annotations

import json
import zipfile
from importlib import import_module
from unittest.mock import Mock

import puz
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.exports import FORMATS, PuzzleData
from puzzles.exports.ipuz import ORIGIN
from puzzles.imports import readers
from puzzles.imports.readers import LARGEST_FILE, ReadError, ReadPuzzle, jpz, read
from puzzles.imports.readers.puzzle import MOST_WORDS
from puzzles.library.makers import MAKERS
from tests.puzzles.exports.puzzles import WORDS
from tests.puzzles.imports.files import (
    ACROSS,
    CLUE_8,
    CROSSWORD,
    DOWN,
    GLOBAL,
    HEADER,
    MAGIC,
    WORD_SEARCH,
    across_lite,
    changed,
    compiler,
    ipuz,
    refusal,
    with_first,
    words_of,
    zipped,
)
from tests.understated import most_memory, understated


def generated(kind, language):
    return MAKERS[kind](WORDS[language], language=language, seed=1, title="Prve riječi").data


@pytest.mark.parametrize(
    ("kind", "name", "language"),
    [
        ("crossword", "ipuz", "el"),
        ("crossword", "ipuz", "he"),
        ("crossword", "jpz", "ar"),
        ("crossword", "jpz", "hr"),
        ("crossword", "puz", "hr"),
        ("word-search", "ipuz", "ar"),
        ("word-search", "ipuz", "hr"),
    ],
)
def test_what_is_exported_is_the_same_when_it_is_read(kind, name, language):
    data = generated(kind, language)

    found = read(FORMATS[name].write(data)).in_reading_order(is_rtl=data.is_mirrored)

    assert found.grid == data.grid
    assert found.title == data.title
    assert {(w.cells, w.number, w.direction, w.clue) for w in found.words} == {
        (p.cells, p.number, p.direction, p.clue) for p in data.placements
    }
    assert found.losses == ()
    assert ReadPuzzle.from_json(json.loads(json.dumps(found.as_json()))) == found


@pytest.mark.parametrize("wrapped", ["{}", "ipuz({})", "  myCall( {} );\n", "\ufeff{}"])
def test_an_ipuz_crossword_of_another_program_is_read(wrapped):
    found = read(wrapped.replace("{}", json.dumps(CROSSWORD)).encode())

    assert found.title == "Farm & field"
    assert found.grid == (("A", "T", None), ("M", "o", "A"), (None, "O", "N"))
    assert words_of(found) == {
        (1, "across"): ("AT", "In a place"),
        (3, "across"): ("MoA", "Extinct <bird>"),
        (5, "across"): ("On!", "Not off"),
        (1, "down"): ("AM", "I ___ here"),
        (2, "down"): ("ToO", "As well"),
        (4, "down"): ("AN", "A, before a vowel"),
    }


def test_the_cells_of_an_ipuz_clue_may_count_from_0_or_from_1():
    across = CROSSWORD["clues"]["Across"]
    for cells in ([[0, 0], [1, 0]], [[1, 1], [2, 1]]):
        clue = {"number": 1, "clue": "x", "cells": cells}
        found = read(ipuz(clues=CROSSWORD["clues"] | {"Across": [clue, *across[1:]]}))
        assert words_of(found)[1, "across"] == ("AT", "x")


@pytest.mark.parametrize("label", ["•", "F-7", "2-3", None])
def test_words_without_a_plain_number_are_where_their_cells_are_and_are_counted(label):
    found = read(with_first({"number": label, "clue": "In a place", "cells": [[0, 0], [1, 0]]}))

    assert words_of(found) == words_of(read(ipuz()))


@pytest.mark.parametrize(
    "cells",
    [
        [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [1, 1]],  # longer than a side, and bent
        [[0, 0], [1, 0], [9, 0]],
        [[0, 0], [1, 0], [2, 0]],  # the last is a block
        "0,0",
    ],
)
def test_a_word_that_is_not_straight_is_refused_and_not_read_as_another(cells):
    assert "Word 1 is not in one row" in refusal(with_first({"number": 1, "cells": cells}))


def test_a_word_may_end_before_the_block():
    short = {"number": 3, "clue": "For short", "cells": [[0, 1], [1, 1]]}
    found = words_of(read(ipuz(clues={"Across": [ACROSS[0], short, ACROSS[2]], "Down": DOWN})))

    assert found[3, "across"] == ("Mo", "For short")


@pytest.mark.parametrize("row", [[None, "T", "#"], ["A", None, "#"]])
def test_a_white_square_without_a_letter_is_a_missing_answer(row):
    rows = CROSSWORD["solution"][1:]
    assert "does not contain the answers" in refusal(ipuz(solution=[row, *rows]))


def test_a_crossword_without_its_kind_and_its_numbers_is_numbered_by_convention():
    bare = {name: value for name, value in CROSSWORD.items() if name != "kind"}

    assert words_of(read(ipuz(bare))) == words_of(read(ipuz()))
    bare["puzzle"] = [[None] * 3] * 3
    assert words_of(read(ipuz(bare))) == words_of(read(ipuz()))


@pytest.mark.parametrize(
    ("clue", "kept", "word"),
    [
        ("Not less (2,1)", "Not less", "HE N"),
        ("Not less ( 2 1 ) ", "Not less", "HE N"),
        ("Not (so) less (1-2)", "Not (so) less", "H-EN"),
        ("Not less (3)", "Not less", "HEN"),
        ("(3)", "", "HEN"),
        ("Not less (2,2)", "Not less (2,2)", "HEN"),
        ("Not less (two)", "Not less (two)", "HEN"),
        ("Not (3) less", "Not (3) less", "HEN"),
        ("Not less (", "Not less (", "HEN"),
    ],
)
def test_numbers_of_letters_at_the_end_of_a_clue_are_no_part_of_it(clue, kept, word):
    lite = read(across_lite(clues=[clue, "Out of", "Not", "A beast"]).tobytes())
    assert words_of(lite)[1, "across"] == (word, kept)
    letters = [["H", "E", "N"]]
    other = ipuz(
        dimensions={"width": 3, "height": 1},
        puzzle=[[1, 0, 0]],
        solution=letters,
        clues={"Across": [[1, clue]]},
    )
    assert words_of(read(other))[1, "across"] == (word, kept.strip())
    of_compiler = compiler(**{' format="3"': "", "A <i>pet</i>": clue})
    assert words_of(read(of_compiler))[1, "across"] == (
        word.replace("H", "C").replace("E", "A").replace("N", "T"),
        kept,
    )


def test_a_phrase_comes_back_from_across_lite_with_its_spaces_and_its_clue():
    cells = tuple((0, col) for col in range(12))
    made = Mock(
        grid=(tuple("SALLEDEBAINS"),),
        placements=(Mock(word="salle de bains", cells=cells, number=1, direction="across"),),
        unplaced=(),
    )
    items = [("salle de bains", "the bathroom")]
    data = PuzzleData.from_generated("crossword", made, items, title="Maison", language="fr")

    for name in ("puz", "jpz", "ipuz"):
        [(word, clue)] = words_of(read(FORMATS[name].write(data))).values()
        assert (word.lower(), clue) == ("salle de bains", "the bathroom"), name


def test_an_enumeration_tells_where_the_answer_has_spaces():
    clue = {"number": 3, "clue": "Not less", "enumeration": "2,1"}
    spaced = words_of(read(ipuz(clues={"Across": [ACROSS[0], clue, ACROSS[2]], "Down": DOWN})))
    assert spaced[3, "across"][0] == "Mo A"
    for wrong in ("3", "2,2", "2+1", {"2": 1}):
        clue["enumeration"] = wrong
        plain = words_of(read(ipuz(clues={"Across": [ACROSS[0], clue], "Down": DOWN})))
        assert plain[3, "across"][0] == "MoA"
    of_compiler = read(compiler(**{'format="3"': 'format="1-2"'}))
    assert words_of(of_compiler)[1, "across"][0] == "C-AT"


def test_circles_and_colours_are_said_to_be_left_out():
    told = "Circles and colours of squares are left out."
    assert told in read(ipuz()).losses
    plain_squares = [[1, 2, "#"], *CROSSWORD["puzzle"][1:]]
    assert told not in read(ipuz(puzzle=plain_squares)).losses
    shaded = {'number="2"/>': 'number="2" background-color="#ff0000"/>'}
    assert told in read(compiler(**shaded)).losses
    assert told not in read(compiler()).losses


@pytest.mark.parametrize("given", ["1", "2", "3", "5"])
def test_a_numbered_word_without_a_clue_stays(given):
    """All squares of the grid are in words across, or in those down."""
    clues = {
        way: [c for c in listed if str(c[0] if isinstance(c, list) else c["number"]) == given]
        for way, listed in CROSSWORD["clues"].items()
    }
    whole, found = read(ipuz()), read(ipuz(clues=clues))

    assert found.grid == whole.grid
    assert {place: word for place, (word, _clue) in words_of(found).items()} == {
        place: word if place != (5, "across") or given == "5" else "ON"
        for place, (word, _clue) in words_of(whole).items()
    }
    assert "For words without a clue, only the number of letters is shown." in found.losses


def test_a_word_without_a_clue_stays_in_a_file_of_crossword_compiler_and_of_across_lite():
    assert words_of(read(compiler(**{CLUE_8: ""})))[2, "down"] == ("AT", "")
    found = read(across_lite(clues=["A bird", "Out of", "Not, in text"]).tobytes())
    assert words_of(found)[4, "across"] == ("OX", "")
    assert (
        "The file has 3 clues for 4 words. Check that each clue belongs to its word."
        in found.losses
    )


@pytest.mark.parametrize("dash", ["-", "–", "—", "---", " - ", "- (3)"])
def test_a_dash_is_no_clue(dash):
    for data, place in (
        (with_first([1, dash.replace("3", "2")]), (1, "across")),
        (compiler(**{"A <i>pet</i>": dash, ' format="3"': ""}), (1, "across")),
        (
            across_lite(clues=[dash.encode().decode("latin-1"), "b", "c", "d"]).tobytes(),
            (1, "across"),
        ),
    ):
        assert words_of(read(data))[place][1] == ""


@pytest.mark.parametrize("number", ["1a", "1A", "1.", "1)", " 1 ", "01", 1.0])
def test_a_number_of_a_clue_may_have_more_than_the_number(number):
    assert words_of(read(with_first([number, "In a place"]))) == words_of(read(ipuz()))


@pytest.mark.parametrize(
    "clue", [{"clue": "Lost"}, {"number": None, "clue": "Lost"}, ["", "Lost"], "Lost"]
)
def test_a_clue_without_a_number_is_named(clue):
    assert refusal(with_first(clue)) == "A clue has no number: “Lost”."


def test_a_run_without_a_clue_is_a_word_and_a_square_without_a_word_is_left_out():
    clues = {"Across": CROSSWORD["clues"]["Across"], "Down": []}
    found = read(ipuz(clues=clues))
    assert words_of(found)[1, "down"] == ("AM", "")
    assert "For words without a clue, only the number of letters is shown." in found.losses

    clues = {"Across": CROSSWORD["clues"]["Across"][1:2]}
    alone = read(ipuz(clues=clues, puzzle=[[0, 0, "#"], [3, 0, 0], [None, 0, 0]]))
    assert alone.grid == ((None, None, None), ("M", "o", "A"), (None, None, None))
    assert "Squares that belong to no word are left out." in alone.losses


def test_an_ipuz_word_search_is_read_even_if_it_does_not_say_where_the_words_are():
    found = read(ipuz(WORD_SEARCH))

    assert [(found.spelt(word), word.cells) for word in found.words] == [
        ("CAT", ((0, 0), (0, 1), (0, 2))),
        ("dog", ((2, 0), (2, 1), (2, 2))),
        ("GOD", ((2, 2), (2, 1), (2, 0))),
    ]
    listed = {"CAT": {"cells": [[1, 1], [2, 1], [3, 1]]}, "DOG": None}
    assert [w.cells[0] for w in read(ipuz(WORD_SEARCH, solution=listed)).words] == [(0, 0), (2, 0)]


@pytest.mark.parametrize(
    ("one_letter", "cells"),
    [
        (ipuz(WORD_SEARCH, solution=["X", "CAT"]), [((0, 0), (0, 1), (0, 2))]),
        (
            ipuz(
                puzzle=[[1, 2, 0], [0, "#", "#"], [3, 0, 0]],
                solution=[[*"CAT"], ["A", "#", "#"], [*"DOG"]],
                clues={"Across": [[1, "x"], [3, "y"]], "Down": [[1, "z"], [2, "one"]]},
            ),
            [
                ((0, 0), (0, 1), (0, 2)),
                ((0, 0), (1, 0), (2, 0)),
                ((2, 0), (2, 1), (2, 2)),
            ],
        ),
    ],
)
def test_words_of_one_letter_are_skipped_and_told(one_letter, cells):
    found = read(one_letter)

    assert [word.cells for word in found.words] == cells
    assert "Words of one letter are skipped." in found.losses
    assert found.losses.count("Words of one letter are skipped.") == 1
    assert "contains no words" in refusal(ipuz(WORD_SEARCH, solution=["X"]))


def test_a_word_search_has_squares_outside_its_shape_but_none_without_a_letter():
    grid = [["C", "A", "T"], [None, "O", "#"], ["D", "O", "G"]]
    shaped = read(ipuz(WORD_SEARCH, puzzle=grid, solution=["CAT", "dog"]))

    assert shaped.grid[1] == (None, "O", None)
    for nothing in ("", {"style": "box"}):
        grid[1][0] = nothing
        assert "a letter in every square" in refusal(ipuz(WORD_SEARCH, puzzle=grid))


def test_a_word_does_not_run_outside_the_shape():
    grid = [["C", "A", None], ["X", "O", "X"], ["D", "O", "G"]]
    listed = {"CA": {"cells": [[0, 0], [1, 0], [2, 0]]}}
    assert len(read(ipuz(WORD_SEARCH, puzzle=grid, solution=listed)).words[0].cells) == 2
    own = {"origin": ORIGIN, "solution": {"CAT": {"cells": [[0, 0], [1, 0], [2, 0]]}}}
    assert "“CAT” is not in the grid" in refusal(ipuz(WORD_SEARCH, puzzle=grid, **own))


def test_a_crossword_of_across_lite_with_a_control_character_is_refused():
    file = across_lite(solution="H\x01N.OX")
    assert "does not contain the answers" in refusal(file.tobytes())


@pytest.mark.parametrize("version", ["1.3", "2.0"])
def test_a_crossword_of_across_lite_is_read(version):
    file = across_lite(version, title="Štala" if version == "2.0" else "Écurie")
    found = read(b"some program\n" + file.tobytes() + b"\r\n")

    assert found.title == file.title
    assert found.grid == (("H", "E", "N"), (None, "O", "X"))
    assert words_of(found) == {
        (1, "across"): ("HEN", "A bird"),
        (2, "down"): ("EO", "Out of"),
        (3, "down"): ("NX", "Not, in text"),
        (4, "across"): ("OX", "A beast"),
    }


def test_a_rebus_of_across_lite_is_one_square():
    found = read(across_lite(rebus=(1, "LJ")).tobytes())

    assert found.grid[0] == ("H", "LJ", "N")


def test_a_crossword_whose_answers_are_locked_or_missing_is_refused():
    locked = across_lite(fill="---.--", solution="HEN.OX")
    # Scrambling takes twelve letters.
    locked.width, locked.height = 4, 3
    locked.solution, locked.fill, locked.clues = "ABCDEFGHIJKL", "-" * 12, ["x"] * 7
    assert words_of(read(locked.tobytes()))
    locked.lock_solution(1234)

    assert "are locked" in refusal(locked.tobytes())
    assert "are locked" in refusal(changed(locked.tobytes(), GLOBAL, HEADER, MAGIC))
    assert "does not contain the answers" in refusal(across_lite(solution="XXX.XX").tobytes())
    assert "does not contain the answers" in refusal(across_lite(solution="HE-.OX").tobytes())
    unsolved = {name: value for name, value in CROSSWORD.items() if name != "solution"}
    assert "does not contain the answers" in refusal(ipuz(unsolved))
    assert "does not contain the answers" in refusal(compiler(**{'solution="C"': ""}))


@pytest.mark.parametrize("is_zipped", [False, True])
def test_a_crossword_of_crossword_compiler_is_read(is_zipped):
    found = read(compiler(is_zipped=is_zipped))

    assert found.title == "Small & neat"
    assert found.grid == (("C", "A", "T"), (None, "T", None))
    assert words_of(found) == {(1, "across"): ("CAT", "A pet"), (2, "down"): ("AT", "By")}


def test_breaks_in_a_clue_of_crossword_compiler_part_the_words():
    found = read(compiler(**{"A <i>pet</i>": "Small<br/>and<p>soft</p>"}))

    assert words_of(found)[1, "across"][1] == "Small and soft"


def test_a_file_of_crossword_compiler_may_have_its_title_elsewhere_and_other_numbers():
    titled = "<applet-settings><title>Pets</title></applet-settings><rectangular-puzzle "
    found = read(
        compiler(
            **{
                "<title>Small &amp; neat</title>": "",
                "<rectangular-puzzle ": titled,
                'word="7" number="1"': 'word="7" number="•"',
            }
        )
    )

    assert found.title == "Pets"
    assert words_of(found) == words_of(read(compiler()))


HTML_IN_XML = {
    "Big&nbsp;cat": "Big cat",
    "Caf&eacute;": "Café",
    "&hearts; of gold&hellip;": "♥ of gold…",
    "Salt & pepper": "Salt & pepper",
    "AT&T": "AT&T",
    "AT&amp;T": "AT&T",
    "5 &lt; 6": "5 < 6",
    "&#382;aba": "žaba",
    "<![CDATA[Salt & <b>pepper</b>]]>": "Salt & pepper",
}


@pytest.mark.parametrize(("written", "clue"), HTML_IN_XML.items())
def test_what_is_html_and_no_xml_is_read_in_a_clue_of_crossword_compiler(written, clue):
    assert words_of(read(compiler(**{"A <i>pet</i>": written})))[1, "across"][1] == clue


def test_a_file_of_crossword_compiler_may_be_in_utf_16_and_begin_with_blank_lines():
    text = compiler(**{"A <i>pet</i>": "&lt;♥"}).decode()

    assert words_of(read(b"\n\n " + text.encode())) == words_of(read(text.encode()))
    text_16 = text.replace("UTF-8", "UTF-16").encode("utf-16")
    assert words_of(read(text_16)) == words_of(read(text.encode()))


@pytest.mark.parametrize("state", ["", ' solve-state="A"', ' hint="true"'])
def test_a_letter_that_is_given_is_a_letter(state):
    given = {
        'y="1" solution="A" number="2"/>': f'y="1" type="clue" solution="A" number="2"{state}/>'
    }

    assert read(compiler(**given)) == read(compiler())


@pytest.mark.parametrize("answer", [None, "", "0", "T"])
def test_a_letter_that_is_given_in_ipuz_need_not_be_in_the_solution(answer):
    squares = [[1, {"cell": 2, "value": "T"}, "#"], *CROSSWORD["puzzle"][1:]]
    solution = [["A", answer, "#"], *CROSSWORD["solution"][1:]]

    assert words_of(read(ipuz(puzzle=squares, solution=solution))) == words_of(read(ipuz()))


def test_a_square_with_a_clue_and_no_letter_is_none_to_fill_in():
    found = read(
        compiler(**{'<cell x="1" y="2" type="block"/>': '<cell x="1" y="2" type="clue"/>'})
    )

    assert found == read(compiler())


README = b"Title: for my class, <1 & {2}"


@pytest.mark.parametrize(
    ("members", "puzzle"),
    [
        ({"__MACOSX/._puzzle.xml": b"\0", "puzzle.xml": compiler()}, compiler()),
        ({"a.puz": across_lite().tobytes()}, across_lite().tobytes()),
        ({"README.txt": README, "week 3/A.PUZ": across_lite().tobytes()}, across_lite().tobytes()),
        ({"1.html": b"<p>x</p>", "a.xml": b"<x/>", "b.ipuz": ipuz()}, ipuz()),
        ({"cat.png": b"\x89PNG\r\n", "puzzle": ipuz()}, ipuz()),
        ({"crossword.jpz": compiler(is_zipped=True)}, compiler()),
        ({"readme.md": README, "puzzle.jpz": compiler()}, compiler()),
        ({"search.json": ipuz(WORD_SEARCH)}, ipuz(WORD_SEARCH)),
    ],
)
def test_a_puzzle_in_a_zip_file_is_found_whatever_else_is_in_it(members, puzzle):
    assert read(zipped(members)) == read(puzzle)


@pytest.mark.parametrize("way", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_a_member_that_is_larger_than_the_file_says_is_not_unpacked(way):
    held, refused = most_memory(read, understated("puzzle.xml", way=way))
    assert held < 5_000_000
    assert "damaged" in refused or "unusual way" in refused


def test_the_first_of_several_puzzles_in_a_zip_file_is_read_and_this_is_said():
    found = read(zipped({"1.puz": across_lite().tobytes(), "2.ipuz": ipuz()}))

    assert words_of(found) == words_of(read(across_lite().tobytes()))
    assert found.losses == ("The ZIP file contains several puzzles. Only the first is imported.",)


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({}, "not a puzzle file"),
        ({"readme.txt": README}, "not a puzzle file"),
        ({"readme.txt": README, "a.puz": across_lite(solution="XXX.XX").tobytes()}, "answers"),
        ({"a.zip": zipped({"b.zip": zipped({"c.ipuz": ipuz()})})}, "not a puzzle file"),
    ],
)
def test_a_zip_file_without_a_puzzle_that_can_be_read_is_refused_with_the_reason(members, reason):
    assert reason in refusal(zipped(members))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"<ACROSS PUZZLE>\n<TITLE>\n\tT\n<SIZE>\n\t3x3\n", "Across Lite Text"),
        (b"\xef\xbb\xbf<ACROSS PUZZLE V2>\r\n<TITLE>\r\n", "Across Lite Text"),
        (b'<?xml version="1.0"?>\n<CROSSFIRE><TITLE>x</TITLE></CROSSFIRE>', "CrossFire"),
        (b'<crossword><Title v="x"/><AllAnswer v="CAT-A"/></crossword>', "Uclick XML"),
        (b"======REQUIRED======\n  exolve-begin\n  exolve-width: 3\n", "Exolve"),
        (b"Title: T\nAuthor: A\n\n\nCAT\nA#E\n\n\nA1. Pet ~ CAT\n", "XD"),
        (b"## Metadata\n\ntitle: T\n\n## Grid\n\nCAT\n", "XD"),
        (b'{"body": [{"cells": []}], "publicationDate": "2026-01-01"}', "New York Times JSON"),
        (b'{"results": [{"puzzle_data": {}}], "status": "OK"}', "New York Times JSON"),
        (b'{"gamePageData": {}}', "New York Times JSON"),
        (b'{"answers": {}, "clues": {}, "grid": [], "size": {}}', "XWord Info JSON"),
        (b'{"entries": [], "dimensions": {"cols": 3, "rows": 3}}', "Guardian JSON"),
        (b'{"box": [["C"]], "placedWords": []}', "PuzzleMe JSON"),
    ],
)
def test_a_puzzle_in_another_known_format_is_refused_by_name(data, name):
    told = (
        f"This puzzle is in the format {name}, which cannot be imported. Save it as ipuz, PUZ or "
        "JPZ in the program that it comes from."
    )
    assert refusal(data) == told
    assert refusal(zipped({"puzzle": data})) == told


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a puzzle file"),
        (b"word\ttranslation", "not a puzzle file"),
        (b'{"words": ["cat"], "title": "Pets"}', "not a puzzle file"),
        (b"{" + b" " * LARGEST_FILE, "larger than 1 MB"),
        (b"{" + b'"a":[' * 100_000, "damaged"),
        (ipuz(kind=["http://ipuz.org/sudoku#1"]), "Only crosswords and word searches"),
        (ipuz(dimensions={"width": 61, "height": 3}), "The grid has 3 rows and 61 columns"),
        (ipuz(dimensions={"width": 4, "height": 3}), "damaged"),
        (ipuz(clues={"Diagonal": [[1, "x"]]}), "“Diagonal” are not supported"),
        (ipuz(clues={"Across": [[9, "x"]]}), "No square has the number 9"),
        (ipuz(clues={"Across": []}), "no words"),
        (ipuz(puzzle=[[{"cell": 1, "style": {"barred": "T"}}, 2, "#"]] + [[0, 0, 0]] * 2), "bars"),
        (ipuz(WORD_SEARCH, solution=["COW"]), "“COW” is not in the grid"),
        (ipuz(WORD_SEARCH, solution="CAT"), "does not contain the answers"),
        (ipuz(clues={"Across": [[1, "x" * 501]]}), "has more than 500 characters"),
        (across_lite().tobytes()[:90], "damaged"),
        (compiler(**{"1-3": "1-4"}), "damaged"),
        (compiler(**{'number="2"/>': 'number="2" top-bar="true"/>'}), "bars"),
        (compiler(**{"crossword>": "sudoku>"}), "Only crosswords can be imported from JPZ files"),
        (b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "damaged"),
        (b"<html><p>x</p></html>", "contains no crossword"),
    ],
)
def test_a_file_that_cannot_be_played_is_refused_with_the_reason(data, reason):
    assert reason in refusal(data)


@pytest.mark.parametrize(
    ("data", "reader", "step"),
    [
        (ipuz(clues={"Across": [[1, "x"]] * 5000}), "ipuz", "_crossword_word"),
        (ipuz(WORD_SEARCH, solution=["CAT"] * 5000), "ipuz", "_hidden_word"),
        (compiler(**{CLUE_8: CLUE_8 * 5000}), "jpz", "_cells"),
        (
            compiler(**{CLUE_8: "".join(f'<clue word="w{i}"/>' for i in range(5000))}),
            "jpz",
            "_cells",
        ),
    ],
)
def test_a_file_of_far_too_many_clues_is_refused_before_each_is_read(
    data, reader, step, monkeypatch
):
    module = import_module(f"puzzles.imports.readers.{reader}")
    work = Mock(wraps=getattr(module, step))
    monkeypatch.setattr(module, step, work)

    assert "more than 300 words" in refusal(data)
    assert work.call_count <= 2 * MOST_WORDS


@pytest.mark.parametrize(
    "swapped",
    [
        {CLUE_8: CLUE_8[:-9] * 500 + "By" + "</clue>" * 500},
        {
            CLUE_8: CLUE_8 * 500,
            '<cells x="2" y="1"/>': '<cells x="2" y="1"/>' + "<b/>" * 500,
        },
    ],
)
def test_no_part_of_a_file_of_crossword_compiler_is_read_more_than_a_few_times(
    swapped, monkeypatch
):
    name = Mock(wraps=jpz._name)
    monkeypatch.setattr(jpz, "_name", name)
    data = compiler(**swapped)

    read_or_refuse(data)

    # For the crossword, the grid and two titles; then each for what it is in.
    assert name.call_count < 6 * data.count(b"<")


def test_a_grid_of_crossword_compiler_with_more_cells_than_squares_is_refused():
    cell = '<cell x="2" y="2" solution="T"/>'
    assert "damaged" in refusal(compiler(**{cell: 2 * cell}))


def test_a_zip_bomb_is_refused():
    assert "MB when unpacked" in refusal(zipped({"puzzle.xml": b" " * 50_000_000}))


def test_zip_files_in_a_zip_file_are_not_all_read_if_they_are_large(monkeypatch):
    large = zipped({"a.xml": b"<x>" + b" " * 1_000_000 + b"</x>"})
    work = Mock(wraps=readers._read_plain)
    monkeypatch.setattr(readers, "_read_plain", work)

    for count, most in ((3, 3), (15, 4)):
        work.reset_mock()
        assert "contains no crossword" in refusal(zipped({f"{i}.zip": large for i in range(count)}))
        assert work.call_count == most


def test_words_that_run_against_the_language_are_refused():
    hebrew = read(FORMATS["ipuz"].write(generated("crossword", "he")))

    with pytest.raises(ReadError, match="runs from right to left"):
        hebrew.in_reading_order(is_rtl=False)
    # As programs write Hebrew that only know words from the left.
    unmirrored = read(ipuz())
    assert unmirrored.in_reading_order(is_rtl=True).grid == unmirrored.grid


SEEDS = [ipuz(), ipuz(WORD_SEARCH), compiler(), compiler(is_zipped=True), across_lite().tobytes()]
ODD = st.sampled_from([None, True, -1, 1.5, "", "#", "0", [], {}, [[1]], {"cell": 1}, 10**9])


@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(st.integers(0, 3000), st.binary(max_size=4)), min_size=1, max_size=4),
    st.booleans(),
)
def test_a_changed_file_is_read_or_refused_never_more(data, changes, has_right_checksums):
    for place, new in changes:
        place %= len(data) or 1
        data = data[:place] + new + data[place + len(new) :]
    with pytest.MonkeyPatch.context() as patch:
        if has_right_checksums:
            # Otherwise few changes get beyond the checksums.
            patch.setattr(puz.Puzzle, "global_cksum", lambda file: Equal())
            patch.setattr(puz.Puzzle, "header_cksum", lambda file: Equal())
            patch.setattr(puz.Puzzle, "magic_cksum", lambda file: Equal())
        read_or_refuse(data)


@given(st.sampled_from([CROSSWORD, WORD_SEARCH]), st.data())
def test_odd_values_in_ipuz_are_read_or_refused_never_more(document, data):
    document = json.loads(json.dumps(document))
    part = document
    while True:
        key = data.draw(st.sampled_from(list(part) if isinstance(part, dict) else range(len(part))))
        if not (isinstance(part[key], dict | list) and part[key]) or data.draw(st.booleans()):
            part[key] = data.draw(ODD)
            break
        part = part[key]
    read_or_refuse(json.dumps(document).encode())


class Equal:
    def __ne__(self, other):
        return False

    __hash__ = None

    def __eq__(self, other):
        return True


def read_or_refuse(data):
    try:
        found = read(data)
        found.in_reading_order(is_rtl=True)
    except ReadError as refused:
        assert str(refused)
    else:
        for word in found.words:
            assert all(found.grid[row][col] for row, col in word.cells)
