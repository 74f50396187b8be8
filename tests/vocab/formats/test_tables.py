"""Tables of spreadsheets, web pages, Markdown and JSON, as programs write them."""

import io
import json
import zipfile

import pytest
from hypothesis import given

from tests.vocab.formats.bombs import PNG
from tests.vocab.formats.lists import ROUND_TRIPS, lists, same
from tests.vocab.formats.workbooks import document
from vocab import formats
from vocab.formats import FormatError, Row, delimited, html, ods, xlsx
from vocab.formats import json as json_format


def cell(*lines):
    text = "".join(f"<text:p>{line}</text:p>" for line in lines)
    return f'<table:table-cell office:value-type="string">{text}</table:table-cell>'


ANIMALS = (
    '<table:table table:name="Tiere"><table:table-column table:number-columns-repeated="16384"/>'
    "<table:table-header-rows><table:table-row>"
    + cell("Deutsch")
    + cell("Hrvatski")
    + cell("Nr.")
    + '<table:table-cell table:number-columns-repeated="16381"/></table:table-row>'
    "</table:table-header-rows><table:table-row>"
    + cell("<text:span>der</text:span> Hund")
    + cell("pas", "pseto")
    + '<table:table-cell office:value-type="float" office:value="1"><text:p>1</text:p>'
    "<office:annotation><dc:creator>Ana</dc:creator><text:p>check</text:p></office:annotation>"
    "</table:table-cell></table:table-row>"
    '<table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>'
    "<table:table-row>"
    + cell("die<text:s text:c='2'/>Katze<text:tab/>x &amp; y")
    + cell("mačka")
    + "</table:table-row>"
    '<table:table-row table:number-rows-repeated="1048570"><table:table-cell'
    ' table:number-columns-repeated="16384"/></table:table-row></table:table>'
)


def test_a_spreadsheet_of_libreoffice_is_read_as_it_is_displayed():
    parsed = formats.parse(document(ANIMALS))
    assert parsed.settings == {"format": "ods", "sheet": "Tiere", "has_header": True}
    assert [(row.line, row.term, row.translations, row.extra) for row in parsed.rows] == [
        (2, "der Hund", {"hr": ["pas\npseto"]}, {"Nr.": "1"}),
        (5, "die  Katze\tx & y", {"hr": ["mačka"]}, {}),
    ]
    assert parsed.problems == []


def test_a_sheet_is_chosen_and_the_others_are_named():
    first = f'<table:table table:name="S1"><table:table-row>{cell("a")}</table:table-row>'
    empty = '<table:table table:name="S0"><table:table-row/></table:table>'
    data = document(f"{empty}{first}</table:table>{ANIMALS}")
    parsed = formats.parse(data)
    assert [row.term for row in parsed.rows] == ["a"]
    assert [p.sentence for p in parsed.problems] == [
        "Only the sheet “S1” was imported. Other sheets: Tiere."
    ]
    assert len(formats.parse(data, format="ods", sheet="Tiere").rows) == 2
    with pytest.raises(FormatError, match="Available sheets: S0, S1, Tiere"):
        formats.parse(data, format="ods", sheet="S9")


@ROUND_TRIPS
@given(lists)
def test_a_list_comes_back_from_each_kind_of_table_as_it_was(rows):
    for format in (ods, html, json_format):
        parsed = format.parse(format.write(rows))
        assert [same(row) for row in parsed.rows] == [same(row) for row in rows], format
        assert parsed.problems == []


def test_a_spreadsheet_begins_with_its_type_and_lists_its_files():
    archive = zipfile.ZipFile(io.BytesIO(ods.write([Row(term="pas")])))
    first = archive.infolist()[0]
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
    assert b"content.xml" in archive.read("META-INF/manifest.xml")


PANDAS = """<table border="1" class="dataframe">
  <thead>
    <tr style="text-align: right;">
      <th></th>
      <th>word</th>
      <th>translation</th>
    </tr>
  </thead>
  <tbody>
    <tr>
      <th>0</th>
      <td>pas</td>
      <td>dog &amp; hound</td>
    </tr>
    <tr>
      <th>1</th>
      <td>mačka</td>
      <td>cat</td>
    </tr>
  </tbody>
</table>"""


def test_a_table_that_pandas_writes_as_html_is_read_without_its_index():
    parsed = formats.parse(PANDAS)
    assert parsed.settings == {"format": "html", "has_header": True}
    assert [(row.term, row.translations, row.extra) for row in parsed.rows] == [
        ("pas", {"": ["dog & hound"]}, {}),
        ("mačka", {"": ["cat"]}, {}),
    ]


