"""Read the cells of a workbook's sheets row by row, with parts of openpyxl.

openpyxl's own read-only sheets parse a sheet twice if it does not state its size, fill gaps with
empty rows (a million of them if a file says so) and undo escapes only partly.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from openpyxl.cell.text import Text
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.stylesheet import apply_stylesheet
from openpyxl.worksheet._reader import WorkSheetParser
from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse

_ITEM, _PLAIN, _FORMULA, _INLINE = (f"{{{SHEET_MAIN_NS}}}{tag}" for tag in ("si", "t", "f", "is"))


class SheetCell(NamedTuple):
    """A cell: its column from 1, its stored value, and whether a formula's result is missing."""

    column: int
    value: Any
    is_formula: bool


@dataclass(frozen=True, slots=True)
class Workbook:
    """A workbook's `sheets`: each name with the zip member that contains its cells."""

    archive: zipfile.ZipFile
    sheets: dict[str, str]
    strings: Sequence[str]
    book: Any

    def rows(self, sheet: str) -> Iterator[tuple[int, Sequence[SheetCell]]]:
        """Yield each row's number and cells, in the file's order."""
        with self.archive.open(self.sheets[sheet]) as stream:
            yield from _Parser(
                stream,
                self.strings,
                data_only=True,
                epoch=self.book.epoch,
                date_formats=self.book._date_formats,
                timedelta_formats=self.book._timedelta_formats,
            ).parse()


def open_workbook(archive: zipfile.ZipFile) -> Workbook:
    """Read everything around the cells; raise any error that openpyxl raises."""
    file: Any = archive.fp
    reader: Any = ExcelReader(file, read_only=True, data_only=True, keep_links=False)
    reader.read_manifest()
    reader.read_workbook()
    apply_stylesheet(archive, reader.wb)
    sheets = {
        sheet.name: rel.target
        for sheet, rel in reader.parser.find_sheets()
        if rel.target in reader.valid_files and "chartsheet" not in rel.Type
    }
    part = reader.package.find(SHARED_STRINGS)
    strings = _strings(archive, part.PartName[1:]) if part is not None else []
    return Workbook(archive, sheets, strings, reader.wb)


def _strings(archive: zipfile.ZipFile, member: str) -> list[str]:
    strings = []
    with archive.open(member) as stream:
        for _, node in iterparse(stream):
            if node.tag == _ITEM:
                strings.append(_string(node))
                node.clear()
    return strings


def _string(node: Any) -> str:
    """Return a text without its formatting and without Japanese phonetic guides."""
    if len(node) == 1 and node[0].tag == _PLAIN:
        return node[0].text or ""
    text: Any = Text.from_tree(node)
    return str(text.content)


class _Parser(WorkSheetParser):
    """openpyxl's parser, which also reports which cells are formulas and is fast on plain text."""

    def parse_cell(self, element: Any) -> SheetCell:  # type: ignore[override] # ours to read
        inline = element.find(_INLINE) if element.get("t") == "inlineStr" else None
        text = _string(inline) if inline is not None else None
        if inline is not None:
            element.remove(inline)
        cell = super().parse_cell(element)
        value = cell["value"] if text is None else text
        return SheetCell(
            cell["column"], value, value is None and element.find(_FORMULA) is not None
        )
