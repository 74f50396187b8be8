"""Read students' names from pasted lines, CSV, XLSX, OneRoster, or Kolibri's or Moodle's columns.

Only a name is read, and the ids by which another program knows the student. E-mail addresses,
birth years and passwords in such files are ignored, and the result lists the ignored columns.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts import codes
from osmosmjerka.accounts.classrooms import tables
from osmosmjerka.accounts.models import ExternalId, User

MAX_LINES = 500
# Of a OneRoster file, from which one class is chosen.
MAX_SCHOOL = 3_000
MAX_NAME = User._meta.get_field("display_name").max_length or 80
_MAX_READ = 200
_MAX_ID = 255

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
_IDS = {
    ExternalId.Source.ONEROSTER: {"sourcedid"},
    ExternalId.Source.KOLIBRI: {"databaseid"},
    ExternalId.Source.NUMBER: {
        "identifier", "idnumber", "studentid", "studentnumber", "sisuserid", "externalid",
    },
}  # fmt: skip
# Rows of gradebooks that stand among the students.
_NOT_A_STUDENT = {"pointspossible"}

_NUMBERED = re.compile(r"^[0-9]{1,3}(?:[.)]\s*|\s+)(?=\D)")
_NO_NAME = re.compile(r"^[0-9]+[.)]?$|^[0-9]{1,2}\.?\s?\w$|@")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a roster: the *name* that was read, and *shown*, the display name made of it.

    *ids* are the student's ids by their source, *classes* the ids of the classes in the file. With
    a *problem*, the line names no student.
    """

    number: int
    name: str
    shown: str
    ids: dict[str, str] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Roster:
    """What was read. *classes* are the titles of the classes in the file, by their ids there.

    *lists_everybody* says that who is not in the file is not in the class.
    """

    lines: list[Line]
    ignored_columns: list[str]
    classes: dict[str, str] = field(default_factory=dict)
    lists_everybody: bool = False

    @property
    def names(self) -> list[str]:
        return [line.shown for line in self.lines if not line.problem]

    @property
    def problems(self) -> list[Line]:
        return [line for line in self.lines if line.problem]


def parse_roster(text: str, *, shorten: bool = True) -> Roster:
    """Read names, one student per line. With *shorten*, keep only the surname's first letter."""
    return _roster_of(tables.rows_of_text(text), shorten)


def roster_of_names(names: Iterable[str]) -> Roster:
    """Return a roster of whole names, one line each from 1."""
    return Roster([_line(number, name, "", False, {}) for number, name in enumerate(names, 1)], [])


def parse_file(data: bytes, *, shorten: bool = True) -> Roster:
    """Read the names in an uploaded file; `ValidationError` if it is no list of names."""
    found = tables.read_file(data)
    if isinstance(found, str):
        return parse_roster(found, shorten=shorten)
    if isinstance(found, tables.OneRoster):
        return _roster_of_school(found.tables, shorten)
    return _roster_of(found, shorten)


def shortened(name: str) -> str:
    """Return a name with its last word cut to one letter: “Ana H.”."""
    given, _space, family = name.rpartition(" ")
    return f"{given} {family[0]}." if given and len(family) > 1 and family[0].isalpha() else name


def _roster_of(rows: Iterable[tables.Row], shorten: bool) -> Roster:
    rows = iter(rows)
    first, second = next(rows, []), next(rows, None)
    header = [_plain(cell) for cell in first]
    has_header = bool({*header} & (_GIVEN | _WHOLE)) and (len(header) > 1 or second is not None)
    columns = _Columns(header) if has_header else None
    body = chain([] if has_header else [first], [] if second is None else [second], rows)
    lines: list[Line] = []
    for number, row in enumerate(body, start=1 + has_header):
        if not any(cell.strip() for cell in row):
            continue
        if len(lines) >= MAX_LINES:  # lines with problems cost time as well
            lines.append(
                Line(
                    number,
                    "",
                    "",
                    problem=ngettext(
                        "There is more than %(limit)s name. Add them in several batches.",
                        "There are more than %(limit)s names. Add them in several batches.",
                        MAX_LINES,
                    )
                    % {"limit": MAX_LINES},
                )
            )
            break
        name, problem = columns.read(row) if columns else (_joined(row), "")
        ids = columns.ids_of(row) if columns else {}
        lines.append(_line(number, name, problem, shorten, ids))
    return Roster(
        lines,
        columns.ignored if columns else [],
        # Only such a file is made by a program that knows the class.
        lists_everybody=columns is not None and ExternalId.Source.ONEROSTER in columns.ids,
    )


