"""Read a OneRoster file of a whole school: 1.1 or 1.2, everything (bulk) or what changed (delta).

Of people only names, ids and roles are kept, and of teachers the e-mail address, by which a
colleague with an account is recognised. A row that cannot be used becomes a problem with its file
and line; a file that is none is refused.
"""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts import codes
from osmosmjerka.accounts.classrooms.columns import is_inactive, is_student
from osmosmjerka.accounts.classrooms.names import Name
from osmosmjerka.accounts.classrooms.roster import line_of
from osmosmjerka.accounts.classrooms.tables import read_member
from osmosmjerka.accounts.models import Classroom, ExternalId

MAX_FILE = 5_000_000
MAX_UNPACKED = 60_000_000
MAX_PEOPLE = 10_000
MAX_CLASSES = 2_000
MAX_PLACES = 150_000
_MAX_ID = ExternalId._meta.get_field("value").max_length or 255
_MAX_TITLE = Classroom._meta.get_field("name").max_length or 100
_MAX_EMAIL = 254
# The columns without which a table cannot be read.
_NEEDED = {
    "users": ("sourcedid", "givenname", "familyname"),
    "classes": ("sourcedid", "title"),
    "enrollments": ("classsourcedid", "usersourcedid", "role"),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A row that is skipped: the file and the line it is in, and why."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class ClassRow:
    line: int
    id: str
    title: str
    is_gone: bool


@dataclass(frozen=True, slots=True)
class Person:
    """A student or teacher: *name* as it was read, *shown* the display name made of it."""

    line: int
    id: str
    role: str
    name: str
    shown: str
    number: str
    email: str
    is_gone: bool


@dataclass(frozen=True, slots=True)
class Place:
    """That a person is in a class, or no longer is."""

    line: int
    person: str
    classroom: str
    role: str
    is_primary: bool
    is_gone: bool


@dataclass(slots=True)
class SchoolFile:
    """What was read. With *is_delta*, what is not in the file has not changed."""

    is_delta: bool = False
    classes: list[ClassRow] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> SchoolFile:
        return cls(
            told["is_delta"],
            [ClassRow(**row) for row in told["classes"]],
            [Person(**row) for row in told["people"]],
            [Place(**row) for row in told["places"]],
            [Problem(**row) for row in told["problems"]],
        )


Rows = Iterator[tuple[int, dict[str, str]]]


def read(data: bytes, *, shorten: bool = True) -> SchoolFile:
    """Read a ZIP file. With *shorten*, keep only the first letter of students' surnames.

    Raises `ValidationError` if it is no OneRoster file, is too large, or is of several schools.
    """
    if len(data) > MAX_FILE:
        raise ValidationError(_("The file is larger than 5 MB."))
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        texts = _texts(archive)
    # What zipfile raises: for a damaged file, one that is encrypted (RuntimeError), packed in a way
    # that it does not know (NotImplementedError), or cut off.
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError):
        raise ValidationError(
            _("This is not a OneRoster file: a ZIP file with users.csv, classes.csv and so on.")
        ) from None
    found = SchoolFile(is_delta=_is_delta(texts))
    if not found.is_delta:
        for name in _NEEDED:
            if name not in texts:
                raise ValidationError(_("The file %(file)s is missing.") % {"file": f"{name}.csv"})
    _read_classes(texts, found)
    others = _read_people(texts, found, shorten)
    _read_places(texts, found, others)
    return found


