"""Columns of a table of people: their names in many languages, and how a row's name is read.

columns.toml has the names. A name that means several things is decided by the other columns.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from django.utils.translation import gettext as _

from osmosmjerka.accounts.classrooms.names import Name, name_in, split
from osmosmjerka.accounts.models import ExternalId

_TABLES: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_LONGEST = 200
_LONGEST_ID = 255
# Kolibri appends a code to its names of columns, which are translated.
_CODE = re.compile(r"\(([A-Z]+(?:_[A-Z]+)*)\)\s*$")

# Tables of columns.toml, by whose names the ids of students are stored too.
_IDS = (ExternalId.Source.ONEROSTER, ExternalId.Source.KOLIBRI, ExternalId.Source.NUMBER)
_NAMES = ("given", "family", "whole")
# Values of a status that mean that somebody has left, or that something has ended.
_INACTIVE = {"tobedeleted", "inactive"}


def key(cell: str) -> str:
    """Return *cell* without what does not matter in a column's name: case, accents, spaces."""
    letters = unicodedata.normalize("NFKD", cell[:_LONGEST].casefold())
    return "".join(letter for letter in letters if letter.isalnum())


def _keys(field: str) -> frozenset[str]:
    return frozenset(key(name) for names in _TABLES[field].values() for name in names.split())


_STUDENT = _keys("student") | {""}
_NO_STUDENT = _keys("no_student")
_FAMILY_FIRST = _keys("family_first")
_FIELDS = [name for name in _TABLES if name not in ("student", "no_student", "family_first")]
_JAPANESE = frozenset(map(key, _TABLES["family_first"]["ja"].split()))
# What a single cell is a column's name in, although it may be somebody's name in another language.
_NO_NAMES = frozenset(key(name) for name in _TABLES["whole"]["en"].split())


@lru_cache(maxsize=1)
def _by_key() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for field in _FIELDS:
        for name in _keys(field):
            found.setdefault(name, set()).add(field)
    return {name: frozenset(fields) for name, fields in found.items()}


def fields_of(cell: str) -> frozenset[str]:
    """Return what a column of this name may be: a name of a table in columns.toml."""
    code = _CODE.search(cell[:_LONGEST])
    if code and (fields := _by_key().get(key(code[1]))):
        return fields
    known = _by_key()
    return known.get(key(cell)) or known.get(key(cell.partition("(")[0])) or frozenset()


def names_people(cells: Sequence[str]) -> bool:
    """Return whether a line has the name of a column of names."""
    return any(not fields_of(cell).isdisjoint(_NAMES) for cell in cells)


def is_surely_header(cell: str) -> bool:
    """Return whether a cell alone is a column's name, and nobody's own name."""
    return not fields_of(cell).isdisjoint(_NAMES) and (
        key(cell) in _NO_NAMES or len(cell.split()) > 1
    )


def is_student(role: str) -> bool:
    """Return whether a role is a student's, in any language, or not said."""
    return key(role) in _STUDENT


def is_inactive(status: str) -> bool:
    """Return whether a status says that somebody has left, or that something has ended."""
    return key(status) in _INACTIVE


