"""Read students' names from pasted lines, CSV, OneRoster's users.csv or Kolibri's columns.

Only a display name is read. E-mail addresses, birth years, identifiers and passwords in such files
are ignored, and the result lists the ignored columns.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts.models import User

MAX_LINES = 500
MAX_NAME = User._meta.get_field("display_name").max_length or 80

_GIVEN = {"givenname", "firstname", "preferredfirstname", "ime", "imię"}
_FAMILY = {"familyname", "lastname", "surname", "prezime", "nazwisko"}
_WHOLE = {
    "name", "fullname", "fullnamefull_name", "displayname", "shownname", "pupil", "student",
    "imeiprezime", "učenik", "imięinazwisko", "uczeń", "الاسم", "اسم",
}  # fmt: skip
_ROLE = {"role", "usertype", "usertypeuser_type"}
_STUDENT_ROLES = {"", "student", "learner", "pupil"}
# Values of the status column that mean a closed account.
_INACTIVE = {"tobedeleted", "inactive"}


_NUMBERED = re.compile(r"^[0-9]{1,3}(?:[.)]\s*|\s+)(?=\D)")
_NO_NAME = re.compile(r"^[0-9]+[.)]?$|^[0-9]{1,2}\.?\s?\w$|@")


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that names no student, and why."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Roster:
    """The display names that were read, the problems, and the columns that were ignored."""

    names: list[str]
    problems: list[Problem]
    ignored_columns: list[str]


def parse_roster(text: str, *, shorten: bool = True) -> Roster:
    """Read names, one student per line. With *shorten*, keep only the surname's first letter."""
    # Any line ending: old spreadsheets write a carriage return alone.
    lines = "\n".join(text.replace("\ufeff", "").splitlines()).strip("\n")
    first = lines.partition("\n")[0]
    delimiter = max("\t;,", key=first.count) if any(map(first.count, "\t;,")) else "\t"
    try:
        rows = list(csv.reader(io.StringIO(lines), delimiter=delimiter))
    except csv.Error:  # unterminated quotation: another type of file, or a stray quotation mark
        return Roster([], [Problem(1, _("This is not a list with one name per line."))], [])
    header = [_plain(cell) for cell in rows[0]] if rows else []
    has_header = bool({*header} & (_GIVEN | _WHOLE)) and (len(header) > 1 or len(rows) > 1)
    columns = _Columns(header) if has_header else None
    names: list[str] = []
    problems: list[Problem] = []
    for number, row in enumerate(rows[has_header:], start=1 + has_header):
        if not any(cell.strip() for cell in row):
            continue
        if len(names) >= MAX_LINES:
            problems.append(
                Problem(
                    number,
                    ngettext(
                        "There is more than %(limit)s name. Add them in several batches.",
                        "There are more than %(limit)s names. Add them in several batches.",
                        MAX_LINES,
                    )
                    % {"limit": MAX_LINES},
                )
            )
            break
        name, problem = columns.read(row) if columns else (_joined(row), "")
        name = " ".join(name.split())
        if shorten:
            name = _shortened(name)
        if not problem and not any(letter.isalnum() for letter in name):
            problem = _("The name is missing.")
        if not problem and len(name) > MAX_NAME:
            problem = ngettext(
                "The name is longer than %(limit)s character.",
                "The name is longer than %(limit)s characters.",
                MAX_NAME,
            ) % {"limit": MAX_NAME}
        if problem:
            problems.append(Problem(number, problem))
        else:
            names.append(name)
    return Roster(_told_apart(names), problems, columns.ignored if columns else [])


class _Columns:
    """Which columns of a header are read."""

    def __init__(self, header: list[str]) -> None:
        self.given = _first(header, _GIVEN)
        self.family = _first(header, _FAMILY)
        self.whole = _first(header, _WHOLE)
        self.role = _first(header, _ROLE)
        self.status = _first(header, {"status"})
        read = {self.given, self.family, self.whole, self.role, self.status}
        self.ignored = [name for place, name in enumerate(header) if place not in read and name]

    def read(self, row: list[str]) -> tuple[str, str]:
        """Return the name in *row* and, if the row is skipped, the reason."""
        role = _cell(row, self.role).strip().casefold()
        if role not in _STUDENT_ROLES:
            return "", _("“%(role)s” is not a student. Invite teachers instead.") % {"role": role}
        if _cell(row, self.status).strip().casefold() in _INACTIVE:
            return "", _("According to the file, this account is no longer active.")
        if self.given is not None:
            return f"{_cell(row, self.given)} {_cell(row, self.family)}", ""
        return _cell(row, self.whole), ""


def _plain(cell: str) -> str:
    """Return a header's name without case, spaces and the code that Kolibri appends."""
    name = unicodedata.normalize("NFC", cell.partition("(")[0])
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _first(header: list[str], wanted: set[str]) -> int | None:
    return next((place for place, name in enumerate(header) if name in wanted), None)


def _cell(row: list[str], place: int | None) -> str:
    return row[place] if place is not None and place < len(row) else ""


def _joined(row: list[str]) -> str:
    """Return the name in a line without a header: “Horvat, Ana” is swapped, else the first cell.

    Numbers before names are removed, and cells that contain no name, such as a class or an address,
    are skipped.
    """
    cells = [cell.strip() for cell in row if cell.strip()]
    cells = [cell for cell in cells if not _NO_NAME.search(cell)] or cells
    cells = [_NUMBERED.sub("", cell) for cell in cells]
    return f"{cells[1]} {cells[0]}" if len(cells) == 2 else cells[0]


def _shortened(name: str) -> str:
    given, _space, family = name.rpartition(" ")
    return f"{given} {family[0]}." if given and len(family) > 1 and family[0].isalpha() else name


def _told_apart(names: list[str]) -> list[str]:
    """Number repeated names."""
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        seen[name.casefold()] += 1
        count = seen[name.casefold()]
        result.append(name if count == 1 else f"{name[: MAX_NAME - 4]} {count}")
    return result


def decoded(data: bytes) -> str:
    """Decode an uploaded file: as Unicode if it is, else with the Central European code page."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1250", "replace")
