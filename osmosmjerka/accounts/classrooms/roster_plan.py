"""What adding a roster to a class would do, line by line. Reads and writes nothing.

The same lines and the same class give the same plan, so a plan that a teacher has seen can be
compared with the one at the moment of adding.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

from django.utils.translation import gettext as _

from osmosmjerka.accounts import codes
from osmosmjerka.accounts.classrooms.names import shortenings
from osmosmjerka.accounts.classrooms.roster import Line

# new: gets an account; known: is in the class; changed: the same id, another name; returning: has
# an account in the school and joins the class; alike: somebody in the class has this name;
# repeated: the same student as in an earlier line; foreign: has an account in the school that the
# teacher may not add to a class; refused: a line with a problem.
Outcome = Literal["new", "known", "changed", "returning", "alike", "repeated", "foreign", "refused"]
# Lines of these outcomes ask the teacher; without an answer, the first choice applies.
CHOICES: dict[Outcome, tuple[str, str]] = {
    "alike": ("same", "other"),
    "repeated": ("same", "other"),
    "changed": ("rename", "keep"),
}
_NUMBER = re.compile(r" [0-9]+$")

Id = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Known:
    """A student of the class or, found by an id, of the school.

    *may_change* says whether the teacher may rename them and add them to a class.
    """

    pk: int
    name: str
    is_in_class: bool
    may_change: bool
    is_in_bin: bool = False
    sources: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Item:
    """What becomes of a line.

    *name* is the display name afterwards; for "alike" and "repeated" it is the name that the
    student gets as somebody else. *student* and *student_name* are the account that was found.
    """

    line: int
    outcome: Outcome
    read: str
    name: str = ""
    student: int | None = None
    student_name: str = ""
    problem: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        return CHOICES.get(self.outcome, ())


def plan(
    lines: Sequence[Line], *, members: Sequence[Known], by_id: Mapping[Id, Known]
) -> list[Item]:
    """Return what becomes of each line; *members* are all students of the class."""
    names = Names(member.name for member in members)
    found: dict[int, Known] = {}
    first_of: dict[int, int] = {}
    # Ids come first: a line without one must not take the student whom another line means.
    for place, line in enumerate(lines):
        known = None if line.problem else _by_id(line, by_id)
        if known is not None:
            found[place] = known
            first_of.setdefault(known.pk, place)
    claimed = set(first_of)
    alike = Alike(members)
    seen: dict[str, list[Line]] = {}
    items = []
    for place, line in enumerate(lines):
        if line.problem:
            items.append(Item(line.number, "refused", line.name, problem=line.problem))
            continue
        known = found.get(place)
        twins = seen.setdefault(_key(line.name), [])
        if known is not None and first_of[known.pk] == place:
            items.append(_with_account(line, known, names))
        elif known is not None or any(not _differ(line.ids, twin.ids) for twin in twins):
            items.append(Item(line.number, "repeated", line.name, line.shown))
        elif namesake := alike.take(line, claimed):
            items.append(
                Item(line.number, "alike", line.name, line.shown, namesake.pk, namesake.name)
            )
        else:
            items.append(Item(line.number, "new", line.name, names.free(line.shown)))
        twins.append(line)
    # These names may not be needed, so they come after the certain ones.
    return [
        replace(item, name=names.free(item.name)) if item.outcome in ("alike", "repeated") else item
        for item in items
    ]


def fingerprint(items: Iterable[Item]) -> str:
    """Return a text that differs for plans that differ."""
    told = json.dumps([asdict(item) for item in items])
    return hashlib.sha256(told.encode()).hexdigest()


def _by_id(line: Line, by_id: Mapping[Id, Known]) -> Known | None:
    return next((by_id[each] for each in line.ids.items() if each in by_id), None)


def _with_account(line: Line, known: Known, names: Names) -> Item:
    """Return what becomes of a line whose student was found by an id."""
    if known.is_in_bin:
        problem = _("This student is in the bin. Restore them there.")
        return Item(line.number, "refused", line.name, problem=problem)
    if not known.is_in_class and not known.may_change:
        problem = _(
            "This student is in another class of your school. Ask its teacher or a school admin to "
            "add them."
        )
        return Item(line.number, "foreign", line.name, problem=problem)
    name = known.name
    outcome: Outcome = "known"
    if not known.is_in_class:
        outcome = "returning"
    elif known.may_change and not is_named(known.name, line.shown):
        name, outcome = names.free(line.shown), "changed"
    return Item(line.number, outcome, line.name, name, known.pk, known.name)


def _differ(ids: Mapping[str, str], others: Mapping[str, str]) -> bool:
    """Return whether two lines are certainly of two students: by ids of the same source."""
    return any(source in others and others[source] != value for source, value in ids.items())


def _key(name: str) -> str:
    return codes.folded(name) or name.casefold()


def is_named(name: str, shown: str) -> bool:
    """Return whether *shown* is a student's *name*, perhaps without a number behind it."""
    return _key(shown) in _keys_of(name)


def _keys_of(name: str) -> set[str]:
    """Return the keys of a student's name, also without the number that told them apart."""
    return {_key(name), _key(_NUMBER.sub("", name))}


class Names:
    """Display names that are still free in the class; a repeated one gets a number."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {codes.folded(name) for name in taken}

    def free(self, name: str) -> str:
        shown = codes.free_name(name, self._taken)
        self._taken.add(codes.folded(shown))
        return shown


class Alike:
    """Students of the class by their names, each taken by one line only."""

    def __init__(self, members: Iterable[Known]) -> None:
        self._by_key: dict[str, list[Known]] = {}
        for member in members:
            for key in _keys_of(member.name):
                self._by_key.setdefault(key, []).append(member)

    def take(self, line: Line, claimed: set[int]) -> Known | None:
        """Return a student with the line's name, in full or shortened, whom no other line took.

        A person who has an id of the same source as the line is somebody else.
        """
        for key in map(_key, (line.name, line.shown, *shortenings(line.name))):
            for member in self._by_key.get(key, ()):
                if member.pk not in claimed and not member.sources & line.ids.keys():
                    claimed.add(member.pk)
                    return member
        return None
