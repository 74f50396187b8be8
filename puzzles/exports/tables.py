"""Export a dashboard's figures as CSV or XLSX, safe to open in a spreadsheet. Pure."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from vocab.formats.delimited import neutralise

CSV, XLSX = (
    "text/csv; charset=utf-8",
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
)
FORMATS = {"csv": CSV, "xlsx": XLSX}


Value = str | int | float | None
# XML, and so a workbook, cannot contain these: one odd name must not break a class's file.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def table(file_format: str, head: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """Return *head* and *rows* as a file in "csv" (UTF-8 with a BOM for Excel) or "xlsx".

    Text that a spreadsheet would take for a formula is neutralised.
    """
    safe = [[_safe(value) for value in row] for row in [head, *rows]]
    if file_format == "csv":
        text = io.StringIO()
        csv.writer(text).writerows(safe)
        return text.getvalue().encode("utf-8-sig")
    if file_format != "xlsx":
        raise ValueError(f"“{file_format}” is not one of {', '.join(FORMATS)}.")
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in safe:
        sheet.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _safe(value: Value) -> Value:
    return neutralise(_CONTROLS.sub("", value)) if isinstance(value, str) else value
