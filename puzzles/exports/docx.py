"""Export a puzzle as a document to edit (DOCX): the grid is a table, the list is paragraphs.

It always has one sheet on a page, whatever the printing says: copies are made after editing.
"""

from __future__ import annotations

import io
import zipfile
from datetime import datetime
from xml.sax.saxutils import escape, quoteattr

from docx import Document
from docx.document import Document as DocumentObject
from docx.enum.section import WD_SECTION
from docx.enum.text import WD_TAB_LEADER
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.oxml.parser import OxmlElement
from docx.shared import Mm, Pt
from docx.styles.style import ParagraphStyle
from docx.text.paragraph import Paragraph

from osmosmjerka.paper.sheet import PAPERS
from osmosmjerka.paper.xml import for_xml
from puzzles.exports.board import Board
from puzzles.exports.data import PuzzleData
from puzzles.exports.entries import Entry, entries_for_key, entries_for_player
from puzzles.generators.grid import Cell
from vocab.text.languages import script_of

_MARGIN = 15.0
_LARGEST_CELL, _LARGEST_TO_WRITE_IN = 14.0, 10.0
_SHARE_OF_PAGE = 0.56
# Points: of the list, by the size of the text.
_SIZES = {"auto": 12.0, "large": 20.0, "small": 10.0}
_PICTURE, _CODE = 20.0, 24.0
_MOST_COLUMNS, _FEW = 3, 6
_FIXED_DATE = datetime(2000, 1, 1)
_ZIP_DATE = (2000, 1, 1, 0, 0, 0)
# Fonts that Windows and Word for Mac have; other programs choose their own for the script.
_FONTS = {
    "Deva": "Nirmala UI", "Beng": "Nirmala UI", "Taml": "Nirmala UI", "Telu": "Nirmala UI",
    "Gujr": "Nirmala UI", "Knda": "Nirmala UI", "Mlym": "Nirmala UI", "Guru": "Nirmala UI",
    "Sinh": "Nirmala UI", "Thai": "Leelawadee UI", "Laoo": "Leelawadee UI",
    "Khmr": "Leelawadee UI", "Mymr": "Myanmar Text", "Tibt": "Microsoft Himalaya",
    "Ethi": "Ebrima", "Jpan": "Yu Gothic", "Kore": "Malgun Gothic",
    "Hans": "Microsoft YaHei", "Hant": "Microsoft JhengHei",
}  # fmt: skip
_USUAL_FONT = "Arial"


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the puzzle as a document; with *key*, followed by a page with the answers."""
    made = _Made(puzzle.as_printed())
    made.add_sheet()
    if key:
        made.begin_page()
        made.add_key()
    return made.saved()


def write_solution(puzzle: PuzzleData) -> bytes:
    """Return the answers alone as a document."""
    made = _Made(puzzle.as_printed())
    made.add_key()
    return made.saved()


class _Made:
    """A document under construction."""

    def __init__(self, puzzle: PuzzleData) -> None:
        self._puzzle = puzzle
        self._is_rtl = puzzle.is_mirrored
        self._document: DocumentObject = Document()
        self._size = _SIZES[puzzle.printing.text]
        self._font = _FONTS.get(script_of(puzzle.language), _USUAL_FONT)
        self._width, self._height = PAPERS[puzzle.printing.paper]
        self._room = self._width - 2 * _MARGIN
        section = self._document.sections[0]
        section.page_width, section.page_height = Mm(self._width), Mm(self._height)
        section.left_margin = section.right_margin = Mm(_MARGIN)
        section.top_margin = section.bottom_margin = Mm(_MARGIN)
        if self._is_rtl:
            self._document.element.body.sectPr.insert_element_before(
                OxmlElement("w:bidi"), "w:docGrid"
            )
        self._set_styles()

    def add_sheet(self) -> None:
        puzzle = self._puzzle
        printing, labels = puzzle.printing, puzzle.labels
        if printing.school:
            self._add(printing.school)
        title = " – ".join(part for part in (puzzle.title, printing.version) if part)
        self._add(title, "Heading 1")
        self._add_fields()
        if printing.instruction:
            self._add(printing.instruction)
        self._add_grid(is_key=False)
        if puzzle.message_tiles:
            blanks = "\u2003".join(" ".join("_" for _ in word) for word in puzzle.message_tiles)
            self._add(labels.message)
            self._add(blanks)
        if puzzle.unlisted:
            self._add(puzzle.unlisted)
        self._add_list(list(entries_for_player(puzzle)))
        if printing.address:
            self._add_code(printing.address)

    def begin_page(self) -> None:
        self._document.add_section(WD_SECTION.NEW_PAGE)
        self._drop_empty_paragraph()

    def add_key(self) -> None:
        puzzle = self._puzzle
        parts = (puzzle.title, puzzle.printing.version, puzzle.labels.key)
        self._add(" – ".join(part for part in parts if part), "Heading 1")
        self._add_grid(is_key=True)
        if puzzle.message_tiles:
            words = " ".join("".join(word) for word in puzzle.message_tiles)
            self._add(f"{puzzle.labels.message}: {words}")
        self._add_list(list(entries_for_key(puzzle)))

    def saved(self) -> bytes:
        """Return the file, without the time at which it was made."""
        properties = self._document.core_properties
        properties.title, properties.author = for_xml(self._puzzle.title), "Osmosmjerka"
        properties.last_modified_by, properties.comments = "Osmosmjerka", ""
        properties.created = properties.modified = _FIXED_DATE
        properties.language = self._puzzle.language or ""
        stream, fixed = io.BytesIO(), io.BytesIO()
        self._document.save(stream)
        with (
            zipfile.ZipFile(stream) as made,
            zipfile.ZipFile(fixed, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for name in made.namelist():
                info = zipfile.ZipInfo(name, _ZIP_DATE)
                info.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(info, made.read(name))
        return fixed.getvalue()

    def _set_styles(self) -> None:
        """Set fonts by script, language and direction once, for all paragraphs."""
        for name, size, before, after in (
            ("Normal", self._size, 0.0, 0.25 * self._size),
            ("Heading 1", 1.6 * self._size, 0.0, 0.4 * self._size),
            ("Heading 2", 1.15 * self._size, 0.3 * self._size, 0.2 * self._size),
        ):
            style = self._document.styles[name]
            assert isinstance(style, ParagraphStyle)  # noqa: S101  (for the type checker)
            style.paragraph_format.space_before = Pt(before)
            style.paragraph_format.space_after = Pt(after)
            style.paragraph_format.line_spacing = 1.0
            if self._is_rtl:
                style.element.get_or_add_pPr().insert_element_before(
                    OxmlElement("w:bidi"), "w:adjustRightInd", "w:snapToGrid", "w:spacing"
                )
            properties = style.element.get_or_add_rPr()
            for child in list(properties):
                properties.remove(child)
            for child in parse_xml(f"<w:rPr {nsdecls('w')}>{self._text_xml(size)}</w:rPr>"):
                properties.append(child)
        language = self._puzzle.language
        if language:
            for element in self._document.styles.element.iter(qn("w:lang")):
                for attribute in ("w:val", "w:eastAsia", "w:bidi"):
                    element.set(qn(attribute), language)

    def _text_xml(self, size: float, *, colour: str = "", is_bold: bool = False) -> str:
        """Return the properties of a run: its font for every script, and its size in points."""
        font = quoteattr(self._font)
        return (
            f"<w:rFonts w:ascii={font} w:hAnsi={font} w:eastAsia={font} w:cs={font}/>"
            + ("<w:b/><w:bCs/>" if is_bold else "")
            + (f'<w:color w:val="{colour}"/>' if colour else "")
            + f'<w:sz w:val="{round(2 * size)}"/><w:szCs w:val="{round(2 * size)}"/>'
        )

    def _add(self, text: str = "", style: str = "Normal") -> Paragraph:
        paragraph = self._document.add_paragraph(style=style)
        self._write(paragraph, text)
        return paragraph

    def _write(self, paragraph: Paragraph, text: str) -> None:
        if text:
            run = paragraph.add_run(for_xml(text))
            run.font.rtl = True if self._is_rtl else None

    def _add_fields(self) -> None:
        """Add a line for name, class and date: what is known, or a leader to write on."""
        fields = self._puzzle.fields
        if not fields:
            return
        paragraph = self._add()
        paragraph.paragraph_format.space_before = Pt(0.5 * self._size)
        paragraph.paragraph_format.space_after = Pt(0.7 * self._size)
        end, whole = 0.0, sum(share for _, _, share in fields)
        for number, (label, known, share) in enumerate(fields):
            leader = WD_TAB_LEADER.SPACES if known else WD_TAB_LEADER.LINES
            end += self._room * share / whole
            is_last = number == len(fields) - 1
            stops = paragraph.paragraph_format.tab_stops
            stops.add_tab_stop(Mm(end if is_last else end - 4), leader=leader)
            self._write(paragraph, f"{label} {known}\t" + ("" if is_last else "  "))

    def _add_grid(self, *, is_key: bool) -> None:
        """Add the grid as a table of square cells."""
        puzzle, board = self._puzzle, Board.of(self._puzzle)
        largest = _LARGEST_CELL
        if puzzle.hides_letters and puzzle.printing.text != "large":
            largest = _LARGEST_TO_WRITE_IN
        side = min(largest, self._room / board.cols, _SHARE_OF_PAGE * self._height / board.rows)
        answers = {cell for placed in puzzle.placements for cell in placed.cells}
        twips = round(side * 1440 / 25.4)
        rows = []
        for row in range(board.top, board.top + board.rows):
            cells = "".join(
                self._cell_xml(row, col, side, twips, answers, is_key=is_key)
                for col in range(board.left, board.left + board.cols)
            )
            rows.append(
                f'<w:tr><w:trPr><w:cantSplit/><w:trHeight w:val="{twips}" w:hRule="exact"/>'
                f"</w:trPr>{cells}</w:tr>"
            )
        table = (
            f"<w:tbl {nsdecls('w')}><w:tblPr>{'<w:bidiVisual/>' if self._is_rtl else ''}"
            f'<w:tblW w:w="{twips * board.cols}" w:type="dxa"/><w:jc w:val="center"/>'
            '<w:tblLayout w:type="fixed"/><w:tblCellMar><w:left w:w="0" w:type="dxa"/>'
            '<w:right w:w="0" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tblGrid>'
            + f'<w:gridCol w:w="{twips}"/>' * board.cols
            + f"</w:tblGrid>{''.join(rows)}</w:tbl>"
        )
        # Before the properties of the last section, which end the body.
        self._document.element.body.insert_element_before(parse_xml(table), "w:sectPr")
        self._add().paragraph_format.space_after = Pt(0)

    def _cell_xml(
        self,
        row: int,
        col: int,
        side: float,
        twips: int,
        answers: set[Cell],
        *,
        is_key: bool,
    ) -> str:
        puzzle = self._puzzle
        tile = puzzle.grid[row][col]
        number = puzzle.numbers.get((row, col))
        size = 0.56 * side * 72 / 25.4
        content = ""
        if number is not None:
            content += self._run_xml(str(number), max(6.0, 0.26 * size / 0.56), is_raised=True)
        if tile is not None and (is_key or not puzzle.hides_letters):
            is_answer = (row, col) in answers
            colour = "" if not is_key or is_answer else "8A857D"
            is_bold = is_key and is_answer and not puzzle.hides_letters
            share = 0.8 if number is not None else 1.0
            content += self._run_xml(tile, share * size, colour=colour, is_bold=is_bold)
        is_alone = puzzle.hides_letters and not is_key
        bidi = "<w:bidi/>" if self._is_rtl else ""
        spacing = '<w:spacing w:before="0" w:after="0" w:line="240" w:lineRule="auto"/>'
        justified = "left" if is_alone or number is not None else "center"
        return (
            f'<w:tc><w:tcPr><w:tcW w:w="{twips}" w:type="dxa"/>{self._borders_xml(row, col)}'
            f'<w:vAlign w:val="{"top" if is_alone else "center"}"/></w:tcPr>'
            f'<w:p><w:pPr>{bidi}{spacing}<w:jc w:val="{justified}"/></w:pPr>{content}</w:p></w:tc>'
        )

    def _run_xml(
        self,
        text: str,
        size: float,
        *,
        colour: str = "",
        is_bold: bool = False,
        is_raised: bool = False,
    ) -> str:
        properties = self._text_xml(size, colour=colour, is_bold=is_bold)
        if is_raised:
            # Raised, and not superscript: that would make the small number smaller still.
            properties = properties.replace(
                "<w:sz ", f'<w:position w:val="{round(size / 2)}"/><w:sz '
            )
        if self._is_rtl and not is_raised:
            properties += "<w:rtl/>"
        return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{escape(for_xml(text))}</w:t></w:r>"

    def _borders_xml(self, row: int, col: int) -> str:
        """Return the borders of a cell: those of a crossword's square, or the grid's outline."""
        # In a table from right to left, too, "left" is where a row begins.
        sides = (("top", -1, 0), ("left", 0, -1), ("bottom", 1, 0), ("right", 0, 1))
        # Both cells of an edge have the border, so that no program prefers one without.
        drawn = "".join(
            f'<w:{side} w:val="single" w:sz="6" w:space="0" w:color="1A1714"/>'
            for side, down, along in sides
            if self._has_edge((row, col), (row + down, col + along))
        )
        return f"<w:tcBorders>{drawn}</w:tcBorders>" if drawn else ""

    def _has_edge(self, one: Cell, other: Cell) -> bool:
        """Return whether a line is drawn between two cells."""
        used = [self._is_used(*one), self._is_used(*other)]
        return any(used) if self._puzzle.hides_letters else used[0] != used[1]

    def _is_used(self, row: int, col: int) -> bool:
        puzzle = self._puzzle
        is_inside = 0 <= row < puzzle.rows and 0 <= col < puzzle.cols
        return is_inside and puzzle.grid[row][col] is not None

    def _add_list(self, entries: list[Entry]) -> None:
        """Add the list as paragraphs in columns of the page."""
        if not entries:
            return
        columns = self._puzzle.printing.columns or self._columns_for(entries)
        self._begin_columns(columns)
        gap = 6.0
        width = (self._room - (columns - 1) * gap) / columns
        for entry in entries:
            self._add_entry(entry, width)
        # Columns are of equal height only before a section that follows on the same page.
        self._begin_columns(1)

    def _columns_for(self, entries: list[Entry]) -> int:
        if len(entries) < _FEW:
            return 1
        longest = max(len(entry.text) for entry in entries)
        ems = self._room / (self._size * 25.4 / 72)
        is_long = any(entry.is_heading or entry.is_written for entry in entries)
        fitting = int(ems // (16 if is_long else 0.55 * longest + 3))
        return max(1, min(_MOST_COLUMNS, fitting))

    def _add_entry(self, entry: Entry, width: float) -> None:
        if entry.is_heading:
            self._add(entry.text, "Heading 2").paragraph_format.keep_with_next = True
            return
        mark = "☐" if entry.is_ticked else entry.mark
        paragraph = self._add(f"{mark}\t{entry.text}" if mark else entry.text)
        style = paragraph.paragraph_format
        style.keep_together = True
        if mark:
            indent = Pt(1.9 * self._size)
            style.left_indent, style.first_line_indent = indent, -indent
            style.tab_stops.add_tab_stop(indent)
        if entry.picture:
            run = paragraph.add_run()
            if entry.text:
                run.add_break()
            run.add_picture(io.BytesIO(entry.picture), height=Mm(_PICTURE))
        if entry.is_written:
            style.tab_stops.add_tab_stop(Mm(width), leader=WD_TAB_LEADER.LINES)
            style.space_after = Pt(0.8 * self._size)
            if entry.text or entry.picture:
                paragraph.add_run().add_break()
            self._write(paragraph, "\t")

    def _begin_columns(self, count: int) -> None:
        """Begin a part of the page with *count* columns."""
        self._document.add_section(WD_SECTION.CONTINUOUS)
        self._drop_empty_paragraph()
        columns = self._document.element.body.sectPr.find(qn("w:cols"))
        assert columns is not None  # noqa: S101  (the template has them)
        columns.set(qn("w:num"), str(count))
        columns.set(qn("w:space"), str(round(6 * 1440 / 25.4)))

    def _drop_empty_paragraph(self) -> None:
        """Let the paragraph before a new section end it, instead of an empty one."""
        ending = self._document.element.body.findall(qn("w:p"))[-1]
        before = ending.getprevious()
        if before is not None and before.tag == qn("w:p") and before.find(qn("w:r")) is not None:
            properties = before.get_or_add_pPr()
            if properties.find(qn("w:sectPr")) is None:
                properties.append(ending.pPr.find(qn("w:sectPr")))
                ending.getparent().remove(ending)

    def _add_code(self, address: str) -> None:
        """Add the QR code to play the same puzzle."""
        import segno

        picture = io.BytesIO()
        segno.make_qr(address, error="m").save(picture, kind="png", scale=8, border=4)
        picture.seek(0)
        paragraph = self._add(self._puzzle.labels.play)
        paragraph.paragraph_format.keep_with_next = True
        paragraph = self._add()
        paragraph.add_run().add_picture(picture, width=Mm(_CODE))
        paragraph.add_run().add_break()
        paragraph.add_run(for_xml(address))
