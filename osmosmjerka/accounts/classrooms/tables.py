"""Read the rows of an untrusted table: text, an XLSX spreadsheet, or the tables of a OneRoster ZIP.

Every limit is by size and applies before the costly step. Whatever is no table is refused with a
sentence: a file that is read by mistake must never become names.
"""

from __future__ import annotations

import csv
import io
import logging
import re
import unicodedata
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from osmosmjerka.i18n import code_pages
from osmosmjerka.i18n.code_pages import Decoded

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
# Between cells, or between names in one line; those of other scripts if there are no others.
_DELIMITERS = ("\t;,", "；，、؛،")
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
# Lines that a quoted cell may have: more are joined by a quotation mark that nobody closed.
_MOST_LINES = 20
_SAMPLE = 20

Row = list[str]


@dataclass(frozen=True, slots=True)
class OneRoster:
    """The tables of a OneRoster file, by their names without “.csv”, as rows by column names.

    *users* is the text of the table with the names.
    """

    tables: dict[str, list[dict[str, str]]]
    users: Decoded


def read_file(data: bytes, encoding: str | None = None) -> Decoded | list[Row] | OneRoster:
    """Return a file's content: text, the rows of a spreadsheet, or OneRoster's tables.

    Without an *encoding*, that of a text is guessed, rather as one in the site's language. Raises
    `ValidationError` for every other file.
    """
    if len(data) > MAX_FILE:
        raise ValidationError(_("The file is larger than 2 MB. Is it really a list of names?"))
    if not data.startswith(b"PK"):
        return _decoded(data, encoding)
    try:
        return _unpacked(data, encoding)
    except ValidationError:
        raise
    except (Exception, RecursionError) as error:
        # zipfile, csv and openpyxl raise many types of errors for files that are damaged, or
        # protected with a password.
        _LOG.warning("A roster could not be read: %s: %s", type(error).__name__, str(error)[:200])
        raise ValidationError(_("The file is damaged.")) from None


def rows_of_text(text: str) -> Iterator[Row]:
    """Yield the rows of text with tabs, semicolons or commas; raises as `read_file`.

    Excel's line with the separator is an empty row.
    """
    check_text(text)
    # Any line ending: old spreadsheets write a carriage return alone.
    lines = text.replace("\ufeff", "").strip("\r\n").splitlines()
    if max(map(len, lines), default=0) > csv.field_size_limit():
        raise ValidationError(_("This is not a list with one name per line."))
    if lines and (hint := _SEPARATOR_LINE.fullmatch(lines[0])):
        delimiter, lines[0] = hint[1], ""
    else:
        delimiter = _delimiter(lines)
    start = 0
    while start < len(lines):
        row, count = _row_at(lines, start, delimiter)
        yield row[:MAX_COLUMNS]
        start += count


def _delimiter(lines: list[str]) -> str:
    """Return the first delimiter that at least half of the first lines have."""
    sample = [line for line in lines[: 2 * _SAMPLE] if line.strip()][:_SAMPLE]
    for delimiters in _DELIMITERS:
        counts = {sign: sum(sign in line for line in sample) for sign in delimiters}
        for sign, count in counts.items():
            if count and 2 * count >= len(sample):
                return sign
        if any(counts.values()):
            return max(counts, key=counts.__getitem__)
    return "\t"


def _row_at(lines: list[str], start: int, delimiter: str) -> tuple[Row, int]:
    """Return a row and the number of its lines.

    Quotation marks that do not match are letters, lest they join the lines of two students.
    """
    reader = csv.reader(
        (f"{line}\n" for line in lines[start : start + _MOST_LINES]),
        delimiter=delimiter,
        strict=True,
        skipinitialspace=True,
    )
    with suppress(csv.Error):
        row = next(reader)
        if not any(delimiter in cell and "\n" in cell for cell in row):
            return row, reader.line_num
    return [cell.strip(' "') for cell in lines[start].split(delimiter)], 1


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


def _decoded(data: bytes, encoding: str | None = None) -> Decoded:
    """Decode text: as Unicode if it is, else with the likeliest code page."""
    try:
        return code_pages.decode(data, [get_language() or "en"], encoding)
    except code_pages.DecodingError as error:
        if not encoding:
            raise _refused() from None
        raise ValidationError(
            _("Line %(line)s does not match this encoding. Choose another one.")
            % {"line": error.line}
        ) from None


def _unpacked(data: bytes, encoding: str | None) -> list[Row] | OneRoster:
    archive = zipfile.ZipFile(io.BytesIO(data))
    members = archive.infolist()
    # The sizes are what the file says; see read_member.
    if len(members) > MAX_MEMBERS or sum(each.file_size for each in members) > MAX_UNPACKED:
        raise ValidationError(_("The file is too large when unpacked. Export only your class."))
    names = archive.namelist()
    if "xl/workbook.xml" in names:
        return _rows_of_spreadsheet(_unpacked_copy(archive))
    found = (name for name in names if f"/{name}".endswith("/users.csv"))
    users = min(found, key=len, default=None)
    if users is None:
        raise _refused()
    folder = users[: -len("users.csv")]
    texts = {
        name: _decoded(read_member(archive, f"{folder}{name}.csv"), encoding)
        for name in ("users", "classes", "enrollments", "roles")
        if f"{folder}{name}.csv" in names
    }
    return OneRoster(
        {name: list(_records(found.text)) for name, found in texts.items()}, texts["users"]
    )


def read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo | str) -> bytes:
    """Return a member of a ZIP file, of which no more is unpacked than the file says there is.

    `ZipFile.read` unpacks all that there is, a thousand times the size of the file, and then cuts
    it; bzip2 and LZMA are always unpacked whole. Raises `zipfile.BadZipFile` for these, and for a
    member that is larger than the file says.
    """
    told = archive.getinfo(member) if isinstance(member, str) else member
    if told.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise zipfile.BadZipFile(f"{told.filename} is packed in another way than deflate.")
    with archive.open(told) as stream:
        return stream.read(told.file_size)


def _unpacked_copy(archive: zipfile.ZipFile) -> io.BytesIO:
    """Return a ZIP file for openpyxl, which reads members without a limit."""
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w") as unpacked:
        for name in dict.fromkeys(archive.namelist()):
            unpacked.writestr(name, read_member(archive, name))
    return copy


def _records(text: str) -> Iterator[dict[str, str]]:
    rows = rows_of_text(text)
    header = [cell.strip().casefold() for cell in next(rows, [])]
    for count, row in enumerate(rows, start=1):
        if count > MAX_ROWS:
            raise ValidationError(_("The file is too large when unpacked. Export only your class."))
        if any(row):
            yield dict(zip(header, row, strict=False))


def _rows_of_spreadsheet(file: io.BytesIO) -> list[Row]:
    """Return the rows of the first sheet that is not empty."""
    from openpyxl import load_workbook

    with warnings.catch_warnings():
        # openpyxl warns about styles and extensions, which contain no names.
        warnings.simplefilter("ignore")
        book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
    for sheet in book.worksheets:
        # The bounds hold although a file may say that its only row is the millionth.
        cells = sheet.iter_rows(max_row=MAX_ROWS // 10, max_col=MAX_COLUMNS, values_only=True)
        rows = [[_text(value) for value in row] for row in cells]
        if any(any(row) for row in rows):
            return rows
    return []


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