def _texts(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the texts of the tables that are read, by their names without “.csv”."""
    wanted = {"manifest", "users", "classes", "enrollments", "roles"}
    members: dict[str, zipfile.ZipInfo] = {}
    for member in archive.infolist():
        name = member.filename.rpartition("/")[2].lower()
        if name.endswith(".csv") and (base := name.removesuffix(".csv")) in wanted:
            members.setdefault(base, member)
    # The sizes are what the file says; see read_member.
    if sum(member.file_size for member in members.values()) > MAX_UNPACKED:
        raise ValidationError(_("The file is too large when unpacked."))
    if not members.keys() & _NEEDED.keys():
        raise zipfile.BadZipFile
    return {name: _decoded(read_member(archive, member), name) for name, member in members.items()}


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValidationError(
            _(
                "%(file)s, line %(line)s: the letters are not encoded as UTF-8, as OneRoster "
                "demands. Export the file again."
            )
            % {"file": f"{name}.csv", "line": data[: error.start].count(b"\n") + 1}
        ) from None


def _rows(texts: dict[str, str], name: str, most: int) -> Rows:
    """Yield the rows of a table with their lines, by the names of columns in small letters."""
    if not texts.get(name):
        return
    reader = csv.reader(io.StringIO(texts[name], newline=""))
    try:
        header = [cell.strip().casefold() for cell in next(reader, [])]
        for column in _NEEDED.get(name, ()):
            if column not in header:
                raise ValidationError(
                    _("The column %(column)s is missing in %(file)s.")
                    % {"column": column, "file": f"{name}.csv"}
                )
        for count, row in enumerate(reader):
            if count >= most:
                raise ValidationError(
                    ngettext(
                        "%(file)s has more than %(limit)s row.",
                        "%(file)s has more than %(limit)s rows.",
                        most,
                    )
                    % {"file": f"{name}.csv", "limit": most}
                )
            if any(row):
                cells = (codes.visible(cell) for cell in row)
                yield reader.line_num, dict(zip(header, cells, strict=False))
    except csv.Error:
        raise ValidationError(
            _("%(file)s, line %(line)s: this line is damaged.")
            % {"file": f"{name}.csv", "line": reader.line_num}
        ) from None


def _is_delta(texts: dict[str, str]) -> bool:
    """Return whether the manifest says that a table has only what changed."""
    rows = _rows(texts, "manifest", 1_000)
    told = {row.get("propertyname", ""): row.get("value", "").casefold() for _line, row in rows}
    return any(told.get(f"file.{name}") == "delta" for name in _NEEDED)


def _is_gone(row: dict[str, str]) -> bool:
    return is_inactive(row.get("status", ""))


class _Ids:
    """The ids of a table: each once, and not empty."""

    def __init__(self, file: str, found: SchoolFile) -> None:
        self._file, self._found = file, found
        self._seen: set[str] = set()

    def take(self, line: int, row: dict[str, str]) -> str:
        """Return the row's sourcedId; "" if it cannot be used, which becomes a problem."""
        read = row.get("sourcedid", "")
        if not read or len(read) > _MAX_ID:
            self._found.problems.append(Problem(self._file, line, _("The sourcedId is missing.")))
            return ""
        if read in self._seen:
            said = _("The sourcedId “%(id)s” is in the file twice.") % {"id": read[:80]}
            self._found.problems.append(Problem(self._file, line, said))
            return ""
        self._seen.add(read)
        return read


def _read_classes(texts: dict[str, str], found: SchoolFile) -> None:
    ids, schools = _Ids("classes.csv", found), set()
    for line, row in _rows(texts, "classes", MAX_CLASSES):
        if not (taken := ids.take(line, row)):
            continue
        title = " ".join(row.get("title", "").split())[:_MAX_TITLE]
        if not title and not _is_gone(row):
            found.problems.append(Problem("classes.csv", line, _("The title is missing.")))
            continue
        schools.add(row.get("schoolsourcedid", ""))
        found.classes.append(ClassRow(line, taken, title, _is_gone(row)))
    if len(schools - {""}) > 1:
        raise ValidationError(
            _("The classes in this file are of several schools. Export the file of one school.")
        )


def _read_people(texts: dict[str, str], found: SchoolFile, shorten: bool) -> set[str]:
    """Read students and teachers; return the ids of all other people."""
    roles: dict[str, str] = {}  # of OneRoster 1.2
    for _line, row in _rows(texts, "roles", 2 * MAX_PEOPLE):
        user = row.get("usersourcedid", "")
        if not _is_gone(row) and (user not in roles or row.get("roletype") == "primary"):
            roles[user] = row.get("role", "")
    ids, others = _Ids("users.csv", found), set()
    for line, row in _rows(texts, "users", MAX_PEOPLE):
        if not (taken := ids.take(line, row)):
            continue
        read = row.get("role") or roles.get(taken, "")
        role = _role_of(read)
        is_gone = _is_gone(row)
        if not role and not (is_gone and not read):
            others.add(taken)
            continue
        is_closed = row.get("enableduser", "").casefold() == "false"
        preferred = row.get("preferredgivenname") or row.get("preferredfirstname")
        given, family = preferred or row.get("givenname", ""), row.get("familyname", "")
        name = Name(f"{given} {family}", given, family)
        problem = _("According to the file, this account is no longer active.") if is_closed else ""
        # Who leaves needs no name: a delta file may have the id alone.
        tidy = line_of(line, name, problem, shorten and role == "student", {})
        if tidy.problem and not is_gone:
            found.problems.append(Problem("users.csv", line, tidy.problem))
            others.add(taken)
            continue
        found.people.append(
            Person(
                line,
                taken,
                role,
                tidy.name,
                tidy.shown,
                row.get("identifier", "")[:_MAX_ID] if role == "student" else "",
                row.get("email", "")[:_MAX_EMAIL] if role == "teacher" else "",
                is_gone,
            )
        )
    return others


def _role_of(read: str) -> str:
    if read.casefold() == "teacher":
        return "teacher"
    return "student" if read and is_student(read) else ""


def _read_places(texts: dict[str, str], found: SchoolFile, others: set[str]) -> None:
    seen = set()
    for line, row in _rows(texts, "enrollments", MAX_PLACES):
        person, classroom = row.get("usersourcedid", ""), row.get("classsourcedid", "")
        role = _role_of(row.get("role", ""))
        if person in others or not role:
            continue
        is_gone = _is_gone(row)
        if (person, classroom, is_gone) in seen:
            continue
        seen.add((person, classroom, is_gone))
        is_primary = row.get("primary", "").casefold() == "true"
        found.places.append(Place(line, person, classroom, role, is_primary, is_gone))
