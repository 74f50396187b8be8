"""What cells of any format say: HTML, readings, errors of spreadsheets, merged cells."""

import json

import pytest

from tests.vocab.formats.workbooks import document, workbook
from vocab import formats
from vocab.formats import Row
from vocab.formats.readings import without_furigana

HTML = [
    ("<b>Hund</b>", "Hund"),
    ("Katze &amp; Maus", "Katze & Maus"),
    ("gar&ccedil;on", "garçon"),
    ("Hund&nbsp;", "Hund"),
    ("&#x444;&#1086;", "фо"),
    ('<span style="color:red">rot</span>', "rot"),
    ("<!-- x -->Maus", "Maus"),
    ("Hund [sound:hund.mp3]", "Hund"),
    # Controls: no markup.
    ("a < b > c", "a < b > c"),
    ("AT&T", "AT&T"),
    ("R&D; x", "R&D; x"),
    ("<br>", "<br>"),
    ("if <x>", "if <x>"),
]


def in_every_format(cell):
    yield f'word\ttranslation\n"{cell.replace(chr(34), chr(34) * 2)}"\tx\n'
    yield f'word;translation\r\n"{cell.replace(chr(34), chr(34) * 2)}";x\r\n'
    yield json.dumps([{"word": cell, "translation": "x"}])
    yield json.dumps([["word", "translation"], [cell, "x"]])
    yield workbook([["word", "translation"], [cell, "x"]])


@pytest.mark.parametrize(("cell", "text"), HTML)
def test_html_in_cells_is_read_as_text_in_every_format(cell, text):
    assert [formats.parse(source).rows[0].term for source in in_every_format(cell)] == [text] * 5


def test_each_line_of_html_is_a_translation_and_its_sound_that_of_the_word():
    [row] = formats.parse("Hund [sound:a.mp3]\tdog<br>hound &lt;big&gt;<div>tyke</div>\n").rows
    assert (row.term, row.translations, row.audio) == (
        "Hund",
        {"": ["dog", "hound <big>", "tyke"]},
        "a.mp3",
    )


@pytest.mark.parametrize("line", ["Katze &amp; Maus;cat &amp; mouse", "caf&eacute;,caf&eacute;"])
def test_the_semicolon_of_an_entity_separates_nothing(line):
    [row] = formats.parse(line).rows
    assert ";" not in row.term
    assert len(row.translations[""]) == 1


@pytest.mark.parametrize("format", ["delimited", "json", "xlsx", "ods", "html", "anki_text"])
def test_texts_about_html_come_back_as_they_were(format):
    rows = [Row(term=cell, translations={"": [cell]}) for cell, _ in HTML]
    back = formats.parse(formats.write(rows, format)).rows
    assert [(row.term, row.translations) for row in back] == [
        (row.term, row.translations) for row in rows
    ]


@pytest.mark.parametrize(
    ("cell", "word", "reading"),
    [
        ("<ruby>犬<rt>いぬ</rt></ruby>", "犬", "いぬ"),
        ("<ruby>日<rp>(</rp><rt>に</rt><rp>)</rp>本<rt>ほん</rt></ruby>", "日本", "にほん"),
        ("お<ruby>茶<rt>ちゃ</ruby>", "お茶", "おちゃ"),
        ("<ruby>谢<rt>xiè</rt>谢<rt>xie</rt></ruby>", "谢谢", "xièxie"),
        ("日本語[にほんご]", "日本語", "にほんご"),
        ("話[はな]す", "話す", "はなす"),
        ("取[と]り 引[ひ]き", "取り引き", "とりひき"),
        ("谢谢<br>xièxie", "谢谢", "xièxie"),
        ("犬<br>いぬ", "犬", "いぬ"),
        # Controls: no reading.
        ("猫[noun]", "猫[noun]", ""),
        ("Bank [Park]", "Bank [Park]", ""),
    ],
)
@pytest.mark.parametrize("head", ["", "#separator:tab\n#html:true\n"])
def test_how_a_word_is_read_is_no_part_of_it(cell, word, reading, head):
    [row] = formats.parse(f"{head}{cell}\tx\n", languages=["ja", "en"]).rows
    assert (row.term, row.pronunciation) == (word, reading)


