"""OpenDocument spreadsheets (.ods): one sheet is read as a table; cells are written as text."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from defusedxml.ElementTree import iterparse

from vocab.formats.anki_fields import cell_of
from vocab.formats.columns import check_empty, table_of_rows, too_many_columns
from vocab.formats.rows import MAX_COLUMNS, MAX_ROWS, FormatError, Parsed, Row, message
from vocab.formats.sheets import Records, check_sheet, opened, table_of_sheets, with_reaching

CONTENT = "content.xml"
_MIME = "application/vnd.oasis.opendocument.spreadsheet"
_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:"
_TABLE, _TEXT, _OFFICE = (f"{{{_NAMESPACE}{name}:1.0}}" for name in ("table", "text", "office"))
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_PARAGRAPHS = (f"{_TEXT}p", f"{_TEXT}h")
# Comments, and the text of drawings over the cells.
_HIDDEN = (f"{_OFFICE}annotation", f"{_TEXT}note", f"{_TEXT}ruby-text", f"{_TABLE}shapes")
# A carriage return in parsed XML was escaped, and so is part of the text.
_GAP = re.compile(r"[ \t\n]+")
_MOST_DEPTH = 200


def parse(
    data: bytes,
    *,
    sheet: str | None = None,
    has_header: bool | None = None,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
) -> Parsed:
    """Read one sheet of a workbook: *sheet*, else the first that is not empty.

    A row's line is its number in the sheet; cells are read as they are displayed. Raises
    `FormatError`.
    """
    with opened(data, CONTENT) as archive:
        names, used = _sheets(archive, sheet)
    if not names:
        raise FormatError(
            message("This document is not a spreadsheet. Save its table as .xlsx or .csv.")
        )
    check_sheet(sheet, names)
    return table_of_sheets(
        used,
        sum(name.startswith("Pictures/") for name in archive.namelist()),
        [],
        has_header=has_header,
        columns=columns,
        languages=languages,
    )


def _sheets(archive: zipfile.ZipFile, wanted: str | None) -> tuple[list[str], dict[str, Records]]:
    """Return all sheets' names, and the records of those that are not empty.

    All of the one that is read, the first of the others. Elements are dropped as soon as they are
    read.
    """
    names: list[str] = []
    used: dict[str, Records] = {}
    open_elements: list[Any] = []
    sheet: _Sheet | None = None
    depth = 0  # of tables within cells, which are no sheets
    with archive.open(CONTENT) as stream:
        for event, element in iterparse(stream, events=("start", "end")):
            if event == "start":
                open_elements.append(element)
                if len(open_elements) > _MOST_DEPTH:
                    raise ValueError("elements are nested too deeply")
                if element.tag == f"{_TABLE}table":
                    depth += 1
                    if depth == 1 and open_elements[-2].tag == f"{_OFFICE}spreadsheet":
                        name = element.get(f"{_TABLE}name") or f"Sheet{len(names) + 1}"
                        names.append(name)
                        is_read = wanted in (None, name)
                        sheet = _Sheet(most=1 if used else MAX_ROWS + 1) if is_read else None
                continue
            open_elements.pop()
            if element.tag == f"{_TABLE}table":
                depth -= 1
                if depth == 0 and sheet:
                    if sheet.records:
                        used[names[-1]] = sheet.records
                    sheet = None
            elif element.tag == f"{_TABLE}table-row" and depth == 1:
                if sheet:
                    sheet.add(element)
                open_elements[-1].clear()
            elif not depth and open_elements:
                # Styles, which are many in some files.
                open_elements[-1].remove(element)
    return names, used


class _Sheet:
    """The records of a sheet, at most *most*."""

    def __init__(self, most: int) -> None:
        self.records: Records = []
        self._most = most
        self._line = 1
        self._empty = 0  # rows since the last filled one, which count if one more follows
        self._elements = 0
        self._reaching: dict[int, tuple[str, int]] = {}

    def add(self, row: Any) -> None:
        """Add a row, as often as it is repeated."""
        repeated = _count(row, f"{_TABLE}number-rows-repeated")
        texts = _texts(row, self._line, self._reaching)
        if not any(texts):
            self._elements += 1
            check_empty(self._elements, self._line)
            self._empty += repeated
        else:
            check_empty(self._empty, self._line)
            self._empty = 0
            for line in range(self._line, self._line + repeated):
                if len(self.records) >= self._most:
                    break
                self.records.append((line, with_reaching([*texts], line, self._reaching)))
        self._line += repeated


def _count(element: Any, name: str) -> int:
    value = element.get(name, "1")
    return max(1, int(value[:9])) if value.isascii() and value.isdigit() else 1


def _texts(row: Any, line: int, reaching: dict[int, tuple[str, int]]) -> list[str]:
    """Return the texts of a row; those of cells that reach into the next rows are added."""
    texts: list[str] = []
    skipped = 0
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        repeated = _count(cell, f"{_TABLE}number-columns-repeated")
        text = "\n".join(_lines(cell))
        if not text:
            skipped += repeated
            continue
        if len(texts) + skipped + repeated > MAX_COLUMNS:
            width = len(texts) + skipped + repeated
            raise FormatError(too_many_columns(line, width), line=line)
        texts += [""] * skipped + [text] * repeated
        if (rows := _count(cell, f"{_TABLE}number-rows-spanned")) > 1:
            reaching[len(texts)] = text, line + rows - 1
        skipped = 0
    return texts


def _lines(cell: Any) -> Iterator[str]:
    for child in cell:
        if child.tag in _PARAGRAPHS:
            yield "".join(_pieces(child)).strip(" ")


def _pieces(element: Any) -> Iterator[str]:
    """Yield the text of a paragraph, whose spaces and tabs are elements."""
    if element.tag == f"{_TEXT}s":
        yield "\u0020" * min(_count(element, f"{_TEXT}c"), 1000)
    elif element.tag == f"{_TEXT}tab":
        yield "\t"
    elif element.tag == f"{_TEXT}line-break":
        yield "\n"
    elif element.tag not in _HIDDEN:
        yield _collapsed(element.text)
        for child in element:
            yield from _pieces(child)
            yield _collapsed(child.tail)


def _collapsed(text: str | None) -> str:
    return _GAP.sub(" ", text) if text else ""


def write(rows: Sequence[Row]) -> bytes:
    """Return *rows* as a workbook in which every cell is text; the header stays in view."""
    header, table = table_of_rows(rows)
    lines = [_row_xml(header), *map(_row_xml, table)]
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content'
        f' xmlns:office="{_NAMESPACE}office:1.0" xmlns:table="{_NAMESPACE}table:1.0"'
        f' xmlns:text="{_NAMESPACE}text:1.0" office:version="1.2"><office:body>'
        f"<office:spreadsheet><table:table table:name={quoteattr('Vocabulary')}>"
        f"{''.join(lines)}</table:table></office:spreadsheet></office:body>"
        f"</office:document-content>"
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        # First and not compressed, so that the type is seen without unpacking.
        archive.writestr("mimetype", _MIME, zipfile.ZIP_STORED)
        archive.writestr(CONTENT, content)
        archive.writestr("META-INF/manifest.xml", _MANIFEST)
    return stream.getvalue()


_MANIFEST = (
    f'<?xml version="1.0" encoding="UTF-8"?><manifest:manifest'
    f' xmlns:manifest="{_NAMESPACE}manifest:1.0" manifest:version="1.2">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{_MIME}"/>'
    f'<manifest:file-entry manifest:full-path="{CONTENT}" manifest:media-type="text/xml"/>'
    f"</manifest:manifest>"
)


def _row_xml(cells: Sequence[str]) -> str:
    return f"<table:table-row>{''.join(map(_cell_xml, cells))}</table:table-row>"


def _cell_xml(text: str) -> str:
    if not text:
        return "<table:table-cell/>"
    paragraphs = "".join(
        f"<text:p>{_paragraph_xml(line)}</text:p>" for line in cell_of(text).split("\n")
    )
    return f'<table:table-cell office:value-type="string">{paragraphs}</table:table-cell>'


_SPACES = re.compile(r"(?<= ) |\A | \Z|\t|\r")
_SPACE_XML = {" ": "<text:s/>", "\t": "<text:tab/>", "\r": "&#13;"}


def _paragraph_xml(line: str) -> str:
    return _SPACES.sub(lambda match: _SPACE_XML[match[0]], escape(line))
