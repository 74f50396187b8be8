import codecs

import pytest
from hypothesis import given

from tests.vocab.formats.lists import ROUND_TRIPS, lists, same
from vocab.formats import delimited
from vocab.formats.rows import FormatError, Parsed, Row


def pairs(parsed):
    return [(row.term, row.translations.get("", [])) for row in parsed.rows]


@ROUND_TRIPS
@given(lists)
def test_a_list_comes_back_from_csv_as_it_was(rows):
    parsed = delimited.parse(delimited.write(rows))
    assert [same(row) for row in parsed.rows] == [same(row) for row in rows]
    assert parsed.problems == []


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("{{c1::x}},,{~", ("{{c1::x}}", [])),
        ("set {=a b},skup", ("set {=a b}", ["skup"])),
        ("?,question mark", ("?", ["question mark"])),
        ("Q: Hund,dog", ("Q: Hund", ["dog"])),
        ("\\begin{x},y", ("\\begin{x}", ["y"])),
        ("ANSWER: B,answer", ("ANSWER: B", ["answer"])),
    ],
)
def test_a_table_that_names_its_columns_is_no_file_of_cards(line, cells):
    assert pairs(delimited.parse(f"term,translation,tags\n{line}\nA: x,y\n")) == [
        cells,
        ("A: x", ["y"]),
    ]


def test_gaps_within_the_cells_of_a_table_part_no_columns():
    [row] = delimited.parse("term,translation,two  gaps\nhen,two  hens,a  b\n").rows
    assert (row.term, row.translations, row.extra) == (
        "hen",
        {"": ["two  hens"]},
        {"two  gaps": "a  b"},
    )


@ROUND_TRIPS
@given(lists)
def test_rows_and_what_was_parsed_come_back_from_json(rows):
    assert [Row.from_json(row.as_json()) for row in rows] == rows
    parsed = delimited.parse(delimited.write(rows))
    assert Parsed.from_json(parsed.as_json()) == parsed


@ROUND_TRIPS
@given(lists)
def test_reading_again_with_the_settings_shown_gives_the_same(rows):
    data = delimited.write(rows)
    parsed = delimited.parse(data)
    again = delimited.parse(data, **parsed.settings, columns=parsed.columns)
    assert again == parsed


@pytest.mark.parametrize(
    "pasted",
    [
        "pas\tdog\nići\tgo; walk",
        "pas,dog\nići,go; walk",
        "pas;dog\nići;go | walk",
        "pas|dog\nići|go / walk",
        "pas - dog\nići - go; walk",
        "pas – dog\r\nići – go; walk\r\n",
        "\n\npas = dog\n\nići = go; walk\n",
        "pas: dog\nići: go; walk",
        "term\ttranslation\npas\tdog\nići\tgo; walk",
        "FRONT;Back\npas;dog\nići;go|walk",
        "sep=;\npas;dog\nići;go|walk",
        '"pas","dog"\n"ići", "go; walk"',
    ],
)
def test_what_people_paste_becomes_words_and_translations(pasted):
    assert pairs(delimited.parse(pasted)) == [("pas", ["dog"]), ("ići", ["go", "walk"])]


def test_quizlets_form_takes_both_separators():
    parsed = delimited.parse(
        'pas,dog, hound;\nmačka,cat;\'tis,so "it" is', delimiter=",", row_separator=";"
    )
    assert pairs(parsed) == [("pas", ["dog, hound"]), ("mačka", ["cat"]), ("'tis", ['so "it" is'])]
    assert [row.line for row in parsed.rows] == [1, 2, 2]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_files_are_read_with_and_without_their_mark(codec):
    assert pairs(delimited.parse("riječ\tWörter\nđak\tpupil".encode(codec))) == [
        ("riječ", ["Wörter"]),
        ("đak", ["pupil"]),
    ]


def test_an_encoding_can_be_chosen_and_a_wrong_one_names_the_line():
    data = "pas\tdog\nječam\tbarley".encode("cp1250")
    assert delimited.parse(data, encoding="cp1250").rows[1].term == "ječam"
    assert delimited.parse(data, encoding="cp1252").rows[1].term == "jeèam"
    with pytest.raises(FormatError, match="Line 2 does not match the encoding utf-8") as caught:
        delimited.parse(data, encoding="utf-8")
    assert caught.value.line == 2


def test_no_column_is_dropped():
    parsed = delimited.parse("word,Lesson,meaning,notes,Notes,\npas,3,dog,a,b,c,d\n")
    assert parsed.columns == {
        "word": "term",
        "Lesson": "extra",
        "meaning": "translation",
        "notes": "note",
        "Notes": "extra",
        "column 6": "extra",
    }
    (row,) = parsed.rows
    assert row.note == "a"
    assert row.extra == {"Lesson": "3", "Notes": "b", "column 6": "c", "column 7": "d"}
    assert [(p.line, p.severity) for p in parsed.problems] == [(2, "warning")]