def test_readings_of_long_texts_are_found_at_once():
    text = "漢" * 30_000
    assert without_furigana(text + "[") == (text + "[", "")


def test_a_word_is_one_line_and_the_others_are_its_note():
    parsed = formats.parse('word,translation\n"der Hund\ndie Hunde",dog\n')
    assert (parsed.rows[0].term, parsed.rows[0].note) == ("der Hund", "die Hunde")
    assert "several lines" in str(parsed.problems[0].sentence)


@pytest.mark.parametrize("error", ["#N/A", "#REF!", "#NAME?", "#DIV/0!", "#NV", "Err:502"])
def test_an_error_of_a_spreadsheet_is_no_translation(error):
    parsed = formats.parse(f"word,translation\nHund,{error}\n")
    assert parsed.rows[0].translations == {}
    assert error in str(parsed.problems[0].sentence)
    # A text that looks like one comes back from our own file.
    own = formats.write([Row(term=error)], "delimited")
    assert formats.parse(own).rows[0].term == error


def test_an_error_in_a_workbook_is_left_out():
    parsed = formats.parse(workbook([["word", "translation"], ["Hund", "#N/A"]]))
    assert parsed.rows[0].translations == {}


@pytest.mark.parametrize(
    ("rows", "merged", "tags"),
    [
        ([["A", "Hund", "dog"], [None, "Katze", "cat"], ["B", "Maus", "mouse"]], ["A2:A3"], "AAB"),
        ([["A", "Hund", "dog"], [None, "Katze", "cat"], [None, "Maus", "mouse"]], ["A2:A4"], "AAA"),
        ([["A", "Hund", "dog"], ["B", "Katze", "cat"], [None, "Maus", "mouse"]], ["A3:A4"], "ABB"),
        # The control: cells that are empty and not merged.
        ([["A", "Hund", "dog"], [None, "Katze", "cat"], [None, "Maus", "mouse"]], [], "A"),
    ],
)
def test_a_merged_cell_is_that_of_all_its_rows(rows, merged, tags):
    parsed = formats.parse(workbook([["Topic", "Deutsch", "English"], *rows], merged=merged))
    assert "".join(tag for row in parsed.rows for tag in row.tags) == tags
    assert len(parsed.rows) == 3


def test_a_merged_cell_of_opendocument_is_that_of_all_its_rows():
    def row(*cells):
        return f"<table:table-row>{''.join(cells)}</table:table-row>"

    def cell(text, more=""):
        return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"

    body = (
        row(cell("Topic"), cell("Deutsch"), cell("English"))
        + row(cell("A", 'table:number-rows-spanned="2"'), cell("Hund"), cell("dog"))
        + row("<table:covered-table-cell/>", cell("Katze"), cell("cat"))
        + row("<table:table-cell/>", cell("Maus"), cell("mouse"))
    )
    parsed = formats.parse(document(f'<table:table table:name="x">{body}</table:table>'))
    assert [row.tags for row in parsed.rows] == [["A"], ["A"], []]


@pytest.mark.parametrize(
    "text",
    ["Hund\t\tdog\nKatze\t\tcat\n", "\tHund\tdog\n\tKatze\tcat\n", "Hund;;;dog\nKatze;;;cat\n"],
)
def test_an_empty_column_is_no_translation(text):
    rows = formats.parse(text, languages=["de", "en"]).rows
    assert [(row.term, *row.translations.values()) for row in rows] == [
        ("Hund", ["dog"]),
        ("Katze", ["cat"]),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Deutsch;English;Deutsch;English\nHund;dog;rot;red\nKatze;cat\n",
        "Wort\tÜbersetzung\t\tWort\tÜbersetzung\nHund\tdog\t\trot\tred\nKatze\tcat\n",
        "word,meaning,,Word,Meaning\nHund,dog,,rot,red\nKatze,cat,,,\n",
    ],
)
def test_lists_side_by_side_are_one_list(text):
    parsed = formats.parse(text, languages=["de", "en"])
    assert [(row.term, *row.translations.values()) for row in parsed.rows] == [
        ("Hund", ["dog"]),
        ("Katze", ["cat"]),
        ("rot", ["red"]),
    ]
    assert "side by side" in str(parsed.problems[0].sentence)
