"""Workbooks (.xlsx): one sheet is read as a table; formulas are written as text."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from itertools import chain
from typing import Any

from openpyxl import load_workbook
from openpyxl.cell.read_only import EMPTY_CELL
from openpyxl.reader.workbook import WorkbookParser
from openpyxl.utils import column_index_from_string

from vocab.formats.anki_fields import cell_of
from vocab.formats.columns import (
    check_cells,
    check_empty,
    is_sheet_error,
    sheet_error,
    table_of_rows,
    too_many_columns,
)
from vocab.formats.rows import MAX_COLUMNS, FormatError, Parsed, Problem, Row, message
from vocab.formats.sheets import check_sheet, opened, table_of_sheets, with_reaching

# What a workbook escapes: an underscore before such a code, and control characters.
_CODE = re.compile(r"_x(005[Ff]|00[01][0-9A-Fa-f])_")
_CODED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)|\r")
_MERGED = re.compile(
    rb"""<(?:\w+:)?mergeCell\s[^<>]{0,90}?\bref=["']([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})["']"""
)
_LONGEST_TAG = 150
# What openpyxl takes for a formula or an error, and a spreadsheet for a formula.
_SPECIAL = re.compile(r"[=+\-@＝＋－＠#\t\n]")


def parse(
    data: bytes,
    *,
    sheet: str | None = None,
    has_header: bool | None = None,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
) -> Parsed:
    """Read one sheet of a workbook: *sheet*, else the first that is not empty.

    A row's line is its number in the sheet. Other sheets, pictures and formulas without a stored
    result are reported as problems. Raises `FormatError`.
    """
    with opened(data, "xl/workbook.xml") as archive, warnings.catch_warnings():
        # openpyxl warns about styles and extensions, which contain no words.
        warnings.simplefilter("ignore")
        return _parsed(archive, data, sheet, has_header, columns, languages)


def _parsed(
    archive: zipfile.ZipFile,
    data: bytes,
    sheet: str | None,
    has_header: bool | None,
    columns: Mapping[str, str] | None,
    languages: Sequence[str],
) -> Parsed:
    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    sheets = {each.title: each for each in book.worksheets}
    check_sheet(sheet, list(sheets))
    problems: list[Problem] = []
    used: dict[str, list[tuple[int, list[str]]]] = {}
    paths = _paths(archive)
    for name in sheets if sheet is None else [sheet]:
        # For sheets after the one that is read, the first filled row is enough.
        blank: set[tuple[int, int]] = set()
        merged = _merged(archive, paths[name]) if name in paths and not used else {}
        records = _records(sheets[name], problems if not used else [], blank, merged)
        first = next(records, None)
        if first:
            used[name] = [first] if used else [first, *records]
            problems += _without_result(data, name, blank) if len(used) == 1 else []
    return table_of_sheets(
        used,
        sum(name.startswith("xl/media/") for name in archive.namelist()),
        problems,
        has_header=has_header,
        columns=columns,
        languages=languages,
    )


def _records(
    sheet: Any,
    problems: list[Problem],
    blank: set[tuple[int, int]],
    merged: Mapping[tuple[int, int], int],
) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number, texts) of each row that is not empty; add cells without a value.

    A cell that is *merged* with those below it, down to a row, is repeated in them.
    """
    reaching: dict[int, tuple[str, int]] = {}
    sheet.reset_dimensions()  # a file may say that it has a million columns
    empty = 0
    for line, cells in enumerate(sheet.iter_rows(), 1):
        texts: list[str] = []
        for cell in cells:
            if cell is EMPTY_CELL:
                continue
            if cell.value is None:
                blank.add((line, cell.column))
                continue
            if cell.column > MAX_COLUMNS:
                raise FormatError(too_many_columns(line, cell.column), line=line)
            texts.extend([""] * (cell.column - len(texts)))
            text = cell.value if type(cell.value) is str else _text(cell.value, line, problems)
            if cell.data_type == "e" and is_sheet_error(text):
                problems.append(Problem(line, sheet_error(text), "warning"))
                text = ""
            texts[cell.column - 1] = _CODE.sub(_decoded, text) if "_x" in text else text
            if last := merged.get((line, cell.column)):
                reaching[cell.column] = texts[cell.column - 1], last
        empty += not texts
        check_empty(empty, line)
        if any(texts):
            yield line, with_reaching(texts, line, reaching)


def _paths(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the members of a workbook with its sheets, by the names of the sheets."""
    parser: Any = WorkbookParser(archive, "xl/workbook.xml", keep_links=False)
    parser.parse()
    return {sheet.name: relation.target for sheet, relation in parser.find_sheets()}


