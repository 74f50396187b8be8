"""Read students' names from pasted lines, CSV, XLSX, OneRoster, or Kolibri's or Moodle's columns.

Only a name is read, and the ids by which another program knows the student. E-mail addresses,
dates of birth and passwords in such files are ignored, and the result lists the ignored columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts import codes
from osmosmjerka.accounts.classrooms import tables
from osmosmjerka.accounts.classrooms.columns import (
    Columns,
    fields_of,
    is_inactive,
    is_student,
    is_surely_header,
    names_people,
)
from osmosmjerka.accounts.classrooms.names import Name, name_in, order_of, split
from osmosmjerka.accounts.models import User
from osmosmjerka.i18n.code_pages import Decoded

MAX_LINES = 500
# Which name comes first, if it is known.
ORDERS = ["given", "family"]
# Of a OneRoster file, from which one class is chosen.
MAX_SCHOOL = 3_000
MAX_NAME = User._meta.get_field("display_name").max_length or 80
_MAX_READ = 200
_MAX_ID = 255

# If there are more lines above the columns' names than this, they are no titles.
_MOST_TITLES = 10


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

    *lists_everybody* says that who is not in the file is not in the class, *warnings* are sentences
    about what was guessed.
    """

    lines: list[Line]
    ignored_columns: list[str]
    classes: dict[str, str] = field(default_factory=dict)
    lists_everybody: bool = False
    warnings: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [line.shown for line in self.lines if not line.problem]

    @property
    def problems(self) -> list[Line]:
        return [line for line in self.lines if line.problem]


def parse_roster(text: str, *, shorten: bool = True, order: str = "") -> Roster:
    """Read names, one student per line. With *shorten*, keep only the surname's first letter.

    *order* says which name comes first where no column's name does: "given", "family", or "" to
    guess. Raises `ValidationError` if it is no list of names.
    """
    return _roster_of(tables.rows_of_text(text), shorten, order)


def roster_of_names(names: Iterable[str]) -> Roster:
    """Return a roster of whole names, one line each from 1."""
    return Roster(
        [line_of(number, Name(name, name), "", False, {}) for number, name in enumerate(names, 1)],
        [],
    )


def parse_file(
    data: bytes, *, shorten: bool = True, order: str = "", encoding: str | None = None
) -> Roster:
    """Read the names in an uploaded file, as `parse_roster` does a text.

    *encoding* is one of `code_pages.ENCODINGS`; without it, that of a text is guessed.
    """
    found = tables.read_file(data, encoding)
    if isinstance(found, Decoded):
        roster = parse_roster(found.text, shorten=shorten, order=order)
        return _with_guess(roster, found)
    if isinstance(found, tables.OneRoster):
        return _with_guess(_roster_of_school(found.tables, shorten), found.users)
    return _roster_of(found, shorten, order)


def _with_guess(roster: Roster, found: Decoded) -> Roster:
    if found.is_guess:
        said = _(
            "The file does not say which encoding it uses. It was read as {name}: “{words}”. If "
            "these words look wrong, choose another encoding."
        )
        roster.warnings.append(said.format(name=found.encoding, words=found.example))
    return roster


