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
_NOT_IN_NAMES = re.compile(rf"[\\/*?:\[\]<>|\"']|{_CONTROLS.pattern}")


def name_of(title: str) -> str:
    """Return *title* without what the name of a file or of a sheet may not contain."""
    return " ".join(_NOT_IN_NAMES.sub(" ", title).split()) or "Osmosmjerka"


def table(
    file_format: str, head: Sequence[str], rows: Iterable[Sequence[Value]], *, title: str = ""
) -> bytes:
    """Return *head* and *rows* as a file in "csv" (UTF-8 with a BOM for Excel) or "xlsx".

    *title* names the sheet of a workbook. Text that a spreadsheet would take for a formula is
    neutralised.
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
    sheet = book.create_sheet(name_of(title)[:31].strip())
    for row in safe:
        sheet.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def _safe(value: Value) -> Value:
    return neutralise(_CONTROLS.sub("", value)) if isinstance(value, str) else value