def test_columns_can_be_mapped_by_the_caller():
    parsed = delimited.parse(
        "Wort,Englisch,Wo\nHund,dog,S. 3\n",
        has_header=True,
        columns={"Wort": "term", "Englisch": "translation:en", "Wo": "ignore"},
    )
    assert parsed.rows == [Row(term="Hund", translations={"en": ["dog"]}, line=2)]
    with pytest.raises(FormatError, match="no such field"):
        delimited.parse("a,b", columns={"column 1": "colour"})


def test_a_line_without_a_word_is_a_problem_with_its_line():
    parsed = delimited.parse('term,translation\nx,"two\nlines"\n,dog\ncat,\n')
    assert [(p.line, p.sentence) for p in parsed.problems] == [
        (4, "There is no word in this line.")
    ]
    assert [(row.line, row.term) for row in parsed.rows] == [(2, "x"), (5, "cat")]


def test_a_stray_quotation_mark_does_not_swallow_the_lines_below():
    parsed = delimited.parse('"inch\tcm\n"Hello" he said\tx\npas\tdog')
    assert [row.term for row in parsed.rows] == ['"inch', '"Hello" he said', "pas"]
    assert [problem.line for problem in parsed.problems] == [1]
    assert "The same in line 2." in str(parsed.problems[0].sentence)


def test_a_formula_is_written_as_text_and_comes_back():
    rows = [Row(term="=HYPERLINK(1)", translations={"": ["@x"]}, extra={"-a": "+1"})]
    data = delimited.write(rows)
    assert data.startswith(codecs.BOM_UTF8)
    for cell in data.decode("utf-8-sig").replace("\r\n", ",").split(","):
        assert not cell.startswith(("=", "+", "-", "@"))
    assert [same(row) for row in delimited.parse(data).rows] == [same(row) for row in rows]


@pytest.mark.parametrize("text", ["", " \n\t\n", b"", "\ufeff"])
def test_an_empty_text_is_refused(text):
    with pytest.raises(FormatError, match="no text"):
        delimited.parse(text)


def test_a_million_empty_lines_are_refused():
    with pytest.raises(FormatError, match="empty rows"):
        delimited.parse("a,b\n" + "\n" * 1_000_000)


def test_a_table_too_long_or_too_wide_is_refused_and_a_cell_too_long_is_a_problem():
    with pytest.raises(FormatError, match="50000 rows"):
        delimited.parse("a,b\n" * 100_001)
    with pytest.raises(FormatError, match="201 columns"):
        delimited.parse(",".join("x" * 201) + "\nx,y")
    parsed = delimited.parse(f"a,b\nc,{'x' * 40_000}")
    assert [(p.line, "40000" in p.sentence) for p in parsed.problems] == [(2, True)]


@pytest.mark.parametrize(
    "text",
    [
        "1. der Hund - dog\n2. die 2. Klasse - second class\n3. das Haus - house",
        "(7) der Hund = dog\n(8) die 2. Klasse = second class\n(9) das Haus = house",
        "a) der Hund, dog\nb) die 2. Klasse, second class\nc) das Haus, house",
        "• der Hund – dog\n• die 2. Klasse – second class\n• das Haus – house",
        "- [ ] der Hund: dog\n- [x] die 2. Klasse: second class\n- [ ] das Haus: house",
        "*\tder Hund - dog\n*\tdie 2. Klasse - second class\n*\tdas Haus - house",
        "1. der Hund\tdog\n2. die 2. Klasse\tsecond class\ndas Haus\thouse\n3. die Maus\tmouse",
        "1. der Hund\tdog\ndie 2. Klasse\tsecond class\n3. das Haus\thouse\n4. die Maus\tmouse",
    ],
)
def test_numbers_and_marks_of_a_documents_list_are_no_part_of_its_words(text):
    parsed = delimited.parse(text)
    words = [(row.term, row.translations[""][0]) for row in parsed.rows]
    assert words[:3] == [
        ("der Hund", "dog"),
        ("die 2. Klasse", "second class"),
        ("das Haus", "house"),
    ]
    assert "left out" in str(parsed.problems[0].sentence)


@pytest.mark.parametrize(
    "text",
    [
        "1. Klasse\tfirst class\n2. Etage\tsecond floor\n2. Klasse\tsecond class",
        "- Hund = dog\nKatze = cat",
        "x) Hund\nb) Katze",
        "1492. otkriće\tdiscovery\n1789. revolucija\trevolution\n1945. mir\tpeace",
        "1. svibnja\tfirst of May\nproljeće\tspring\nljeto\tsummer\n2. svibnja\tsecond of May",
    ],
)
def test_what_is_no_documents_list_is_part_of_the_words(text):
    assert text.startswith(delimited.parse(text).rows[0].term)


@pytest.mark.parametrize("sign", [" = ", " – ", " - "])
@pytest.mark.parametrize("delimiter", [None, "own"])
def test_a_line_that_begins_with_the_separator_has_no_word(sign, delimiter):
    text = f"Hund{sign}dog\n{sign.lstrip()}cat\nHaus{sign}house"
    parsed = delimited.parse(text, delimiter=sign if delimiter else None)
    assert [row.term for row in parsed.rows] == ["Hund", "Haus"]
    assert [problem.line for problem in parsed.problems] == [2]
