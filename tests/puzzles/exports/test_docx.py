"""DOCX, read back by python-docx as a word processor would."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import pytest
from docx import Document
from docx.oxml.ns import qn
from docx.shared import Mm
from PIL import Image

from puzzles.exports import FORMATS, Printing
from tests.puzzles.exports.puzzles import KINDS, WORDS, diagonal, puzzle


def read(data, *, key=False, **printing):
    data = replace(data, printing=Printing(**printing))
    return Document(io.BytesIO(FORMATS["docx"].write(data, key=key)))


def texts(document):
    return [paragraph.text for paragraph in document.paragraphs if paragraph.text]


def letters(table):
    return [[cell.text for cell in row.cells] for row in table.rows]


@pytest.mark.parametrize("language", WORDS)
def test_the_grid_is_a_table_of_squares_and_each_word_a_paragraph(language):
    data = puzzle("word-search", language)
    document = read(data)
    (table,) = document.tables

    assert letters(table) == [list(row) for row in data.grid]
    row = table.rows[0]
    assert abs(row.height - row.cells[0].width) < Mm(0.1)
    assert row._tr.trPr.find(qn("w:trHeight")).get(qn("w:hRule")) == "exact"
    for word, clue in WORDS[language]:
        assert f"☐\t{word} – {clue}" in texts(document)


@pytest.mark.parametrize("kind", KINDS)
def test_the_answers_are_on_a_page_of_their_own_if_asked_for(kind):
    data = puzzle(kind, items=[("krokodil", "a reptile"), ("žaba", "it croaks")])

    alone, with_key = read(data), read(data, key=True)

    assert ("krokodil" in "".join(texts(alone))) == (kind == "word-search")
    assert any("krokodil – a reptile" in text for text in texts(with_key))
    assert (len(alone.tables), len(with_key.tables)) == (1, 2)
    starts = [section.start_type.name for section in with_key.sections]
    assert starts.count("NEW_PAGE") == 2  # the document's, and the key's
    if kind == "crossword":
        assert "".join(map("".join, letters(alone.tables[0]))) == "12"


@pytest.mark.parametrize("kind", KINDS)
def test_a_solution_alone_has_nothing_of_the_students_sheet(kind):
    data = puzzle(kind, items=[("krokodil", "a reptile"), ("žaba", "it croaks")])

    document = Document(io.BytesIO(FORMATS["docx"].write_solution(data)))

    assert len(document.tables) == 1
    assert texts(document)[0] == f"{data.title} – Key"
    assert "Name" not in "".join(texts(document))
    assert any("krokodil – a reptile" in text for text in texts(document))
    breaks = [section.start_type.name for section in document.sections]
    assert breaks.count("NEW_PAGE") == 1


def test_unused_squares_of_a_crossword_have_no_box_and_no_letter():
    data = puzzle("crossword")
    (table,) = read(data).tables
    for row, tiles in zip(table.rows, data.grid, strict=True):
        used = [tile for tile in tiles if tile is not None]
        boxes = [
            cell for cell in row.cells if len(cell._tc.findall(f".//{qn('w:tcBorders')}/*")) == 4
        ]
        assert len(boxes) == len(used)


def test_arabic_is_laid_out_from_the_right():
    document = read(puzzle("word-search", "ar"))
    (table,) = document.tables

    assert table._tbl.tblPr.find(qn("w:bidiVisual")) is not None
    assert document.styles["Normal"].element.pPr.find(qn("w:bidi")) is not None
    assert all(run.font.rtl for p in document.paragraphs for run in p.runs if run.text.strip())
    tags = {element.get(qn("w:bidi")) for element in document.styles.element.iter(qn("w:lang"))}
    assert tags == {"ar"}


def test_the_settings_of_the_worksheet_are_obeyed():
    document = read(
        diagonal(), paper="letter", text="large", is_lowercase=True, columns=2, version="B",
        student="Ana", has_class=True, school="Our School", instruction="Find the animals.",
        address="https://school.example/play/ABCD2345/",
    )  # fmt: skip
    said = texts(document)

    assert round(document.sections[0].page_width.mm, 1) == 215.9
    assert document.styles["Normal"].font.size.pt >= 18
    assert letters(document.tables[0])[0] == ["m", "a", "č", "k", "a"]
    assert said[:2] == ["Our School", "Životinje – B"]
    assert "Name Ana\t" in said[2] and "Class" in said[2]
    assert "Find the animals." in said
    assert "https://school.example/play/ABCD2345/" in said[-1]
    assert len(document.inline_shapes) == 1  # the QR code
    columns = [section._sectPr.find(qn("w:cols")).get(qn("w:num")) for section in document.sections]
    assert "2" in columns


def test_a_picture_is_in_the_document_instead_of_its_clue():
    file = io.BytesIO()
    Image.new("RGB", (60, 40), "#ff0000").save(file, "JPEG")
    data = puzzle("crossword")
    first, *others = data.placements
    document = read(replace(data, placements=(replace(first, picture=file.getvalue()), *others)))

    assert len(document.inline_shapes) == 1
    assert not any("crocodile" in text for text in texts(document))


def test_characters_that_xml_cannot_write_are_left_out():
    document = read(puzzle("crossword", items=[("žaba", "fr\x0bog")], title="a\x00b <&>"))

    assert "ab <&>" in texts(document)
    assert "1\tfrog (4)" in texts(document)


def test_the_file_tells_no_time_and_no_machine():
    with zipfile.ZipFile(io.BytesIO(FORMATS["docx"].write(diagonal()))) as archive:
        assert {info.date_time for info in archive.infolist()} == {(2000, 1, 1, 0, 0, 0)}
        assert b"2000-01-01" in archive.read("docProps/core.xml")
