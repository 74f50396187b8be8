"""Read the rows of an untrusted table: text, an XLSX spreadsheet, or the tables of a OneRoster ZIP.

Every limit is by size and applies before the costly step. Whatever is no table is refused with a
sentence: a file that is read by mistake must never become names.
"""

from __future__ import annotations

import codecs
import csv
import io
import logging
import unicodedata
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MAX_FILE = 2_000_000
MAX_TEXT = 250_000
# Of all members of a ZIP file together. A spreadsheet of a class has a fiftieth of it.
MAX_UNPACKED = 5_000_000
MAX_MEMBERS = 200
MAX_COLUMNS = 50
# Rows of a OneRoster table, which may hold a whole school.
MAX_ROWS = 20_000
_LOG = logging.getLogger(__name__)
# What text files of another kind begin with: markup, JSON, PDF, PostScript, RTF.
_OTHER_TEXT = ("<", "{", "[", "%PDF", "%!")

# Word ends a line within a paragraph with a vertical tab.
_LINE_ENDS = "\t\n\r\x0b\x0c\x85"

Row = list[str]


@dataclass(frozen=True, slots=True)
class OneRoster:
    """The tables of a OneRoster file, by their names without “.csv”, as rows by column names."""

    tables: dict[str, list[dict[str, str]]]


def read_file(data: bytes) -> str | list[Row] | OneRoster:
    """Return a file's content: text, the rows of a spreadsheet, or OneRoster's tables.

    Raises `ValidationError` for every other file.
    """
    if len(data) > MAX_FILE:
        raise ValidationError(_("The file is larger than 2 MB. Is it really a list of names?"))
    if not data.startswith(b"PK"):
        return _decoded(data)
    try:
        return _unpacked(data)
    except ValidationError:
        raise
    except (Exception, RecursionError) as error:
        # zipfile, csv and openpyxl raise many types of errors for damaged files.
        _LOG.warning("A roster could not be read: %s: %s", type(error).__name__, str(error)[:200])
        raise ValidationError(_("The file is damaged.")) from None


def rows_of_text(text: str) -> Iterator[Row]:
    """Yield the rows of text with tabs, semicolons or commas; raises as `read_file`."""
    check_text(text)
    # Any line ending: old spreadsheets write a carriage return alone.
    lines = "\n".join(text.replace("\ufeff", "").splitlines()).strip("\n")
    first = lines.partition("\n")[0]
    delimiter = max("\t;,", key=first.count) if any(map(first.count, "\t;,")) else "\t"
    reader = csv.reader(io.StringIO(lines), delimiter=delimiter)
    try:
        for row in reader:
            yield row[:MAX_COLUMNS]
    except csv.Error:  # unterminated quotation: another type of file, or a stray quotation mark
        raise ValidationError(_("This is not a list with one name per line.")) from None


def check_text(text: str) -> None:
    """Raise `ValidationError` for text that is no list: binary, or of another format."""
    if text.lstrip("\ufeff \t\r\n").startswith(_OTHER_TEXT) or any(
        unicodedata.category(letter) in {"Cc", "Cs"} and letter not in _LINE_ENDS
        for letter in set(text)
    ):
        raise _refused()


def _refused() -> ValidationError:
    return ValidationError(
        _(
            "This file is not a list of names. Choose a CSV file, a spreadsheet (.xlsx) or a "
            "OneRoster ZIP file, or paste the names."
        )
    )


def _decoded(data: bytes) -> str:
    """Decode text: as Unicode if it is, else with the Central European code page."""
    try:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return data.decode("utf-16")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1250")
    except UnicodeDecodeError:
        raise _refused() from None


def _unpacked(data: bytes) -> list[Row] | OneRoster:
    archive = zipfile.ZipFile(io.BytesIO(data))
    members = archive.infolist()
    # The sizes are what the file says; zipfile reads no member beyond its own.
    if len(members) > MAX_MEMBERS or sum(each.file_size for each in members) > MAX_UNPACKED:
        raise ValidationError(_("The file is too large when unpacked. Export only your class."))
    names = archive.namelist()
    if "xl/workbook.xml" in names:
        return _rows_of_spreadsheet(data)
    users = min((name for name in names if _base(name) == "users"), key=len, default=None)
    if users is None:
        raise _refused()
    folder = users[: -len("users.csv")]
    tables = ("users", "classes", "enrollments", "roles")
    return OneRoster(
        {
            name: list(_records(_decoded(_member(archive, f"{folder}{name}.csv"))))
            for name in tables
            if f"{folder}{name}.csv" in names
        }
    )


def _base(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".csv") if name.endswith(".csv") else ""


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        with archive.open(name) as stream:
            return stream.read(MAX_UNPACKED)
    except (zlib.error, RuntimeError) as error:  # damaged, or protected with a password
        raise ValidationError(_("The file is damaged.")) from error


def _records(text: str) -> Iterator[dict[str, str]]:
    rows = rows_of_text(text)
    header = [cell.strip().casefold() for cell in next(rows, [])]
    for count, row in enumerate(rows, start=1):
        if count > MAX_ROWS:
            raise ValidationError(_("The file is too large when unpacked. Export only your class."))
        if any(row):
            yield dict(zip(header, row, strict=False))


def _rows_of_spreadsheet(data: bytes) -> list[Row]:
    """Return the rows of the first sheet that is not empty."""
    from openpyxl import load_workbook

    with warnings.catch_warnings():
        # openpyxl warns about styles and extensions, which contain no names.
        warnings.simplefilter("ignore")
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    for sheet in book.worksheets:
        # The bounds hold although a file may say that its only row is the millionth.
        cells = sheet.iter_rows(max_row=MAX_ROWS // 10, max_col=MAX_COLUMNS, values_only=True)
        rows = [_texts(row) for row in cells]
        if any(any(row) for row in rows):
            return rows
    return []


def _texts(row: Iterable[object]) -> Row:
    return [_text(value) for value in islice(row, MAX_COLUMNS)]


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
