"""Export a dashboard's figures as CSV or XLSX, safe to open in a spreadsheet. Pure."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from osmosmjerka.paper.xml import NOT_IN_XML, for_xml
from vocab.formats.delimited import neutralise

FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
Value = str | int | float | None
_NARROWEST, _WIDEST = 8, 40  # the width of a column, in digits
_NOT_IN_NAMES = re.compile(r"[\\/*?:\[\]<>|\"']")


def name_of(title: str) -> str:
    """Return *title* without what the name of a file or of a sheet may not contain."""
    return " ".join(_NOT_IN_NAMES.sub(" ", NOT_IN_XML.sub(" ", title)).split()) or "Osmosmjerka"


def table(
    file_format: str, head: Sequence[str], rows: Iterable[Sequence[Value]], *, title: str = "",
    is_comma_decimal: bool = False,
) -> bytes:  # fmt: skip
    """Return *head* and *rows* as a file in "csv" (UTF-8 with a BOM for Excel) or "xlsx".

    *title* names the sheet of a workbook. Where decimals have a comma, a spreadsheet reads a CSV
    file with semicolons, and takes 1.5 for the first of May. Text that it would take for a formula
    is neutralised.
    """
    safe = [[_safe(value) for value in row] for row in [head, *rows]]
    if file_format == "csv":
        text = io.StringIO()
        if is_comma_decimal:
            safe = [[_with_comma(value) for value in row] for row in safe]
        csv.writer(text, delimiter=";" if is_comma_decimal else ",").writerows(safe)
        return text.getvalue().encode("utf-8-sig")
    if file_format != "xlsx":
        raise ValueError(f"“{file_format}” is not one of {', '.join(FORMATS)}.")
    return _workbook(safe, name_of(title)[:31].strip())


def _workbook(rows: Sequence[Sequence[Value]], name: str) -> bytes:
    """Return a workbook whose first row is bold and stays in view, with columns as wide as needed.

    The first column stays in view too: it names a row's student or word.
    """
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet(name)
    sheet.freeze_panes = "B2"
    for number, column in enumerate(zip_longest(*rows), start=1):
        longest = max(len(str(value)) for value in column if value is not None)
        width = min(max(longest + 2, _NARROWEST), _WIDEST)
        sheet.column_dimensions[get_column_letter(number)].width = width
    for number, row in enumerate(rows):
        cells = [WriteOnlyCell(sheet, value) for value in row]
        if number == 0:
            for cell in cells:
                cell.font, cell.alignment = Font(bold=True), Alignment(wrap_text=True)
        sheet.append(cells)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _with_comma(value: Value) -> Value:
    return str(value).replace(".", ",") if isinstance(value, float) else value


def _safe(value: Value) -> Value:
    # One odd name must not break a class's file.
    return neutralise(for_xml(value)) if isinstance(value, str) else value