def _roster_of_school(found: dict[str, list[dict[str, str]]], shorten: bool) -> Roster:
    """Read the students of OneRoster's users.csv, with the classes in which they are enrolled."""
    titles = {row.get("sourcedid", ""): row.get("title", "") for row in found.get("classes", ())}
    classes: dict[str, list[str]] = {}
    for row in found.get("enrollments", ()):
        is_student = row.get("role", "").strip().casefold() in _STUDENT_ROLES
        if is_student and row.get("status", "").strip().casefold() not in _INACTIVE:
            classes.setdefault(row.get("usersourcedid", ""), []).append(
                row.get("classsourcedid", "")[:_MAX_ID]
            )
    roles = {row.get("usersourcedid", ""): row.get("role", "") for row in found.get("roles", ())}
    users = found["users"]
    header = list(users[0]) if users else []
    columns = _Columns([_plain(name) for name in header] + ["role"])
    lines: list[Line] = []
    for number, row in enumerate(users, start=2):
        user = row.get("sourcedid", "")
        if classes and user not in classes:
            continue
        if len(lines) >= MAX_SCHOOL:
            raise ValidationError(_("The file is too large when unpacked. Export only your class."))
        cells = [row.get(name, "") for name in header] + [roles.get(user, "")]
        name, problem = columns.read(cells)
        of = tuple(dict.fromkeys(classes.get(user, ())))
        lines.append(_line(number, name, problem, shorten, columns.ids_of(cells), of))
    used = dict.fromkeys(each for line in lines for each in line.classes)
    named = {each: " ".join((titles.get(each) or each).split())[:100] for each in used}
    return Roster(lines, columns.ignored, named, lists_everybody=True)


def _line(
    number: int,
    name: str,
    problem: str,
    shorten: bool,
    ids: dict[str, str],
    classes: tuple[str, ...] = (),
) -> Line:
    """Return a line with a tidy name, or with what is wrong with it."""
    is_long = len(name) > 10 * _MAX_READ
    name = codes.visible(" ".join(name[: 10 * _MAX_READ].split()))
    shown = shortened(name) if shorten else name
    if not problem and not any(letter.isalnum() for letter in name):
        problem = _("The name is missing.")
    elif not problem and (is_long or len(name) > _MAX_READ or len(shown) > MAX_NAME):
        problem = ngettext(
            "The name is longer than %(limit)s character.",
            "The name is longer than %(limit)s characters.",
            MAX_NAME,
        ) % {"limit": MAX_NAME}
    if problem:
        return Line(number, name[:_MAX_READ], "", ids, classes, problem[:300])
    return Line(number, name, shown, ids, classes)


class _Columns:
    """Which columns of a header are read."""

    def __init__(self, header: list[str]) -> None:
        self.given = _first(header, _GIVEN)
        self.family = _first(header, _FAMILY)
        self.whole = _first(header, _WHOLE)
        self.role = _first(header, _ROLE)
        self.status = _first(header, {"status"})
        places = {source: _first(header, names) for source, names in _IDS.items()}
        self.ids = {source: place for source, place in places.items() if place is not None}
        read = {self.given, self.family, self.whole, self.role, self.status, *self.ids.values()}
        self.ignored = [
            name[:40] for place, name in enumerate(header) if place not in read and name
        ]

    def read(self, row: list[str]) -> tuple[str, str]:
        """Return the name in *row* and, if the row is skipped, the reason."""
        name = _turned(_cell(row, self.whole))
        if self.given is not None:
            name = f"{_cell(row, self.given)} {_cell(row, self.family)}"
        role = _cell(row, self.role).strip().casefold()[:40]
        if role not in _STUDENT_ROLES:
            return name, _("“%(role)s” is not a student. Invite teachers instead.") % {"role": role}
        if _plain(name) in _NOT_A_STUDENT:
            return name, _("The name is missing.")
        if _cell(row, self.status).strip().casefold() in _INACTIVE:
            return name, _("According to the file, this account is no longer active.")
        return name, ""

    def ids_of(self, row: list[str]) -> dict[str, str]:
        """Return the student's ids by their source."""
        found = {source: _cell(row, place).strip() for source, place in self.ids.items()}
        return {str(source): value for source, value in found.items() if 0 < len(value) <= _MAX_ID}


def _plain(cell: str) -> str:
    """Return a header's name without case, spaces and the code that Kolibri appends."""
    name = unicodedata.normalize("NFC", cell[:_MAX_READ].partition("(")[0])
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _first(header: list[str], wanted: set[str]) -> int | None:
    return next((place for place, name in enumerate(header) if name in wanted), None)


def _cell(row: list[str], place: int | None) -> str:
    return row[place] if place is not None and place < len(row) else ""


def _joined(row: list[str]) -> str:
    """Return the name in a line without a header: “Horvat, Ana” is swapped, else the first cell.

    Numbers before names are removed, and cells that contain no name, such as a class, an address or
    a letter for the gender, are skipped.
    """
    cells = [cell.strip() for cell in row if cell.strip()]
    kept = [cell for cell in cells if not _NO_NAME.search(cell[:_MAX_READ])]
    if len(cells) > 2:
        kept = [cell for cell in kept if len(cell) > 1]
    cells = [_NUMBERED.sub("", cell) for cell in kept or cells]
    if "," in cells[0]:  # the whole name is in one cell
        return _turned(cells[0])
    return f"{cells[1]} {cells[0]}" if len(cells) == 2 else cells[0]


def _turned(name: str) -> str:
    """Return “Horvat, Ana” as “Ana Horvat”."""
    family, comma, given = name.partition(",")
    return f"{given} {family}" if comma and given.strip() and "," not in given else name