def _roster_of(rows: Iterable[tables.Row], shorten: bool, order: str) -> Roster:
    # The limit holds for lines with problems as well, for they cost time.
    found = [
        (number, [cell.strip() for cell in row])
        for number, row in islice(enumerate(rows, 1), tables.MAX_ROWS)
        if any(cell.strip() for cell in row)
    ]
    place = _place_of_header(found)
    warnings: list[str] = []
    likely = "" if order else order_of(cell for _number, row in found for cell in row)
    if place is not None:
        columns = Columns(found[place][1], order or likely)
        lines = [
            line_of(number, *columns.read(row), shorten, columns.ids_of(row))
            for number, row in found[place + 1 : place + 2 + MAX_LINES]
        ]
        ignored, lists_everybody = columns.ignored, columns.knows_the_class
        warnings += _doubtful_header(found[place][1])
        is_order_used = columns.whole is not None
    else:
        people, warnings = _without_header(found[: _MOST_TITLES + MAX_LINES], order, likely)
        lines = [line_of(number, name, problem, shorten, {}) for number, name, problem in people]
        ignored, lists_everybody, is_order_used = [], False, True
    if likely and shorten and is_order_used:
        warnings.append(
            _("Surnames seem to come first in these names. If this is wrong, choose another order.")
        )
    if len(lines) > MAX_LINES:
        problem = ngettext(
            "There is more than %(limit)s name. Add them in several batches.",
            "There are more than %(limit)s names. Add them in several batches.",
            MAX_LINES,
        ) % {"limit": MAX_LINES}
        lines[MAX_LINES:] = [Line(lines[MAX_LINES].number, "", "", problem=problem)]
    return Roster(lines, ignored, lists_everybody=lists_everybody, warnings=warnings)


def _place_of_header(rows: Sequence[tuple[int, tables.Row]]) -> int | None:
    """Return the index of the row that names columns, if only titles are above it.

    Raises `ValidationError` for a table whose columns are known, but none has names.
    """
    widest = 0
    for place, (_number, row) in enumerate(rows[: _MOST_TITLES + 1]):
        cells = [cell for cell in row if cell]
        is_named = names_people(cells) and (len(row) > 1 or len(rows) > 1)
        if is_named and (place == 0 or len(cells) > widest or is_surely_header(cells[0])):
            return place
        # A short word alone may be somebody's name, such as “Pol”.
        is_sure = len(cells) > 1 or len(cells[0]) > 4
        if place == 0 and len(rows) > 1 and is_sure and all(map(fields_of, cells)):
            raise ValidationError(
                _(
                    "No column with names was found in this table. Give the column with the names "
                    "a heading such as “Name”."
                )
            )
        widest = max(widest, len(cells))
    return None


def _doubtful_header(row: tables.Row) -> list[str]:
    """Return a warning if what was taken for a column's name may be somebody's name."""
    known = [cell for cell in row if fields_of(cell)]
    return [] if len(known) > 1 or is_surely_header(known[0]) else [_not_read(row)]


def _not_read(cells: Iterable[str]) -> str:
    return _(
        "The first line was skipped, because it seems to contain column names: %(columns)s."
    ) % {"columns": ", ".join(cell[:40] for cell in cells if cell)}


def _without_header(
    rows: Sequence[tuple[int, tables.Row]], order: str, likely: str
) -> tuple[list[tuple[int, Name, str]], list[str]]:
    """Read rows without names of columns: a name in one cell, or a surname and a given name.

    Returns lines with their names and what is wrong with them, and warnings.
    """
    warnings = []
    if _is_unknown_header([row for _number, row in rows]):
        warnings.append(_not_read(rows[0][1]))
        rows = rows[1:]
    people: list[tuple[int, Name, str]] = []
    is_divided = is_several = False
    for number, row in rows:
        cells = _cells_with_names(row)
        if not cells:
            people.append((number, *_without_name(row)))
        elif _are_several(cells, is_only=len(rows) == 1):
            people += [(number, split(cell, order or likely), "") for cell in cells]
            is_several = True
        elif len(cells) == 1 or "," in cells[0]:  # the whole name is in one cell
            people.append((number, split(cells[0], order or likely), ""))
        else:
            family, given = cells[1::-1] if order == "given" else cells[:2]
            people.append((number, Name(f"{given} {family}", given, family), ""))
            is_divided = True
    if is_several:  # one line has several names, and each needs a number of its own
        people = [(number, name, problem) for number, (_l, name, problem) in enumerate(people, 1)]
    if is_divided and not order:
        warnings.append(
            _(
                "The columns have no names. The first was read as surnames, the second as given "
                "names. If this is wrong, choose another order."
            )
        )
    return people, warnings


