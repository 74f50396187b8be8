import io
from datetime import date

import openpyxl
import pytest
from hypothesis import given

from tests.vocab.formats.bombs import zipped
from tests.vocab.formats.lists import ROUND_TRIPS, lists, same
from tests.vocab.formats.workbooks import workbook
from vocab.formats import xlsx
from vocab.formats.rows import FormatError, Row


@ROUND_TRIPS
@given(lists)
def test_a_list_comes_back_from_a_workbook_as_it_was(rows):
    parsed = xlsx.parse(xlsx.write(rows))
    assert [same(row) for row in parsed.rows] == [same(row) for row in rows]
    assert parsed.problems == []


def test_every_cell_that_is_written_is_text():
    rows = [Row(term="=1+1", translations={"": ["+2", "-3"]}, note="@SUM(A1)", hint="#N/A")]
    book = openpyxl.load_workbook(io.BytesIO(xlsx.write(rows)))
    cells = [cell for row in book.active.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} == {"s"}
    assert "=1+1" in {cell.value for cell in cells}


def test_numbers_and_dates_read_as_typed_and_a_date_is_pointed_out():
    data = workbook([["word", "meaning"], ["sto", 100], [3, 2.5], [True, date(2024, 2, 1)]])
    parsed = xlsx.parse(data)
    assert [(r.line, r.term, r.translations[""]) for r in parsed.rows] == [
        (2, "sto", ["100"]),
        (3, "3", ["2.5"]),
        (4, "TRUE", ["2024-02-01"]),
    ]
    assert [(p.line, p.sentence) for p in parsed.problems] == [
        (4, "A cell contains a date. It was read as “2024-02-01”.")
    ]


def test_a_title_above_the_table_is_left_out_and_said():
    table = [["Word", "Translation", "Lesson"], ["pas", "dog", 3]]
    parsed = xlsx.parse(workbook([["Croatian, lesson 3"], [], *table]))
    assert [(row.line, row.term, row.extra) for row in parsed.rows] == [(4, "pas", {"Lesson": "3"})]
    assert [(p.line, p.severity) for p in parsed.problems] == [(1, "warning")]
    assert "Croatian, lesson 3" in parsed.problems[0].sentence
    again = xlsx.parse(workbook([["Croatian, lesson 3"], *table]), **parsed.settings)
    assert [row.term for row in again.rows] == ["pas"]
    words = [["pas"], ["mačka", "cat"], ["Word", "Translation"]]
    assert len(xlsx.parse(workbook(words)).rows) == 3
    as_words = xlsx.parse(workbook([["pas"], *table]), has_header=False)
    assert [row.term for row in as_words.rows] == ["pas", "Word", "pas"]


def test_the_first_filled_sheet_is_read_and_the_others_are_named():
    data = workbook([], [[], ["pas", "dog"]], [["mačka", "cat"]])
    parsed = xlsx.parse(data)
    assert [(row.line, row.term) for row in parsed.rows] == [(2, "pas")]
    assert "Other sheets: S3" in parsed.problems[0].sentence
    assert xlsx.parse(data, sheet="S3").rows[0].term == "mačka"
    with pytest.raises(FormatError, match="Available sheets: S1, S2, S3"):
        xlsx.parse(data, sheet="S4")


def test_a_formula_without_a_stored_result_is_pointed_out():
    parsed = xlsx.parse(workbook([["pas", "dog"], ["mačka", '=LOWER("CAT")']]))
    assert [(p.line, p.severity) for p in parsed.problems] == [(2, "warning")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04 and no more", "damaged"),
        (b"hello", "damaged"),
        (workbook([]), "empty"),
    ],
)
def test_what_is_not_a_workbook_is_refused_with_the_reason(data, reason):
    with pytest.raises(FormatError, match=reason):
        xlsx.parse(data)


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def test_a_workbook_as_excel_writes_it_reads_with_shared_and_formatted_strings():
    data = zipped(
        {
            "[Content_Types].xml": (
                f'<Types xmlns="{PACKAGE}/content-types">'
                f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
                f'<Override PartName="/xl/sharedStrings.xml"'
                f' ContentType="{TYPE}.sharedStrings+xml"/></Types>'
            ).encode(),
            "xl/workbook.xml": (
                f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets>'
                '<sheet name="Words" sheetId="1" r:id="rId1"/></sheets></workbook>'
            ).encode(),
            "xl/_rels/workbook.xml.rels": (
                f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1"'
                f' Type="{RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
            ).encode(),
            "xl/sharedStrings.xml": (
                f'<sst xmlns="{MAIN}"><si><t>pas</t></si>'
                "<si><r><rPr><b/></rPr><t>do</t></r><r><t>g</t></r></si>"
                "<si><t>日本</t><rPh sb='0' eb='2'><t>ニホン</t></rPh></si>"
                "<si><t>_x005F_x0041_ a_x000D_b</t></si></sst>"
            ).encode(),
            "xl/worksheets/sheet1.xml": (
                f'<worksheet xmlns="{MAIN}"><sheetData>'
                '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c></row>'
                '<row r="5"><c r="A5" t="s"><v>2</v></c><c r="B5" t="s"><v>3</v></c></row>'
                "</sheetData></worksheet>"
            ).encode(),
            "xl/media/image1.png": b"x",
        }
    )
    parsed = xlsx.parse(data)
    assert [(row.line, row.term, row.translations[""]) for row in parsed.rows] == [
        (2, "pas", ["dog"]),
        (5, "日本", ["_x0041_ a\rb"]),
    ]
    assert [p.sentence for p in parsed.problems] == [
        "Pictures in a spreadsheet are not imported; this one has 1."
    ]


def test_a_cell_far_to_the_right_is_refused_with_its_line():
    book = openpyxl.Workbook()
    book.active.cell(3, 500, "x")
    stream = io.BytesIO()
    book.save(stream)
    with pytest.raises(FormatError, match="Line 3 has 500 columns"):
        xlsx.parse(stream.getvalue())