class Columns:
    """Which columns of a header are read."""

    def __init__(self, header: Sequence[str], order: str = "") -> None:
        self._fields = [fields_of(cell) for cell in header]
        self._order = order
        self._find_names()
        self.role = self._first("role")
        self.status = self._first("status")
        self.enabled = self._first("enabled")
        places = {source: self._first(source) for source in _IDS}
        self.ids = {source: place for source, place in places.items() if place is not None}
        self._name_unknown(header)
        if self.whole is not None:
            name = key(header[self.whole].partition("(")[0])
            self._is_japanese = name in _JAPANESE
            if name in _FAMILY_FIRST and not order:
                self._order = "family"
        else:
            self._is_japanese = False
        read = {self.given, self.family, self.whole, self.role, self.status, self.enabled}
        read |= {*self.ids.values()}
        self.ignored = [
            name
            for place, cell in enumerate(header)
            if place not in read and (name := _shown(cell))
        ]

    def _first(self, field: str, *, only: bool = False) -> int | None:
        """Return the first column that is surely *field*, else the first one that may be."""
        fitting = [place for place, fields in enumerate(self._fields) if field in fields]
        if only:
            fitting = [place for place in fitting if len(self._fields[place] & {*_NAMES}) == 1]
        return min(fitting, key=lambda place: len(self._fields[place]), default=None)

    def _find_names(self) -> None:
        self.given = self._first("given", only=True)
        self.family = self._first("family", only=True)
        self.whole = self._first("whole", only=True)
        taken = {self.given, self.family, self.whole}
        for place, fields in enumerate(self._fields):
            if place in taken or fields.isdisjoint(_NAMES):
                continue
            if self.given is not None and self.family is None and "family" in fields:
                self.family = place  # Vorname, Name
            elif self.family is not None and self.given is None and fields & {"given", "whole"}:
                self.given = place  # Nombre, Apellidos
            elif self.given is None and self.family is None and self.whole is None:
                self.whole = place
        if self.given is None and self.family is not None and self.whole is not None:
            self.given, self.whole = self.whole, None  # Name, Surname
        elif self.given is not None and self.family is None:
            # There is nothing else, or it is a part of the whole name.
            self.given, self.whole = None, self.given if self.whole is None else self.whole

    def _name_unknown(self, header: Sequence[str]) -> None:
        """Let the only column of unknown name beside surnames be that of given names."""
        unknown = [n for n, cell in enumerate(header) if cell.strip() and not self._fields[n]]
        if self.given is None and self.family is not None and len(unknown) == 1:
            self.given = unknown[0]

    def read(self, row: Sequence[str]) -> tuple[Name, str]:
        """Return the name in *row* and, if the row is skipped, the reason."""
        given, family = name_in(_cell(row, self.given)), name_in(_cell(row, self.family))
        if self.given is None and self.family is None:
            whole = name_in(_cell(row, self.whole))
            name = split(whole, self._order, is_japanese=self._is_japanese)
        elif not given and "," in family:  # under “Surname, Name”, in one cell
            name = split(family)
        elif family and _has_within(given, family):
            name = split(given, self._order)
        elif given and _has_within(family, given):
            name = split(family, self._order)
        else:
            name = Name(f"{given} {family}", given, family)
        role = _cell(row, self.role)[:40]
        if not is_student(role):
            return name, _("“%(role)s” is not a student. Invite teachers instead.") % {"role": role}
        if key(name.whole) in _NO_STUDENT:
            return name, _("The name is missing.")
        is_closed = key(_cell(row, self.enabled)) == "false"
        if is_closed or is_inactive(_cell(row, self.status)):
            return name, _("According to the file, this account is no longer active.")
        return name, ""

    def ids_of(self, row: Sequence[str]) -> dict[str, str]:
        """Return the student's ids by their source."""
        found = {source: _cell(row, place) for source, place in self.ids.items()}
        return {
            str(source): value for source, value in found.items() if 0 < len(value) <= _LONGEST_ID
        }

    @property
    def knows_the_class(self) -> bool:
        """Whether only a program makes such a file, which knows who is in the class."""
        return ExternalId.Source.ONEROSTER in self.ids


def _has_within(longer: str, name: str) -> bool:
    """Return whether a cell has the words of *name* and others: it is a whole name."""
    words, wanted = longer.casefold().split(), name.casefold().split()
    return len(words) > len(wanted) > 0 and all(word in words for word in wanted)


def _cell(row: Sequence[str], place: int | None) -> str:
    return row[place].strip() if place is not None and place < len(row) else ""


def _shown(cell: str) -> str:
    """Return a column's name for the list of those that are not needed."""
    name = unicodedata.normalize("NFC", cell[:_LONGEST].partition("(")[0])
    return "".join(letter for letter in name.casefold() if letter.isalnum())[:40]
