"""Workbooks as openpyxl writes them, for tests of what is read from them."""

import io
from collections.abc import Iterable, Sequence
from typing import Any

from openpyxl import Workbook

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