def _merged(archive: zipfile.ZipFile, path: str) -> dict[tuple[int, int], int]:
    """Return the last row of each cell that is merged with those below it, by (row, column).

    openpyxl tells this only of sheets that are in memory as a whole.
    """
    found: dict[tuple[int, int], int] = {}
    left = b""
    with archive.open(path) as stream:
        while chunk := stream.read(1 << 20):
            text = left + chunk
            for match in _MERGED.finditer(text):
                first, last = int(match[2]), int(match[3])
                if last > first:
                    found[first, column_index_from_string(match[1].decode())] = last
            left = text[-_LONGEST_TAG:]
    return found


def _without_result(data: bytes, sheet: str, blank: set[tuple[int, int]]) -> Iterator[Problem]:
    """Yield a problem for each of the *blank* cells that has a formula."""
    if not blank:
        return
    book: Any = load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
    book[sheet].reset_dimensions()
    for line, cells in enumerate(book[sheet].iter_rows(), 1):
        for cell in cells:
            if cell is not EMPTY_CELL and cell.data_type == "f" and (line, cell.column) in blank:
                sentence = message(
                    "A formula has no saved result. Open and save the file in a spreadsheet "
                    "program first."
                )
                yield Problem(line, sentence, "warning")


def _text(value: object, line: int, problems: list[Problem]) -> str:
    """Return a cell's value as a person would type it."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime | date | time):
        if isinstance(value, datetime) and value.time() == time():
            value = value.date()
        text = message("A cell contains a date. It was read as “{text}”.", text=value.isoformat())
        problems.append(Problem(line, text, "warning"))
        return value.isoformat()
    return str(value)


def write(rows: Sequence[Row]) -> bytes:
    """Return *rows* as a workbook of one sheet in which every cell is text, even formulas."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    header, table = table_of_rows(rows)
    # Convert everything before writing the first row: if it fails later, openpyxl leaves the file
    # of a half-written sheet behind.
    texts = [list(map(_coded, cells)) for cells in chain([header], table)]
    book = Workbook(write_only=True)
    sheet: Any = book.create_sheet("Vocabulary")
    sheet.freeze_panes = "A2"

    def text_cell(text: str) -> Any:
        if not _SPECIAL.match(text):
            return text or None
        cell = WriteOnlyCell(sheet, text)
        cell.data_type = "s"
        # Stays text even if someone edits the cell.
        cell.quotePrefix = True
        return cell

    titles = [WriteOnlyCell(sheet, name) for name in texts[0]]
    for title in titles:
        title.data_type = "s"
        title.font = Font(bold=True)
    sheet.append(titles)
    for cells in texts[1:]:
        sheet.append(list(map(text_cell, cells)))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _coded(text: str) -> str:
    """Escape what XML cannot contain as the format prescribes (ISO 29500, ST_Xstring)."""
    coded = cell_of(text)
    if "\r" in coded or "_x" in coded:
        coded = _CODED.sub(lambda match: f"_x{ord(match[0]):04X}_", coded)
    if coded is not text:
        check_cells([coded], text)
    return coded


def _decoded(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))