def test_the_first_table_with_two_columns_is_read_from_a_page():
    page = (
        "<!doctype html><html><head><meta charset='windows-1250'><title>x</title></head><body>"
        "<table><tr><td>menu<table><tr><td>one<tr><td>two</table></td></tr></table>"
        "<p>Riječi:</p><TABLE><TR><TH>Hrvatski<TH>Deutsch<TR><TD>riječ\n   i <b>čaša</b><TD>Wort"
        "<br>Glas<tr><td colspan=2>x<tr><td rowspan=2>dva<td>zwei<tr><td>beide</TABLE>"
        "<table><tr><td>a<td>b</table></body></html>"
    ).encode("cp1250")
    parsed = formats.parse(page)
    assert [(row.term, row.translations) for row in parsed.rows] == [
        ("riječ i čaša", {"de": ["Wort\nGlas"]}),
        ("x", {}),
        ("dva", {"de": ["zwei"]}),
        ("dva", {"de": ["beide"]}),
    ]


@pytest.mark.parametrize(
    "page", ["<html><body><p>pas - dog</p></body></html>", "<table><tr><td>pas</td></tr></table>"]
)
def test_a_page_without_a_table_of_two_columns_is_refused(page):
    with pytest.raises(FormatError, match="no table with two columns"):
        formats.parse(page)


MARKDOWN = """# Animals

| Word | Meaning |
|:-----|--------:|
| pas  | dog \\| hound |
| **mačka** | cat<br>kitty |

That is all.
"""


def test_a_markdown_table_is_read_and_the_text_around_it_named():
    parsed = delimited.parse(MARKDOWN)
    assert [(row.line, row.term, row.translations[""]) for row in parsed.rows] == [
        (5, "pas", ["dog", "hound"]),
        (6, "mačka", ["cat", "kitty"]),
    ]
    assert "# Animals That is all." in parsed.problems[0].sentence
    again = delimited.parse(MARKDOWN, **parsed.settings, columns=parsed.columns)
    assert again == parsed


def test_a_line_of_dashes_makes_the_table_and_bars_alone_do_not():
    assert len(delimited.parse("pas | dog\n--- | ---\nkonj | horse").rows) == 1
    assert len(delimited.parse("pas | dog\nmačka | cat\nkonj | horse").rows) == 3


OBJECTS = [{"word": "pas", "translation": "dog", "n": 1}, {"word": "mačka", "translation": "cat"}]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(OBJECTS, ensure_ascii=False),
        json.dumps(OBJECTS, indent=4),
        "\n".join(map(json.dumps, OBJECTS)),
        json.dumps({"words": OBJECTS}),
        json.dumps({"word": {"0": "pas", "1": "mačka"}, "translation": {"0": "dog", "1": "cat"}}),
        json.dumps(
            {"columns": ["word", "translation"], "index": [0, 1],
             "data": [["pas", "dog"], ["mačka", "cat"]]}
        ),
        json.dumps({"schema": {"fields": []}, "data": OBJECTS}),
        json.dumps([["word", "translation"], ["pas", "dog"], ["mačka", "cat"]]),
        json.dumps([{"word": "pas", "translation": ["dog"]}, OBJECTS[1]]),
        json.dumps({"pas": "dog", "mačka": ["cat"]}),
    ],
)  # fmt: skip
def test_json_is_read_in_the_forms_that_programs_write(text):
    parsed = formats.parse(text.encode())
    assert parsed.settings["format"] == "json"
    assert [(row.term, row.translations) for row in parsed.rows] == [
        ("pas", {"": ["dog"]}),
        ("mačka", {"": ["cat"]}),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": {"b": {"c": 1}}, "d": 5}', "not a list of words"),
        ("[]", "not a list of words"),
        ('[{"word": "pas",', "damaged"),
        ('{"word" "pas"}', "damaged"),
    ],
)
def test_other_json_is_refused(text, reason):
    with pytest.raises(FormatError, match=reason):
        formats.parse(text)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"GIF89a" + bytes(30), "picture"),
        (b"<svg xmlns='x'/>", "picture"),
        (PNG, "picture"),
        (b"{\\rtf1\\ansi pas}", "formatted document"),
        (b"%PDF-1.7", "PDF"),
        (b"PK\x03\x04 and no more", "damaged"),
        (b"<html><body>pas</body></html>", "no table"),
    ],
)
def test_what_is_no_table_is_refused_with_a_sentence(data, reason):
    with pytest.raises(FormatError, match=reason):
        formats.parse(data)
    if data.isascii() and b"\0" not in data and not data.startswith(b"PK"):
        with pytest.raises(FormatError, match=reason):
            formats.parse(data.decode())


def test_ods_and_xlsx_give_the_same_rows():
    rows = [Row(term="pas", translations={"": ["dog"]}, tags=["a", "b"], line=2)]
    assert ods.parse(ods.write(rows)).rows == xlsx.parse(xlsx.write(rows)).rows == rows
