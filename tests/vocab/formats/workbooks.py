"""Spreadsheets as openpyxl and LibreOffice write them, for tests of what is read from them."""

import io
from collections.abc import Iterable, Sequence
from typing import Any

from openpyxl import Workbook

from tests.vocab.formats.bombs import zipped

Rows = Iterable[Sequence[Any]]


def workbook(*sheets: Rows, merged: Sequence[str] = ()) -> bytes:
    """Return a workbook of sheets S1, S2 and so on; cells of the first one are merged."""
    book = Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"S{number}")
        for row in rows:
            sheet.append(row)
    for cells in merged:
        book["S1"].merge_cells(cells)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


NAME = "urn:oasis:names:tc:opendocument:xmlns:"


def document(body: str) -> bytes:
    """A spreadsheet as LibreOffice writes it, around the given tables."""
    return zipped(
        {
            "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": (
                '<?xml version="1.0" encoding="UTF-8"?><office:document-content'
                f' xmlns:office="{NAME}office:1.0" xmlns:table="{NAME}table:1.0"'
                f' xmlns:text="{NAME}text:1.0" xmlns:style="{NAME}style:1.0"'
                ' xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.3">'
                '<office:automatic-styles><style:style style:name="co1"/>'
                "</office:automatic-styles><office:body><office:spreadsheet>"
                f"{body}</office:spreadsheet></office:body></office:document-content>"
            ).encode(),
            "META-INF/manifest.xml": b"<x/>",
        }
    )