def _cells_with_names(row: tables.Row) -> list[str]:
    """Return the cells that may be names: not a class, an address or a letter for the gender."""
    cells = [cell for cell in row if cell]
    kept = [found for cell in cells if (found := name_in(cell))]
    return [cell for cell in kept if len(cell) > 1] if len(cells) > 2 else kept


def _without_name(row: tables.Row) -> tuple[Name, str]:
    text = " ".join(row)
    has_address = "@" in text
    problem = _("This is an e-mail address, not a name.") if has_address else ""
    return Name("" if has_address else text, ""), problem or _("The name is missing.")


def _are_several(cells: Sequence[str], *, is_only: bool) -> bool:
    """Return whether each cell of a row is a student: “Ana Horvat, Ivan Kos, Mia Novak”."""
    if len(cells) < 2:
        return False
    are_whole = all(split(cell).family for cell in cells)
    return (are_whole and (is_only or len(cells) > 2)) or (is_only and len(cells) > 2)


def _is_unknown_header(rows: Sequence[tables.Row]) -> bool:
    """Return whether a column has a word in its first cell, and no names below it."""
    if len(rows) < 2 or len(rows[0]) < 2:
        return False
    return any(
        name_in(cell)
        and all(place < len(row) and row[place] and not name_in(row[place]) for row in rows[1:])
        for place, cell in enumerate(rows[0])
    )


def _roster_of_school(found: dict[str, list[dict[str, str]]], shorten: bool) -> Roster:
    """Read the students of OneRoster's users.csv, with the classes in which they are enrolled."""
    titles = {row.get("sourcedid", ""): row.get("title", "") for row in found.get("classes", ())}
    classes: dict[str, list[str]] = {}
    for row in found.get("enrollments", ()):
        if is_student(row.get("role", "")) and not is_inactive(row.get("status", "")):
            classes.setdefault(row.get("usersourcedid", ""), []).append(
                row.get("classsourcedid", "")[:_MAX_ID]
            )
    roles = {row.get("usersourcedid", ""): row.get("role", "") for row in found.get("roles", ())}
    users = found["users"]
    header = list(users[0]) if users else []
    columns = Columns([*header, "role"])
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
        lines.append(line_of(number, name, problem, shorten, columns.ids_of(cells), of))
    used = dict.fromkeys(each for line in lines for each in line.classes)
    named = {each: " ".join((titles.get(each) or each).split())[:100] for each in used}
    return Roster(lines, columns.ignored, named, lists_everybody=True)


def line_of(
    number: int,
    name: Name,
    problem: str,
    shorten: bool,
    ids: dict[str, str],
    classes: tuple[str, ...] = (),
) -> Line:
    """Return a line with a tidy name, or with what is wrong with it."""
    read = _tidy(name.whole)
    shown = _tidy(name.shortened) if shorten else read
    if not problem and not any(letter.isalnum() for letter in read):
        problem = _("The name is missing.")
    elif not problem and shorten and not any(letter.isalnum() for letter in _tidy(name.given)):
        problem = _(
            "This line contains only a surname, which would be saved in full. Add a given name, or "
            "do not shorten surnames."
        )
    elif not problem and shorten and not name.is_sure:
        problem = _(
            "The surname cannot be told from the given name. Put a space between them, or do not "
            "shorten surnames."
        )
    elif not problem and (
        len(name.whole) > 10 * _MAX_READ or len(read) > _MAX_READ or len(shown) > MAX_NAME
    ):
        problem = ngettext(
            "The name is longer than %(limit)s character.",
            "The name is longer than %(limit)s characters.",
            MAX_NAME,
        ) % {"limit": MAX_NAME}
    if problem:
        return Line(number, read[:_MAX_READ], "", ids, classes, problem[:300])
    return Line(number, read, shown, ids, classes)


def _tidy(name: str) -> str:
    return codes.visible(" ".join(name[: 10 * _MAX_READ].split()))
